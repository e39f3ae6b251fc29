#include "lower/tensor_types.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace lanescope {
namespace {

constexpr std::size_t kDeepest = 64;  // of brackets in brackets

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::optional<TypeName> name(std::size_t depth) {
    if (depth > kDeepest) return std::nullopt;
    TypeName out;
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '<' && text_[at_] != '>' && text_[at_] != ',') ++at_;
    out.name = trimmed(text_.substr(begin, at_ - begin));
    if (!take('<')) return out;
    do {
      skip_spaces();
      if (at_ < text_.size() && text_[at_] == '>') break;
      auto argument = name(depth + 1);
      if (!argument) return std::nullopt;
      out.arguments.push_back(std::move(*argument));
    } while (take(','));
    if (!take('>')) return std::nullopt;
    // "half_t<1> *": what follows belongs to the name.
    const std::size_t rest = at_;
    while (at_ < text_.size() && text_[at_] != '>' && text_[at_] != ',' && text_[at_] != '<') ++at_;
    if (at_ < text_.size() && text_[at_] == '<') return std::nullopt;
    out.name += trimmed(text_.substr(rest, at_ - rest));
    return out;
  }
  [[nodiscard]] bool at_end() const { return at_ == text_.size(); }

 private:
  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::optional<std::int64_t> integer(std::string_view text) {
  if (text == "true" || text == "false") return text == "true";
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  // Of an unsigned or long one letters follow.
  const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (error != std::errc() || rest.find_first_not_of("uUlL") != std::string_view::npos)
    return std::nullopt;
  return value;
}

bool is_integer_type(std::string_view name) {
  constexpr std::array kNames = {"int",   "unsigned int",   "long",      "unsigned long",
                                 "short", "unsigned short", "long long", "unsigned long long"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

// C<8>, of older versions constant<int, 8>.
bool is_static_integer(const TypeName& type) {
  return !type.arguments.empty() && (type.name == "cute::C" || type.name == "cute::constant" ||
                                     type.name == "cute::integral_constant");
}

/// Makes a tensor of its type, number by number.
class Making {
 public:
  std::optional<TensorInfo> tensor(const TypeName& type) {
    if (type.name != "Tensor" || type.arguments.size() != 2) return std::nullopt;
    if (!layout(type.arguments[1]) || !engine(type.arguments[0])) return std::nullopt;
    tensor_.pointer = run_time();
    return std::move(tensor_);
  }

 private:
  int run_time() {
    tensor_.run_time.emplace_back();
    return static_cast<int>(tensor_.run_time.size()) - 1;
  }

  bool tuple(const TypeName& type, LayoutTuple& out) {
    if (is_static_integer(type)) {
      out.number = integer(type.arguments.back().name);
      return out.number.has_value();
    }
    if (is_integer_type(type.name)) return out.run_time = run_time(), true;
    if (type.name != "cute::tuple" || type.arguments.empty()) return false;
    out.parts.resize(type.arguments.size());
    for (std::size_t i = 0; i < out.parts.size(); ++i)
      if (!tuple(type.arguments[i], out.parts[i])) return false;
    return true;
  }

  static bool alike(const LayoutTuple& a, const LayoutTuple& b) {
    return a.parts.size() == b.parts.size() &&
           std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), alike);
  }

  bool swizzle(const TypeName& type) {
    if (type.name != "cute::Swizzle" || type.arguments.size() != 3) return false;
    const auto bits = integer(type.arguments[0].name), base = integer(type.arguments[1].name),
               shift = integer(type.arguments[2].name);
    // As CuTe asserts: no bit is changed by one that changes.
    if (!bits || !base || !shift || *bits < 0 || *base < 0 || std::abs(*shift) < *bits ||
        *bits + *base + std::abs(*shift) > 32)
      return false;
    tensor_.swizzle = {static_cast<int>(*bits), static_cast<int>(*base), static_cast<int>(*shift)};
    return true;
  }

  bool layout(const TypeName& type) {
    if (type.name == "cute::ComposedLayout" && type.arguments.size() == 3)
      return swizzle(type.arguments[0]) && tuple(type.arguments[1], tensor_.offset) &&
             tensor_.offset.is_number() && type.arguments[2].name == "cute::Layout" &&
             layout(type.arguments[2]);
    return type.name == "cute::Layout" && type.arguments.size() == 2 &&
           tuple(type.arguments[0], tensor_.shape) && tuple(type.arguments[1], tensor_.stride) &&
           alike(tensor_.shape, tensor_.stride);
  }

  bool engine(const TypeName& type) {
    if ((type.name != "cute::ViewEngine" && type.name != "cute::ConstViewEngine") ||
        type.arguments.size() != 1)
      return false;
    const TypeName* at = &type.arguments[0];
    while (!at->arguments.empty() && at->name.back() != '*') {
      if (at->name == "cute::smem_ptr")
        tensor_.space = MemorySpace::shared;
      else if (at->name == "cute::gmem_ptr")
        tensor_.space = MemorySpace::global;
      else if (at->name != "cute::swizzle_ptr" || tensor_.swizzle.bits != 0 ||
               !swizzle(at->arguments[0]))
        return false;
      else
        tensor_.swizzles_addresses = true;
      at = &at->arguments.back();
    }
    std::string_view element = at->name;
    if (!element.ends_with('*')) return false;
    element = trimmed(element.substr(0, element.size() - 1));
    for (const std::string_view word : {"const ", "volatile "})
      if (element.starts_with(word)) element = trimmed(element.substr(word.size()));
    if (element.empty() || element.ends_with('*')) return false;
    tensor_.element = element;
    return true;
  }

  TensorInfo tensor_;
};

}  // namespace

std::optional<TypeName> parse_type_name(std::string_view text) {
  Reader reader(text);
  auto name = reader.name(0);
  return name && reader.at_end() ? std::move(name) : std::nullopt;
}

std::optional<TensorInfo> tensor_of_type(std::string_view name) {
  const auto type = parse_type_name(name);
  return type ? Making().tensor(*type) : std::nullopt;
}

}  // namespace lanescope
