// The files that a program is made of, and those that lie beside them.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace lanescope {

/// A .cu or C++ file, by its name.
bool is_source_file(const std::string& name);
/// CUDA C++ and C++ files in a folder, by name; not those of folders below it.
std::vector<std::string> source_files_in(const std::string& folder);
/// A file beside a program's that is none of them and defines a function of this demangled name, whatever its
/// parameters; empty if there is none. For whoever has to tell that the function is missing.
std::string file_that_defines(std::span<const std::string> files, const std::string& function);

}  // namespace lanescope
