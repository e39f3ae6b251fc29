// Accesses and kernels as a text has written them. Private to the files that include Clang.
#pragma once

#include <vector>

#include "lanescope/compile.h"
#include "lower/access_text.h"

namespace clang {
class ASTContext;
class Decl;
}  // namespace clang

namespace lanescope {

/// Adds what is in `decl`: the texts of accesses, where structs are moved whole, and the kernels that the
/// main file defines.
void read_accesses(clang::ASTContext& context, clang::Decl& decl, AccessTexts& texts,
                   std::vector<KernelEntry>& kernels);

}  // namespace lanescope
