#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "cli/run/analyze_command.h"
#include "cli/run/report.h"
#include "cli/run/tensors_report.h"
#include "cli/text/table.h"
#include "core/export/export.h"
#include "core/run/counters.h"
#include "core/text/text_file.h"

namespace lanescope::cli {

namespace {

app::Json result_json(const app::ResultCheck& check) {
  if (!check.checked) return {{"checked", false}, {"correct", nullptr}};
  return {{"checked", true}, {"correct", check.correct}};
}

app::Json printed_json(const std::vector<Printed>& printed) {
  app::Json json = app::Json::array();
  for (const Printed& line : printed)
    json.push_back({{"block", app::to_json(line.block)},
                    {"thread", app::to_json(line.thread)},
                    {"text", line.text}});
  return json;
}

void print_json(const Report& report, std::ostream& out) {
  app::Json json = head_json(report);
  if (report.prepared) {
    const Coverage& coverage = report.run.coverage;
    json["coverage"] = {{"blocks", coverage.blocks},
                        {"blocks_executed", coverage.blocks_executed},
                        {"exact", coverage.exact}};
    if (coverage.classes > 0) json["coverage"]["classes"] = coverage.classes;
    if (!coverage.fallback.empty()) json["coverage"]["not_proved"] = coverage.fallback;
    json["totals"] = app::to_json(app::totals_of(report.kernel(), report.run));
    json["accesses"] = app::Json::array();
    for (const app::AccessTotals& totals : app::access_totals(report.kernel(), report.run)) {
      json["accesses"].push_back(app::to_json(report.kernel(), totals));
    }
    add_tensors(report, json);
    json["result"] = result_json(report.check);
    if (!report.run.printed.empty()) json["printed"] = printed_json(report.run.printed);
  }
  json["diagnostics"] = app::to_json(report.diagnostics);
  out << json.dump(2) << '\n';
}

std::string place(const AccessInfo& access) {
  return fmt::format("{}:{}", access.pos.line, access.pos.column);
}

// The accesses to one memory, and their totals by operation.
template <class Counts, std::size_t N>
void print_memory(const std::vector<app::AccessTotals>& accesses, const app::Totals& totals,
                  Counts app::AccessTotals::*counts,
                  const std::array<app::TotalsPart<Counts>, N>& parts, std::ostream& out) {
  const std::string_view space = app::space_of(Counts{});
  std::vector<std::string> headings = {fmt::format("<{} memory", space), "<op", "bytes"};
  for (const auto& counter : app::counters_of(Counts{})) headings.emplace_back(counter.heading);
  headings.emplace_back("<access");
  Table table(headings);
  const auto add = [&](std::vector<std::string> row, const Counts& c, const std::string& text) {
    for (const auto& counter : app::counters_of(c)) row.push_back(app::text_of(counter, c));
    row.push_back(text);
    table.add(std::move(row));
  };
  for (const app::AccessTotals& a : accesses) {
    if (space_name(a.space) != space) continue;
    add({"line " + place(*a.access), std::string(access_op_name(a.access->op)),
         std::to_string(a.access->bytes)},
        a.*counts, a.access->text);
  }
  if (table.empty()) return;
  for (const auto& part : parts) {
    const Counts& all = totals.*part.counts;
    if (part.always || all.requests > 0) add({"all", std::string(part.op), ""}, all, "");
  }
  out << '\n';
  table.print(out, "  ");
}

std::string result_text(const Report& report) {
  const app::ResultCheck& check = report.check;
  const std::string& kind = report.prepared->front_matter.reference.kind;
  if (check.checked)
    return check.correct ? "correct: every element equals the CPU's " + kind
                         : "WRONG: see the message";
  const bool counts_only = report.run.coverage.classes > 0 || report.run.coverage.without_data;
  if (counts_only && kind != "none") return "not checked: --blocks all executes every block";
  if (kind == "none") return "not checked: the text names no reference";
  return report.run.ok() ? "not checked: only a part of the grid was executed"
                         : "not checked: the run stopped at an error";
}

void print_printed(const std::vector<Printed>& printed, std::ostream& out) {
  if (printed.empty()) return;
  out << "\n  printed by the kernel" << (printed.size() >= kMostPrinted ? " (cut)" : "") << '\n';
  for (const Printed& line : printed) {
    out << "    block (" << line.block.x << ", " << line.block.y << ", " << line.block.z
        << ") thread (" << line.thread.x << ", " << line.thread.y << ", " << line.thread.z
        << "): " << line.text;
    if (line.text.empty() || line.text.back() != '\n') out << '\n';
  }
}

void print_text(const Report& report, std::ostream& out) {
  if (!report.prepared) return;
  print_head(report, out);
  const Coverage& coverage = report.run.coverage;
  if (coverage.classes > 0)
    out << "  counted " << grouped(coverage.blocks) << " blocks from " << grouped(coverage.classes)
        << (coverage.classes == 1 ? " class" : " classes") << " of blocks, "
        << grouped(report.run.warp_instructions) << " warp instructions (proved exact)\n";
  else
    out << "  ran     " << grouped(coverage.blocks_executed) << " of " << grouped(coverage.blocks)
        << " blocks, " << grouped(report.run.warp_instructions) << " warp instructions"
        << (coverage.exact ? "" : "; the counts are of these blocks, not of the whole grid")
        << '\n';
  if (!coverage.fallback.empty())
    out << "  not proved for all blocks: " << coverage.fallback << '\n';
  const auto accesses = app::access_totals(report.kernel(), report.run);
  const app::Totals totals = app::totals_of(report.kernel(), report.run);
  print_memory(accesses, totals, &app::AccessTotals::shared, app::kSharedParts, out);
  print_memory(accesses, totals, &app::AccessTotals::global, app::kGlobalParts, out);
  print_tensors(report, out);
  out << "\n  result  " << result_text(report) << '\n';
  print_printed(report.run.printed, out);
}

/// What the exports want, without a recorded block.
app::Picture picture_of(const Report& report) {
  app::Picture picture;
  if (!report.prepared) {
    app::PreparedLaunch nothing;
    nothing.settings.name = report.flags.kernel;
    picture.prepared = std::make_shared<const app::PreparedLaunch>(std::move(nothing));
    return picture;
  }
  picture.prepared = report.prepared;
  picture.lines = app::line_totals(report.kernel(), report.run);
  picture.whole = std::make_shared<const RunResult>(report.run);
  picture.check = report.check;
  return picture;
}

}  // namespace

int analyze_command(const app::Catalog& catalog, const LaunchFlags& flags, const Fronts& fronts) {
  const Report report = make_report(catalog, flags, "all", false, fronts);
  if (flags.csv)
    fronts.out << app::csv_of_accesses(picture_of(report));
  else
    flags.json ? print_json(report, fronts.out) : print_text(report, fronts.out);
  fronts.out.flush();
  print_diagnostics(report.diagnostics, fronts);
  const int status = status_of(report.diagnostics);
  if (flags.html.empty()) return status;
  const Message problem =
      app::write_text_file(flags.html, app::html_report(picture_of(report), report.diagnostics));
  if (!problem.empty()) {
    fronts.err << format_diagnostic(flag_error("--html " + flags.html + ": " + problem.english()));
    return kInternal;
  }
  fronts.err << "wrote the report to " << flags.html << '\n';
  return status;
}

}  // namespace lanescope::cli
