#include "cli/sweep/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/text/table.h"
#include "core/run/counters.h"
#include "core/text/csv.h"
#include "core/text/number.h"

namespace lanescope::cli {

namespace {

using app::Sweep;
using app::SweepCell;
using app::SweepMetric;

constexpr std::size_t kMostHoles = 20;  // different reasons told

std::string value_text(SweepMetric metric, double value) {
  if (metric == SweepMetric::efficiency || metric == SweepMetric::occupancy)
    return app::percent(value);
  if (metric == SweepMetric::time) return app::fixed(value, 4);
  return grouped(static_cast<std::uint64_t>(value));
}

const char* what_it_is(SweepMetric metric) {
  switch (metric) {
  case SweepMetric::wavefronts:
    return "wavefronts of shared memory; fewer is better";
  case SweepMetric::conflicts:
    return "bank conflicts: wavefronts above what the access needs; fewer is better";
  case SweepMetric::sectors:
    return "32-byte sectors of global memory; fewer is better";
  case SweepMetric::efficiency:
    return "global bytes asked for / bytes moved; more is better";
  case SweepMetric::shared_bytes:
    return "bytes of shared memory a block; fewer is better";
  case SweepMetric::occupancy:
    return "warps resident, of the most there can be, by shared memory and threads; more is better";
  case SweepMetric::time:
    return "milliseconds, recorded";
  }
  return "";
}

const char* limit_name(OccupancyLimit limit) {
  return limit == OccupancyLimit::shared    ? "shared memory"
         : limit == OccupancyLimit::threads ? "threads"
                                            : "blocks";
}

const char* state_name(const SweepCell& cell) {
  switch (cell.state) {
  case SweepCell::State::counted:
    return "counted";
  case SweepCell::State::impossible:
    return "impossible";
  case SweepCell::State::failed:
    return "failed";
  case SweepCell::State::pending:
    break;
  }
  return "pending";
}

// Darker is dearer; nothing is as good as it gets.
const char* shade(double heat) {
  if (heat <= 1.0) return " ";
  return heat < 1.5 ? "░" : heat < 4 ? "▒" : heat < 12 ? "▓" : "█";
}

std::string fixed_settings(const Sweep& sweep) {
  std::string text;
  std::set<std::string> varied;
  for (const app::SweepAxis& axis : sweep.plan.axes) varied.insert(axis.name);
  for (const auto& values : {sweep.plan.parameters(0), sweep.plan.arguments(0)})
    for (const auto& [name, value] : values)
      if (!varied.contains(name)) text += (text.empty() ? "" : " ") + name + "=" + value;
  return text;
}

std::string recorded_source(const Sweep& sweep) {
  std::set<std::string> sources;
  for (const SweepCell& cell : sweep.cells)
    if (cell.recorded) sources.insert(cell.recorded->device + ", " + cell.recorded->date);
  std::string text;
  for (const std::string& source : sources) text += (text.empty() ? "" : "; ") + source;
  return text;
}

std::string cell_text(const Sweep& sweep, const app::SweepScale& scale, SweepMetric metric,
                      std::size_t index) {
  const SweepCell& cell = sweep.cells[index];
  const auto value = app::metric_value(cell, metric);
  if (!value)
    return cell.counted() ? "-  " : cell.state == SweepCell::State::failed ? "!  " : "x  ";
  return value_text(metric, *value) + (scale.best == index ? "*" : " ") +
         shade(*app::sweep_heat(scale, metric, cell));
}

// One table: rows by columns at one value of the third axis.
void print_table(const Sweep& sweep, const app::SweepScale& scale, SweepMetric metric,
                 std::size_t third, std::ostream& out) {
  const auto& axes = sweep.plan.axes;
  const bool columns = axes.size() > 1;
  std::vector<std::string> headings = {"<" + axes[0].name + (columns ? " \\ " + axes[1].name : "")};
  if (columns)
    for (const std::string& value : axes[1].values) headings.push_back(value + "  ");
  else
    headings.push_back(std::string(app::metric_id(metric)) + "  ");
  Table table(headings);
  for (std::size_t row = 0; row < axes[0].values.size(); ++row) {
    std::vector<std::string> cells = {axes[0].values[row]};
    for (std::size_t column = 0; column + 1 < headings.size(); ++column) {
      std::vector<std::size_t> at = {row, column, third};
      at.resize(axes.size());
      cells.push_back(cell_text(sweep, scale, metric, sweep.plan.index(at)));
    }
    table.add(cells);
  }
  out << '\n';
  if (axes.size() > 2) out << "  " << axes[2].name << " = " << axes[2].values[third] << '\n';
  table.print(out, "  ");
}

std::string also(std::size_t as_good) {
  if (as_good <= 1) return "";
  return as_good == 2 ? "; 1 other equals it" : fmt::format("; {} others equal it", as_good - 1);
}

void print_best(const Sweep& sweep, const app::SweepScale& scale, SweepMetric metric,
                std::ostream& out) {
  if (!scale.best) {
    out << "\n  best    none: no setting has a number\n";
    return;
  }
  const SweepCell& cell = sweep.cells[*scale.best];
  out << "\n  best    * " << sweep.plan.label(*scale.best) << ": "
      << value_text(metric, *app::metric_value(cell, metric))
      << (metric == SweepMetric::time ? " ms recorded" : " " + std::string(app::metric_id(metric)))
      << also(scale.as_good) << '\n';
  const app::AgainstIdeal shared = app::against_ideal(cell.shared),
                          global = app::against_ideal(cell.global);
  out << fmt::format("          {} wavefronts (ideal {}), {} sectors (ideal {}), {} shared bytes, "
                     "occupancy {}",
                     grouped(shared.taken), grouped(shared.ideal), grouped(global.taken),
                     grouped(global.ideal), grouped(cell.shared_bytes),
                     app::percent(cell.occupancy.ratio()));
  if (cell.recorded)
    out << fmt::format(", {:.4f} ms recorded on {}, {}", cell.recorded->milliseconds,
                       cell.recorded->device, cell.recorded->date);
  out << '\n';
}

void print_holes(const Sweep& sweep, std::ostream& out) {
  std::vector<std::pair<Message, std::vector<std::size_t>>> reasons;
  for (std::size_t i = 0; i < sweep.cells.size(); ++i) {
    if (sweep.cells[i].counted()) continue;
    const auto same = std::find_if(reasons.begin(), reasons.end(),
                                   [&](const auto& r) { return r.first == sweep.cells[i].reason; });
    if (same == reasons.end())
      reasons.push_back({sweep.cells[i].reason, {i}});
    else
      same->second.push_back(i);
  }
  if (reasons.empty()) return;
  out << "\n  holes   x cannot be compiled or launched, ! is wrong\n";
  for (std::size_t i = 0; i < std::min(reasons.size(), kMostHoles); ++i) {
    const auto& [reason, cells] = reasons[i];
    out << "          " << sweep.plan.label(cells.front());
    if (cells.size() > 1) out << " and " << cells.size() - 1 << " more";
    out << ": " << reason.english() << '\n';
  }
  if (reasons.size() > kMostHoles)
    out << "          and " << reasons.size() - kMostHoles << " more reasons\n";
}

app::Json occupancy_json(const SweepCell& cell) {
  return {{"ratio", cell.occupancy.ratio()},
          {"blocks_per_sm", cell.occupancy.blocks},
          {"limited_by", limit_name(cell.occupancy.limit)}};
}

app::Json cell_json(const Sweep& sweep, std::size_t index) {
  const SweepCell& cell = sweep.cells[index];
  app::Json json = {{"set", app::Json::object()}, {"state", state_name(cell)}};
  const std::vector<std::size_t> at = sweep.plan.coordinates(index);
  for (std::size_t i = 0; i < at.size(); ++i)
    json["set"][sweep.plan.axes[i].name] = sweep.plan.axes[i].values[at[i]];
  if (!cell.counted()) {
    json["reason"] = cell.reason.english();
    json["diagnostics"] = app::to_json(cell.diagnostics);
    return json;
  }
  json["launch"] = {{"grid", app::to_json(cell.grid)},
                    {"block", app::to_json(cell.block)},
                    {"shared_bytes", cell.shared_bytes}};
  json["totals"] = app::to_json(cell.totals);
  json["proved"] = cell.classes > 0;
  app::add_costs(json, cell.shared, cell.global);
  json["occupancy"] = occupancy_json(cell);
  if (cell.check.checked) json["correct"] = cell.check.correct;
  if (cell.recorded)
    json["recorded"] = {{"milliseconds", cell.recorded->milliseconds},
                        {"gbps", cell.recorded->gbps},
                        {"device", cell.recorded->device},
                        {"date", cell.recorded->date}};
  return json;
}

std::vector<std::string> csv_row(const Sweep& sweep, std::size_t index, std::size_t columns) {
  const SweepCell& cell = sweep.cells[index];
  const std::vector<std::size_t> at = sweep.plan.coordinates(index);
  std::vector<std::string> row;
  for (std::size_t k = 0; k < at.size(); ++k) row.push_back(sweep.plan.axes[k].values[at[k]]);
  row.emplace_back(state_name(cell));
  if (!cell.counted()) {
    row.resize(columns);
    row.back() = cell.reason.english();
    return row;
  }
  for (std::string& cost : app::csv_costs(&cell.shared, &cell.global))
    row.push_back(std::move(cost));
  row.push_back(std::to_string(cell.shared_bytes));
  row.push_back(app::fixed(cell.occupancy.ratio(), 4));
  row.push_back(cell.recorded ? app::fixed(cell.recorded->milliseconds, 6) : "");
  row.push_back(cell.recorded ? cell.recorded->device + ", " + cell.recorded->date : "");
  row.emplace_back();
  return row;
}

}  // namespace

void print_sweep(const Sweep& sweep, SweepMetric metric, std::ostream& out) {
  const app::SweepPlan& plan = sweep.plan;
  out << plan.base.name << "\n  swept   ";
  for (std::size_t i = 0; i < plan.axes.size(); ++i)
    out << (i > 0 ? " x " : "") << plan.axes[i].name << " (" << plan.axes[i].values.size() << ")";
  const auto counted = std::count_if(sweep.cells.begin(), sweep.cells.end(),
                                     [](const SweepCell& cell) { return cell.counted(); });
  out << ": " << grouped(plan.size()) << " settings, "
      << grouped(static_cast<std::uint64_t>(counted)) << " counted\n";
  const std::string fixed_text = fixed_settings(sweep);
  if (!fixed_text.empty()) out << "  fixed   " << fixed_text << '\n';
  out << "  metric  " << what_it_is(metric);
  if (metric == SweepMetric::time) {
    const std::string source = recorded_source(sweep);
    out << (source.empty() ? ": none at this size, see --recorded" : " on " + source);
  }
  out << '\n';
  const app::SweepScale scale = app::scale_of(sweep, metric);
  const std::size_t tables = plan.axes.size() > 2 ? plan.axes[2].values.size() : 1;
  for (std::size_t third = 0; third < tables; ++third)
    print_table(sweep, scale, metric, third, out);
  print_best(sweep, scale, metric, out);
  print_holes(sweep, out);
}

void print_sweep_csv(const Sweep& sweep, std::ostream& out) {
  std::vector<std::string> head;
  for (const app::SweepAxis& axis : sweep.plan.axes) head.push_back(axis.name);
  head.emplace_back("state");
  for (std::string& id : app::csv_cost_ids()) head.push_back(std::move(id));
  head.insert(head.end(), {"shared_bytes", "occupancy", "recorded_ms", "recorded_on", "reason"});
  out << app::csv_line(head, "\n");
  for (std::size_t i = 0; i < sweep.cells.size(); ++i)
    out << app::csv_line(csv_row(sweep, i, head.size()), "\n");
}

void print_sweep_json(const Sweep& sweep, SweepMetric metric, std::ostream& out) {
  const app::SweepPlan& plan = sweep.plan;
  app::Json json = {{"schema", 1},
                    {"kernel", plan.base.name},
                    {"file", plan.base.file},
                    {"axes", app::Json::array()},
                    {"metric", app::metric_id(metric)},
                    {"best", nullptr},
                    {"cells", app::Json::array()}};
  for (const app::SweepAxis& axis : plan.axes)
    json["axes"].push_back({{"name", axis.name}, {"values", axis.values}});
  for (std::size_t i = 0; i < plan.size(); ++i) json["cells"].push_back(cell_json(sweep, i));
  const app::SweepScale scale = app::scale_of(sweep, metric);
  if (scale.best)
    json["best"] = {{"cell", *scale.best},
                    {"set", json["cells"][*scale.best]["set"]},
                    {"value", *app::metric_value(sweep.cells[*scale.best], metric)},
                    {"as_good", scale.as_good}};
  out << json.dump(2) << '\n';
}

}  // namespace lanescope::cli
