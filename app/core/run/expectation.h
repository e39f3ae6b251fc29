// Conditions over what an analysis counted, as a grader writes them:
// `shared_load.conflicts==0 && global_load.sectors<=1.1*global_load.ideal_sectors`.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/run/prepare.h"
#include "core/run/totals.h"
#include "lanescope/diagnostic.h"

namespace lanescope::app {

/// Everything a condition may name, with its value; not a number where there is none (the
/// efficiency of a kernel that reaches no global memory), and then every comparison fails.
using Facts = std::map<std::string, double>;
/// `prepared` may be null: nothing ran, and only the diagnostics are known.
Facts facts_of(const PreparedLaunch* prepared, const RunResult& run, const ResultCheck& check,
               const std::vector<Diagnostic>& diagnostics);
/// The names in the order in which they are explained.
const std::vector<std::string>& fact_names();
/// Whether the fact is true (1) or false (0), and no number.
bool is_condition(const std::string& fact);

/// "992", "0.9375" with at most four digits that count, "none" where there is no number.
std::string number_text(double value);
/// "conflicts = 992", "correct = true".
std::string fact_text(const std::string& name, double value);

/// What an expression may speak of besides literals.
struct Vocabulary {
  std::function<bool(const std::string&)> knows;
  /// That are true or false; null: those of facts
  std::function<bool(const std::string&)> is_condition = nullptr;
  /// Of one number: "bank" of bank(3)
  std::vector<std::string> functions = {};
  /// What a message about an unknown name tells
  std::vector<std::string> names = {};
};
/// By name; a number in, a number out, which may be none.
using Functions = std::map<std::string, std::function<double(double)>>;

class Expectation {
 public:
  struct Node;
  struct Parsed {
    /// Null when there is an error
    std::shared_ptr<const Expectation> expectation;
    /// A usage error, with its column
    std::vector<Diagnostic> diagnostics;
  };
  /// A condition over facts.
  static Parsed parse(const std::string& text);
  /// A condition or a number over other things.
  static Parsed parse(const std::string& text, const Vocabulary& vocabulary);

  [[nodiscard]] const std::string& text() const { return text_; }
  /// In the order of the text, each once; of a function as it is called, "bank(3)".
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] bool is_condition() const;
  [[nodiscard]] bool holds(const Facts& facts, const Functions& functions = {}) const;
  /// Of a condition, 1 or 0; not a number where a name has none.
  [[nodiscard]] double value(const Facts& facts, const Functions& functions = {}) const;

 private:
  std::string text_;
  std::vector<std::string> names_;
  std::shared_ptr<const Node> root_;
};

}  // namespace lanescope::app
