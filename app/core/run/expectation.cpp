#include "core/run/expectation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <span>

#include "core/run/counters.h"
#include "core/text/expression_parser.h"
#include "core/text/number.h"
#include "core/text/text.h"
#include "lanescope/device.h"
#include "lanescope/occupancy.h"

namespace lanescope::app {

struct Expectation::Node {
  /// "" for a leaf, "()" for a function of the left node
  std::string op;
  std::string name;
  double number = 0;
  /// True or false, else a number
  bool condition = false;
  std::shared_ptr<const Node> left, right;
};

namespace {

using Node = Expectation::Node;
using NodePtr = std::shared_ptr<const Node>;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kUnknown = "is no such number";

bool part_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
}

// Numbers and conditions over the names of facts.
struct Conditions {
  using Value = NodePtr;
  static constexpr std::string_view kBlanks = " \t", kPrefixes = "-!";
  const Vocabulary& vocabulary;
  std::string why = {};
  std::vector<std::string> names = {};

  static bool knows(std::string_view op) {
    return op != "<<" && op != ">>" &&
           (op.size() == 2 || std::string_view("<>+-*/").find(op) != std::string_view::npos);
  }
  static std::size_t cast(std::string_view) { return 0; }

  std::optional<Value> leaf(std::string_view rest, std::size_t& bytes) {
    const auto first = static_cast<unsigned char>(rest.front());
    if (std::isdigit(first) || first == '.') return number(rest, bytes);
    if (!std::isalpha(first)) return refuse("a number or a name was expected");
    bytes = static_cast<std::size_t>(std::find_if_not(rest.begin(), rest.end(), part_of_name) -
                                     rest.begin());
    const std::string name(rest.substr(0, bytes));
    return bytes < rest.size() && rest[bytes] == '(' ? called(name, rest, bytes) : named(name);
  }

  std::optional<Value> prefixed(char op, Value operand) {
    const bool negates = op == '!';
    if (operand->condition != negates)
      return refuse(negates ? "! is for conditions" : "- is for numbers");
    auto node = std::make_shared<Node>();
    node->op = negates ? "!" : "neg";
    node->condition = negates;
    node->left = std::move(operand);
    return node;
  }

  std::optional<Value> joined(std::string_view op, Value left, Value right) {
    const bool logic = op == "&&" || op == "||", equality = op == "==" || op == "!=";
    const bool compares = equality || op.front() == '<' || op.front() == '>';
    const bool conditions = left->condition && right->condition;
    const bool numbers = !left->condition && !right->condition;
    if (logic && !conditions)
      return refuse(fmt::format("{} joins conditions, and a side of it is a number", op));
    if (!logic && !numbers && !(equality && conditions))
      return refuse(fmt::format("{} is for numbers, and a side of it is a condition", op));
    auto node = std::make_shared<Node>();
    node->op = op;
    node->condition = logic || compares;
    node->left = std::move(left), node->right = std::move(right);
    return node;
  }

 private:
  std::nullopt_t refuse(std::string text) {
    why = std::move(text);
    return std::nullopt;
  }

  std::optional<Value> number(std::string_view rest, std::size_t& bytes) {
    const std::string text(rest);
    char* end = nullptr;
    auto node = std::make_shared<Node>();
    node->number = std::strtod(text.c_str(), &end);
    bytes = static_cast<std::size_t>(end - text.c_str());
    const bool stuck = bytes == 0 || (bytes < text.size() && part_of_name(text[bytes]));
    if (stuck || !std::isfinite(node->number)) return refuse("is not a number");
    return node;
  }

  std::optional<Value> called(const std::string& name, std::string_view rest, std::size_t& bytes) {
    const auto& known = vocabulary.functions;
    if (std::find(known.begin(), known.end(), name) == known.end())
      return refuse(fmt::format("'{}' is no such function", name));
    const std::size_t open = bytes;
    int depth = 0;
    do {
      depth += (rest[bytes] == '(') - (rest[bytes] == ')');
      ++bytes;
    } while (bytes < rest.size() && depth > 0);
    if (depth > 0) return refuse("a ')' is missing");
    ExpressionParser inside(rest.substr(open + 1, bytes - open - 2), *this);
    auto argument = inside.whole();
    if (!argument) return refuse(inside.error().why);
    if ((*argument)->condition) return refuse(fmt::format("{}() is of a number", name));
    auto node = std::make_shared<Node>();
    node->op = "()";
    node->name = name;
    node->left = std::move(*argument);
    note(std::string(rest.substr(0, bytes)));
    return node;
  }

  void note(const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }

  std::optional<Value> named(const std::string& name) {
    auto node = std::make_shared<Node>();
    if (name == "true" || name == "false") {
      node->number = name == "true" ? 1 : 0;
      node->condition = true;
      return node;
    }
    if (!vocabulary.knows(name)) return refuse(fmt::format("'{}' {}", name, kUnknown));
    node->name = name;
    const bool condition =
        vocabulary.is_condition ? vocabulary.is_condition(name) : is_condition(name);
    node->condition = condition;
    note(name);
    return node;
  }
};

double called(const Node& node, double argument, const Functions& functions) {
  const auto found = functions.find(node.name);
  return found == functions.end() || std::isnan(argument) ? kNone : found->second(argument);
}

double value_of(const Node& node, const Facts& facts, const Functions& functions) {
  if (node.op.empty()) {
    if (node.name.empty()) return node.number;
    const auto found = facts.find(node.name);
    return found == facts.end() ? kNone : found->second;
  }
  const double a = value_of(*node.left, facts, functions);
  if (node.op == "!") return a == 0 ? 1 : 0;
  if (node.op == "neg") return -a;
  if (node.op == "()") return called(node, a, functions);
  const double b = value_of(*node.right, facts, functions);
  if (node.op == "+") return a + b;
  if (node.op == "-") return a - b;
  if (node.op == "*") return a * b;
  if (node.op == "/") return b == 0 ? kNone : a / b;
  if (node.op == "&&") return a == 1 && b == 1;
  if (node.op == "||") return a == 1 || b == 1;
  if (std::isnan(a) || std::isnan(b)) return 0;  // nothing holds of a number that is not there
  if (node.op == "==") return a == b;
  if (node.op == "!=") return a != b;
  if (node.op == "<=") return a <= b;
  if (node.op == ">=") return a >= b;
  return node.op == "<" ? a < b : a > b;
}

// What was counted, then what it would be at best, then ratios.
template <class Counts>
void add_whole_run(std::vector<std::string>& names) {
  const auto counters = costs_of(Counts{});
  for (const bool ideal : {false, true})
    for (const auto& counter : counters)
      if (counter.count && counter.is_ideal() == ideal) names.emplace_back(counter.id);
  for (const auto& counter : counters)
    if (!counter.count) names.emplace_back(counter.id);
}

template <class Counts>
void add_part(std::vector<std::string>& names, const TotalsPart<Counts>& part) {
  for (const auto& counter : counters_of(Counts{}))
    names.push_back(fmt::format("{}.{}", part.id(), counter.id));
}

template <class Counts>
void add(Facts& facts, const std::string& prefix, const Counts& counts,
         std::span<const Counter<Counts>> counters) {
  for (const Counter<Counts>& counter : counters)
    facts[prefix + std::string(counter.id)] = counter.value(counts).value_or(kNone);
}

Diagnostic wrong_at(const std::string& text, const std::string& why, std::size_t at,
                    const std::string& known) {
  Diagnostic error = usage_error("--expect", Message::verbatim(why), Message::verbatim(known));
  error.line = 1;
  error.column = static_cast<std::uint32_t>(at + 1);
  error.source_line = text;
  return error;
}

}  // namespace

bool is_condition(const std::string& fact) {
  return fact == "correct" || fact == "checked" || fact == "exact";
}

const std::vector<std::string>& fact_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = {"correct",     "checked", "exact",
                                    "diagnostics", "errors",  "warnings"};
    add_whole_run<SharedCounts>(all);
    add_whole_run<GlobalCounts>(all);
    all.insert(all.end(), {"shared_bytes", "occupancy", "threads", "blocks", "warp_instructions"});
    for (std::size_t i = 0; i < std::max(kSharedParts.size(), kGlobalParts.size()); ++i) {
      if (i < kSharedParts.size()) add_part(all, kSharedParts[i]);
      if (i < kGlobalParts.size()) add_part(all, kGlobalParts[i]);
    }
    return all;
  }();
  return names;
}

std::string number_text(double value) {
  if (std::isnan(value)) return "none";
  return value == std::floor(value) ? fixed(value, 0) : fmt::format("{:.4g}", value);
}

std::string fact_text(const std::string& name, double value) {
  const std::string text = value == 1 ? "true" : "false";
  return fmt::format("{} = {}", name, is_condition(name) ? text : number_text(value));
}

Facts facts_of(const PreparedLaunch* prepared, const RunResult& run, const ResultCheck& check,
               const std::vector<Diagnostic>& diagnostics) {
  Facts facts;
  for (const std::string& name : fact_names()) facts[name] = kNone;
  facts["correct"] = check.checked && check.correct;
  facts["checked"] = check.checked;
  const auto count = [&](Severity severity) {
    return static_cast<double>(
        std::count_if(diagnostics.begin(), diagnostics.end(),
                      [&](const Diagnostic& d) { return d.severity == severity; }));
  };
  facts["errors"] = count(Severity::error);
  facts["warnings"] = count(Severity::warning);
  facts["diagnostics"] = facts["errors"] + facts["warnings"];
  facts["exact"] = prepared != nullptr && run.coverage.exact;
  if (!prepared) return facts;
  const Totals t = totals_of(prepared->kernel(), run);
  each_part(t, [&](const auto& counts, const auto& part) {
    add(facts, part.id() + ".", counts, counters_of(counts));
  });
  add(facts, "", shared_of(t), costs_of(shared_of(t)));
  add(facts, "", global_of(t), costs_of(global_of(t)));
  const std::uint64_t bytes = prepared->shared_bytes();
  facts["shared_bytes"] = static_cast<double>(bytes);
  facts["occupancy"] = occupancy(device_presets().front(), prepared->launch.block, bytes).ratio();
  facts["threads"] = static_cast<double>(prepared->launch.block.count());
  facts["blocks"] = static_cast<double>(prepared->launch.grid.count());
  facts["warp_instructions"] = static_cast<double>(run.warp_instructions);
  return facts;
}

Expectation::Parsed Expectation::parse(const std::string& text) {
  static const Vocabulary facts{.knows =
                                    [](const std::string& name) {
                                      const auto& known = fact_names();
                                      return std::find(known.begin(), known.end(), name) !=
                                             known.end();
                                    },
                                .names = fact_names()};
  Parsed parsed = parse(text, facts);
  if (!parsed.expectation || parsed.expectation->is_condition()) return parsed;
  return {
      nullptr,
      {wrong_at(text, fmt::format("is a number, not a condition: compare it, as in {}==0", text), 0,
                "")}};
}

Expectation::Parsed Expectation::parse(const std::string& text, const Vocabulary& vocabulary) {
  Conditions terms{vocabulary};
  ExpressionParser parser(text, terms);
  const auto root = parser.whole();
  if (const ExpressionError wrong = parser.error(); !wrong.why.empty()) {
    const bool unknown = wrong.why.find(kUnknown) != std::string::npos;
    return {nullptr,
            {wrong_at(text, wrong.why, wrong.at,
                      unknown ? fmt::format("{}", fmt::join(vocabulary.names, ", ")) : "")}};
  }
  auto result = std::make_shared<Expectation>();
  result->text_ = text;
  result->names_ = std::move(terms.names);
  result->root_ = *root;
  return {std::move(result), {}};
}

bool Expectation::is_condition() const { return root_->condition; }

bool Expectation::holds(const Facts& facts, const Functions& functions) const {
  return value(facts, functions) == 1;
}

double Expectation::value(const Facts& facts, const Functions& functions) const {
  return value_of(*root_, facts, functions);
}

}  // namespace lanescope::app
