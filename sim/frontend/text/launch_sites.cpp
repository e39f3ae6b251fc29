#include "frontend/text/launch_sites.h"

#include <algorithm>
#include <set>

#include "frontend/text/api_launches.h"
#include "frontend/text/joined_launches.h"
#include "frontend/text/template_calls.h"

namespace lanescope {
namespace {

bool is_integer_type(const std::string& text) {
  static const std::set<std::string> kTypes{"int",      "unsigned", "size_t",  "long",
                                            "auto",     "uint32_t", "int32_t", "short",
                                            "uint64_t", "int64_t"};
  return kTypes.count(text) != 0;
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
    depth += bracket_step(text);
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
        depth += bracket_step(tokens[next].text);
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
  for (RawLaunch& launch : api_launches(tokens)) scan.launches.push_back(std::move(launch));
  std::sort(scan.launches.begin(), scan.launches.end(),
            [](const RawLaunch& a, const RawLaunch& b) { return a.order < b.order; });
  for (RawLaunch& launch : scan.launches)
    launch.site.kernel = kernel_behind(tokens, launch.site.kernel, launch.order);
  return scan;
}

namespace {

/// PyTorch's AT_DISPATCH macros call it so; float is among the types of nearly all of them.
const Substitution kDispatched{{"scalar_t", "float"}};

/// Constants of the function around a launch: outside of it, nobody knows their names.
Substitution local_constants(const std::vector<RawToken>& tokens, const HostScan& scan,
                             std::size_t launch) {
  Substitution values;
  int depth = 0;
  std::size_t counted = 0;
  for (const HostConstant& constant : scan.constants) {
    if (constant.order >= launch) break;
    for (; counted < constant.order; ++counted)
      depth += tokens[counted].text == "{" ? 1 : tokens[counted].text == "}" ? -1 : 0;
    if (depth <= 0 || constant.text.starts_with("dim3")) continue;
    const std::string text = substituted(constant.text, values);
    const bool plain = text.find_first_not_of("0123456789") == std::string::npos;
    values[constant.name] = plain ? text : "(" + text + ")";
  }
  return values;
}

/// The launch as one instance of the template around it makes it.
LaunchSite instance_of(const LaunchSite& written, const Substitution& values,
                       const Substitution& locals, const std::vector<std::string>& open) {
  LaunchSite site = written;
  const std::size_t angle = site.kernel.find('<');
  if (angle != std::string::npos) {
    const std::string name = site.kernel.substr(0, angle);
    const std::string arguments = substituted(
        substituted(substituted(site.kernel.substr(angle), locals), values), kDispatched);
    const bool unknown = std::any_of(open.begin(), open.end(), [&](const std::string& parameter) {
      return mentions(arguments, parameter);
    });
    site.kernel = unknown ? name : name + arguments;
  }
  for (std::string* text : {&site.grid_text, &site.block_text, &site.shared_text})
    *text = substituted(*text, values);
  for (std::string& text : site.arguments) text = substituted(text, values);
  return site;
}

/// Works out what of the launch's shape is constant.
void evaluate_shape(const CompileRequest& request, const HostScan& scan, std::size_t order,
                    const Substitution& values, LaunchSite& site) {
  CompileRequest query = request;
  query.kernel.clear();
  query.expressions.clear();
  for (const HostConstant& constant : scan.constants)
    if (constant.order < order) {
      // A later definition of the same name hides the earlier one.
      std::erase_if(query.expressions,
                    [&](const ConstantExpression& e) { return e.name == constant.name; });
      query.expressions.push_back({constant.name, substituted(constant.text, values)});
    }
  const auto ask = [&query](const std::string& name, const std::string& text) {
    query.expressions.push_back({"lanescope_" + name, text});
  };
  for (const char* axis : {"x", "y", "z"}) {
    ask(std::string("grid_") + axis, "(long long)dim3(" + site.grid_text + ")." + axis);
    ask(std::string("block_") + axis, "(long long)dim3(" + site.block_text + ")." + axis);
  }
  ask("shared_bytes", "(long long)(" + site.shared_text + ")");
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
  site.grid = shape("grid");
  site.block = shape("block");
  if (const auto bytes = result.values.find("lanescope_shared_bytes"); bytes != result.values.end())
    site.shared_bytes = static_cast<std::uint64_t>(bytes->second);
}

}  // namespace

std::vector<LaunchSite> find_launches(const CompileRequest& request) {
  const std::vector<RawToken> tokens = raw_tokens(with_joined_launches(request.text));
  const HostScan scan = scan_host(tokens);
  const std::vector<TemplateFunction> functions = template_functions(tokens);
  std::vector<LaunchSite> sites;
  for (const RawLaunch& launch : scan.launches) {
    const Substitution locals = local_constants(tokens, scan, launch.order);
    for (const Substitution& values : instances_around(tokens, functions, launch.order)) {
      LaunchSite site = instance_of(launch.site, values, locals,
                                    open_parameters(functions, launch.order, values));
      evaluate_shape(request, scan, launch.order, values, site);
      sites.push_back(std::move(site));
    }
  }
  return sites;
}

std::vector<NamedInstance> find_instances(const std::string& text,
                                          const std::vector<std::string>& templates) {
  const std::vector<RawToken> tokens = raw_tokens(text);
  std::vector<NamedInstance> found;
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    const auto known =
        std::find_if(templates.begin(), templates.end(), [&](const std::string& name) {
          return name == tokens[at].text || name.ends_with("::" + tokens[at].text);
        });
    if (known == templates.end() || tokens[at + 1].text != "<") continue;
    std::size_t next = at + 1;
    std::string arguments;
    for (const std::string& argument : template_arguments(tokens, next))
      arguments += (arguments.empty() ? "" : ", ") + argument;
    const std::string name = *known + "<" + arguments + ">";
    if (!arguments.empty() &&
        std::none_of(found.begin(), found.end(),
                     [&](const NamedInstance& one) { return one.name == name; }))
      found.push_back({name, tokens[at].pos});
  }
  return found;
}

}  // namespace lanescope
