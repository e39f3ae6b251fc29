#include "frontend/launch_sites.h"

#include <algorithm>
#include <set>

namespace lanescope {
namespace {

bool is_integer_type(const std::string& text) {
  static const std::set<std::string> kTypes{"int",      "unsigned", "size_t",  "long",
                                            "auto",     "uint32_t", "int32_t", "short",
                                            "uint64_t", "int64_t"};
  return kTypes.count(text) != 0;
}

int depth_change(const std::string& text) {
  if (text == "(" || text == "[" || text == "{") return 1;
  return text == ")" || text == "]" || text == "}" ? -1 : 0;
}

std::string joined(const std::vector<RawToken>& tokens, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t i = begin; i < end; ++i) {
    const bool words = i > begin && tokens[i].is_identifier && tokens[i - 1].is_identifier;
    text += (words ? " " : "") + tokens[i].text;
  }
  return text;
}

/// Texts between commas from `at` up to the token `close` at the same depth; `at` ends behind it.
std::vector<std::string> list_until(const std::vector<RawToken>& tokens, std::size_t& at,
                                    const std::string& close) {
  std::vector<std::string> items;
  int depth = 0;
  std::size_t begin = at;
  for (; at < tokens.size(); ++at) {
    const std::string& text = tokens[at].text;
    if (depth == 0 && (text == close || text == ",")) {
      if (at > begin) items.push_back(joined(tokens, begin, at));
      begin = at + 1;
      if (text == close) return ++at, items;
      continue;
    }
    depth += depth_change(text);
    if (depth < 0 || text == ";") break;
  }
  return {};
}

/// The kernel's name before `<<<`, template arguments included.
std::string kernel_before(const std::vector<RawToken>& tokens, std::size_t at) {
  std::size_t begin = at;
  if (begin > 0 && tokens[begin - 1].text == ">") {
    int depth = 0;
    while (begin > 0) {
      --begin;
      depth += tokens[begin].text == ">" ? 1 : tokens[begin].text == "<" ? -1 : 0;
      if (depth == 0) break;
    }
  }
  while (begin > 0 && (tokens[begin - 1].is_identifier || tokens[begin - 1].text == "::")) {
    if (tokens[begin - 1].is_identifier && begin < at && tokens[begin].is_identifier) break;
    --begin;
  }
  return joined(tokens, begin, at);
}

void add_launch(const std::vector<RawToken>& tokens, std::size_t at, HostScan& scan) {
  RawLaunch launch;
  launch.order = at;
  launch.site.kernel = kernel_before(tokens, at);
  launch.site.pos = tokens[at].pos;
  std::size_t next = at + 1;
  const std::vector<std::string> shape = list_until(tokens, next, ">>>");
  if (shape.size() < 2 || launch.site.kernel.empty()) return;
  launch.site.grid_text = shape[0];
  launch.site.block_text = shape[1];
  launch.site.shared_text = shape.size() > 2 ? shape[2] : "0";
  if (next < tokens.size() && tokens[next].text == "(")
    launch.site.arguments = list_until(tokens, ++next, ")");
  scan.launches.push_back(std::move(launch));
}

/// `dim3 block(256), grid(…);`: every name that the declaration sets.
void add_constants(const std::vector<RawToken>& tokens, std::size_t at, HostScan& scan) {
  const bool is_dim3 = tokens[at].text == "dim3";
  if (!is_dim3 && !is_integer_type(tokens[at].text)) return;
  for (std::size_t name = at + 1; name + 1 < tokens.size() && tokens[name].is_identifier;) {
    const std::string open = tokens[name + 1].text;
    std::size_t next = name + 2;
    std::string text;
    if (open == "=") {
      for (int depth = 0; next < tokens.size(); ++next) {
        depth += depth_change(tokens[next].text);
        if (depth < 0 || (depth == 0 && (tokens[next].text == ";" || tokens[next].text == ",")))
          break;
      }
      text = joined(tokens, name + 2, next);
    } else if (is_dim3 && (open == "(" || open == "{")) {
      for (const std::string& item : list_until(tokens, next, open == "(" ? ")" : "}"))
        text += (text.empty() ? "" : ", ") + item;
    }
    if (text.empty()) return;
    scan.constants.push_back({tokens[name].text, is_dim3 ? "dim3(" + text + ")" : text, at});
    if (next >= tokens.size() || tokens[next].text != ",") return;
    name = next + 1;
  }
}

}  // namespace

HostScan scan_host(const std::vector<RawToken>& tokens) {
  HostScan scan;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].text == "<<<")
      add_launch(tokens, at, scan);
    else if (tokens[at].is_identifier)
      add_constants(tokens, at, scan);
  }
  return scan;
}

std::vector<LaunchSite> find_launches(const CompileRequest& request) {
  HostScan scan = scan_host(raw_tokens(request.text));
  std::vector<LaunchSite> sites;
  for (RawLaunch& launch : scan.launches) {
    CompileRequest query = request;
    query.kernel.clear();
    query.expressions.clear();
    for (const HostConstant& constant : scan.constants)
      if (constant.order < launch.order) {
        // A later definition of the same name hides the earlier one.
        std::erase_if(query.expressions,
                      [&](const ConstantExpression& e) { return e.name == constant.name; });
        query.expressions.push_back({constant.name, constant.text});
      }
    const auto ask = [&query](const std::string& name, const std::string& text) {
      query.expressions.push_back({"lanescope_" + name, text});
    };
    for (const char* axis : {"x", "y", "z"}) {
      ask(std::string("grid_") + axis, "(long long)dim3(" + launch.site.grid_text + ")." + axis);
      ask(std::string("block_") + axis, "(long long)dim3(" + launch.site.block_text + ")." + axis);
    }
    ask("shared_bytes", "(long long)(" + launch.site.shared_text + ")");
    CompileResult result;
    // What is no constant is left out, with all that is made of it.
    for (int round = 0; round < 8; ++round) {
      result = list_kernels(query);
      std::set<std::string> wrong;
      for (const Diagnostic& d : result.diagnostics)
        if (d.severity == Severity::error && d.file.starts_with("<launch: "))
          wrong.insert(d.file.substr(9, d.file.size() - 10));
      if (wrong.empty()) break;
      std::erase_if(query.expressions,
                    [&](const ConstantExpression& e) { return wrong.count(e.name) != 0; });
    }
    const auto shape = [&](const std::string& name) -> std::optional<Dim3> {
      Dim3 out;
      std::uint32_t* axes[] = {&out.x, &out.y, &out.z};
      const char* letters[] = {"x", "y", "z"};
      for (int i = 0; i < 3; ++i) {
        const auto value = result.values.find("lanescope_" + name + "_" + letters[i]);
        if (value == result.values.end() || value->second < 0 || value->second > 0xffffffffll)
          return std::nullopt;
        *axes[i] = static_cast<std::uint32_t>(value->second);
      }
      return out;
    };
    launch.site.grid = shape("grid");
    launch.site.block = shape("block");
    if (const auto bytes = result.values.find("lanescope_shared_bytes");
        bytes != result.values.end())
      launch.site.shared_bytes = static_cast<std::uint64_t>(bytes->second);
    sites.push_back(std::move(launch.site));
  }
  return sites;
}

}  // namespace lanescope
