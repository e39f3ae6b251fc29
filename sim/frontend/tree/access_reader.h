// Accesses and kernels as a text has written them. Private to the files that include Clang.
#pragma once

#include <optional>
#include <vector>

#include "lanescope/compile.h"
#include "lower/access_text.h"

namespace clang {
class ASTContext;
class Decl;
class SourceLocation;
class SourceManager;
}  // namespace clang

namespace lanescope {

/// Where something stands: in the main file, or in one of `texts.headers`; nullopt in others.
std::optional<SourcePos> position_of(const clang::SourceManager& sources,
                                     clang::SourceLocation location, const AccessTexts& texts);

/// Adds those of the text's own headers that `decl` says hold kernels. Before any accesses are read.
void find_headers(clang::ASTContext& context, clang::Decl& decl, AccessTexts& texts);

/// Adds what is in `decl`: the texts of accesses, where structs are moved whole, and the kernels that the
/// main file defines.
void read_accesses(clang::ASTContext& context, clang::Decl& decl, AccessTexts& texts,
                   std::vector<KernelEntry>& kernels);

}  // namespace lanescope
