#include "frontend/text/api_launches.h"

#include <algorithm>
#include <set>
#include <utility>

#include "frontend/text/template_calls.h"

namespace lanescope {
namespace {

/// Tokens from the first up to the second.
struct Range {
  std::size_t begin = 0, end = 0;
  [[nodiscard]] bool empty() const { return begin >= end; }
};

bool is(const std::vector<RawToken>& tokens, std::size_t at, const char* text) {
  return at < tokens.size() && tokens[at].text == text;
}

/// Behind the bracket that closes the one at `at`.
std::size_t behind(const std::vector<RawToken>& tokens, std::size_t at) {
  for (int depth = 0; at < tokens.size(); ++at) {
    depth += bracket_step(tokens[at].text);
    if (depth == 0) return at + 1;
  }
  return at;
}

/// What stands between a bracket's commas, template arguments kept together.
std::vector<Range> items_of(const std::vector<RawToken>& tokens, std::size_t open) {
  const std::size_t close = behind(tokens, open) - 1;
  std::vector<Range> items;
  std::size_t begin = open + 1;
  for (std::size_t at = begin; at <= close && at < tokens.size(); ++at) {
    if (at == close || tokens[at].text == ",") {
      if (begin < at) items.push_back({begin, at});
      begin = at + 1;
    } else if (bracket_step(tokens[at].text) > 0) {
      at = behind(tokens, at) - 1;
    } else if (tokens[at].is_identifier && is(tokens, at + 1, "<")) {
      std::size_t next = at + 1;
      if (!template_arguments(tokens, next).empty() && next <= close) at = next - 1;
    }
  }
  return items;
}

/// Without casts, address operators and brackets around all of it.
Range peeled(const std::vector<RawToken>& tokens, Range range) {
  while (!range.empty()) {
    const std::string& text = tokens[range.begin].text;
    if (text == "&" || text == "*") {
      ++range.begin;
    } else if (text == "(" || text == "{") {
      const std::size_t next = behind(tokens, range.begin);
      range = next == range.end ? Range{range.begin + 1, range.end - 1} : Range{next, range.end};
    } else if (text.ends_with("_cast") && is(tokens, range.begin + 1, "<")) {
      while (!range.empty() && tokens[range.begin].text != "(") ++range.begin;
    } else {
      break;
    }
  }
  return range;
}

/// "ns::kernel<float, 32>"; empty for anything else.
std::string kernel_text(const std::vector<RawToken>& tokens, Range range) {
  range = peeled(tokens, range);
  std::size_t at = range.begin;
  while (at < range.end && (tokens[at].is_identifier || tokens[at].text == "::")) ++at;
  if (at == range.begin) return {};
  if (at < range.end) {
    std::size_t next = at;
    if (tokens[at].text != "<" || template_arguments(tokens, next).empty() || next != range.end)
      return {};
  }
  return joined(tokens, range.begin, range.end);
}

Range to_end_of_statement(const std::vector<RawToken>& tokens, std::size_t begin) {
  std::size_t at = begin;
  while (at < tokens.size() && tokens[at].text != ";" && tokens[at].text != "," &&
         bracket_step(tokens[at].text) >= 0) {
    std::size_t next = at + 1;
    if (tokens[at].is_identifier && is(tokens, next, "<") &&
        !template_arguments(tokens, next).empty())
      at = next;
    else
      at = bracket_step(tokens[at].text) > 0 ? behind(tokens, at) : at + 1;
  }
  return {begin, at};
}

/// What the name at `at` is set to there: `k = …`, `k{…}`, `(*k)(float*) = …`, `args[] = {…}`.
Range value_at(const std::vector<RawToken>& tokens, std::size_t at) {
  std::size_t next = at + 1;
  if (is(tokens, next, "{")) return {next, behind(tokens, next)};
  while (is(tokens, next, "[")) next = behind(tokens, next);
  if (is(tokens, next, ")") && is(tokens, next + 1, "(")) next = behind(tokens, next + 1);
  return is(tokens, next, "=") ? to_end_of_statement(tokens, next + 1) : Range{};
}

/// What a name was set to last; members of the same name are others.
Range last_value(const std::vector<RawToken>& tokens, const std::string& name, std::size_t before) {
  for (std::size_t at = std::min(before, tokens.size()); at-- > 0;) {
    if (tokens[at].text != name || (at > 0 && tokens[at - 1].text == ".")) continue;
    if (const Range value = value_at(tokens, at); !value.empty()) return value;
  }
  return {};
}

std::set<std::string> kernel_names(const std::vector<RawToken>& tokens) {
  std::set<std::string> names;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].text != "__global__") continue;
    for (std::size_t i = at + 1; i + 1 < tokens.size() && tokens[i].text != ";"; ++i) {
      if (tokens[i].text == "__launch_bounds__") {
        i = behind(tokens, i + 1) - 1;
      } else if (tokens[i].is_identifier && tokens[i + 1].text == "(") {
        names.insert(tokens[i].text);
        break;
      }
    }
  }
  return names;
}

/// As dim3 takes it: braces left out.
std::string shape_text(const std::vector<RawToken>& tokens, Range range) {
  if (is(tokens, range.begin, "{") && behind(tokens, range.begin) == range.end)
    range = {range.begin + 1, range.end - 1};
  return joined(tokens, range.begin, range.end);
}

/// `&n`, `(void*)&n` of the array that the call is given.
std::vector<std::string> arguments_behind(const std::vector<RawToken>& tokens, Range array,
                                          std::size_t before) {
  array = peeled(tokens, array);
  if (array.empty()) return {};
  const Range list = last_value(tokens, tokens[array.begin].text, before);
  std::vector<std::string> texts;
  if (!is(tokens, list.begin, "{")) return texts;
  for (const Range& item : items_of(tokens, list.begin)) {
    const Range value = peeled(tokens, item);
    texts.push_back(joined(tokens, value.begin, value.end));
  }
  return texts;
}

/// Sets what a `cudaLaunchConfig_t` says: by its initialiser, then by assignments to its members.
void take_config(const std::vector<RawToken>& tokens, Range config, std::size_t before,
                 LaunchSite& site) {
  config = peeled(tokens, config);
  if (config.empty()) return;
  const std::string& name = tokens[config.begin].text;
  const std::pair<const char*, std::string*> members[] = {{"gridDim", &site.grid_text},
                                                          {"blockDim", &site.block_text},
                                                          {"dynamicSmemBytes", &site.shared_text}};
  const auto set = [&](const std::string& member, Range value) {
    for (const auto& [known, text] : members)
      if (member == known && !value.empty()) *text = shape_text(tokens, value);
  };
  if (const Range all = last_value(tokens, name, before); is(tokens, all.begin, "{")) {
    std::size_t next = 0;
    for (const Range& item : items_of(tokens, all.begin)) {
      if (is(tokens, item.begin, ".") && is(tokens, item.begin + 2, "="))
        set(tokens[item.begin + 1].text, {item.begin + 3, item.end});
      else if (next < std::size(members))
        set(members[next++].first, item);
    }
  }
  for (std::size_t at = 0; at + 3 < before; ++at)
    if (tokens[at].text == name && is(tokens, at + 1, ".") && is(tokens, at + 3, "="))
      set(tokens[at + 2].text, to_end_of_statement(tokens, at + 4));
}

/// Fills in what the call says; false where it is no launch of a kernel that has a name.
bool take_call(const std::vector<RawToken>& tokens, const std::vector<Range>& given,
               bool configured, bool in_array, RawLaunch& launch) {
  const std::size_t kernel = configured ? 1 : 0;
  if (given.size() < (configured ? 2u : 3u)) return false;
  LaunchSite& site = launch.site;
  site.kernel = kernel_text(tokens, given[kernel]);
  site.shared_text = std::string("0");
  if (configured) {
    take_config(tokens, given[0], launch.order, site);
  } else {
    site.grid_text = shape_text(tokens, given[1]);
    site.block_text = shape_text(tokens, given[2]);
    if (given.size() > 4) site.shared_text = joined(tokens, given[4].begin, given[4].end);
  }
  if (!in_array) {
    for (std::size_t i = 2; i < given.size(); ++i)
      site.arguments.push_back(joined(tokens, given[i].begin, given[i].end));
  } else if (const std::size_t array = configured ? 2 : 3; array < given.size()) {
    site.arguments = arguments_behind(tokens, given[array], launch.order);
  }
  return !site.kernel.empty() && !site.grid_text.empty() && !site.block_text.empty();
}

}  // namespace

std::vector<RawLaunch> api_launches(const std::vector<RawToken>& tokens) {
  struct Function {
    const char* name;
    bool configured, in_array;
  };
  constexpr Function kFunctions[] = {{"cudaLaunchKernel", false, true},
                                     {"cudaLaunchCooperativeKernel", false, true},
                                     {"cudaLaunchKernelEx", true, false},
                                     {"cudaLaunchKernelExC", true, true}};
  std::vector<RawLaunch> launches;
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at)
    for (const Function& function : kFunctions) {
      if (tokens[at].text != function.name || tokens[at + 1].text != "(") continue;
      RawLaunch launch;
      launch.order = at;
      launch.site.pos = tokens[at].pos;
      if (take_call(tokens, items_of(tokens, at + 1), function.configured, function.in_array,
                    launch))
        launches.push_back(std::move(launch));
    }
  return launches;
}

std::string kernel_behind(const std::vector<RawToken>& tokens, const std::string& name,
                          std::size_t before) {
  const std::set<std::string> kernels = kernel_names(tokens);
  std::string found = name;
  // A variable may be set to another.
  for (int i = 0; i < 4 && kernels.count(found) == 0; ++i) {
    const Range value = last_value(tokens, found, before);
    const std::string text = value.empty() ? "" : kernel_text(tokens, value);
    if (text.empty()) break;
    found = text;
    before = value.begin;
  }
  return found;
}

}  // namespace lanescope
