#include "frontend/text/named_registers.h"

#include <cctype>
#include <vector>

#include "frontend/text/tokens.h"

namespace lanescope {
namespace {

using Tokens = std::vector<RawToken>;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

bool is_asm(const std::string& word) {
  return word == "asm" || word == "__asm__" || word == "__asm";
}

/// Offsets in a literal of each % in front of a register's name, last first.
std::vector<std::size_t> registers_in(const std::string& literal) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i + 2 < literal.size(); ++i) {
    if (literal[i] != '%') continue;
    if (literal[i + 1] == '%')
      ++i;
    else if (is_letter(literal[i + 1]) && (is_letter(literal[i + 2]) || literal[i + 2] == '_'))
      found.insert(found.begin(), i);
  }
  return found;
}

/// The literals between `asm (` and the first colon, or the parenthesis' end: those of the instructions.
void add_literals(const Tokens& tokens, std::size_t i, std::vector<const RawToken*>& literals) {
  while (i < tokens.size() && tokens[i].text != "(") {
    if (!tokens[i].is_identifier) return;  // volatile, goto
    ++i;
  }
  for (++i; i < tokens.size() && tokens[i].text.starts_with('"'); ++i)
    literals.push_back(&tokens[i]);
}

}  // namespace

std::string with_named_registers(std::string text) {
  if (text.find("asm") == std::string::npos || text.find('%') == std::string::npos) return text;
  const Tokens tokens = raw_tokens(text);
  std::vector<const RawToken*> literals;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
    if (is_asm(tokens[i].text)) add_literals(tokens, i + 1, literals);
  const TextOffsets offsets(text);
  for (auto literal = literals.rbegin(); literal != literals.rend(); ++literal) {
    const std::size_t begin = offsets.of((*literal)->pos);
    for (const std::size_t at : registers_in((*literal)->text))
      if (text[begin + at] == '%') text.insert(begin + at, 1, '%');
  }
  return text;
}

}  // namespace lanescope
