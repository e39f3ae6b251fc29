#include "core/run/expectation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "core/text/text.h"
#include "lanescope/device.h"
#include "lanescope/occupancy.h"

namespace lanescope::app {

struct Expectation::Node {
  /// "" for a leaf
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
constexpr int kDeepest = 200;

struct Operator {
  std::string_view text;
  int precedence;
};
// Longer spellings first.
constexpr std::array<Operator, 12> kOperators = {{{"||", 1},
                                                  {"&&", 2},
                                                  {"==", 3},
                                                  {"!=", 3},
                                                  {"<=", 4},
                                                  {">=", 4},
                                                  {"<", 4},
                                                  {">", 4},
                                                  {"+", 5},
                                                  {"-", 5},
                                                  {"*", 6},
                                                  {"/", 6}}};

bool is_condition_name(const std::string& name) {
  return name == "correct" || name == "checked" || name == "exact";
}

class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  NodePtr whole() {
    NodePtr root = binary(0);
    skip();
    if (error_.empty() && at_ < text_.size()) fail(at_, "an operator was expected");
    if (error_.empty() && !root->condition)
      fail(0, "is a number, not a condition: compare it, as in " + text_ + "==0");
    return error_.empty() ? root : nullptr;
  }

  std::vector<std::string> names;
  [[nodiscard]] const std::string& error() const { return error_; }
  [[nodiscard]] std::size_t column() const { return error_at_ + 1; }

 private:
  NodePtr fail(std::size_t at, std::string why) {
    if (error_.empty()) error_ = std::move(why), error_at_ = at;
    return std::make_shared<Node>();
  }
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(std::string_view token) {
    skip();
    if (!std::string_view(text_).substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }

  const Operator* next_operator() {
    skip();
    for (const Operator& op : kOperators)
      if (std::string_view(text_).substr(at_).starts_with(op.text)) return &op;
    return nullptr;
  }

  NodePtr binary(int lowest) {
    NodePtr left = unary();
    while (error_.empty()) {
      const Operator* op = next_operator();
      if (!op || op->precedence <= lowest) break;
      const std::size_t where = at_;
      at_ += op->text.size();
      NodePtr right = binary(op->precedence);
      left = joined(*op, where, left, right);
    }
    return left;
  }

  NodePtr joined(const Operator& op, std::size_t where, const NodePtr& left, const NodePtr& right) {
    if (!error_.empty()) return left;
    const bool logic = op.precedence <= 2, compares = op.precedence == 3 || op.precedence == 4;
    const bool conditions = left->condition && right->condition;
    const bool numbers = !left->condition && !right->condition;
    if (logic && !conditions)
      return fail(where, std::string(op.text) + " joins conditions, and a side of it is a number");
    if (!logic && !numbers && !(op.precedence == 3 && conditions))
      return fail(where, std::string(op.text) + " is for numbers, and a side of it is a condition");
    auto node = std::make_shared<Node>();
    node->op = op.text;
    node->condition = logic || compares;
    node->left = left, node->right = right;
    return node;
  }

  NodePtr unary() {
    if (++depth_ > kDeepest) return fail(at_, "is nested too deeply");
    NodePtr result = unary_within();
    --depth_;
    return result;
  }

  NodePtr unary_within() {
    skip();
    const std::size_t where = at_;
    if (at_ >= text_.size()) return fail(at_, "ends where a number or a name was expected");
    const bool negates = text_[at_] == '!' && text_.compare(at_, 2, "!=") != 0;
    if (negates || text_[at_] == '-') {
      ++at_;
      auto node = std::make_shared<Node>();
      node->op = negates ? "!" : "neg";
      node->left = unary();
      node->condition = negates;
      if (error_.empty() && node->left->condition != negates)
        return fail(where, negates ? "! is for conditions" : "- is for numbers");
      return node;
    }
    if (take("(")) {
      NodePtr inside = binary(0);
      if (error_.empty() && !take(")")) return fail(at_, "a ')' is missing");
      return inside;
    }
    return leaf();
  }

  NodePtr leaf() {
    const std::size_t where = at_;
    const auto part_of_name = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
    };
    auto node = std::make_shared<Node>();
    const auto first = static_cast<unsigned char>(text_[at_]);
    if (std::isdigit(first) || first == '.') {
      char* end = nullptr;
      node->number = std::strtod(text_.c_str() + at_, &end);
      at_ = static_cast<std::size_t>(end - text_.c_str());
      const bool stuck = at_ == where || (at_ < text_.size() && part_of_name(text_[at_]));
      return stuck || !std::isfinite(node->number) ? fail(where, "is not a number") : node;
    }
    if (!std::isalpha(first)) return fail(at_, "a number or a name was expected");
    while (at_ < text_.size() && part_of_name(text_[at_])) ++at_;
    node->name = text_.substr(where, at_ - where);
    if (node->name == "true" || node->name == "false") {
      node->number = node->name == "true" ? 1 : 0;
      node->condition = true;
      node->name.clear();
      return node;
    }
    const auto& known = fact_names();
    if (std::find(known.begin(), known.end(), node->name) == known.end())
      return fail(where, "'" + node->name + "' is no such number");
    node->condition = is_condition_name(node->name);
    if (std::find(names.begin(), names.end(), node->name) == names.end())
      names.push_back(node->name);
    return node;
  }

  const std::string& text_;
  std::size_t at_ = 0, error_at_ = 0;
  std::string error_;
  int depth_ = 0;
};

double value_of(const Node& node, const Facts& facts) {
  if (node.op.empty()) {
    if (node.name.empty()) return node.number;
    const auto found = facts.find(node.name);
    return found == facts.end() ? kNone : found->second;
  }
  const double a = value_of(*node.left, facts);
  if (node.op == "!") return a == 0 ? 1 : 0;
  if (node.op == "neg") return -a;
  const double b = value_of(*node.right, facts);
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

double number(std::uint64_t value) { return static_cast<double>(value); }

void add(Facts& facts, const std::string& prefix, const SharedCounts& c) {
  facts[prefix + "requests"] = number(c.requests);
  facts[prefix + "wavefronts"] = number(c.wavefronts);
  facts[prefix + "ideal_wavefronts"] = number(c.ideal_wavefronts);
  facts[prefix + "conflicts"] = number(c.conflicts);
}

void add(Facts& facts, const std::string& prefix, const GlobalCounts& c) {
  facts[prefix + "requests"] = number(c.requests);
  facts[prefix + "sectors"] = number(c.sectors);
  facts[prefix + "ideal_sectors"] = number(c.ideal_sectors);
  facts[prefix + "efficiency"] = c.sectors == 0 ? kNone : c.efficiency();
}

}  // namespace

const std::vector<std::string>& fact_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = {"correct",          "checked",   "exact",         "diagnostics",
                                    "errors",           "warnings",  "wavefronts",    "conflicts",
                                    "ideal_wavefronts", "sectors",   "ideal_sectors", "efficiency",
                                    "shared_bytes",     "occupancy", "threads",       "blocks",
                                    "warp_instructions"};
    for (const char* op : {"load", "store", "atomic"}) {
      for (const char* what : {"requests", "wavefronts", "ideal_wavefronts", "conflicts"})
        all.push_back(std::string("shared_") + op + "." + what);
      for (const char* what : {"requests", "sectors", "ideal_sectors", "efficiency"})
        all.push_back(std::string("global_") + op + "." + what);
    }
    return all;
  }();
  return names;
}

Facts facts_of(const Job* job, const RunResult& run, const ResultCheck& check,
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
  facts["exact"] = job != nullptr && run.coverage.exact;
  if (!job) return facts;
  const Totals t = totals_of(job->program->info(), run);
  SharedCounts shared;
  GlobalCounts global;
  for (const SharedCounts& c : {t.shared_load, t.shared_store, t.shared_atomic}) shared += c;
  for (const GlobalCounts& c : {t.global_load, t.global_store, t.global_atomic}) global += c;
  add(facts, "shared_load.", t.shared_load);
  add(facts, "shared_store.", t.shared_store);
  add(facts, "shared_atomic.", t.shared_atomic);
  add(facts, "global_load.", t.global_load);
  add(facts, "global_store.", t.global_store);
  add(facts, "global_atomic.", t.global_atomic);
  facts["wavefronts"] = number(shared.wavefronts);
  facts["ideal_wavefronts"] = number(shared.ideal_wavefronts);
  facts["conflicts"] = number(shared.conflicts);
  facts["sectors"] = number(global.sectors);
  facts["ideal_sectors"] = number(global.ideal_sectors);
  facts["efficiency"] = global.sectors == 0 ? kNone : global.efficiency();
  const std::uint64_t bytes =
      job->program->info().static_shared_bytes + job->launch.dynamic_shared_bytes;
  facts["shared_bytes"] = number(bytes);
  facts["occupancy"] = occupancy(device_presets().front(), job->launch.block, bytes).ratio();
  facts["threads"] = number(job->launch.block.count());
  facts["blocks"] = number(job->launch.grid.count());
  facts["warp_instructions"] = number(run.warp_instructions);
  return facts;
}

Expectation::Parsed Expectation::parse(const std::string& text) {
  Parser parser(text);
  NodePtr root = parser.whole();
  if (!root) {
    std::string known;
    for (const std::string& name : fact_names()) known += (known.empty() ? "" : ", ") + name;
    Diagnostic error =
        usage_error("--expect", parser.error(),
                    parser.error().find("no such number") == std::string::npos ? "" : known);
    error.line = 1;
    error.column = static_cast<std::uint32_t>(parser.column());
    error.source_line = text;
    return {nullptr, {std::move(error)}};
  }
  auto result = std::make_shared<Expectation>();
  result->text_ = text;
  result->names_ = std::move(parser.names);
  result->root_ = std::move(root);
  return {std::move(result), {}};
}

bool Expectation::holds(const Facts& facts) const { return value_of(*root_, facts) == 1; }

}  // namespace lanescope::app
