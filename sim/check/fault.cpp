#include "check/fault.h"

#include <cstring>

#include "check/place.h"
#include "machine/mbarrier.h"
#include "model/simulator_messages.h"

namespace lanescope {
namespace {

/// A barrier counts warps: of one that has ended as a whole nothing is left to wait for.
bool whole_warp_ended(const Fault& fault) { return fault.detail == kAllLanes; }

/// A barrier of a part of the block's warps, with operands that make no sense or with warps that never come.
void describe_part(const Fault& fault, Diagnostic& d) {
  if (fault.id >= kFirstWarpgroup) {
    d.message = say::warpgroup_incomplete;
    d.hint = say::launch_whole_warpgroups;
  } else if (fault.arrived == ~0u) {
    d.message = say::part_of_whole_warps(fault.id, fault.threads);
    d.hint = say::barriers_of_a_block;
  } else {
    d.message = say::part_waits(fault.id, fault.threads, fault.arrived);
    d.hint = say::count_all_who_come;
  }
}

void describe_mbarrier(const Machine& m, const GlobalMemory& memory, Diagnostic& d) {
  const std::uint64_t address = m.fault.address;
  d.address = address;
  std::uint64_t word = 0;
  std::memcpy(&word, m.shared.data() + (address - kSharedWindow), sizeof word);
  const Message where = place_of(*m.program, m.shared.size(), memory, address);
  const std::int64_t bytes = mbarrier::bytes(word);
  if (!mbarrier::is_valid(word)) {
    d.message = say::no_mbarrier(where);
    d.hint = say::init_mbarrier;
  } else if (bytes < 0) {
    d.message =
        say::mbarrier_has_too_many_bytes(where, mbarrier::pending(word), mbarrier::expected(word),
                                         say::bytes(static_cast<std::uint64_t>(-bytes)));
    d.hint = say::expect_what_is_copied;
  } else {
    d.message = say::mbarrier_never_over(where, mbarrier::pending(word), mbarrier::expected(word),
                                         say::bytes(static_cast<std::uint64_t>(bytes)));
    d.hint = say::let_all_arrive;
  }
}

void describe_barrier(const Machine& m, const GlobalMemory& memory, Diagnostic& d) {
  const Fault& fault = m.fault;
  const bool is_warp_op = m.program->info().ops[fault.info].kind == StepKind::warp_op;
  if (fault.awaited == Awaited::Kind::part) {
    describe_part(fault, d);
  } else if (fault.awaited == Awaited::Kind::mbarrier) {
    describe_mbarrier(m, memory, d);
  } else if (fault.is_matrix) {
    d.message = say::matrix_without_lane(fault.lane);
    d.hint = say::let_all_lanes_execute;
  } else if (is_warp_op) {
    d.message = say::mask_not_followed(fault.lane);
    d.hint = say::pass_mask_of_lanes;
  } else if (fault.is_grid) {
    d.message = say::ended_before_grid_barrier;
    d.hint = say::let_every_block_meet;
  } else if (fault.detail != 0) {
    d.message = say::ended_before_barrier;
    d.hint = say::guard_the_work;
  } else {
    d.message = say::barrier_not_reached;
    d.hint = say::move_barrier_out;
  }
  if (fault.passes) d.severity = whole_warp_ended(fault) ? Severity::note : Severity::warning;
}

void describe_loop(const Fault& fault, Diagnostic& d) {
  switch (static_cast<LoopVerdict>(fault.detail)) {
  case LoopVerdict::goes_on:
    d.message = say::step_budget;
    d.hint = say::check_loop;
    break;
  case LoopVerdict::comes_back:
    d.message = say::loop_comes_back;
    d.hint = say::change_the_condition;
    break;
  case LoopVerdict::has_no_end:
    d.message = say::loop_without_end;
    d.hint = say::let_loop_end;
    break;
  }
}

Message place_of_fault(const Machine& m, const GlobalMemory& memory) {
  const Fault& fault = m.fault;
  if (fault.guard != kNone)
    if (const Guard& guard = m.code->guards[fault.guard]; guard.objects.size() == 1)
      if (const MemoryObject& object = m.program->objects[guard.objects[0]]; object.bytes != 0)
        return place_in(object, fault.address);
  return place_of(*m.program, m.regions[0].size, memory, fault.address, fault.base);
}

/// An index that is 2³² too high was below zero, as an unsigned number.
Message below_zero(const Machine& m, const GlobalMemory& memory) {
  const Buffer* buffer = m.fault.base != 0 ? memory.at(m.fault.base) : nullptr;
  if (buffer == nullptr || m.fault.address < buffer->pointer()) return {};
  const std::uint64_t index =
      (m.fault.address - buffer->pointer()) / scalar_bytes(buffer->spec.element);
  constexpr std::uint64_t kWrapped = std::uint64_t{1} << 32, kSmall = std::uint64_t{1} << 28;
  if (index >= kWrapped || index < kWrapped - kSmall) return {};
  return say::index_below_zero(index, static_cast<std::int64_t>(index - kWrapped));
}

void describe_access(const Machine& m, const GlobalMemory& memory, Diagnostic& d) {
  const Fault& fault = m.fault;
  d.address = fault.address;
  const Message what = fault.is_store ? say::write : say::read, bytes = say::bytes(fault.bytes);
  const std::string at = hex(fault.address);
  const OpInfo& op = m.program->info().ops[fault.info];
  const std::string through =
      op.access >= 0 ? m.program->info().accesses[static_cast<std::size_t>(op.access)].text
                     : std::string();
  if (fault.is_matrix && fault.kind == DiagnosticKind::out_of_bounds &&
      fault.address - kSharedWindow > 0xffffffffu) {
    d.message = say::matrix_not_shared(fault.lane, at);
    d.hint = say::rows_are_shared;
  } else if (fault.kind == DiagnosticKind::null_pointer) {
    d.message = through.empty() ? say::null_pointer(what, bytes, at)
                                : say::null_pointer_through(what, bytes, through, at);
    d.hint = say::give_pointer_a_buffer;
  } else if (fault.kind == DiagnosticKind::misaligned) {
    d.message = through.empty() ? say::misaligned(what, bytes, at, fault.bytes)
                                : say::misaligned_through(what, bytes, through, at, fault.bytes);
    d.hint = say::needs_alignment(fault.bytes, fault.bytes);
  } else {
    const Message place = place_of_fault(m, memory);
    d.hint = below_zero(m, memory);
    d.message = through.empty() ? say::out_of_bounds(what, bytes, place)
                                : say::out_of_bounds_through(what, bytes, through, place);
  }
}

}  // namespace

Diagnostic describe_fault(const Machine& m, const GlobalMemory& memory, Dim3 block,
                          std::uint32_t warp) {
  const Fault& fault = m.fault;
  const KernelInfo& info = m.program->info();
  Diagnostic d;
  d.kind = fault.kind;
  stand_at(d, info.files, info.ops[fault.info].pos);
  d.block = block;
  d.thread = thread_of(m.launch->block, warp, fault.lane);
  if (!fault.message.empty()) {
    d.message = fault.message;
    d.hint = fault.hint;
    return d;
  }
  switch (fault.kind) {
  case DiagnosticKind::divergent_barrier:
    describe_barrier(m, memory, d);
    break;
  case DiagnosticKind::step_budget:
    describe_loop(fault, d);
    break;
  case DiagnosticKind::assertion:
    d.message = say::assertion_failed(m.program->traps[fault.detail]);
    break;
  case DiagnosticKind::unsupported:
    d.message = say::cannot_execute(m.program->traps[fault.detail]);
    break;
  default:
    describe_access(m, memory, d);
    break;
  }
  return d;
}

namespace {

/// The other side of a race: a thread of the same block, or of another.
Message rival_of(const Finding& f, const FlatProgram& program) {
  const Dim3 at = f.other_thread, block = f.other_block;
  const std::uint32_t line = program.info().ops[f.other_info].pos.line;
  return block == f.block
             ? say::thread_at_line(at.x, at.y, at.z, line)
             : say::thread_of_block_at_line(at.x, at.y, at.z, block.x, block.y, block.z, line);
}

void describe_shuffle(const Finding& f, const KernelInfo& info, Diagnostic& d) {
  const UndefinedLanes::Source& source = *f.shuffle;
  const Message why = source.missing ? say::lane_of_no_thread
                      : source.ended ? say::lane_has_ended
                                     : say::lane_takes_no_part;
  d.message =
      say::shuffle_from_nobody(source.lane, source.from, why, info.ops[f.other_info].pos.line);
  d.hint = say::shuffle_among_those_there;
}

bool is_in_shared(std::uint64_t address) { return address - kSharedWindow < kWindowBytes; }

void describe_race(const Finding& f, const FlatProgram& program, const Message& where,
                   Diagnostic& d) {
  const Message what = f.is_atomic  ? say::atomic_operation_on
                       : f.is_store ? say::write_to
                                    : say::read_of,
                other = f.other_is_atomic  ? say::atomic_operation
                        : f.other_is_store ? say::write
                                           : say::read,
                rival = rival_of(f, program);
  switch (f.race) {
  case RaceKind::unordered:
    d.message = say::race(what, where, other, rival);
    d.hint = f.is_atomic || f.other_is_atomic ? say::use_an_atomic
             : f.block == f.other_block       ? say::put_barrier_between
             : is_in_shared(f.address)        ? say::put_cluster_barrier_between
                                              : say::let_one_block_touch;
    return;
  case RaceKind::same_value:
    d.message = say::race_same_value(what, where, other, rival);
    d.hint = say::let_one_write;
    return;
  case RaceKind::lanes_wait:
    d.message = say::race_lanes_wait(what, where, other, rival);
    d.hint = say::sync_the_warp;
    return;
  case RaceKind::without_fence:
    d.message = say::race_without_fence(what, where, other, rival);
    d.hint = say::fence_around_flags;
    return;
  case RaceKind::is_volatile:
    d.message = say::race_volatile(what, where, other, rival);
    d.hint = say::fence_around_flags;
    return;
  case RaceKind::only_met:
    d.message = say::race_only_met(what, where, other, rival);
    d.hint = say::sync_the_warp;
    return;
  case RaceKind::narrow_scope:
    d.message = say::race_narrow_scope(what, where, other, rival);
    d.hint = say::widen_scope;
    return;
  case RaceKind::incoherent:
    d.message = say::race_incoherent(what, where, other, rival);
    d.hint = say::load_plainly;
    return;
  case RaceKind::bulk_not_waited_for:
    d.message = say::bulk_not_waited_for(what, where, rival);
    d.hint = say::wait_for_bulk;
    return;
  case RaceKind::product_not_waited_for:
    d.message = say::product_not_waited_for(what, where, rival);
    d.hint = say::wait_for_the_group;
    return;
  case RaceKind::no_proxy_fence:
    d.message = say::no_proxy_fence(where, rival);
    d.hint = say::fence_the_proxy;
    return;
  case RaceKind::copy_not_waited_for:
    d.message = say::copy_not_waited_for(what, where, rival);
    d.hint = say::wait_for_the_copy;
    return;
  case RaceKind::copy_no_barrier:
    d.message = say::copy_no_barrier(what, where, rival);
    d.hint = say::wait_for_the_copy;
    return;
  case RaceKind::owner_not_begun:
    d.message = say::owner_not_begun(what, where);
    d.hint = say::meet_before_reaching;
    return;
  case RaceKind::owner_ended:
    d.message = say::owner_ended(what, where);
    d.hint = say::meet_before_ending;
    return;
  }
}

void describe_overrun(const Finding& f, const KernelInfo& info, const Message& place,
                      Diagnostic& d) {
  const Message what = f.is_store ? say::write : say::read, bytes = say::bytes(f.bytes);
  const int access = info.ops[f.info].access;
  const std::string through =
      access >= 0 ? info.accesses[static_cast<std::size_t>(access)].text : std::string();
  d.message = through.empty() ? say::out_of_bounds(what, bytes, place)
                              : say::out_of_bounds_through(what, bytes, through, place);
}

}  // namespace

Diagnostic describe_finding(const Finding& f, const FlatProgram& program, const Launch& launch,
                            const GlobalMemory& memory) {
  const KernelInfo& info = program.info();
  Diagnostic d;
  d.severity = f.severity;
  d.kind = f.kind;
  stand_at(d, info.files, info.ops[f.info].pos);
  d.block = f.block;
  d.thread = f.thread;
  d.severity = f.severity;
  d.message = f.message;
  d.hint = f.hint;
  if (f.kind == DiagnosticKind::overflow) return d;
  if (f.shuffle) {
    describe_shuffle(f, info, d);
    return d;
  }
  if (f.address != 0) d.address = f.address;
  if (!d.message.empty()) return d;
  const Message where =
      place_of(program, std::size_t{info.static_shared_bytes} + launch.dynamic_shared_bytes, memory,
               f.address, f.base);
  if (f.kind == DiagnosticKind::out_of_bounds) {
    describe_overrun(f, info, f.place.empty() ? where : f.place, d);
    return d;
  }
  const Message what = f.is_store ? say::write_to : say::read_of;
  const bool in_block = f.space == MemorySpace::shared;
  if (f.kind == DiagnosticKind::uninitialised) {
    d.message = say::never_written(where);
    d.hint = in_block ? say::write_it_first : say::initialise_it_first;
  } else if (f.kind == DiagnosticKind::race) {
    describe_race(f, program, where, d);
  } else {
    d.message = say::access_at(what, where);
  }
  return d;
}

}  // namespace lanescope
