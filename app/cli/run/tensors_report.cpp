#include "cli/run/tensors_report.h"

#include <string>

#include "cli/text/table.h"
#include "core/picture/execution.h"

namespace lanescope::cli {
namespace {

// A kernel makes its tensors before it does anything with them.
constexpr std::uint64_t kMostSteps = 200'000;

/// A tensor that all threads share, and where it begins.
struct Told {
  const TensorInfo* tensor = nullptr;
  const app::RunTimeValues* values = nullptr;
  std::uint64_t base = 0;
  app::Place place;
};

std::vector<Told> told(const Report& report) {
  std::vector<Told> all;
  if (!report.prepared || report.tensor_values.empty()) return all;
  app::Picture picture;
  picture.prepared = report.prepared;
  const std::vector<TensorInfo>& tensors = report.kernel().tensors;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const app::RunTimeValues& values = report.tensor_values[i];
    const auto pointer = values[static_cast<std::size_t>(tensors[i].pointer)];
    if (!pointer) continue;
    Told one{&tensors[i], &values, static_cast<std::uint64_t>(*pointer), {}};
    one.place = locate(picture, one.base);
    if (one.place.space == MemorySpace::shared || one.place.space == MemorySpace::global)
      all.push_back(std::move(one));
  }
  return all;
}

}  // namespace

void read_tensors(app::ReadyLaunch& ready, const RunControl& control, Report& report) {
  const KernelInfo& kernel = report.kernel();
  if (kernel.tensors.empty()) return;
  const bool recorded = !report.run.traces.empty();
  RunResult first;
  if (!recorded) {
    RunControl bounded = control;
    bounded.progress = nullptr;
    bounded.step_budget = kMostSteps;
    first = ready.inspect({.blocks = {{0, 0, 0}}, .control = bounded});
  }
  const std::vector<BlockTrace>& traces = recorded ? report.run.traces : first.traces;
  report.tensor_values = app::run_time_values(kernel, traces.empty() ? nullptr : &traces.front());
}

void add_tensors(const Report& report, app::Json& json) {
  for (const Told& one : told(report)) {
    app::Json tensor = {{"name", one.tensor->name},
                        {"line", one.tensor->declared.line},
                        {"space", space_name(one.place.space)},
                        {"element", one.tensor->element},
                        {"element_bytes", one.tensor->element_bytes},
                        {"layout", app::layout_text(*one.tensor, *one.values)},
                        {"short_layout", app::short_layout_text(*one.tensor, *one.values)}};
    if (!one.place.name.empty()) {
      tensor["array"] = one.place.name;
      tensor["offset"] = one.place.offset;
    }
    json["tensors"].push_back(std::move(tensor));
  }
}

void print_tensors(const Report& report, std::ostream& out) {
  Table table({"<tensors", "<line", "<memory", "<layout"});
  for (const Told& one : told(report)) {
    std::string memory = one.place.name;
    if (one.place.offset != 0) memory += " + " + grouped(one.place.offset);
    table.add({one.tensor->name, std::to_string(one.tensor->declared.line), memory,
               app::short_layout_text(*one.tensor, *one.values)});
  }
  if (table.empty()) return;
  out << '\n';
  table.print(out, "  ");
}

}  // namespace lanescope::cli
