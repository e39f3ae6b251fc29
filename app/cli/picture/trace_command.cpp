#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/picture/trace_command.h"
#include "cli/run/report.h"
#include "cli/text/table.h"
#include "core/picture/execution.h"
#include "core/run/counters.h"
#include "core/text/text.h"
#include "lanescope/banks.h"
#include "lanescope/sectors.h"

namespace lanescope::cli {

namespace {

// One warp-wide access of a trace, with where its lanes' addresses lead.
struct Execution {
  const AccessInfo* access = nullptr;
  std::uint32_t warp = 0;
  std::size_t step = 0;
  LaneMask mask = 0;
  MemorySpace space = MemorySpace::generic;
  LaneRow address{};
  /// One row a component
  std::vector<LaneRow> values;
};

std::vector<Execution> executions(const KernelInfo& kernel, const BlockTrace& trace,
                                  std::uint32_t warp) {
  std::vector<Execution> result;
  const WarpTrack& track = trace.warps[warp];
  for (std::size_t step = 0; step < track.size(); ++step) {
    const OpInfo& op = kernel.ops[track.op[step]];
    if (op.kind != StepKind::access || op.access < 0 || track.rows[step] == WarpTrack::kNoRows ||
        track.mask[step] == 0)
      continue;
    Execution e{&kernel.accesses[static_cast<std::size_t>(op.access)], warp, step,
                track.mask[step]};
    e.address = trace.rows[track.rows[step]];
    const std::uint32_t components =
        e.access->op == AccessOp::async_copy ? 0 : e.access->components;
    for (std::uint32_t c = 1; c <= components && track.rows[step] + c < trace.rows.size(); ++c) {
      e.values.push_back(trace.rows[track.rows[step] + c]);
    }
    e.space = app::space_of(e.address[static_cast<std::size_t>(std::countr_zero(e.mask))]);
    result.push_back(std::move(e));
  }
  return result;
}

// "in" and the element in it, as far as the launch knows.
struct Cell {
  std::string array;
  std::uint64_t element = 0;
};
Cell cell_at(const app::PreparedLaunch& prepared, std::uint64_t address) {
  for (const app::BufferLayout& buffer : prepared.buffers) {
    if (address - buffer.base < buffer.bytes)
      return {buffer.name, (address - buffer.base) / buffer.element_bytes};
  }
  const std::uint64_t offset = address - kSharedWindow;
  Cell found;
  std::uint32_t best = 0;
  for (const SharedArray& array : prepared.program->info().shared_arrays) {
    const bool inside = offset < kWindowBytes && offset >= array.offset &&
                        (array.bytes == 0 || offset - array.offset < array.bytes);
    if (!inside || (!found.array.empty() && array.offset < best)) continue;
    best = array.offset;
    found = {array.name, (offset - array.offset) / std::max(1u, array.element_bytes)};
  }
  return found;
}

app::Json value_json(ScalarType type, std::uint64_t bits) {
  const std::string text = format_scalar(type, bits);
  if (const auto integer = app::parse_integer(text)) return *integer;
  const auto real = app::parse_real(text);
  return real && std::isfinite(*real) ? app::Json(*real) : app::Json(text);
}

app::Json lane_json(const app::PreparedLaunch& prepared, const Execution& e, int lane) {
  const auto i = static_cast<std::size_t>(lane);
  const Cell cell = cell_at(prepared, e.address[i]);
  app::Json json = {{"lane", lane},
                    {"thread", app::to_json(thread_of(prepared.launch.block, e.warp, lane))},
                    {"address", e.address[i]}};
  if (!cell.array.empty()) {
    json["array"] = cell.array;
    json["element"] = cell.element;
  }
  app::Json values = app::Json::array();
  for (const LaneRow& row : e.values) values.push_back(value_json(e.access->element, row[i]));
  if (values.size() == 1) json["value"] = values.front();
  if (values.size() > 1) json["value"] = std::move(values);
  return json;
}

app::Json execution_json(const app::PreparedLaunch& prepared, const Execution& e) {
  app::Json json = {{"warp", e.warp},
                    {"step", e.step},
                    {"line", e.access->pos.line},
                    {"column", e.access->pos.column},
                    {"space", space_name(e.space)},
                    {"op", access_op_name(e.access->op)},
                    {"bytes", e.access->bytes},
                    {"text", e.access->text},
                    {"mask", e.mask}};
  if (e.space == MemorySpace::shared)
    json.update(app::to_json(shared_cost(e.address, e.mask, e.access->bytes, e.access->service)));
  if (e.space == MemorySpace::global)
    json.update(app::to_json(global_cost(e.address, e.mask, e.access->bytes, e.access->service)));
  json["lanes"] = app::Json::array();
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((e.mask >> lane & 1u) != 0) json["lanes"].push_back(lane_json(prepared, e, lane));
  }
  return json;
}

bool wanted(std::optional<std::uint32_t> only, std::uint32_t warp) {
  return !only || *only == warp;
}

void print_json(const Report& report, std::optional<std::uint32_t> only, std::ostream& out) {
  app::Json json = head_json(report);
  app::Json blocks = app::Json::array();
  for (const BlockTrace& trace : report.run.traces) {
    app::Json accesses = app::Json::array();
    for (std::uint32_t warp = 0; warp < trace.warps.size(); ++warp) {
      if (!wanted(only, warp)) continue;
      for (const Execution& e : executions(report.kernel(), trace, warp))
        accesses.push_back(execution_json(*report.prepared, e));
    }
    blocks.push_back({{"block", app::to_json(trace.block)},
                      {"truncated", trace.truncated},
                      {"accesses", std::move(accesses)}});
  }
  if (report.prepared) json["blocks"] = std::move(blocks);
  json["diagnostics"] = app::to_json(report.diagnostics);
  out << json.dump(1) << '\n';
}

// "32 wavefronts, ideal 1, conflicts 31".
template <class Counts>
std::string costs_text(const Counts& counts) {
  std::string text;
  for (const auto& counter : app::costs_of(counts)) {
    if (!counter.count) continue;
    const std::uint64_t count = counts.*counter.count;
    text += text.empty() ? fmt::format("{} {}", count, counter.heading)
                         : fmt::format(", {} {}", counter.heading, count);
  }
  return text;
}

std::string cost_text(const Execution& e) {
  if (e.space == MemorySpace::shared)
    return costs_text(shared_cost(e.address, e.mask, e.access->bytes, e.access->service));
  if (e.space == MemorySpace::global)
    return costs_text(global_cost(e.address, e.mask, e.access->bytes, e.access->service));
  return fmt::format("{} memory", space_name(e.space));
}

void print_execution(const app::PreparedLaunch& prepared, const Execution& e, std::ostream& out) {
  out << "\n  warp " << e.warp << ", step " << e.step << ", line " << e.access->pos.line << ':'
      << e.access->pos.column << ": " << space_name(e.space) << ' ' << access_op_name(e.access->op)
      << ' ' << e.access->text << ", " << e.access->bytes << " bytes a lane, "
      << active_lanes(e.mask) << " lanes: " << cost_text(e) << '\n';
  Table table({"lane", "address", "<element", "bank", "<value"});
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((e.mask >> lane & 1u) == 0) continue;
    const std::uint64_t address = e.address[static_cast<std::size_t>(lane)];
    const Cell cell = cell_at(prepared, address);
    std::string value;
    for (const LaneRow& row : e.values)
      value += (value.empty() ? "" : ", ") +
               format_scalar(e.access->element, row[static_cast<std::size_t>(lane)]);
    table.add({std::to_string(lane), fmt::format("{:#x}", address),
               cell.array.empty() ? "" : fmt::format("{}[{}]", cell.array, cell.element),
               e.space == MemorySpace::shared ? std::to_string(address / kBankBytes % kBanks) : "",
               value});
  }
  table.print(out, "    ");
}

void print_text(const Report& report, std::optional<std::uint32_t> only, std::ostream& out) {
  if (!report.prepared) return;
  print_head(report, out);
  for (const BlockTrace& trace : report.run.traces) {
    out << "\nblock " << app::dim3_text(trace.block)
        << (trace.truncated ? " (cut off: the trace's size cap was reached)" : "") << '\n';
    for (std::uint32_t warp = 0; warp < trace.warps.size(); ++warp) {
      if (!wanted(only, warp)) continue;
      for (const Execution& e : executions(report.kernel(), trace, warp))
        print_execution(*report.prepared, e, out);
    }
  }
}

}  // namespace

int trace_command(const app::Catalog& catalog, const LaunchFlags& flags,
                  std::optional<std::uint32_t> warp, const Fronts& fronts) {
  Report report = make_report(catalog, flags, "1", true, fronts);
  if (report.prepared && warp && *warp >= warps_per_block(report.prepared->launch.block)) {
    report.diagnostics.push_back(
        flag_error(fmt::format("--warp {}: the block has {} warps, counted from 0", *warp,
                               warps_per_block(report.prepared->launch.block))));
  }
  flags.json ? print_json(report, warp, fronts.out) : print_text(report, warp, fronts.out);
  fronts.out.flush();
  print_diagnostics(report.diagnostics, fronts);
  return status_of(report.diagnostics);
}

}  // namespace lanescope::cli
