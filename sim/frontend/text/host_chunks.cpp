#include "frontend/text/host_chunks.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "frontend/text/launch_sites.h"

namespace lanescope {
namespace {

/// Lines of a declaration, and whether a kernel may need it.
struct Chunk {
  std::uint32_t first = 0, last = 0;
  bool device = false;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Preprocessor directives and their continuations: no part of any declaration.
std::vector<bool> directives_of(const std::vector<std::string>& lines) {
  std::vector<bool> directive(lines.size() + 2);
  bool goes_on = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t begin = lines[i].find_first_not_of(" \t");
    directive[i + 1] = goes_on || (begin != std::string::npos && lines[i][begin] == '#');
    goes_on = directive[i + 1] && !lines[i].empty() && lines[i].back() == '\\';
  }
  return directive;
}

bool is_device_word(const std::string& text) {
  static const char* const kWords[] = {"__global__", "__device__", "__constant__", "__shared__"};
  return std::find(std::begin(kWords), std::end(kWords), text) != std::end(kWords);
}

/// Reads declarations one after the other; what a namespace holds counts as at file scope.
class ChunkReader {
 public:
  explicit ChunkReader(const std::string& text)
      : tokens_(raw_tokens(text)), directive_(directives_of(lines_of(text))) {}

  std::vector<Chunk> read() {
    for (const RawToken& token : tokens_)
      if (token.pos.line >= directive_.size() || !directive_[token.pos.line]) take(token);
    return std::move(chunks_);
  }

 private:
  void take(const RawToken& token) {
    if (words_.empty()) {
      if (token.text == "}" || token.text == ";") return;
      now_ = {token.pos.line, token.pos.line, false};
    }
    words_.push_back(token.text);
    now_.last = token.pos.line;
    now_.device = now_.device || is_device_word(token.text);
    if (token.text == "{" && depth_ == 0 && opens_scope()) return words_.clear();
    if (token.text == "{" || token.text == "(" || token.text == "[") ++depth_;
    if (token.text == "}" || token.text == ")" || token.text == "]") --depth_;
    depth_ = std::max(depth_, 0);
    const bool ends = depth_ == 0 && (token.text == ";" || token.text == "}");
    if (!ends) return;
    chunks_.push_back(now_);
    words_.clear();
  }

  [[nodiscard]] bool opens_scope() const {
    return words_.front() == "namespace" ||
           (words_.front() == "extern" && words_.size() == 3 && words_[1].front() == '"');
  }

  const std::vector<RawToken> tokens_;
  const std::vector<bool> directive_;
  std::vector<std::string> words_;
  Chunk now_;
  int depth_ = 0;
  std::vector<Chunk> chunks_;
};

}  // namespace

std::string without_host_chunks(const std::string& text, const std::set<std::uint32_t>& wrong) {
  std::vector<std::string> lines = lines_of(text);
  const std::vector<bool> directive = directives_of(lines);
  for (const Chunk& chunk : ChunkReader(text).read()) {
    const auto inside = wrong.lower_bound(chunk.first);
    if (chunk.device || inside == wrong.end() || *inside > chunk.last) continue;
    for (std::uint32_t line = chunk.first; line <= chunk.last && line <= lines.size(); ++line)
      if (!directive[line]) lines[line - 1].clear();
  }
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

}  // namespace lanescope
