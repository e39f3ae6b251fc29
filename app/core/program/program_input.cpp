#include "core/program/program_input.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <thread>

#include "core/kernel/compile_request.h"
#include "core/program/memory_size.h"
#include "core/text/messages.h"
#include "core/text/text_file.h"
#include "lanescope/source_files.h"

namespace lanescope::app {

namespace fs = std::filesystem;

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Past a comment or a literal that begins here; `at` itself where none does.
std::size_t skipped(const std::string& text, std::size_t at) {
  const auto past = [&](const char* end, std::size_t from) {
    const std::size_t found = text.find(end, from);
    return found == std::string::npos ? text.size() : found + std::string_view(end).size();
  };
  if (text.compare(at, 2, "//") == 0) return past("\n", at);
  if (text.compare(at, 2, "/*") == 0) return past("*/", at + 2);
  if (text.compare(at, 3, "R\"(") == 0) return past(")\"", at);
  const char quote = text[at];
  // 1'000'000 is no character.
  const bool literal = quote == '"' || (quote == '\'' && (at == 0 || !is_word(text[at - 1])));
  if (!literal) return at;
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == quote || text[i] == '\n')
      return i + 1;
  }
  return text.size();
}

std::string beside(const std::string& file, const std::string& name) {
  return (fs::path(file).parent_path() / name).lexically_normal().string();
}

Message take_flags(const std::string& file, const std::vector<std::string>& words,
                   ProgramRequest& request) {
  WholeProgramRequest& compile = request.compile;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (is_source_file(word) && !word.starts_with("-")) {
      compile.files.push_back(beside(file, word));
      continue;
    }
    const std::string flag = word.substr(0, 2);
    if (flag == "-D" || flag == "-I") {
      const bool apart = word.size() == 2;
      if (apart && i + 1 == words.size()) return say::flag_needs_value(word);
      const std::string value = apart ? words[++i] : word.substr(2);
      if (flag == "-D")
        compile.macros.push_back(macro_of(value));
      else
        compile.include_folders.push_back(beside(file, value));
    } else if (word == "--memory") {
      const auto bytes = i + 1 < words.size() ? size_of(words[++i]) : std::nullopt;
      if (!bytes) return say::memory_needs_size;
      request.memory_bytes = *bytes;
    } else if (word.starts_with("-std=")) {
      compile.standard = word.substr(5);
    } else {
      return say::unknown_program_flag(word);
    }
  }
  return {};
}

}  // namespace

bool has_main(const std::string& text) {
  for (std::size_t i = 0; i < text.size();) {
    if (const std::size_t next = skipped(text, i); next != i) {
      i = next;
      continue;
    }
    if (!is_word(text[i])) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    while (i < text.size() && is_word(text[i])) ++i;
    if (text.compare(begin, i - begin, "main") != 0) continue;
    const std::size_t next = text.find_first_not_of(" \t\n", i);
    const std::size_t before =
        begin == 0 ? std::string::npos : text.find_last_not_of(" \t\n", begin - 1);
    // A type stands before a definition; a call has none.
    if (next != std::string::npos && text[next] == '(' && before != std::string::npos &&
        is_word(text[before]))
      return true;
  }
  return false;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool begun = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      word += text[++i];
      begun = true;
    } else if (quote != 0 ? c == quote : c == '"' || c == '\'') {
      quote = quote != 0 ? '\0' : c;
      begun = true;
    } else if (quote == 0 && std::isspace(static_cast<unsigned char>(c)) != 0) {
      if (begun) words.push_back(std::move(word));
      word.clear();
      begun = false;
    } else {
      word += c;
      begun = true;
    }
  }
  if (begun) words.push_back(std::move(word));
  return words;
}

bool is_source_file(const std::string& name) { return lanescope::is_source_file(name); }

std::string toolkit_headers(const std::string& folder) {
  std::error_code ignored;
  for (const std::string& root : {folder, std::string("/usr/local/cuda")})
    if (!root.empty() && fs::exists(fs::path(root) / "include/cuda.h", ignored))
      return root + "/include";
  return {};
}

ProgramRequestResult make_program_request(const std::string& file, const std::string& text,
                                          const ProgramInput& input) {
  ProgramRequestResult result;
  ProgramRequest& request = result.request;
  request.compile.files = {file};
  request.compile.texts[file] = text;
  request.compile.cuda_headers = toolkit_headers();
  request.compile.kept_folder = cache_folder();
  request.arguments = words_of(input.arguments);
  result.problem = take_flags(file, words_of(input.flags), request);
  if (request.memory_bytes == 0) request.memory_bytes = usual_memory();
  // One core stays with the window.
  request.threads = std::max(2u, std::thread::hardware_concurrency()) - 1;
  return result;
}

CompileFlagsResult compile_flags_from(const std::string& file, const std::string& text) {
  ProgramRequest request;
  request.compile.standard.clear();
  CompileFlagsResult result;
  result.problem = take_flags(absolute_path(file), words_of(text), request);
  if (!result.problem.empty()) return result;
  if (!request.compile.files.empty() || request.memory_bytes != 0) {
    result.problem = say::unknown_kernel_flag;
    return result;
  }
  result.flags.include_folders = request.compile.include_folders;
  result.flags.standard = request.compile.standard;
  for (const MacroDefinition& macro : request.compile.macros)
    result.flags.macros[macro.name] = macro.value;
  const auto& known = language_standards();
  const std::string& standard = result.flags.standard;
  if (!standard.empty() && std::find(known.begin(), known.end(), standard) == known.end())
    result.problem = say::unknown_standard(standard);
  return result;
}

std::string flags_text(const CompileFlags& flags) {
  std::vector<std::string> words;
  for (const std::string& folder : flags.include_folders) words.push_back("-I" + folder);
  for (const auto& [name, value] : flags.macros) words.push_back("-D" + name + "=" + value);
  if (!flags.standard.empty()) words.push_back("-std=" + flags.standard);
  std::string text;
  for (const std::string& word : words) {
    const bool quoted = word.find_first_of(" \t") != std::string::npos;
    text += (text.empty() ? "" : " ") + (quoted ? '"' + word + '"' : word);
  }
  return text;
}

}  // namespace lanescope::app
