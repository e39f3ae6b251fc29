#include "lower/lower.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "lanescope/clusters.h"
#include "lower/lower_function.h"
#include "model/simulator_messages.h"

namespace lanescope {
namespace {

/// Accesses by line, which is the order people look for them; within a line as they happen.
void sort_accesses(FlatProgram& program) {
  KernelInfo& info = program.mutable_info();
  std::vector<std::uint32_t> order(info.accesses.size()), rank(order.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return info.accesses[a].pos.line < info.accesses[b].pos.line;
  });
  for (std::uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
  std::vector<AccessInfo> sorted;
  for (const std::uint32_t old : order) sorted.push_back(std::move(info.accesses[old]));
  for (AccessInfo& access : sorted) {
    access.id = rank[access.id];
    for (ValueSource& source : access.sources)
      source.access = static_cast<int>(rank[static_cast<std::size_t>(source.access)]);
  }
  info.accesses = std::move(sorted);
  for (OpInfo& op : info.ops)
    if (op.access >= 0) op.access = static_cast<int>(rank[static_cast<std::size_t>(op.access)]);
  for (FlatCode* code : {&program.lean, &program.recording}) {
    for (Op& op : code->ops)
      if (operation_info(op.code).kind == OperationKind::access)
        code->refs[op.a].access = rank[code->refs[op.a].access];
    for (GroupProduct& product : code->group_products) product.access = rank[product.access];
    for (BulkCopy& copy : code->bulk_copies) copy.access = rank[copy.access];
  }
}

bool reduces_angles(const FlatProgram& program) {
  const auto reduces = [](const Op& op) {
    return op.code == Code::sin_f32 || op.code == Code::sin_f64 || op.code == Code::cos_f32 ||
           op.code == Code::cos_f64 || op.code == Code::tan_f32 || op.code == Code::tan_f64;
  };
  return std::any_of(program.lean.ops.begin(), program.lean.ops.end(), reduces);
}

bool exchanges(const FlatProgram& program) {
  return std::any_of(program.lean.ops.begin(), program.lean.ops.end(), [&](const Op& op) {
    return op.code == Code::atomic && program.lean.refs[op.a].atomic == AtomicOp::compare_exchange;
  });
}

Diagnostic no_clusters(const LowerInput& input) {
  Diagnostic d;
  d.file = input.file;
  d.line = input.declared.line;
  d.column = input.declared.column;
  d.message = say::cannot_execute(fmt::format("clusters of {} blocks", input.cluster.count()));
  return d;
}

}  // namespace

ProgramPtr lower(const LowerInput& input, std::vector<Diagnostic>& diagnostics) {
  llvm::Function* function = input.module->getFunction(input.symbol);
  if (function == nullptr || function->isDeclaration()) {
    Diagnostic d;
    d.file = input.file;
    if (input.declared.file == 0) d.line = input.declared.line, d.column = input.declared.column;
    d.message = say::no_code_for_kernel(input.name);
    diagnostics.push_back(std::move(d));
    return nullptr;
  }
  if (input.cluster.count() > kMostClusterBlocks)
    return diagnostics.push_back(no_clusters(input)), nullptr;
  auto program = std::make_shared<FlatProgram>();
  KernelInfo& info = program->mutable_info();
  info.name = input.name;
  info.display = input.name.substr(0, input.name.find('<'));
  info.declared = input.declared;
  info.most_threads = input.most_threads;
  program->cluster = input.cluster;
  info.arguments = input.arguments;
  LowerTables tables(input, *program);
  // The recording form first: its operations, in order, are what viewers step through.
  program->recording = LowerFunction(*function, tables, true).run();
  LowerFunction lean(*function, tables, false);
  program->data_steers = lean.data_steers();
  program->lean = lean.run();
  if (!tables.refusals().empty()) {
    for (Diagnostic& d : tables.refusals()) diagnostics.push_back(std::move(d));
    return nullptr;
  }
  sort_accesses(*program);
  info.reads_tables = info.reads_tables || reduces_angles(*program);
  info.exchanges = exchanges(*program);
  return program;
}

}  // namespace lanescope
