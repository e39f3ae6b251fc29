// Which file beside a program's has what the program lacks.
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <filesystem>

#include "frontend/text/tokens.h"
#include "lanescope/source_files.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using Tokens = std::vector<RawToken>;

/// "reduce" of "void app::reduce<int>(int*, int)".
std::string last_name(const std::string& demangled) {
  std::string plain;
  int depth = 0;
  for (const char c : demangled) {
    if (c == '(' && depth == 0) break;
    if (c == '<') ++depth;
    if (depth == 0) plain += c;
    if (c == '>') --depth;
  }
  const std::size_t before = plain.find_last_of(" :*&");
  return before == std::string::npos ? plain : plain.substr(before + 1);
}

/// Whether the token is a function's name in front of its parameters and its body.
bool begins_definition(const Tokens& tokens, std::size_t at) {
  if (at == 0 || at + 1 >= tokens.size() || tokens[at + 1].text != "(") return false;
  const RawToken& before = tokens[at - 1];
  if (before.text == "return" || !(before.is_identifier || before.text == "*" ||
                                   before.text == "&" || before.text == "::" || before.text == ">"))
    return false;
  std::size_t i = behind(tokens, at + 1, "(", ")");
  while (i < tokens.size() && tokens[i].is_identifier) ++i;  // const, noexcept
  return i < tokens.size() && (tokens[i].text == "{" || tokens[i].text == ":");
}

bool defines(const std::string& path, const std::string& name) {
  const auto file = llvm::MemoryBuffer::getFile(path);
  if (!file || !(*file)->getBuffer().contains(name)) return false;
  const Tokens tokens = raw_tokens((*file)->getBuffer().str());
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (tokens[i].text == name && begins_definition(tokens, i)) return true;
  return false;
}

}  // namespace

bool is_source_file(const std::string& name) {
  static constexpr const char* kExtensions[] = {".cu", ".cpp", ".cc", ".cxx", ".c"};
  const std::string extension = fs::path(name).extension();
  return std::find(std::begin(kExtensions), std::end(kExtensions), extension) !=
         std::end(kExtensions);
}

std::vector<std::string> source_files_in(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, ignored))
    if (entry.is_regular_file(ignored) && is_source_file(entry.path().string()))
      found.push_back((fs::path(folder) / entry.path().filename()).string());
  std::sort(found.begin(), found.end());
  return found;
}

std::string file_that_defines(std::span<const std::string> files, const std::string& function) {
  const std::string name = last_name(function);
  if (name.empty()) return {};
  for (const std::string& file : files)
    for (const std::string& other : source_files_in(fs::path(file).parent_path().string()))
      if (std::find(files.begin(), files.end(), other) == files.end() && defines(other, name))
        return other;
  return {};
}

}  // namespace lanescope
