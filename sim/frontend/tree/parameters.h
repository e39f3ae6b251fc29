// What only the syntax tree knows of a kernel: the types of its parameters, and the bounds that it declares.
// Private to the files that include Clang.
#pragma once

#include <cstdint>

#include "lanescope/compile.h"

namespace clang {
class ASTContext;
class FunctionDecl;
class ParmVarDecl;
}  // namespace clang

namespace lanescope {

/// What can be given as an argument: scalar, pointer, or a struct with its members where its bytes are
/// all its members' own.
ArgumentInfo parameter_of(const clang::ASTContext& context, const clang::ParmVarDecl& decl);

/// Of a block, from __launch_bounds__; 0 where a kernel has none, or none that is a constant yet.
std::uint32_t most_threads_of(const clang::ASTContext& context, const clang::FunctionDecl& kernel);

/// Blocks of a cluster, from __cluster_dims__ (prelude/device/lanescope_attributes.h); one where a kernel has none.
Dim3 cluster_of(const clang::ASTContext& context, const clang::FunctionDecl& kernel);

}  // namespace lanescope
