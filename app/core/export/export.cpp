// Tables as comma-separated values.
#include "core/export/export.h"

#include <fmt/format.h>

#include <iterator>

#include "core/picture/chain.h"
#include "core/picture/execution.h"
#include "core/run/counters.h"
#include "core/text/csv.h"
#include "core/timing/timing.h"
#include "lanescope/memory.h"

namespace lanescope::app {

namespace {

std::string number(std::uint64_t value) { return std::to_string(value); }

const char* scope_of(const Picture& picture) {
  return picture.counted().coverage.exact ? "grid" : "blocks";
}

void append(std::vector<std::string>& row, std::vector<std::string> cells) {
  row.insert(row.end(), std::make_move_iterator(cells.begin()),
             std::make_move_iterator(cells.end()));
}

struct Element {
  std::string array;
  std::uint64_t index = 0;
};
Element element_at(const Picture& picture, std::uint64_t address) {
  for (const BufferLayout& buffer : picture.prepared->buffers) {
    if (address - buffer.base < buffer.bytes)
      return {buffer.name, (address - buffer.base) / std::max(1u, buffer.element_bytes)};
  }
  const std::uint64_t offset = address - kSharedWindow;
  if (offset >= kWindowBytes) return {};
  for (const SharedArray& array : picture.kernel().shared_arrays) {
    if (offset >= array.offset && (array.bytes == 0 || offset - array.offset < array.bytes))
      return {array.name, (offset - array.offset) / std::max(1u, array.element_bytes)};
  }
  return {};
}

// One row: a lane of the warp, active in the step or not.
std::vector<std::string> lane_row(const Picture& picture, std::uint32_t warp, std::size_t step,
                                  int lane) {
  const BlockTrace& trace = *picture.trace();
  const WarpTrack& track = trace.warps[warp];
  const AccessInfo& access =
      picture.kernel()
          .accesses[static_cast<std::size_t>(picture.kernel().ops[track.op[step]].access)];
  const Dim3 thread = thread_of(picture.prepared->launch.block, warp, lane);
  const bool active = (track.mask[step] >> lane & 1u) != 0;
  std::vector<std::string> row = {number(access.pos.line),
                                  number(access.pos.column),
                                  std::string(access_op_name(access.op)),
                                  number(warp),
                                  number(step),
                                  std::to_string(lane),
                                  number(thread.x),
                                  number(thread.y),
                                  number(thread.z),
                                  active ? "1" : "0"};
  if (!active) {
    row.insert(row.end(), 7, "");
    return row;
  }
  const auto i = static_cast<std::size_t>(lane);
  const std::uint64_t address = trace.rows.value(track.rows[step], i);
  const MemorySpace space = space_of(address);
  const Element element = element_at(picture, address);
  row.push_back(fmt::format("{:#x}", address));
  row.emplace_back(space_name(space));
  row.push_back(element.array);
  row.push_back(element.array.empty() ? "" : number(element.index));
  row.push_back(space == MemorySpace::shared ? number(address / kBankBytes % kBanks) : "");
  row.push_back(space == MemorySpace::global ? number(address / kSectorBytes * kSectorBytes) : "");
  std::string values;
  const std::uint32_t components = access.op == AccessOp::async_copy ? 0 : access.components;
  for (std::uint32_t c = 1; c <= components && track.rows[step] + c < trace.rows.size(); ++c)
    values += (c > 1 ? " " : "") +
              format_scalar(access.element, trace.rows.value(track.rows[step] + c, i));
  row.push_back(values);
  return row;
}

}  // namespace

std::string csv_of_accesses(const Picture& picture) {
  std::vector<std::string> head = {"kernel", "scope", "file",   "line",       "column",  "space",
                                   "op",     "bytes", "access", "executions", "requests"};
  append(head, csv_cost_ids());
  std::string csv = csv_line(head);
  if (!picture.prepared->program) return csv;
  const KernelInfo& kernel = picture.kernel();
  for (const AccessTotals& a : access_totals(kernel, picture.counted())) {
    const bool shared = a.space == MemorySpace::shared;
    const std::uint32_t file = a.access->pos.file;
    std::vector<std::string> row = {picture.prepared->settings.name,
                                    scope_of(picture),
                                    file != 0 && file < kernel.files.size()
                                        ? kernel.files[file]
                                        : picture.prepared->settings.file,
                                    number(a.access->pos.line),
                                    number(a.access->pos.column),
                                    std::string(space_name(a.space)),
                                    std::string(access_op_name(a.access->op)),
                                    number(a.access->bytes),
                                    a.access->text,
                                    number(a.executions),
                                    number(shared ? a.shared.requests : a.global.requests)};
    append(row, csv_costs(shared ? &a.shared : nullptr, shared ? nullptr : &a.global));
    csv += csv_line(row);
  }
  return csv;
}

std::string csv_of_lines(const Picture& picture) {
  std::vector<std::string> head = {"kernel", "scope", "line", "executions"};
  append(head, csv_cost_ids());
  std::string csv = csv_line(head);
  for (const LineTotals& line : picture.lines) {
    std::vector<std::string> row = {picture.prepared->settings.name, scope_of(picture),
                                    number(line.line), number(line.executions)};
    append(row, csv_costs(line.shared.requests > 0 ? &line.shared : nullptr,
                          line.global.requests > 0 ? &line.global : nullptr));
    csv += csv_line(row);
  }
  return csv;
}

std::string csv_of_lanes(const Picture& picture, const Selection& selection) {
  std::string csv =
      csv_line({"line", "column", "op", "warp", "step", "lane", "thread_x", "thread_y", "thread_z",
                "active", "address", "space", "array", "element", "bank", "sector", "value"});
  if (!picture.prepared->program || !picture.trace()) return csv;
  const auto step = shown_access_step(picture, selection);
  if (!step) return csv;
  for (int lane = 0; lane < kLanes; ++lane)
    csv += csv_line(lane_row(picture, selection.warp, *step, lane));
  return csv;
}

std::string csv_of(ExportTable table, const Picture& picture, const Selection& selection,
                   const TimingNews* timing) {
  switch (table) {
  case ExportTable::lines:
    return csv_of_lines(picture);
  case ExportTable::lanes:
    return csv_of_lanes(picture, selection);
  case ExportTable::fragments:
    return csv_of_fragments(picture, selection);
  case ExportTable::swizzles:
    return csv_of_swizzles(picture, selection);
  case ExportTable::timing:
    if (!timing) break;
    return csv_of_timing(timing->table->rows, timing->recordings,
                         timing->gpu && timing->gpu->device ? *timing->gpu->device : GpuDevice{});
  case ExportTable::accesses:
    break;
  }
  return csv_of_accesses(picture);
}

}  // namespace lanescope::app
