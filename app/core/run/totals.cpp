#include "core/run/totals.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "core/run/counters.h"

namespace lanescope::app {

namespace {

bool has(const SharedCounts& counts) { return counts.requests > 0; }
bool has(const GlobalCounts& counts) { return counts.requests > 0; }

AccessTotals part(const AccessInfo& access, const AccessCounts& counts, MemorySpace space) {
  AccessTotals result;
  result.access = &access;
  result.space = space;
  result.executions = counts.executions;
  if (space == MemorySpace::shared) result.shared = counts.shared;
  if (space == MemorySpace::global) result.global = counts.global;
  return result;
}

template <class Counts>
Json counts_json(const Counts& counts) {
  Json result = Json::object();
  for (const auto& counter : counters_of(counts))
    if (counter.count) result[std::string(counter.id)] = counts.*counter.count;
  return result;
}

}  // namespace

Totals totals_of(const KernelInfo& kernel, const RunResult& run) {
  Totals result;
  for (const AccessInfo& access : kernel.accesses) {
    if (access.id >= run.accesses.size()) continue;
    const AccessCounts& counts = run.accesses[access.id];
    switch (access.op) {
    case AccessOp::load:
      result.shared_load += counts.shared;
      result.global_load += counts.global;
      break;
    case AccessOp::store:
      result.shared_store += counts.shared;
      result.global_store += counts.global;
      break;
    case AccessOp::atomic:
      result.shared_atomic += counts.shared;
      result.global_atomic += counts.global;
      break;
    case AccessOp::async_copy:
      result.shared_store += counts.shared;
      result.global_load += counts.global;
      break;
    case AccessOp::product:
      result.shared_product += counts.shared;
      break;
    case AccessOp::bulk_load:
      result.global_bulk_load += counts.global;
      break;
    case AccessOp::bulk_store:
      result.global_bulk_store += counts.global;
      break;
    }
  }
  return result;
}

std::vector<LineTotals> line_totals(const KernelInfo& kernel, const RunResult& run) {
  std::map<std::uint32_t, LineTotals> lines;
  for (std::size_t i = 0; i < kernel.ops.size() && i < run.op_executions.size(); ++i) {
    const SourcePos pos = kernel.ops[i].pos;
    if (pos.line == 0 || pos.file != 0 || run.op_executions[i] == 0) continue;
    LineTotals& line = lines[pos.line];
    line.executions = std::max(line.executions, run.op_executions[i]);
  }
  for (const AccessInfo& access : kernel.accesses) {
    if (access.id >= run.accesses.size() || access.pos.file != 0 || access.pos.line == 0) continue;
    const AccessCounts& counts = run.accesses[access.id];
    if (counts.executions == 0) continue;
    LineTotals& line = lines[access.pos.line];
    line.executions = std::max(line.executions, counts.executions);
    line.shared += counts.shared;
    line.global += counts.global;
  }
  std::vector<LineTotals> result;
  for (auto& [number, line] : lines) {
    line.line = number;
    result.push_back(line);
  }
  return result;
}

std::vector<AccessTotals> access_totals(const KernelInfo& kernel, const RunResult& run) {
  std::vector<AccessTotals> result;
  for (const AccessInfo& access : kernel.accesses) {
    if (access.space == MemorySpace::local || access.space == MemorySpace::constant ||
        access.space == MemorySpace::texture)
      continue;
    const AccessCounts counts =
        access.id < run.accesses.size() ? run.accesses[access.id] : AccessCounts{};
    const bool shared = has(counts.shared) || access.space == MemorySpace::shared;
    const bool global = has(counts.global) || access.space == MemorySpace::global;
    if (shared) result.push_back(part(access, counts, MemorySpace::shared));
    if (global) result.push_back(part(access, counts, MemorySpace::global));
  }
  std::stable_sort(result.begin(), result.end(), [](const AccessTotals& a, const AccessTotals& b) {
    return std::tie(a.access->pos.file, a.access->pos.line, a.access->pos.column, a.access->op) <
           std::tie(b.access->pos.file, b.access->pos.line, b.access->pos.column, b.access->op);
  });
  return result;
}

Json to_json(Dim3 value) { return Json::array({value.x, value.y, value.z}); }

Json to_json(const SharedCounts& counts) {
  Json json = counts_json(counts);
  // Only where some of it is not exact, and wavefronts are the least that there may be.
  if (counts.at_least != 0) json["at_least_requests"] = counts.at_least;
  return json;
}

Json to_json(const GlobalCounts& counts) { return counts_json(counts); }

Json to_json(const Totals& totals) {
  Json result = Json::object();
  for (const bool always : {true, false}) {
    each_part(totals, [&](const auto& counts, const auto& part) {
      if (part.always == always && (always || has(counts))) result[part.id()] = to_json(counts);
    });
  }
  return result;
}

Json to_json(const KernelInfo& kernel, const AccessTotals& totals) {
  const AccessInfo& access = *totals.access;
  Json result = {{"line", access.pos.line},
                 {"column", access.pos.column},
                 {"space", space_name(totals.space)},
                 {"op", access_op_name(access.op)},
                 {"bytes", access.bytes},
                 {"text", access.text}};
  if (access.pos.file != 0 && access.pos.file < kernel.files.size())
    result["file"] = kernel.files[access.pos.file];
  result.update(totals.space == MemorySpace::shared ? to_json(totals.shared)
                                                    : to_json(totals.global));
  return result;
}

Json to_json(const Diagnostic& diagnostic) {
  Json result = {{"severity", severity_name(diagnostic.severity)},
                 {"kind", diagnostic_kind_name(diagnostic.kind)},
                 {"line", diagnostic.line},
                 {"column", diagnostic.column},
                 {"message", diagnostic.message.english()}};
  if (!diagnostic.hint.empty()) result["hint"] = diagnostic.hint.english();
  if (diagnostic.block) result["block"] = to_json(*diagnostic.block);
  if (diagnostic.thread) result["thread"] = to_json(*diagnostic.thread);
  return result;
}

Json to_json(const std::vector<Diagnostic>& diagnostics) {
  Json result = Json::array();
  for (const Diagnostic& diagnostic : diagnostics) result.push_back(to_json(diagnostic));
  return result;
}

}  // namespace lanescope::app
