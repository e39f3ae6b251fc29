#include "core/picture/formula.h"
#include "core/text/expression.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "core/picture/trace_index.h"
#include "core/text/messages.h"
#include "core/text/text.h"
#include "lanescope/memory.h"
#include "lanescope/trace.h"

namespace lanescope::app {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// The text with its comments blanked out, so that nothing in them is taken for code.
std::string without_comments(std::string_view text) {
  std::string result(text);
  for (std::size_t i = 0; i + 1 < result.size(); ++i) {
    if (result[i] != '/' || (result[i + 1] != '/' && result[i + 1] != '*')) continue;
    const bool block = result[i + 1] == '*';
    std::size_t end = result.find(block ? "*/" : "\n", i + 2);
    end = end == std::string::npos ? result.size() : end + (block ? 2 : 0);
    for (; i < end; ++i) {
      if (result[i] != '\n') result[i] = ' ';
    }
    --i;
  }
  return result;
}

std::size_t offset_of_line(std::string_view text, std::uint32_t line) {
  std::size_t offset = 0;
  for (std::uint32_t i = 1; i < line && offset != std::string_view::npos; ++i) {
    offset = text.find('\n', offset);
    if (offset != std::string_view::npos) ++offset;
  }
  return std::min(offset, text.size());
}

// What follows "name =" up to the end of the declarator; empty if `at` is no such place.
std::string initialiser_at(std::string_view text, std::size_t at) {
  at = text.find_first_not_of(" \t\r\n", at);
  if (at == std::string_view::npos || text[at] != '=' ||
      (at + 1 < text.size() && text[at + 1] == '='))
    return {};
  std::string result;
  int depth = 0;
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    const char c = text[i];
    depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
    if (c == ';' || depth < 0 || (c == ',' && depth == 0)) break;
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!blank || (!result.empty() && result.back() != ' ')) result += blank ? ' ' : c;
  }
  return std::string(trim(result));
}

// One lane at one step: everything that a name in the source can stand for.
class LaneScope {
 public:
  LaneScope(const Picture& picture, std::uint32_t warp, std::size_t step, int lane)
      : picture_(picture), kernel_(picture.kernel()), trace_(*picture.trace()), lane_(lane),
        thread_(thread_of(picture.prepared->launch.block, warp, lane)),
        values_(picture.index ? variables_at(*picture.index, kernel_, trace_, warp, step)
                              : variables_at(kernel_, trace_, warp, step)),
        code_(without_comments(picture.prepared->settings.text)) {
    pos_ = kernel_.ops[trace_.warps[warp].op[step]].pos;
  }

  std::string substitute(std::string_view expression) const {
    std::string result;
    for (std::size_t i = 0; i < expression.size();) {
      std::size_t end = i;
      while (end < expression.size() && is_word(expression[end])) ++end;
      if (end == i) {
        result += expression[i++];
        continue;
      }
      if (end < expression.size() && expression[end] == '.' &&
          !std::isdigit(static_cast<unsigned char>(expression[i]))) {
        for (++end; end < expression.size() && is_word(expression[end]);) ++end;
      }
      const std::string_view token = expression.substr(i, end - i);
      const bool member = i > 0 && (expression[i - 1] == '.' || expression[i - 1] == '>' ||
                                    expression[i - 1] == ':');
      const std::optional<std::string> value = member ? std::nullopt : value_of(std::string(token));
      result += value ? *value : std::string(token);
      i = end;
    }
    return result;
  }

  // The initialiser of the nearest "name = …;" before the access.
  std::string definition_of(const std::string& name) const {
    const std::size_t limit = offset_of_line(code_, pos_.line + 1);
    for (std::size_t at = code_.rfind(name, limit); at != std::string::npos;
         at = at == 0 ? std::string::npos : code_.rfind(name, at - 1)) {
      const std::size_t after = at + name.size();
      const bool whole = (at == 0 || (!is_word(code_[at - 1]) && code_[at - 1] != '.')) &&
                         after < code_.size() && !is_word(code_[after]);
      if (!whole || after > limit) continue;
      std::string found = initialiser_at(code_, after);
      if (!found.empty()) return found;
    }
    return {};
  }

 private:
  static std::string shown(std::string value) {
    return value.starts_with('-') ? "(" + value + ")" : value;
  }

  std::optional<std::string> value_of(const std::string& name) const {
    if (std::isdigit(static_cast<unsigned char>(name.front()))) return std::nullopt;
    if (auto value = variable(name)) return value;
    for (const Argument& argument : picture_.prepared->launch.arguments) {
      if (argument.name == name && argument.buffer.empty()) return shown(argument.scalar);
    }
    if (auto value = builtin(name)) return value;
    if (const auto macro = picture_.prepared->parameters.find(name);
        macro != picture_.prepared->parameters.end())
      return macro->second;
    return constant(name);
  }

  // Of several variables of a name, the one declared last before the access.
  std::optional<std::string> variable(const std::string& name) const {
    int best = -1;
    for (std::size_t i = 0; i < kernel_.variables.size() && i < values_.size(); ++i) {
      const VariableInfo& candidate = kernel_.variables[i];
      if (candidate.name != name || (values_[i].known >> lane_ & 1u) == 0) continue;
      const bool earlier = candidate.declared <= pos_;
      if (best < 0 || (earlier && kernel_.variables[static_cast<std::size_t>(best)].declared <
                                      candidate.declared))
        best = static_cast<int>(i);
    }
    if (best < 0) return std::nullopt;
    const auto index = static_cast<std::size_t>(best);
    return shown(format_scalar(kernel_.variables[index].type,
                               values_[index].bits[static_cast<std::size_t>(lane_)]));
  }

  std::optional<std::string> builtin(const std::string& name) const {
    if (name == "warpSize") return std::to_string(kLanes);
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos || dot + 2 != name.size()) return std::nullopt;
    const std::string base = name.substr(0, dot);
    const Dim3* dim = base == "threadIdx"  ? &thread_
                      : base == "blockIdx" ? &trace_.block
                      : base == "blockDim" ? &picture_.prepared->launch.block
                      : base == "gridDim"  ? &picture_.prepared->launch.grid
                                           : nullptr;
    if (!dim) return std::nullopt;
    switch (name.back()) {
    case 'x':
      return std::to_string(dim->x);
    case 'y':
      return std::to_string(dim->y);
    case 'z':
      return std::to_string(dim->z);
    default:
      return std::nullopt;
    }
  }

  // "#define NAME 32" and "constexpr int NAME = 32;" of the text itself.
  std::optional<std::string> constant(const std::string& name) const {
    const std::string define = "#define " + name + " ";
    if (const std::size_t at = code_.find(define); at != std::string::npos) {
      const std::string value(trim(std::string_view(code_).substr(
          at + define.size(), code_.find('\n', at) - at - define.size())));
      if (evaluate(value)) return value;
    }
    const std::string value = definition_of(name);
    if (value.empty() || !evaluate(value)) return std::nullopt;
    const std::size_t at = code_.find(value, code_.find(name));
    const std::size_t line = code_.rfind('\n', at) + 1;
    return code_.substr(line, at - line).find("const") != std::string::npos ? std::optional(value)
                                                                            : std::nullopt;
  }

  const Picture& picture_;
  const KernelInfo& kernel_;
  const BlockTrace& trace_;
  int lane_;
  Dim3 thread_;
  std::vector<VariableValues> values_;
  std::string code_;
  SourcePos pos_;
};

// The array or buffer an address lies in.
struct Container {
  std::string name;
  std::uint64_t base = 0;
  /// Bytes of one element as the source counts them
  std::uint64_t stride = 1;
  /// In those elements; shared arrays only
  std::vector<std::uint64_t> dims;
};

std::optional<Container> container_of(const Picture& picture, const AccessInfo& access,
                                      std::uint64_t address) {
  const KernelInfo& kernel = picture.kernel();
  std::optional<Container> result;
  for (const SharedArray& array : kernel.shared_arrays) {
    const std::uint64_t base = kSharedWindow + array.offset;
    if (address < base || address - base >= kWindowBytes || (result && result->base > base))
      continue;
    if (array.bytes != 0 && address - base >= array.bytes) continue;
    result = Container{array.name,
                       base,
                       std::max(1u, array.element_bytes),
                       {array.dims.begin(), array.dims.end()}};
  }
  for (const BufferLayout& buffer : picture.prepared->buffers) {
    if (address - buffer.base < buffer.bytes)
      result = Container{buffer.name, buffer.base, buffer.element_bytes, {}};
  }
  if (!result) return std::nullopt;
  for (const ArgumentInfo& parameter : kernel.arguments) {
    const std::uint64_t bytes = parameter.components * scalar_bytes(parameter.type);
    if (parameter.name == result->name && bytes != 0) result->stride = bytes;
  }
  // Seen through a cast to a wider type, elements are of that type.
  if (!access.text.starts_with(access.root + "["))
    result->stride = std::max<std::uint64_t>(1, access.bytes), result->dims.clear();
  return result;
}

std::string place_text(const Container& container, std::uint64_t element) {
  std::string subscripts;
  for (std::size_t i = container.dims.size(); i-- > 0;) {
    const std::uint64_t extent = i == 0 ? 0 : container.dims[i];
    subscripts = fmt::format("[{}]{}", extent ? element % extent : element, subscripts);
    if (extent) element /= extent;
  }
  return container.name + (subscripts.empty() ? fmt::format("[{}]", element) : subscripts);
}

std::string in_product(const std::string& text) {
  const bool plain =
      std::all_of(text.begin(), text.end(), [](char c) { return is_word(c) || c == '.'; });
  return plain ? text : "(" + text + ")";
}

// {"a", "b"} of [..][33] → "a*33 + b".
std::string linear(const std::vector<std::string>& indices,
                   const std::vector<std::uint64_t>& dims) {
  std::string result;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    std::uint64_t pitch = 1;
    for (std::size_t k = i + 1; k < dims.size(); ++k) pitch *= dims[k];
    if (i > 0) result += " + ";
    result += pitch == 1 ? indices[i] : fmt::format("{}*{}", in_product(indices[i]), pitch);
  }
  return result;
}

// {"to", "ix*ny + iy", "37*1024 + 5", "37893"}; only what does not contradict the value.
std::vector<std::string> derive(const LaneScope& scope, const std::string& text) {
  std::vector<std::string> result = {text};
  const std::string numbers = scope.substitute(text);
  const auto value = evaluate(numbers);
  if (is_identifier(text)) {
    const std::string definition = scope.definition_of(text);
    const std::string filled = scope.substitute(definition);
    const auto computed = evaluate(filled);
    if (!definition.empty() && (!computed || !value || *computed == *value)) {
      result.push_back(definition);
      result.push_back(filled);
    }
  }
  result.push_back(numbers);
  if (value) result.push_back(std::to_string(*value));
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  std::string result;
  for (const std::string& part : parts)
    result += (result.empty() ? "" : std::string(separator)) + part;
  return result;
}

void add_subscripts(Formula& formula, const LaneScope& scope, const AccessInfo& access,
                    const std::vector<std::uint64_t>& dims) {
  std::vector<std::string> numbers;
  for (const std::string& index : access.indices) {
    numbers.push_back(scope.substitute(index));
    const auto steps = derive(scope, index);
    if (is_identifier(index) && steps.size() > 2) formula.where.push_back(joined(steps, " = "));
  }
  if (dims.size() != access.indices.size()) return;
  const std::string filled = linear(numbers, dims);
  const auto computed = evaluate(filled);
  if (computed && *computed != static_cast<long long>(formula.element)) return;
  formula.equals = {linear(access.indices, dims), filled};
}

}  // namespace

Message Formula::told() const {
  std::vector<std::string> parts = where;
  if (equals.empty()) {
    parts.insert(parts.begin(), line != 0 ? fmt::format("line {}", line) : access);
    return Message::verbatim(joined(parts, "; "));
  }
  parts.insert(parts.begin(), joined(equals, " = "));
  const std::string steps = joined(parts, "; ");
  const Message derived = line != 0 ? say::at_line(line, steps)
                                    : Message::verbatim(fmt::format("{}: {}", access, steps));
  return elsewhere ? say::this_is(derived, place) : derived;
}

std::optional<Formula> formula_of(const Picture& picture, std::uint32_t warp, std::size_t step,
                                  int lane) {
  const BlockTrace* trace = picture.prepared->program ? picture.trace() : nullptr;
  if (!trace || warp >= trace->warps.size() || step >= trace->warps[warp].size() || lane < 0 ||
      lane >= kLanes)
    return std::nullopt;
  const WarpTrack& track = trace->warps[warp];
  const OpInfo& op = picture.kernel().ops[track.op[step]];
  if (op.kind != StepKind::access || op.access < 0 || track.rows[step] == WarpTrack::kNoRows ||
      (track.mask[step] >> lane & 1u) == 0)
    return std::nullopt;
  const AccessInfo& access = picture.kernel().accesses[static_cast<std::size_t>(op.access)];
  const std::uint64_t address = trace->rows.value(track.rows[step], static_cast<std::size_t>(lane));

  const LaneScope scope(picture, warp, step, lane);
  Formula formula;
  formula.access = access.text;
  formula.line = access.text.empty() ? access.pos.line : 0;
  const auto container = container_of(picture, access, address);
  if (container) {
    formula.element = (address - container->base) / container->stride;
    formula.place = place_text(*container, formula.element);
  }
  if (access.indices.size() == 1) {
    formula.equals = derive(scope, access.indices.front());
  } else {
    add_subscripts(formula, scope, access,
                   container ? container->dims : std::vector<std::uint64_t>{});
  }
  // The address has the last word.
  const std::string element = std::to_string(formula.element);
  if (container && (formula.equals.empty() || formula.equals.back() != element)) {
    const bool other = !formula.equals.empty() && evaluate(formula.equals.back()) &&
                       *evaluate(formula.equals.back()) != static_cast<long long>(formula.element);
    if (other) {
      formula.elsewhere = true;
    } else {
      formula.equals.push_back(element);
    }
  }
  return formula;
}

std::string substitute(const Picture& picture, std::uint32_t warp, std::size_t step, int lane,
                       std::string_view expression) {
  return LaneScope(picture, warp, step, lane).substitute(expression);
}

}  // namespace lanescope::app
