#include "core/timing/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <set>
#include <tuple>

#include "core/kernel/kernel_size.h"
#include "core/run/counters.h"
#include "core/run/whole_grid.h"
#include "core/text/assignments.h"
#include "core/text/csv.h"
#include "core/text/messages.h"
#include "core/text/number.h"
#include "core/text/text.h"

namespace lanescope::app {

namespace {

// Large enough for the caches to be of no help; products are counted quickly, and counters were
// read, at a smaller one.
const char* usual_size(const std::string& family) { return family == "gemm" ? "1024" : "4096"; }
/// The parameter that names the element type
constexpr const char* kElement = "ELEMENT";

std::string element_of(const Measurement& m) {
  const auto found = m.parameters.find(kElement);
  return found == m.parameters.end() ? "float" : found->second;
}

const TunableParameter* parameter_of(const CatalogEntry* entry, const std::string& name) {
  if (!entry) return nullptr;
  for (const TunableParameter& p : entry->front_matter.parameters)
    if (p.name == name) return &p;
  return nullptr;
}

std::string changes_of(const CatalogEntry* entry, const Measurement& m) {
  std::string text;
  const auto add = [&](const std::string& name, const std::string& value) {
    const TunableParameter* p = parameter_of(entry, name);
    if (name == kElement || (p && p->default_text() == value)) return;
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  };
  if (entry)  // in the order in which the text names them
    for (const TunableParameter& p : entry->front_matter.parameters)
      if (const auto found = m.parameters.find(p.name); found != m.parameters.end())
        add(found->first, found->second);
  for (const auto& [name, value] : m.parameters)
    if (!parameter_of(entry, name)) add(name, value);
  return text;
}

Settings settings_of_recorded(const CatalogEntry& entry, const Measurement& m) {
  Settings settings;
  settings.name = entry.name, settings.file = entry.file, settings.text = entry.text;
  settings.parameters = m.parameters;
  settings.arguments = m.arguments;
  return settings;
}

// Live ones take the place of recorded ones of the same launch.
std::vector<Measured> everything(const TimingSources& sources) {
  std::vector<Measured> all = sources.recorded;
  for (const Measured& live : sources.live) {
    const auto same = std::find_if(all.begin(), all.end(), [&](const Measured& m) {
      return m.measurement.same_launch(live.measurement);
    });
    if (same == all.end()) {
      all.push_back(live);
      continue;
    }
    std::optional<Counters> counters = std::move(same->measurement.counters);
    *same = live;
    if (!same->measurement.counters) same->measurement.counters = std::move(counters);
  }
  return all;
}

TimingRow row_of(const TimingSources& sources, Measured measured) {
  TimingRow row;
  static_cast<Measured&>(row) = std::move(measured);
  const Measurement& m = row.measurement;
  const CatalogEntry* entry = sources.catalog ? sources.catalog->find(m.kernel) : nullptr;
  row.title = entry && !entry->front_matter.title.empty() ? entry->front_matter.title : m.kernel;
  row.family = timing_family(m.kernel);
  row.element = element_of(m);
  row.size = size_of(m.arguments);
  row.changes = changes_of(entry, m);
  row.in_catalog = !row.settings.text.empty();
  return row;
}

// Numbers by value, others by their letters.
bool size_less(const std::string& a, const std::string& b) {
  const auto x = parse_size(a), y = parse_size(b);
  if (x && y) return std::tie(x->rows, x->cols) < std::tie(y->rows, y->cols);
  return x.has_value() != y.has_value() ? x.has_value() : a < b;
}

template <class Of>
std::vector<std::string> distinct(const std::vector<TimingRow>& rows, Of of) {
  std::vector<std::string> result;
  for (const TimingRow& row : rows)
    if (std::find(result.begin(), result.end(), of(row)) == result.end()) result.push_back(of(row));
  return result;
}

bool contains(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

// The asked one if there is such a one, else the preferred, else the last.
std::string chosen(const std::vector<std::string>& there, const std::string& asked,
                   const std::string& preferred) {
  if (contains(there, asked)) return asked;
  if (contains(there, preferred) || there.empty()) return preferred;
  return there.back();
}

// Of a time in a CSV table, to the nanosecond.
std::string milliseconds(double value) { return fixed(value, 6); }

std::string unless_zero(double value, int digits) { return value > 0 ? fixed(value, digits) : ""; }

void append(std::vector<std::string>& row, std::vector<std::string> cells) {
  row.insert(row.end(), std::make_move_iterator(cells.begin()),
             std::make_move_iterator(cells.end()));
}

std::vector<std::string> time_cells(const Measurement& m) {
  std::vector<std::string> cells(7);
  if (m.time)
    cells = {milliseconds(m.time->median),
             milliseconds(m.time->q1),
             milliseconds(m.time->q3),
             milliseconds(m.time->min),
             milliseconds(m.time->max),
             std::to_string(m.time->repetitions),
             fixed(m.gbps(), 1)};
  cells.push_back(unless_zero(m.gflops(), 1));
  cells.push_back(unless_zero(m.share_of_copy(), 4));
  cells.push_back(unless_zero(m.share_of_cublas(), 4));
  return cells;
}

std::vector<std::string> count_cells(const TimingRow& row) {
  if (!row.predicted || !row.predicted->known())
    return csv_costs(nullptr, nullptr, Ratios::left_out);
  const SharedCounts shared = shared_of(row.predicted->totals);
  const GlobalCounts global = global_of(row.predicted->totals);
  return csv_costs(&shared, &global, Ratios::left_out);
}

void take_worse(Prediction::Worst& worst, AgainstIdeal cost, std::uint32_t line) {
  if (cost.ideal == 0) return;
  const double ratio = static_cast<double>(cost.taken) / static_cast<double>(cost.ideal);
  if (ratio > worst.ratio) worst = {ratio, line};
}

Prediction counted(const KernelInfo& kernel, const RunResult& run) {
  Prediction result{.totals = totals_of(kernel, run)};
  for (const AccessInfo& access : kernel.accesses) {
    if (access.id >= run.accesses.size() || access.pos.file != 0) continue;
    const AccessCounts& counts = run.accesses[access.id];
    take_worse(result.worst_shared, against_ideal(counts.shared), access.pos.line);
    take_worse(result.worst_global, against_ideal(counts.global), access.pos.line);
  }
  return result;
}

}  // namespace

std::uint64_t Prediction::wavefronts() const { return shared_of(totals).wavefronts; }
std::uint64_t Prediction::ideal_wavefronts() const {
  return against_ideal(shared_of(totals)).ideal;
}
std::uint64_t Prediction::conflicts() const { return shared_of(totals).conflicts; }
std::uint64_t Prediction::sectors() const { return global_of(totals).sectors; }
std::uint64_t Prediction::ideal_sectors() const { return against_ideal(global_of(totals)).ideal; }

std::vector<Measured> recorded_launches(const std::vector<Recording>& recordings,
                                        const Catalog& catalog) {
  std::vector<Measured> result;
  const auto same = [&](const Measurement& m) {
    return std::find_if(result.begin(), result.end(),
                        [&](const Measured& known) { return known.measurement.same_launch(m); });
  };
  for (std::size_t i = 0; i < recordings.size(); ++i) {
    for (const Measurement& m : recordings[i].measurements) {
      if (!m.time) continue;
      Measured one{m, {}, static_cast<int>(i), ""};
      if (const CatalogEntry* entry = catalog.find(m.kernel))
        one.settings = settings_of_recorded(*entry, m);
      const auto known = same(m);
      if (known == result.end())
        result.push_back(std::move(one));
      else if (recordings[static_cast<std::size_t>(known->recording)].date < recordings[i].date)
        *known = std::move(one);
    }
  }
  for (const Recording& recording : recordings) {
    for (const Measurement& m : recording.measurements) {
      if (!m.counters) continue;
      const auto known = same(m);
      if (known != result.end() && !known->measurement.counters)
        known->measurement.counters = m.counters;
    }
  }
  return result;
}

Prediction predict(const Settings& settings, double limit_s, const std::stop_token& stop) {
  using Clock = std::chrono::steady_clock;
  Prediction result;
  PrepareResult prepared = prepare(settings);
  if (!prepared.ready) {
    for (const Diagnostic& d : prepared.diagnostics)
      if (d.severity == Severity::error && result.problem.empty()) result.problem = d.message;
    return result;
  }
  // A proof takes milliseconds; without one every block is executed, as far as time allows.
  std::stop_source give_up;
  const std::stop_callback outer(stop, [&] { give_up.request_stop(); });
  const Clock::time_point end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                   std::chrono::duration<double>(limit_s));
  CountRequest request;
  request.threads = 1;
  request.control.stop = give_up.get_token();
  request.control.progress = [&](std::uint64_t, std::uint64_t) {
    if (Clock::now() > end) give_up.request_stop();
  };
  const RunResult run = prepared.ready->count(request);
  if (run.coverage.exact && run.ok())
    result = counted(prepared.ready->prepared->kernel(), run);
  else if (give_up.stop_requested())
    result.problem = say::too_long_to_count;
  else if (!run.diagnostics.empty())
    result.problem = run.diagnostics.front().message;
  else
    result.problem = say::not_every_block_counted;
  return result;
}

std::string launch_key(const Settings& settings) {
  std::string key = fmt::format("{}\n{}\n{}", settings.name,
                                std::hash<std::string>{}(settings.text), settings.kernel);
  for (const auto& [name, value] : settings.parameters) key += fmt::format("\n{}={}", name, value);
  for (const auto& [name, value] : settings.arguments) key += fmt::format("\n{}:{}", name, value);
  if (settings.block) key += "\nblock " + dim3_text(*settings.block);
  if (settings.grid) key += "\ngrid " + dim3_text(*settings.grid);
  if (settings.shared_bytes) key += fmt::format("\nshared {}", *settings.shared_bytes);
  return key;
}

std::string timing_family(const std::string& kernel) {
  const std::size_t slash = kernel.find('/');
  if (slash == std::string::npos || slash == 0) return "";
  const std::string family = kernel.substr(0, slash);
  return family == "copy" ? "transpose" : family;
}

TimingTable timing_table(const TimingSources& sources, const TimingQuery& query) {
  TimingTable table;
  table.query = query;
  std::vector<TimingRow> rows;
  for (Measured& measured : everything(sources))
    rows.push_back(row_of(sources, std::move(measured)));
  std::stable_sort(rows.begin(), rows.end(), [](const TimingRow& a, const TimingRow& b) {
    return a.measurement.kernel < b.measurement.kernel;
  });

  table.families = distinct(rows, [](const TimingRow& r) { return r.family; });
  const std::string own = timing_family(query.kernel);
  table.query.family =
      chosen(table.families, query.family, contains(table.families, own) ? own : "transpose");
  std::erase_if(rows, [&](const TimingRow& r) { return r.family != table.query.family; });
  table.elements = distinct(rows, [](const TimingRow& r) { return r.element; });
  std::sort(table.elements.rbegin(), table.elements.rend());  // float before double
  table.query.element = chosen(table.elements, query.element, "float");
  std::erase_if(rows, [&](const TimingRow& r) { return r.element != table.query.element; });
  table.sizes = distinct(rows, [](const TimingRow& r) { return r.size; });
  std::sort(table.sizes.begin(), table.sizes.end(), size_less);
  table.query.size = chosen(table.sizes, query.size, usual_size(table.query.family));
  std::erase_if(rows, [&](const TimingRow& r) { return r.size != table.query.size; });
  // What was measured just now is shown whatever its setting.
  if (query.which == TimingQuery::Which::defaults)
    std::erase_if(rows, [](const TimingRow& r) { return !r.changes.empty() && !r.live(); });
  if (query.which == TimingQuery::Which::kernel)
    std::erase_if(rows, [&](const TimingRow& r) { return r.measurement.kernel != query.kernel; });

  for (TimingRow& row : rows) {
    const auto found = sources.predictions.find(launch_key(row.settings));
    if (row.in_catalog && found != sources.predictions.end()) row.predicted = found->second;
    if (!row.in_catalog) row.predicted = Prediction{.problem = say::text_not_at_hand};
    if (row.predicted && row.predicted->known() && row.measurement.counters)
      row.counters = compare_counters(row.predicted->totals, *row.measurement.counters);
  }
  table.rows = std::move(rows);
  return table;
}

std::vector<Settings> family_launches(const Catalog& catalog, const TimingQuery& query) {
  std::vector<Settings> launches;
  const auto size = parse_size(query.size);
  for (const CatalogEntry& entry : catalog.entries) {
    const FrontMatter& matter = entry.front_matter;
    if (timing_family(entry.name) != query.family || matter.reference.kind == "none") continue;
    Settings settings;
    settings.name = entry.name, settings.file = entry.file, settings.text = entry.text;
    const TunableParameter* element = parameter_of(&entry, kElement);
    if (element) {
      if (!contains(element->choices, query.element)) continue;
      settings.parameters[kElement] = query.element;
    } else if (query.element != "float") {
      continue;
    }
    if (!size || !apply_size(matter, *size, settings).empty()) continue;
    launches.push_back(std::move(settings));
  }
  return launches;
}

std::string csv_of_timing(const std::vector<TimingRow>& rows,
                          const std::vector<Recording>& recordings, const GpuDevice& live) {
  std::vector<std::string> head = {
      "kernel",      "parameters", "size",        "element",       "source",         "device",
      "date",        "ms_median",  "ms_q1",       "ms_q3",         "ms_min",         "ms_max",
      "repetitions", "gb_per_s",   "gflop_per_s", "share_of_copy", "share_of_cublas"};
  append(head, csv_cost_ids(Ratios::left_out));
  append(head, {"counters_agree", "registers", "shared_bytes", "blocks_per_sm", "result"});
  std::string csv = csv_line(head);
  for (const TimingRow& row : rows) {
    const Measurement& m = row.measurement;
    const Recording* from =
        row.live() ? nullptr : &recordings[static_cast<std::size_t>(row.recording)];
    std::vector<std::string> cells = {m.kernel,
                                      assignments(m.parameters),
                                      row.size,
                                      row.element,
                                      row.live() ? "live" : "recorded",
                                      from ? from->device.name : live.name,
                                      from ? from->date : row.date};
    append(cells, time_cells(m));
    append(cells, count_cells(row));
    cells.push_back(row.counters.empty() ? "" : all_agree(row.counters) ? "yes" : "no");
    cells.push_back(m.registers > 0 ? std::to_string(m.registers) : "");
    cells.push_back(std::to_string(m.static_shared_bytes + m.dynamic_shared_bytes));
    cells.push_back(m.blocks_per_sm > 0 ? std::to_string(m.blocks_per_sm) : "");
    cells.push_back(!m.check.checked ? "not checked" : m.check.correct ? "correct" : "wrong");
    csv += csv_line(cells);
  }
  return csv;
}

}  // namespace lanescope::app
