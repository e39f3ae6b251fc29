#include "core/run/index_pitch.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <optional>
#include <regex>
#include <sstream>
#include <vector>

#include "core/text/text.h"

namespace lanescope::app {
namespace {

/// An index that is a variable is followed to what it was declared with, so many times.
constexpr int kMostSteps = 4;

/// The parts between `separator`s that stand in no parentheses.
std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (depth == 0 && c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

/// Without the parentheses around all of it.
std::string bare(std::string text) {
  for (;;) {
    text = std::string(trim(text));
    if (text.size() < 2 || text.front() != '(' || text.back() != ')') return text;
    int depth = 0;
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
      depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
      if (depth == 0) return text;
    }
    text = text.substr(1, text.size() - 2);
  }
}

std::optional<std::uint64_t> value_of(const std::string& factor, const KnownValues& values) {
  const std::string text = bare(factor);
  if (const auto found = values.find(text); found != values.end()) return found->second;
  std::string digits = text;
  while (!digits.empty() && std::strchr("uUlL", digits.back()) != nullptr) digits.pop_back();
  if (const std::vector<std::string> terms = split(text, '+'); terms.size() > 1) {
    std::uint64_t sum = 0;
    for (const std::string& term : terms) {
      const auto value = value_of(term, values);
      if (!value) return std::nullopt;
      sum += *value;
    }
    return sum;
  }
  const auto number = parse_integer(digits);
  return number && *number > 0 ? std::optional(static_cast<std::uint64_t>(*number)) : std::nullopt;
}

/// Of one summand: the product of its known factors, where another one is left that they multiply.
struct Pitch {
  std::uint64_t value = 0;
  bool named = false;
};
std::optional<Pitch> pitch_of_summand(const std::string& summand, const KnownValues& values) {
  const std::vector<std::string> factors = split(bare(summand), '*');
  Pitch pitch{1, false};
  std::size_t known = 0;
  for (const std::string& factor : factors) {
    const auto value = value_of(factor, values);
    if (!value) continue;
    ++known;
    pitch.value *= *value;
    pitch.named |= std::isdigit(static_cast<unsigned char>(bare(factor)[0])) == 0;
  }
  if (known == 0 || known == factors.size() || pitch.value < 2) return std::nullopt;
  return pitch;
}

void take_integers(const KernelInfo& kernel, const Launch& launch, KnownValues& values) {
  for (const ArgumentInfo& parameter : kernel.arguments) {
    const bool integer = parameter.type >= ScalarType::i8 && parameter.type <= ScalarType::u64;
    if (parameter.is_pointer || parameter.components != 1 || !integer) continue;
    for (const Argument& argument : launch.arguments) {
      std::uint64_t value = 0;
      if (argument.name != parameter.name || argument.bytes.size() > sizeof value) continue;
      std::memcpy(&value, argument.bytes.data(), argument.bytes.size());
      // A negative one is no pitch, and as an unsigned number it is larger than every buffer.
      values[parameter.name] = value;
    }
  }
}

void take(const std::string& name, const std::string& text, KnownValues& values) {
  if (const auto value = value_of(text, values)) values.emplace(name, *value);
}

/// Of the variable's declaration that stands last above the line.
std::string declared_as(const std::string& name, const std::string& text, std::uint32_t line) {
  static const std::regex kDeclaration(
      R"(\b(?:int|unsigned|long|short|auto|size_t|u?int(?:32|64)_t)\s+(\w+)\s*=\s*([^;,]+)[;,])");
  std::istringstream lines(text);
  std::string found, each;
  for (std::uint32_t at = 1; at <= line && std::getline(lines, each); ++at)
    for (auto i = std::sregex_iterator(each.begin(), each.end(), kDeclaration);
         i != std::sregex_iterator(); ++i)
      if ((*i)[1] == name) found = (*i)[2];
  return found;
}

bool is_name(const std::string& text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

std::uint64_t pitch_of_access(const AccessInfo& access, const std::string& text,
                              const KnownValues& values) {
  std::string index = access.indices.front();
  for (int step = 0; step < kMostSteps && is_name(bare(index)); ++step)
    index = declared_as(bare(index), text, access.pos.line);
  return pitch_of(index, values);
}

}  // namespace

KnownValues known_values(const KernelInfo& kernel, const Launch& launch,
                         const std::map<std::string, std::string>& macros,
                         const std::string& text) {
  KnownValues values;
  take_integers(kernel, launch, values);
  for (const auto& [name, value] : macros) take(name, value, values);
  static const std::regex kConstant(
      R"(#\s*define\s+(\w+)\s+(\(?\w+\)?)\s*(?:\n|//|/\*|$)|\bconst(?:expr)?\s+(?:static\s+)?(?:int|unsigned|long|size_t|auto)(?:\s+int)?\s+(\w+)\s*=\s*(\w+)\s*;)");
  for (auto i = std::sregex_iterator(text.begin(), text.end(), kConstant);
       i != std::sregex_iterator(); ++i)
    (*i)[1].matched ? take((*i)[1], (*i)[2], values) : take((*i)[3], (*i)[4], values);
  return values;
}

std::uint64_t pitch_of(const std::string& index, const KnownValues& values) {
  std::optional<Pitch> best;
  for (const std::string& summand : split(bare(index), '+')) {
    const auto pitch = pitch_of_summand(summand, values);
    if (!pitch) continue;
    const bool better =
        !best || (pitch->named != best->named ? pitch->named : pitch->value < best->value);
    if (better) best = pitch;
  }
  return best ? best->value : 0;
}

std::map<std::string, std::uint64_t> pitches_of(const KernelInfo& kernel, const std::string& text,
                                                const KnownValues& values) {
  std::map<std::string, std::map<std::uint64_t, int>> votes;
  for (const AccessInfo& access : kernel.accesses) {
    if (access.root.empty() || access.indices.size() != 1) continue;
    if (const std::uint64_t pitch = pitch_of_access(access, text, values); pitch != 0)
      ++votes[access.root][pitch];
  }
  std::map<std::string, std::uint64_t> result;
  for (const auto& [root, of_root] : votes) {
    const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
    const auto most = std::max_element(of_root.begin(), of_root.end(), fewer);
    const auto equals = [&](const auto& one) { return one.second == most->second; };
    if (std::count_if(of_root.begin(), of_root.end(), equals) == 1) result[root] = most->first;
  }
  return result;
}

}  // namespace lanescope::app
