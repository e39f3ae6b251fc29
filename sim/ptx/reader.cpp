#include "ptx/reader.h"

#include <bit>
#include <cctype>
#include <cstdlib>
#include <map>

#include <fmt/format.h>

namespace lanescope {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '%';
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string one_line(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (!is_space(c))
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

/// Stops at the first thing that it does not understand: `failed`.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  PtxText read() {
    scopes_.push_back({});
    open_ = {0};
    while (!failed_) {
      skip();
      if (at_ >= text_.size()) break;
      statement();
    }
    if (!failed_ && open_.size() != 1) fail();
    if (!failed_ && !next_.labels.empty()) add(std::move(next_));
    resolve_branches();
    return std::move(out_);
  }

 private:
  struct Scope {
    std::map<std::string, std::string> registers, labels;
  };

  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool take(char c) {
    skip();
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void fail() {
    if (failed_) return;
    failed_ = true;
    const std::size_t end = text_.find_first_of(";\n", at_);
    out_.error = {one_line(text_.substr(at_, end == std::string_view::npos ? end : end - at_)),
                  at_ + 1};
  }
  void skip() {
    while (at_ < text_.size()) {
      if (is_space(peek()))
        ++at_;
      else if (peek() == '/' && peek(1) == '/')
        at_ = std::min(text_.find('\n', at_), text_.size());
      else if (peek() == '/' && peek(1) == '*')
        at_ = std::min(std::min(text_.find("*/", at_ + 2), text_.size()) + 2, text_.size());
      else
        return;
    }
  }
  /// A name; the dollar signs that LLVM has doubled are its own, ${:uid} is nothing.
  std::string word() {
    std::string out;
    for (;;) {
      if (is_word(peek()))
        out += text_[at_++];
      else if (peek() == '$' && peek(1) == '$')
        out += '$', at_ += 2;
      else if (text_.substr(at_).starts_with("${:uid}"))
        at_ += 7;
      else
        return out;
    }
  }

  // ---- statements ----

  void statement() {
    if (take(';')) return;
    if (take('{')) return open_scope();
    if (take('}')) {
      if (open_.size() == 1) return --at_, fail();
      open_.pop_back();
      return;
    }
    if (peek() == '.') return directive();
    const std::size_t begin = at_;
    if (take('@')) {
      next_.guard = simple_operand();
    } else if (std::string name = word(); !name.empty()) {
      skip();
      if (peek() == ':' && peek(1) != ':') {
        ++at_;
        return label(name);
      }
      at_ = begin;
    }
    if (!failed_) instruction(begin);
  }
  void open_scope() {
    open_.push_back(scopes_.size());
    scopes_.push_back({});
  }
  /// Names of inner scopes get the scope's number.
  [[nodiscard]] std::string unique(const std::string& name) const {
    return open_.size() == 1 ? name : fmt::format("{}@{}", name, open_.back());
  }
  void label(const std::string& name) {
    if (scopes_[open_.back()].labels.count(name) != 0) return fail();
    scopes_[open_.back()].labels[name] = unique(name);
    next_.labels.push_back(unique(name));
  }
  void directive() {
    const std::size_t begin = at_++;
    const std::string name = word();
    if (name == "pragma" || name == "loc") {
      at_ = std::min(text_.find(';', at_), text_.size());
      return;
    }
    if (name != "reg") return at_ = begin, fail();
    skip();
    if (!take('.')) return fail();
    const std::string type = word();
    do {
      skip();
      const std::string base = word();
      if (base.empty()) return fail();
      if (!take('<')) {
        declare(base, type);
        continue;
      }
      skip();
      const int count = std::atoi(word().c_str());
      if (!take('>') || count <= 0 || count > 1024) return fail();
      for (int i = 0; i < count; ++i) declare(fmt::format("{}{}", base, i), type);
    } while (take(','));
    if (!take(';')) fail();
  }
  void declare(const std::string& name, const std::string& type) {
    scopes_[open_.back()].registers[name] = unique(name);
    out_.registers.push_back({unique(name), type});
  }

  void instruction(std::size_t begin) {
    skip();
    std::string part;
    for (; is_word(peek()) || peek() == '.' || (peek() == ':' && peek(1) == ':'); ++at_) {
      if (peek() == '.') {
        next_.opcode.push_back(std::exchange(part, {}));
        continue;
      }
      part += peek();
      if (peek() == ':') part += text_[++at_];
    }
    if (part.empty()) return fail();
    next_.opcode.push_back(part);
    const auto ends = [this] {
      skip();
      return peek() == ';' || peek() == '\0' || peek() == '}';
    };
    if (!ends()) do
        next_.operands.push_back(operand());
      while (!failed_ && take(','));
    if (failed_ || !ends()) return fail();
    next_.text = one_line(text_.substr(begin, at_ - begin));
    if (peek() == ';') ++at_;
    add(std::exchange(next_, {}));
  }
  void add(PtxInstruction instruction) {
    out_.instructions.push_back(std::move(instruction));
    scopes_of_.push_back(open_);
  }

  // ---- operands ----

  PtxOperand operand() {
    PtxOperand first = simple_operand();
    if (!take('|')) return first;
    PtxOperand pair;
    pair.kind = PtxOperand::Kind::pair;
    pair.parts = {std::move(first), simple_operand()};
    return pair;
  }
  PtxOperand simple_operand() {
    PtxOperand out;
    skip();
    if (take('!')) out.negated = true;
    skip();
    if (take('{')) return list('}', PtxOperand::Kind::list);
    if (take('[')) return address();
    if (is_digit(peek()) || peek() == '-' || peek() == '+') return number();
    if (peek() == '$' && (is_digit(peek(1)) || (peek(1) == '{' && is_digit(peek(2))))) {
      given(out);
      return out;
    }
    const std::size_t begin = at_;
    std::string name = word();
    if (name.empty()) return at_ = begin, fail(), out;
    if (name == "_") return out;
    while (peek() == '.') ++at_, name += "." + word();
    out.kind = PtxOperand::Kind::name;
    out.name = register_named(name);
    return out;
  }
  void given(PtxOperand& out) {
    ++at_;
    const bool braced = peek() == '{';
    at_ += braced;
    out.kind = PtxOperand::Kind::given;
    for (; is_digit(peek()) && out.number < 10000; ++at_)
      out.number = out.number * 10 + static_cast<std::uint32_t>(peek() - '0');
    if (!braced) return;
    while (peek() != '}' && peek() != '\0') ++at_;
    if (!take('}')) fail();
  }
  PtxOperand list(char end, PtxOperand::Kind kind) {
    PtxOperand out;
    out.kind = kind;
    do out.parts.push_back(operand());
    while (!failed_ && take(','));
    if (!take(end)) fail();
    return out;
  }
  PtxOperand address() {
    PtxOperand out;
    out.kind = PtxOperand::Kind::address;
    out.parts.push_back(operand());
    skip();
    if (!failed_ && (peek() == '+' || peek() == '-')) {
      const bool plus = peek() == '+';
      at_ += plus;
      skip();
      const PtxOperand offset = number();
      if (offset.kind != PtxOperand::Kind::integer) fail();
      out.offset = static_cast<std::int64_t>(offset.bits);
    }
    while (!failed_ && take(',')) out.parts.push_back(operand());
    if (!take(']')) fail();
    return out;
  }
  PtxOperand number() {
    PtxOperand out;
    const bool minus = peek() == '-';
    at_ += minus || peek() == '+';
    const std::string rest(text_.substr(at_, 64));
    char* end = nullptr;
    const char kind = rest.size() > 1 && rest[0] == '0' ? rest[1] : ' ';
    if (kind == 'f' || kind == 'F' || kind == 'd' || kind == 'D') {
      const bool wide = kind == 'd' || kind == 'D';
      const std::size_t digits = wide ? 16 : 8;
      out.kind = wide ? PtxOperand::Kind::real : PtxOperand::Kind::single;
      out.bits = std::strtoull(rest.substr(2, digits).c_str(), &end, 16);
      if (*end != '\0' || rest.size() < digits + 2) return fail(), out;
      if (minus) out.bits ^= std::uint64_t{1} << (wide ? 63 : 31);
      at_ += digits + 2;
      return out;
    }
    const bool binary = kind == 'b' || kind == 'B';
    const char* begin = rest.c_str() + (binary ? 2 : 0);
    out.kind = PtxOperand::Kind::integer;
    out.bits = std::strtoull(begin, &end, binary ? 2 : 0);
    if (end == begin) return fail(), out;
    if (kind != 'x' && kind != 'X' && (*end == '.' || *end == 'e' || *end == 'E')) {
      out.kind = PtxOperand::Kind::real;
      out.bits = std::bit_cast<std::uint64_t>(std::strtod(begin, &end));
    } else if (*end == 'U') {
      ++end;
    }
    at_ += static_cast<std::size_t>(end - rest.c_str());
    if (minus && out.kind == PtxOperand::Kind::real) out.bits ^= std::uint64_t{1} << 63;
    if (minus && out.kind == PtxOperand::Kind::integer) out.bits = 0 - out.bits;
    return out;
  }

  // ---- names ----

  [[nodiscard]] std::string register_named(const std::string& name) const {
    for (std::size_t i = open_.size(); i-- > 0;)
      if (const auto& known = scopes_[open_[i]].registers; known.count(name) != 0)
        return known.at(name);
    return name;
  }
  /// Labels may come after what leads to them.
  void resolve_branches() {
    for (std::size_t i = 0; i < out_.instructions.size(); ++i) {
      PtxInstruction& instruction = out_.instructions[i];
      if (instruction.opcode.empty() || instruction.opcode[0] != "bra") continue;
      for (PtxOperand& target : instruction.operands)
        for (std::size_t s = scopes_of_[i].size(); s-- > 0;)
          if (const auto& known = scopes_[scopes_of_[i][s]].labels; known.count(target.name) != 0) {
            target.name = known.at(target.name);
            break;
          }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool failed_ = false;
  PtxText out_;
  PtxInstruction next_;
  std::vector<Scope> scopes_;
  /// Of the scopes that are open, outermost first; and of each instruction
  std::vector<std::size_t> open_;
  std::vector<std::vector<std::size_t>> scopes_of_;
};

}  // namespace

std::vector<PtxOperand> flattened(const PtxOperand& operand) {
  if (operand.kind != PtxOperand::Kind::list && operand.kind != PtxOperand::Kind::pair)
    return {operand};
  std::vector<PtxOperand> out;
  for (const PtxOperand& part : operand.parts)
    for (PtxOperand& each : flattened(part)) out.push_back(std::move(each));
  return out;
}

PtxText read_ptx(std::string_view text) { return Reader(text).read(); }

}  // namespace lanescope
