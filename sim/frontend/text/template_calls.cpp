#include "frontend/text/template_calls.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace lanescope {
namespace {

/// Calls that launchers make of launchers, and instances of one; more are not looked for.
constexpr int kMostDepth = 3;
constexpr std::size_t kMostInstances = 16;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// "class T = float" → {"T", "float"}.
std::pair<std::string, std::string> parameter_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  std::string declared = text.substr(0, equals);
  while (!declared.empty() && !is_word(declared.back())) declared.pop_back();
  std::size_t begin = declared.size();
  while (begin > 0 && is_word(declared[begin - 1])) --begin;
  return {declared.substr(begin), equals == std::string::npos ? "" : text.substr(equals + 1)};
}

/// The function behind `template <…>`, if it is one with a body and no kernel.
bool take_function(const std::vector<RawToken>& tokens, std::size_t at,
                   TemplateFunction& function) {
  static const std::set<std::string> kOthers{"struct",  "class", "union",      "using",
                                             "concept", "enum",  "__global__", "template"};
  for (; at < tokens.size() && tokens[at].text != "("; ++at) {
    const std::string& text = tokens[at].text;
    if (text == ";" || text == "{" || text == "=" || kOthers.count(text) != 0) return false;
    // `__launch_bounds__(…)` and attributes stand before a name too.
    if (tokens[at].is_identifier) function.name = text;
  }
  at = behind(tokens, at, "(", ")");
  while (at < tokens.size() && tokens[at].text != "{" && tokens[at].text != ";") ++at;
  if (at >= tokens.size() || tokens[at].text == ";" || function.name.empty()) return false;
  function.begin = at;
  function.end = behind(tokens, at, "{", "}");
  return true;
}

Substitution values_for(const TemplateFunction& function, const std::vector<std::string>& given) {
  Substitution values;
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const auto& [name, by_default] = function.parameters[i];
    const std::string value = i < given.size() ? given[i] : substituted(by_default, values);
    if (!value.empty()) values[name] = value;
  }
  return values;
}

const TemplateFunction* function_around(const std::vector<TemplateFunction>& functions,
                                        std::size_t token) {
  for (const TemplateFunction& function : functions)
    if (function.begin <= token && token < function.end) return &function;
  return nullptr;
}

/// Whether a value is made of the caller's own parameters, which nobody has given.
bool any_open(const TemplateFunction& caller, const Substitution& known,
              const std::vector<std::string>& values) {
  for (const auto& [name, by_default] : caller.parameters)
    for (const std::string& value : values)
      if (known.count(name) == 0 && mentions(value, name)) return true;
  return false;
}

void add_instances(const std::vector<RawToken>& tokens,
                   const std::vector<TemplateFunction>& functions, const TemplateFunction& function,
                   int depth, std::vector<Substitution>& out) {
  for (std::size_t at = 0; at + 1 < tokens.size() && out.size() < kMostInstances; ++at) {
    if (tokens[at].text != function.name || tokens[at + 1].text != "<") continue;
    std::size_t next = at + 1;
    const std::vector<std::string> given = template_arguments(tokens, next);
    if (given.empty() || next >= tokens.size() || tokens[next].text != "(") continue;
    const TemplateFunction* caller = function_around(functions, at);
    std::vector<Substitution> outer;
    if (caller == &function) continue;  // it calls itself with what it was called with
    if (caller != nullptr && depth < kMostDepth)
      add_instances(tokens, functions, *caller, depth + 1, outer);
    if (outer.empty())
      outer.push_back(caller == nullptr ? Substitution{} : values_for(*caller, {}));
    for (const Substitution& around : outer) {
      std::vector<std::string> values;
      for (const std::string& text : given) values.push_back(substituted(text, around));
      if (caller != nullptr && any_open(*caller, around, values)) continue;
      Substitution instance = values_for(function, values);
      if (std::find(out.begin(), out.end(), instance) == out.end())
        out.push_back(std::move(instance));
    }
  }
}

}  // namespace

std::string joined(const std::vector<RawToken>& tokens, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t i = begin; i < end; ++i) {
    const bool words = i > begin && tokens[i].is_identifier && tokens[i - 1].is_identifier;
    text += (words ? " " : "") + tokens[i].text;
  }
  return text;
}

std::vector<std::string> template_arguments(const std::vector<RawToken>& tokens, std::size_t& at) {
  std::vector<std::string> items;
  int angles = 0, others = 0;
  std::size_t begin = at + 1;
  for (; at < tokens.size(); ++at) {
    const std::string& text = tokens[at].text;
    if (text == ";" || text == "{" || text == "}") return {};
    others += text == "(" || text == "[" ? 1 : text == ")" || text == "]" ? -1 : 0;
    if (others < 0) return {};
    if (others > 0) continue;
    const bool ends = angles == 1 && (text == ">" || text == ">>");
    if (angles == 1 && (text == "," || ends)) {
      if (at > begin) items.push_back(joined(tokens, begin, at));
      begin = at + 1;
      if (ends) return ++at, items;
      continue;
    }
    angles += text == "<" ? 1 : text == ">" ? -1 : text == ">>" ? -2 : 0;
    if (angles <= 0) return {};
  }
  return {};
}

std::vector<TemplateFunction> template_functions(const std::vector<RawToken>& tokens) {
  std::vector<TemplateFunction> functions;
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (tokens[at].text != "template" || tokens[at + 1].text != "<") continue;
    std::size_t next = at + 1;
    TemplateFunction function;
    for (const std::string& text : template_arguments(tokens, next))
      function.parameters.push_back(parameter_of(text));
    if (!function.parameters.empty() && take_function(tokens, next, function))
      functions.push_back(std::move(function));
  }
  return functions;
}

std::vector<Substitution> instances_around(const std::vector<RawToken>& tokens,
                                           const std::vector<TemplateFunction>& functions,
                                           std::size_t token) {
  std::vector<Substitution> instances;
  if (const TemplateFunction* function = function_around(functions, token)) {
    add_instances(tokens, functions, *function, 0, instances);
    if (instances.empty()) instances.push_back(values_for(*function, {}));
  }
  if (instances.empty()) instances.emplace_back();
  return instances;
}

std::vector<std::string> open_parameters(const std::vector<TemplateFunction>& functions,
                                         std::size_t token, const Substitution& known) {
  std::vector<std::string> open;
  if (const TemplateFunction* function = function_around(functions, token))
    for (const auto& [name, by_default] : function->parameters)
      if (known.count(name) == 0) open.push_back(name);
  return open;
}

std::string substituted(const std::string& text, const Substitution& values) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end == i) {
      result += text[i++];
      continue;
    }
    const bool is_member = i > 0 && (text[i - 1] == '.' || text[i - 1] == ':' ||
                                     (i > 1 && text[i - 1] == '>' && text[i - 2] == '-'));
    const auto found = is_member ? values.end() : values.find(text.substr(i, end - i));
    result += found == values.end() ? text.substr(i, end - i) : found->second;
    i = end;
  }
  return result;
}

bool mentions(const std::string& text, const std::string& word) {
  return substituted(text, {{word, word + "!"}}) != text;
}

}  // namespace lanescope
