// Function templates that launch kernels, and what they are called with: by their words alone, as host code
// is never compiled.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "frontend/text/launch_sites.h"

namespace lanescope {

/// Names and what stands for them.
using Substitution = std::map<std::string, std::string>;

struct TemplateFunction {
  std::string name;
  /// In order; the default is empty where there is none
  std::vector<std::pair<std::string, std::string>> parameters;
  /// Tokens of its body
  std::size_t begin = 0, end = 0;
};

/// Those with a body, kernels apart.
std::vector<TemplateFunction> template_functions(const std::vector<RawToken>& tokens);

/// What stands between `<` at `at` and its `>`, by comma; `at` ends behind it. Empty where that is no list.
std::vector<std::string> template_arguments(const std::vector<RawToken>& tokens, std::size_t& at);

/// For each different way in which the text calls (or instantiates) the function around a token: its
/// parameters' values. One empty substitution outside of such a function, or where no call names any.
std::vector<Substitution> instances_around(const std::vector<RawToken>& tokens,
                                           const std::vector<TemplateFunction>& functions,
                                           std::size_t token);
/// Parameters of the function templates around a token that have no value yet.
std::vector<std::string> open_parameters(const std::vector<TemplateFunction>& functions,
                                         std::size_t token, const Substitution& known);

/// Words replaced, members and qualified names apart.
std::string substituted(const std::string& text, const Substitution& values);
/// Whether the text has this word.
bool mentions(const std::string& text, const std::string& word);

/// Tokens as a text that reads the same.
std::string joined(const std::vector<RawToken>& tokens, std::size_t begin, std::size_t end);

}  // namespace lanescope
