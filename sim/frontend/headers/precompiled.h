// The prelude, parsed when the program is built: parsing it takes ten times as long as a kernel does.
// Private to the files that include Clang.
#pragma once

#include <llvm/ADT/IntrusiveRefCntPtr.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope {

/// What the compiler calls the prelude's syntax tree.
inline constexpr const char* kPrecompiledFile = "/lanescope/prelude.pch";

/// The language that the tree is in; a text of another needs its own.
inline constexpr const char* kUsualStandard = "c++17";

/// Mistakes to Clang that nvcc and GCC let pass.
inline constexpr std::initializer_list<const char*> kForgiven = {
    "-Wno-register", "-Wno-c++11-narrowing", "-Wno-reserved-user-defined-literal",
    "-Wno-missing-template-arg-list-after-template-kw"};

/// Arguments of every compilation of a kernel, and so of the prelude by itself.
std::vector<std::string> common_arguments();

/// What the headers themselves instantiate is in their tree, and not left to each text.
inline constexpr const char* kTreeFlag = "-fpch-instantiate-templates";

/// A syntax tree in Clang's own format, and the files on disk that it was made of.
struct SyntaxTree {
  /// Empty where the text has errors
  std::string content;
  std::vector<std::string> files;
};
/// Of what the arguments, of Clang's own command line, name in `files`.
SyntaxTree make_tree(std::vector<std::string> args,
                     llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files);

/// The prelude's syntax tree in Clang's own format, behind the version of Clang that made it. Empty
/// where it cannot be made.
std::string make_precompiled_prelude();

/// What PTX instructions compute (prelude/ptx/lanescope_ptx.h), as LLVM's bitcode, in the same way.
std::string make_ptx_meanings();

/// The tree: the one inside the binary, or, where another Clang runs than has made that one, a new
/// one, once a process. Empty where it cannot be made. May be called from several threads at once.
std::string_view precompiled_prelude();

/// The bitcode, likewise.
std::string_view ptx_meanings();

}  // namespace lanescope
