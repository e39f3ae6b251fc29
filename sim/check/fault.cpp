#include "check/fault.h"

#include <fmt/format.h>

#include "check/place.h"

namespace lanescope {
namespace {

void describe_barrier(const Machine& m, Diagnostic& d) {
  const Fault& fault = m.fault;
  const bool is_warp_op = m.program->info().ops[fault.info].kind == StepKind::warp_op;
  if (is_warp_op) {
    d.message =
        fmt::format("the lanes named in the mask do not all take part: lane {} is missing or "
                    "not named in its own mask",
                    fault.lane);
    d.hint = "pass the mask of the lanes that really reach this call, such as __activemask() taken "
             "before the branch";
  } else if (fault.detail != 0) {
    d.message = "the thread ended before this barrier, which other threads of its block wait at";
    d.hint = "do not return early: guard the work, not the barrier";
  } else {
    d.message = "barrier not reached by all threads of the block: this thread took another path or "
                "returned";
    d.hint = "move __syncthreads() out of the branch, and guard work instead of returning early";
  }
}

void describe_access(const Machine& m, const GlobalMemory& memory, Diagnostic& d) {
  const Fault& fault = m.fault;
  const std::string what = fault.is_store ? "write" : "read";
  d.address = fault.address;
  const OpInfo& op = m.program->info().ops[fault.info];
  const std::string text =
      op.access >= 0 ? m.program->info().accesses[static_cast<std::size_t>(op.access)].text
                     : std::string();
  const std::string through = text.empty() ? "" : fmt::format(" through '{}'", text);
  const std::string bytes = plural(fault.bytes, "byte");
  if (fault.kind == DiagnosticKind::null_pointer) {
    d.message = fmt::format("{} of {} through a null pointer{} (address {})", what, bytes, through,
                            hex(fault.address));
    d.hint = "give the pointer a buffer";
  } else if (fault.kind == DiagnosticKind::misaligned) {
    d.message = fmt::format("misaligned {} of {}{}: address {} is no multiple of {}", what, bytes,
                            through, hex(fault.address), fault.bytes);
    d.hint =
        fmt::format("a {0}-byte access needs an address that is a multiple of {0}", fault.bytes);
  } else {
    d.message = fmt::format("out-of-bounds {} of {}{}: {}", what, bytes, through,
                            place_of(*m.program, m.regions[0].size, memory, fault.address));
  }
}

}  // namespace

Diagnostic describe_fault(const Machine& m, const GlobalMemory& memory, Dim3 block,
                          std::uint32_t warp) {
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
  case DiagnosticKind::divergent_barrier:
    describe_barrier(m, d);
    break;
  case DiagnosticKind::step_budget:
    d.message = "the block executed more warp instructions than its budget: an endless loop, or a "
                "very long one";
    d.hint = "check the loop's condition, or raise the step budget";
    break;
  case DiagnosticKind::assertion:
    d.message = "assertion failed: " + m.program->traps[fault.detail];
    break;
  case DiagnosticKind::unsupported:
    d.message = "the simulator cannot execute " + m.program->traps[fault.detail];
    break;
  default:
    describe_access(m, memory, d);
    break;
  }
  return d;
}

namespace {

std::string at_position(const FlatProgram& program, std::uint32_t info) {
  return fmt::format("line {}", program.info().ops[info].pos.line);
}

std::string coordinate(const char* what, Dim3 at) {
  return fmt::format("{} ({}, {}, {})", what, at.x, at.y, at.z);
}

}  // namespace

Diagnostic describe_finding(const Finding& f, const FlatProgram& program, const Launch& launch,
                            const GlobalMemory& memory) {
  const KernelInfo& info = program.info();
  Diagnostic d;
  d.kind = f.kind;
  d.file = info.files.empty() ? "" : info.files[0];
  d.line = info.ops[f.info].pos.line;
  d.column = info.ops[f.info].pos.column;
  d.block = f.block;
  d.thread = f.thread;
  if (f.kind == DiagnosticKind::overflow) {
    d.message = "a signed 32-bit computation overflows";
    d.hint = "compute large indices in size_t or long long";
    return d;
  }
  d.address = f.address;
  const std::string where =
      place_of(program, std::size_t{info.static_shared_bytes} + launch.dynamic_shared_bytes, memory,
               f.address);
  const char* what = f.is_store ? "write to " : "read of ";
  if (f.kind == DiagnosticKind::uninitialised) {
    d.message = "read of memory that nothing has written: " + where;
    d.hint = f.space == MemorySpace::shared
                 ? "write it first, and put __syncthreads() between the write and the read"
                 : "initialise it first";
  } else if (f.kind == DiagnosticKind::race) {
    const bool within_block = f.space == MemorySpace::shared;
    const std::string other = within_block ? coordinate("thread", f.other_thread) + " at " +
                                                 at_position(program, f.other_info)
                                           : coordinate("block", f.other_block);
    d.message = fmt::format("race: {}{} and a {} by {} are not ordered", what, where,
                            f.other_is_store ? "write" : "read", other);
    d.hint = within_block ? "put __syncthreads() between the two"
                          : "let one block alone touch an element, or use atomics";
  } else {
    d.message = what + where;
  }
  return d;
}

}  // namespace lanescope
