#include "core/picture/lane_values.h"
#include "core/text/expression.h"

#include <cctype>

#include "core/picture/formula.h"
#include "core/text/text.h"
#include "lanescope/trace.h"

namespace lanescope::app {

namespace {

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

bool in_comment_or_string(std::string_view line, std::size_t column) {
  bool string = false;
  for (std::size_t i = 0; i < column && i < line.size(); ++i) {
    if (!string && line.compare(i, 2, "//") == 0) return true;
    if (line[i] == '"' && (i == 0 || line[i - 1] != '\\')) string = !string;
  }
  return string;
}

// "(-3)" and "-3" are the same value.
std::string plain(const std::string& text) {
  if (const auto value = evaluate(text)) return std::to_string(*value);
  std::string_view inner = trim(text);
  if (inner.starts_with('(') && inner.ends_with(')')) inner = inner.substr(1, inner.size() - 2);
  const bool number = parse_real(inner) || inner == "nan" || inner == "-nan" || inner == "inf" ||
                      inner == "-inf" || inner == "true" || inner == "false";
  return number || inner.starts_with("0x") ? std::string(inner) : "";
}

void summarise(LaneValues& values, LaneMask lanes) {
  std::optional<long long> previous, step;
  bool progression = values.known == lanes;
  std::string first, second, third, last;
  int count = 0;
  values.same = true;
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((values.known >> lane & 1u) == 0) continue;
    const std::string& text = values.text[static_cast<std::size_t>(lane)];
    (count == 0 ? first : count == 1 ? second : count == 2 ? third : last) = text;
    last = text;
    values.same &= text == first;
    const auto value = parse_integer(text);
    if (!value) progression = false;
    if (value && previous) {
      if (step && *value - *previous != *step) progression = false;
      step = *value - *previous;
    }
    previous = value;
    ++count;
  }
  if (values.same) values.summary = first;
  if (!values.same && progression && count > 3)
    values.summary = first + ", " + second + ", " + third + " … " + last;
}

}  // namespace

std::string expression_at(std::string_view line, std::size_t column) {
  if (column >= line.size() || in_comment_or_string(line, column)) return "";
  if (line[column] == '.' && column + 1 < line.size()) ++column;
  if (!is_name(line[column])) return "";
  std::size_t begin = column, end = column;
  while (begin > 0 && is_name(line[begin - 1])) --begin;
  while (end < line.size() && is_name(line[end])) ++end;
  // threadIdx.x is one thing, whichever half the pointer is on.
  if (begin > 1 && line[begin - 1] == '.' && is_name(line[begin - 2])) {
    for (--begin; begin > 0 && is_name(line[begin - 1]);) --begin;
  } else if (end + 1 < line.size() && line[end] == '.' && is_name(line[end + 1])) {
    for (++end; end < line.size() && is_name(line[end]);) ++end;
  }
  if (std::isdigit(static_cast<unsigned char>(line[begin]))) return "";
  return std::string(line.substr(begin, end - begin));
}

std::optional<LaneValues> lane_values(const Picture& picture, std::uint32_t warp, std::size_t step,
                                      const std::string& expression) {
  const BlockTrace* trace = picture.prepared->program ? picture.trace() : nullptr;
  if (!trace || expression.empty() || warp >= trace->warps.size() ||
      step >= trace->warps[warp].size())
    return std::nullopt;
  LaneValues values;
  values.expression = expression;
  const LaneMask lanes = existing_lanes(picture.prepared->launch.block, warp);
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1u) == 0) continue;
    std::string text = plain(substitute(picture, warp, step, lane, expression));
    if (text.empty()) continue;
    values.known |= LaneMask{1} << lane;
    values.text[static_cast<std::size_t>(lane)] = std::move(text);
  }
  if (!values.known) return std::nullopt;
  summarise(values, lanes);
  return values;
}

int access_at(const KernelInfo& kernel, std::string_view line_text, std::uint32_t line,
              std::uint32_t column) {
  const AccessInfo* best = nullptr;
  for (const AccessInfo& access : kernel.accesses) {
    if (access.pos.line != line || access.pos.file != 0 || access.text.empty()) continue;
    if (best && best->text.size() <= access.text.size()) continue;
    for (std::size_t at = line_text.find(access.text); at != std::string_view::npos;
         at = line_text.find(access.text, at + 1)) {
      const bool covers = column > at && column <= at + access.text.size();
      // Of a load it is known where it starts; a store stands left of its '='.
      const bool its =
          access.op == AccessOp::load ? access.pos.column == at + 1 : at + 1 <= access.pos.column;
      if (covers && its) best = &access;
    }
  }
  return best ? static_cast<int>(best->id) : -1;
}

}  // namespace lanescope::app
