#include "cli/run/check_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "cli/kernel/proposal_notes.h"
#include "cli/run/report.h"
#include "core/run/counters.h"
#include "core/run/expectation.h"
#include "core/text/csv.h"

namespace lanescope::cli {

namespace {

using Expectations = std::vector<std::shared_ptr<const app::Expectation>>;

constexpr const char* kOperators =
    "EXPR compares counts of the whole grid: + - * / == != < <= > >= && || ! and parentheses.\n"
    "  correct, checked, exact            the result equals the reference; was compared; all "
    "counted\n"
    "  diagnostics, errors, warnings      how many\n";
constexpr const char* kCheckNotes =
    "  shared_bytes, occupancy, threads, blocks, warp_instructions\n"
    "A number that a kernel does not have fails every comparison. Files that come before --expect\n"
    "are all run with the same flags; several give a line each.\n"
    "Exit status: 0 all hold, 1 one fails or a kernel does, 2 bad usage, 3 an internal error.\n"
    "Examples:\n"
    "  lanescope check mine.cu --expect correct 'conflicts==0'\n"
    "  lanescope check submissions/*.cu --csv --expect "
    "'global_load.sectors<=1.1*global_load.ideal_sectors'";

constexpr std::size_t kNoteColumn = 51, kNoteEnd = 95;

template <class Counts>
std::vector<std::string_view> ids_of(std::span<const app::Counter<Counts>> counters) {
  std::vector<std::string_view> ids;
  for (const app::Counter<Counts>& counter : counters) ids.push_back(counter.id);
  return ids;
}

// "X: a, b, c", in as many lines as it takes from the column of notes on.
std::string note_of_ids(const std::vector<std::string_view>& ids) {
  std::string note = "X:";
  std::size_t column = kNoteColumn + note.size();
  for (const std::string_view id : ids) {
    const std::string word = fmt::format("{}{}", id, id == ids.back() ? "" : ",");
    const bool fits = column + 1 + word.size() <= kNoteEnd;
    note += fits ? " " + word : fmt::format("\n{:{}}{}", "", kNoteColumn, word);
    column = (fits ? column + 1 : kNoteColumn) + word.size();
  }
  return note;
}

// A line of names, with what they are in the column of notes.
template <class Names>
std::string note(const Names& names, const std::string& meaning) {
  return fmt::format("  {:<{}}{}\n", fmt::format("{}", fmt::join(names, ", ")), kNoteColumn - 2,
                     meaning);
}

template <class Counts, std::size_t N>
std::string note_of_parts(const std::array<app::TotalsPart<Counts>, N>& parts) {
  std::vector<std::string> names;
  for (const auto& part : parts) names.push_back(part.id() + ".X");
  return note(names, note_of_ids(ids_of(app::counters_of(Counts{}))));
}

std::string notes() {
  return kOperators +
         note(ids_of(app::costs_of(SharedCounts{})), "shared memory, loads, stores and atomics") +
         note(ids_of(app::costs_of(GlobalCounts{})), "global memory, all of it") +
         note_of_parts(app::kSharedParts) + note_of_parts(app::kGlobalParts) + kCheckNotes;
}

// One file's outcome.
struct Graded {
  std::string file;
  std::string kernel;
  app::Facts facts;
  /// By expectation; all false when the kernel could not run
  std::vector<bool> holds;
  std::vector<Diagnostic> diagnostics;
  int status = kFine;
  [[nodiscard]] std::size_t passed() const {
    return static_cast<std::size_t>(std::count(holds.begin(), holds.end(), true));
  }
  [[nodiscard]] std::string error() const {
    for (const Diagnostic& d : diagnostics)
      if (d.severity == Severity::error)
        return d.line > 0 ? fmt::format("line {}: {}", d.line, d.message.english())
                          : d.message.english();
    return "";
  }
};

std::string bool_text(bool value) { return value ? "true" : "false"; }

std::string values_text(const app::Expectation& expectation, const app::Facts& facts) {
  std::string text;
  for (const std::string& name : expectation.names())
    text += (text.empty() ? "" : ", ") + app::fact_text(name, facts.at(name));
  return text;
}

// Whether the result matters to anybody, so that every block is executed even where counts are
// proved.
bool wants_result(const Expectations& expectations) {
  return std::any_of(expectations.begin(), expectations.end(), [](const auto& expectation) {
    const auto& names = expectation->names();
    return std::find(names.begin(), names.end(), "correct") != names.end() ||
           std::find(names.begin(), names.end(), "checked") != names.end();
  });
}

Graded grade(const app::Catalog& catalog, const LaunchFlags& launch, const std::string& file,
             const Expectations& expectations, const Fronts& fronts) {
  LaunchFlags flags = launch;
  flags.kernel = file;
  if (wants_result(expectations)) flags.blocks = "all";
  Report report = make_report(catalog, flags, "all", false, fronts);
  print_proposed(report.proposed, fronts);
  Graded graded;
  graded.file = file;
  if (report.prepared) graded.kernel = report.kernel().name;
  graded.facts = app::facts_of(report.prepared.get(), report.run, report.check, report.diagnostics);
  graded.status = status_of(report.diagnostics);
  for (const auto& expectation : expectations) {
    // Counts of a run that stopped are of a part of it, and no ground for a pass.
    const bool holds =
        report.prepared && report.run.coverage.exact && expectation->holds(graded.facts);
    graded.holds.push_back(holds);
    if (!holds && graded.status == kFine) graded.status = kFailed;
  }
  graded.diagnostics = std::move(report.diagnostics);
  return graded;
}

void print_one(const Graded& graded, const Expectations& expectations, std::ostream& out) {
  std::size_t width = 0;
  for (const auto& e : expectations) width = std::max(width, e->text().size());
  for (std::size_t i = 0; i < expectations.size(); ++i) {
    const std::string& text = expectations[i]->text();
    out << (graded.holds[i] ? "pass  " : "FAIL  ") << text << std::string(width - text.size(), ' ')
        << "  " << values_text(*expectations[i], graded.facts) << '\n';
  }
  if (!graded.error().empty()) out << "FAIL  the kernel: " << graded.error() << '\n';
}

void print_line(const Graded& graded, const Expectations& expectations, std::ostream& out) {
  out << (graded.status == kFine ? "pass  " : "FAIL  ") << graded.file << "  " << graded.passed()
      << " of " << graded.holds.size();
  const char* between = ": ";
  for (std::size_t i = 0; i < expectations.size(); ++i) {
    if (graded.holds[i]) continue;
    const std::string values = values_text(*expectations[i], graded.facts);
    out << between << expectations[i]->text() << (values.empty() ? "" : " (" + values + ")");
    between = "; ";
  }
  if (!graded.error().empty()) out << between << graded.error();
  out << '\n';
}

void print_csv(const std::vector<Graded>& all, const Expectations& expectations,
               std::ostream& out) {
  std::vector<std::string> names;
  for (const auto& expectation : expectations)
    for (const std::string& name : expectation->names())
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  std::vector<std::string> head = {"file", "pass", "passed", "of"};
  for (const auto& expectation : expectations) head.push_back(expectation->text());
  head.insert(head.end(), names.begin(), names.end());
  head.emplace_back("error");
  out << app::csv_line(head, "\n");
  for (const Graded& graded : all) {
    std::vector<std::string> row = {graded.file, bool_text(graded.status == kFine),
                                    std::to_string(graded.passed()),
                                    std::to_string(graded.holds.size())};
    for (const bool holds : graded.holds) row.push_back(bool_text(holds));
    for (const std::string& name : names) {
      const double value = graded.facts.at(name);
      row.push_back(std::isnan(value) ? "" : app::number_text(value));
    }
    row.push_back(graded.error());
    out << app::csv_line(row, "\n");
  }
}

app::Json graded_json(const Graded& graded, const Expectations& expectations) {
  app::Json json = {{"file", graded.file},
                    {"kernel", graded.kernel},
                    {"pass", graded.status == kFine},
                    {"expectations", app::Json::array()}};
  for (std::size_t i = 0; i < expectations.size(); ++i) {
    app::Json values = app::Json::object();
    for (const std::string& name : expectations[i]->names()) {
      const double value = graded.facts.at(name);
      values[name] = std::isnan(value)            ? app::Json()
                     : value == std::floor(value) ? app::Json(static_cast<std::int64_t>(value))
                                                  : app::Json(value);
    }
    json["expectations"].push_back({{"text", expectations[i]->text()},
                                    {"holds", static_cast<bool>(graded.holds[i])},
                                    {"values", std::move(values)}});
  }
  json["diagnostics"] = app::to_json(graded.diagnostics);
  return json;
}

}  // namespace

void add_check_command(CLI::App& app, CheckFlags& flags) {
  CLI::App* command =
      app.add_subcommand("check", "Whether kernels are right and cost what they may, for grading");
  command->add_option("file", flags.files, "CUDA C++ files, or kernels that come along")
      ->required()
      ->type_name("FILE");
  command->add_option("--expect", flags.expect, "Conditions that must hold, after the files")
      ->required()
      ->type_name("EXPR");
  add_setting_flags(*command, flags.launch);
  command->add_flag("--csv", flags.csv, "Print CSV: a line for each file");
  add_json_flag(*command, flags.launch);
  command->footer(notes());
}

int check_command(const app::Catalog& catalog, const CheckFlags& flags, const Fronts& fronts) {
  if (flags.csv && flags.launch.json)
    return usage(fronts, "--csv and --json exclude each other", "");
  Expectations expectations;
  for (const std::string& text : flags.expect) {
    app::Expectation::Parsed parsed = app::Expectation::parse(text);
    print_diagnostics(parsed.diagnostics, fronts);
    if (!parsed.expectation) return kUsage;
    expectations.push_back(std::move(parsed.expectation));
  }
  const bool table = flags.csv || flags.launch.json, one = flags.files.size() == 1;
  std::vector<Graded> all;
  int status = kFine;
  for (const std::string& file : flags.files) {
    all.push_back(grade(catalog, flags.launch, file, expectations, fronts));
    const Graded& graded = all.back();
    status = std::max(status, graded.status);
    if (!table)
      one ? print_one(graded, expectations, fronts.out)
          : print_line(graded, expectations, fronts.out);
    fronts.out.flush();
    if (one) print_diagnostics(graded.diagnostics, fronts);
  }
  const auto passed =
      std::count_if(all.begin(), all.end(), [](const Graded& g) { return g.status == kFine; });
  if (flags.csv) print_csv(all, expectations, fronts.out);
  if (flags.launch.json) {
    app::Json json = {{"schema", 1}, {"passed", passed}, {"files", app::Json::array()}};
    for (const Graded& graded : all) json["files"].push_back(graded_json(graded, expectations));
    fronts.out << json.dump(2) << '\n';
  }
  if (!table && !one) fronts.out << passed << " of " << all.size() << " files pass\n";
  fronts.out.flush();
  return status;
}

}  // namespace lanescope::cli
