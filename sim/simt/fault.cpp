// Faults in words.
#include <cstdio>

#include "simt/block.h"

namespace lanescope {
namespace {

std::string hex(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string plural(std::uint64_t n, const std::string& what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

/// Which array or buffer an address is in or nearest to, and where: "at element 1024 of 'in' (float, 1024 elements)".
std::string place(const Machine& m, const GlobalMemory& memory, std::uint64_t address) {
  const KernelInfo& info = m.program->info();
  if (address - kSharedWindow < kWindowBytes) {
    const auto offset = static_cast<std::int64_t>(address - kSharedWindow);
    const SharedArray* best = nullptr;
    for (const SharedArray& array : info.shared_arrays)
      if (best == nullptr || array.offset <= offset) best = &array;
    std::string text = "shared byte " + std::to_string(offset) + " of " + std::to_string(m.regions[0].size);
    if (best != nullptr && best->element_bytes != 0)
      text += ", element " + std::to_string((offset - best->offset) / best->element_bytes) + " of '" + best->name + "'" + (best->bytes != 0 ? " (" + plural(best->bytes / best->element_bytes, "element") + ")" : "");
    return text;
  }
  if (address - kLocalWindow < kWindowBytes) return "local byte " + std::to_string(address - kLocalWindow) + " of " + std::to_string(m.program->local_bytes);
  const Buffer* best = nullptr;
  std::int64_t best_distance = 0;
  for (const Buffer& buffer : memory.buffers()) {
    const auto before = static_cast<std::int64_t>(buffer.base - address), after = static_cast<std::int64_t>(address - (buffer.base + buffer.bytes));
    const std::int64_t distance = before > 0 ? before : after >= 0 ? after : 0;
    if (best == nullptr || distance < best_distance) best = &buffer, best_distance = distance;
  }
  if (best == nullptr) return "address " + hex(address);
  const auto size = static_cast<std::int64_t>(scalar_bytes(best->spec.element));
  const auto from_base = static_cast<std::int64_t>(address - best->base);
  const std::int64_t element = from_base >= 0 ? from_base / size : -((-from_base + size - 1) / size);
  return "element " + std::to_string(element) + " of '" + best->spec.name + "' (" + std::string(scalar_name(best->spec.element)) + ", " + plural(best->spec.count, "element") + ")";
}

void describe_barrier(const Machine& m, Diagnostic& d) {
  const Fault& fault = m.fault;
  const bool is_warp_op = m.program->info().ops[fault.info].kind == StepKind::warp_op;
  if (is_warp_op) {
    d.message = "the lanes named in the mask do not all take part: lane " + std::to_string(fault.lane) + " is missing or not named in its own mask";
    d.hint = "pass the mask of the lanes that really reach this call, such as __activemask() taken before the branch";
  } else if (fault.detail != 0) {
    d.message = "the thread ended before this barrier, which other threads of its block wait at";
    d.hint = "do not return early: guard the work, not the barrier";
  } else {
    d.message = "barrier not reached by all threads of the block: this thread took another path";
    d.hint = "move __syncthreads() out of the branch, so that every thread executes it";
  }
}

void describe_access(const Machine& m, const GlobalMemory& memory, Diagnostic& d) {
  const Fault& fault = m.fault;
  const std::string what = fault.is_store ? "write" : "read";
  d.address = fault.address;
  const OpInfo& op = m.program->info().ops[fault.info];
  const std::string text = op.access >= 0 ? m.program->info().accesses[static_cast<std::size_t>(op.access)].text : std::string();
  const std::string through = text.empty() ? "" : " through '" + text + "'";
  if (fault.kind == DiagnosticKind::null_pointer) {
    d.message = what + " of " + plural(fault.bytes, "byte") + " through a null pointer" + through + " (address " + hex(fault.address) + ")";
    d.hint = "give the pointer a buffer";
  } else if (fault.kind == DiagnosticKind::misaligned) {
    d.message = "misaligned " + what + " of " + plural(fault.bytes, "byte") + through + ": address " + hex(fault.address) + " is no multiple of " + std::to_string(fault.bytes);
    d.hint = "a " + std::to_string(fault.bytes) + "-byte access needs an address that is a multiple of " + std::to_string(fault.bytes);
  } else {
    d.message = "out-of-bounds " + what + " of " + plural(fault.bytes, "byte") + through + ": " + place(m, memory, fault.address);
  }
}

}  // namespace

Diagnostic describe_fault(const Machine& m, const GlobalMemory& memory, Dim3 block, std::uint32_t warp) {
  const Fault& fault = m.fault;
  const KernelInfo& info = m.program->info();
  Diagnostic d;
  d.kind = fault.kind;
  d.file = info.files.empty() ? "" : info.files[0];
  d.line = info.ops[fault.info].pos.line;
  d.column = info.ops[fault.info].pos.column;
  d.block = block;
  d.thread = thread_of(m.launch->block, warp, fault.lane);
  switch (fault.kind) {
    case DiagnosticKind::divergent_barrier: describe_barrier(m, d); break;
    case DiagnosticKind::step_budget:
      d.message = "the block executed more warp instructions than its budget: an endless loop, or a very long one";
      d.hint = "check the loop's condition, or raise the step budget";
      break;
    case DiagnosticKind::unsupported:
      d.message = "the simulator cannot execute " + m.program->traps[fault.detail];
      break;
    default: describe_access(m, memory, d); break;
  }
  return d;
}

}  // namespace lanescope
