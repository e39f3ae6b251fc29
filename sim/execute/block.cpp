#include "execute/block.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "check/checker.h"

namespace lanescope {
namespace {

void fill_row(Machine& m, std::uint32_t row, bool wide, std::uint64_t bits) {
  std::uint32_t* words = m.rows + std::size_t{row} * kLanes;
  if (wide)
    std::fill_n(reinterpret_cast<std::uint64_t*>(words), kLanes, bits);
  else
    std::fill_n(words, kLanes, static_cast<std::uint32_t>(bits));
}

/// A struct's bytes go to the parameters' window, aligned as no type needs more.
std::uint64_t place(Machine& m, const std::vector<std::byte>& bytes) {
  const std::size_t offset = (m.parameters.size() + 63) / 64 * 64;
  m.parameters.resize(offset + bytes.size());
  std::copy(bytes.begin(), bytes.end(), m.parameters.begin() + static_cast<std::ptrdiff_t>(offset));
  return kParameterWindow + offset;
}

/// An argument's own bytes, with the addresses of the buffers that it points to.
std::vector<std::byte> bytes_of(const Argument& given, const GlobalMemory& memory) {
  std::vector<std::byte> bytes = given.bytes;
  for (const auto& [offset, name] : given.pointers)
    if (const Buffer* buffer = memory.find(name); buffer != nullptr) {
      const std::uint64_t address = buffer->pointer();
      std::memcpy(bytes.data() + offset, &address, sizeof address);
    }
  return bytes;
}

std::uint64_t bits_of(const std::vector<std::byte>& bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), std::min(bytes.size(), sizeof bits));
  return bits;
}

void fill_arguments(Machine& m, const GlobalMemory& memory) {
  const KernelInfo& info = m.program->info();
  for (const ArgumentRow& row : m.code->arguments) {
    const ArgumentInfo& wanted = info.arguments[row.argument];
    const auto given = std::find_if(m.launch->arguments.begin(), m.launch->arguments.end(),
                                    [&](const Argument& a) { return a.name == wanted.name; });
    std::uint64_t bits = 0;
    if (given == m.launch->arguments.end()) continue;
    if (row.by_value) {
      bits = place(m, bytes_of(*given, memory));
    } else if (!given->bytes.empty()) {
      bits = bits_of(bytes_of(*given, memory));
    } else if (wanted.is_pointer) {
      const Buffer* buffer = memory.find(given->buffer);
      bits = buffer != nullptr ? buffer->pointer() : 0;
    } else {
      bits = scalar_bits(wanted.type, given->scalar);
    }
    if (row.predicate)
      m.predicates[row.row] = bits != 0 ? kAllLanes : 0;
    else
      fill_row(m, row.row, row.wide, bits);
  }
}

void fill_threads(Machine& m) {
  const Dim3 block = m.launch->block;
  const std::uint32_t warps = warps_per_block(block);
  m.thread_rows.resize(std::size_t{warps} * 3 * kLanes);
  for (std::uint32_t w = 0; w < warps; ++w)
    for (int lane = 0; lane < kLanes; ++lane) {
      const Dim3 thread = thread_of(block, w, lane);
      std::uint32_t* rows = m.thread_rows.data() + std::size_t{w} * 3 * kLanes + lane;
      rows[0] = thread.x, rows[kLanes] = thread.y, rows[2 * kLanes] = thread.z;
    }
}

void fill_launch_specials(Machine& m) {
  for (const SpecialRow& special : m.code->specials) {
    const Dim3 &b = m.launch->block, &g = m.launch->grid;
    switch (special.what) {
    case Special::ntid_x:
      fill_row(m, special.row, false, b.x);
      break;
    case Special::ntid_y:
      fill_row(m, special.row, false, b.y);
      break;
    case Special::ntid_z:
      fill_row(m, special.row, false, b.z);
      break;
    case Special::nctaid_x:
      fill_row(m, special.row, false, g.x);
      break;
    case Special::nctaid_y:
      fill_row(m, special.row, false, g.y);
      break;
    case Special::nctaid_z:
      fill_row(m, special.row, false, g.z);
      break;
    case Special::laneid:
      for (std::uint32_t l = 0; l < kLanes; ++l) m.rows[std::size_t{special.row} * kLanes + l] = l;
      break;
    default:
      break;
    }
  }
}

}  // namespace

Machine make_machine(const FlatProgram& program, const FlatCode& code, const Launch& launch,
                     GlobalMemory& memory, std::byte* image) {
  Machine m;
  m.program = &program;
  m.code = &code;
  m.launch = &launch;
  m.row_storage = std::make_unique<std::uint32_t[]>(std::size_t{code.rows + 2} * kLanes + 16);
  const auto address = reinterpret_cast<std::uintptr_t>(m.row_storage.get());
  m.rows = reinterpret_cast<std::uint32_t*>((address + 63) / 64 * 64);
  m.predicate_storage.resize(code.predicates + 1);
  m.predicates = m.predicate_storage.data();
  for (const ConstantRow& constant : code.constants)
    fill_row(m, constant.row, constant.wide, constant.bits);
  for (const auto& [predicate, lanes] : code.constant_predicates) m.predicates[predicate] = lanes;
  fill_arguments(m, memory);
  fill_threads(m);
  fill_launch_specials(m);

  m.shared.resize(std::max<std::size_t>(
      std::size_t{program.info().static_shared_bytes} + launch.dynamic_shared_bytes, 1));
  const std::size_t shared_bytes =
      std::size_t{program.info().static_shared_bytes} + launch.dynamic_shared_bytes;
  m.regions.push_back({MemorySpace::shared, kSharedWindow, shared_bytes, m.shared.data()});
  m.regions.push_back({MemorySpace::constant, kConstantWindow, program.image.size(), image});
  m.regions.push_back({MemorySpace::local, kLocalWindow, program.local_bytes, nullptr});
  m.regions.push_back(
      {MemorySpace::constant, kParameterWindow, m.parameters.size(), m.parameters.data()});
  for (const Buffer& buffer : memory.buffers())
    m.regions.push_back({buffer.space, buffer.base, buffer.bytes, buffer.data,
                         buffer.filled != nullptr ? &buffer : nullptr});
  m.ref_region.assign(code.refs.size() + 1, m.regions.size() > 4 ? m.regions[4] : m.regions[0]);
  for (std::size_t i = 0; i < code.refs.size(); ++i) {
    if (code.refs[i].space == MemorySpace::shared) m.ref_region[i] = m.regions[0];
    if (code.refs[i].space == MemorySpace::local) m.ref_region[i] = m.regions[2];
  }
  m.counts.resize(program.info().accesses.size());
  m.block_entries.resize(code.blocks.size() + 1);
  return m;
}

bool tolerate(Machine& machine, const WarpState& warp) {
  if (!machine.go_on && !machine.fault.passes) return false;
  const Fault& fault = machine.fault;
  const bool known =
      std::any_of(machine.tolerated.begin(), machine.tolerated.end(), [&](const Tolerated& t) {
        return t.fault.info == fault.info && t.fault.kind == fault.kind;
      });
  if (!known) machine.tolerated.push_back({fault, machine.block, warp.index});
  return true;
}

bool is_mapped(const Machine& machine, std::uint64_t address) {
  constexpr std::uint64_t kPage = 2u << 20;
  return std::any_of(machine.regions.begin(), machine.regions.end(), [&](const Region& region) {
    return region.space == MemorySpace::global && region.size != 0 &&
           region.base / kPage <= address / kPage &&
           address / kPage <= (region.base + region.size - 1) / kPage;
  });
}

BlockRunner::BlockRunner(Machine& machine, ExecuteWarp execute, std::uint64_t budget)
    : machine_(machine), execute_(execute), budget_(budget),
      warps_(warps_per_block(machine.launch->block)), asleep_(warps_.size()),
      strands_(warps_.size()) {
  for (std::uint32_t i = 0; i < warps_.size(); ++i) {
    WarpState& w = warps_[i];
    w.index = i;
    w.existing = existing_lanes(machine.launch->block, i);
    // Compiled code keeps them where a line of the cache begins.
    w.kept_rows.resize(std::size_t{machine.code->kept_rows} * kLanes + 16);
    w.kept_predicates.resize(machine.code->kept_predicates);
    w.local.resize(std::size_t{machine.program->local_bytes / 4} * kLanes);
  }
}

std::uint64_t BlockRunner::resident_bytes(const Machine& machine) {
  const std::uint64_t rows = machine.code->kept_rows + machine.program->local_bytes / 4;
  const std::uint64_t a_warp = sizeof(WarpState) + rows * kLanes * 4 +
                               std::uint64_t{machine.code->kept_predicates} * sizeof(LaneMask);
  return machine.shared.size() + warps_per_block(machine.launch->block) * a_warp;
}

bool BlockRunner::fit_together(const Machine& machine) {
  const std::uint64_t blocks = machine.launch->grid.count();
  return blocks <= kMostResidentBlocks && blocks <= kMostResidentBytes / resident_bytes(machine);
}

/// What memory holds before it is written: NaNs, so that a result computed from it cannot pass a check; in
/// a program, which goes on as hardware would, the zeros that are met there most.
int BlockRunner::unwritten() const { return machine_.go_on ? 0 : 0xFF; }

void BlockRunner::begin(Dim3 block) {
  block_ = block;
  executed_ = 0;
  for (WarpState& w : warps_) {
    w.exited = 0;
    w.done = w.is_interpreted = false;
    w.awaited.kind = Awaited::Kind::nothing;
    w.barrier_pc = w.barrier_row = kNone;
    w.stack.assign(1, {0, kNone, w.existing});
    w.strand = kAllLanes, w.floor = 0, w.enters = false;
    strands_[w.index].clear();
    if (!w.local.empty()) std::memset(w.local.data(), unwritten(), w.local.size() * 4);
  }
  for (Asleep& each : asleep_) each.is_asleep = false, each.times = 0;
  meetings_.begin_block();
  shared_.clear();
  waits_for_cluster_ = false;
  if (is_alone_) std::memset(machine_.shared.data(), unwritten(), machine_.shared.size());
}

/// Makes the machine this block's.
void BlockRunner::enter() {
  Machine& m = machine_;
  m.block = block_;
  if (!is_alone_ && shared_.empty())
    std::memset(m.shared.data(), unwritten(), m.shared.size());
  else if (!is_alone_)
    std::memcpy(m.shared.data(), shared_.data(), shared_.size());
  for (const SpecialRow& special : m.code->specials) {
    if (special.what == Special::ctaid_x) fill_row(m, special.row, false, block_.x);
    if (special.what == Special::ctaid_y) fill_row(m, special.row, false, block_.y);
    if (special.what == Special::ctaid_z) fill_row(m, special.row, false, block_.z);
  }
  m.budget_end = m.executed + budget_ - std::min(executed_, budget_);
  watch_.begin(m.executed - executed_);
  m.watch = &watch_;
  m.next_check = std::min(m.executed + (1u << 20), m.budget_end);
}

BlockOutcome BlockRunner::run(Dim3 block) {
  begin(block);
  return advance();
}

BlockOutcome BlockRunner::advance() {
  if (machine_.stop.stop_requested()) return {Stop::cancelled, 0};
  enter();
  const std::uint64_t before = machine_.executed;
  const BlockOutcome outcome = run_warps();
  executed_ += machine_.executed - before;
  if (!is_alone_ && (outcome.stop == Stop::barrier || waits_for_memory()))
    shared_ = machine_.shared;
  return outcome;
}

// ---- warps that wait for memory to change ----

bool BlockRunner::waits_for_memory() const {
  return std::any_of(asleep_.begin(), asleep_.end(), [](const Asleep& a) { return a.is_asleep; });
}

/// Warps that only ever wake each other would go on for ever.
constexpr std::uint32_t kMostTimes = 1 << 16;

/// All that the warp holds, which another's turn would write over.
void BlockRunner::keep_rows(WarpState& w) {
  const FlatCode& code = *machine_.code;
  Asleep& a = asleep_[w.index];
  a.rows.assign(machine_.rows, machine_.rows + std::size_t{code.rows} * kLanes);
  a.predicates.assign(machine_.predicates, machine_.predicates + code.predicates);
  std::copy_n(a.rows.begin(), std::size_t{code.kept_rows} * kLanes, w.kept_rows.begin());
  std::copy_n(a.predicates.begin(), code.kept_predicates, w.kept_predicates.begin());
}

/// The warp has stopped in a loop that ends when another changes memory; false if none could end it.
bool BlockRunner::fall_asleep(WarpState& w) {
  if (asleep_[w.index].is_asleep) return true;  // as strands
  const auto* memory = machine_.fault.detail == static_cast<std::uint32_t>(LoopVerdict::comes_back)
                           ? watch_.awaited()
                           : nullptr;
  Asleep& a = asleep_[w.index];
  if (memory == nullptr || ++a.times > kMostTimes) return false;
  keep_rows(w);
  a.memory = *memory;
  a.fault = machine_.fault;
  w.barrier_row = kNone;
  w.stack.back().pc = watch_.pc();
  return a.is_asleep = has_waited_ = machine_.has_waits = true;
}

/// Whether a warp that is asleep is to look again; it then holds what it held.
bool BlockRunner::may_wake(WarpState& w) {
  Asleep& a = asleep_[w.index];
  Strands& strands = strands_[w.index];
  if (strands.any() ? !strands.can_run(machine_) : a.memory.is_same(machine_)) return false;
  a.is_asleep = false;
  std::copy(a.rows.begin(), a.rows.end(), machine_.rows);
  std::copy(a.predicates.begin(), a.predicates.end(), machine_.predicates);
  return !strands.any() || strands.next(machine_, w, meetings_);
}

// ---- lanes of a warp that wait for one another ----

/// No other block can change what is waited for.
bool BlockRunner::is_only() const {
  return machine_.cluster.empty() &&
         (machine_.launch->grid.count() == 1 || !fit_together(machine_));
}

bool BlockRunner::part(bool all) {
  return std::any_of(warps_.begin(), warps_.end(), [&](WarpState& w) {
    if (w.done) return false;
    Strands& strands = strands_[w.index];
    return strands.any() ? strands.part(w, all) : begin_strands(w, all);
  });
}

bool BlockRunner::tell() {
  bool any = false;
  for (Strands& strands : strands_) any = (strands.any() && strands.tell()) || any;
  return any;
}

/// Of a warp that waits, some lanes: the others may become strands.
bool BlockRunner::begin_strands(WarpState& w, bool all) {
  Asleep& a = asleep_[w.index];
  const bool at_phase = w.awaited.kind == Awaited::Kind::mbarrier;
  if (!a.is_asleep && !at_phase) return false;
  Strands::Strand waiting;
  waiting.stack = w.stack;
  waiting.state = at_phase ? Strands::Strand::State::at_phase : Strands::Strand::State::asleep;
  if (waiting.lanes() == w.stack.back().mask) return false;
  waiting.memory = a.memory, waiting.fault = a.fault;
  waiting.awaited = w.awaited;
  waiting.barrier_pc = w.barrier_pc, waiting.barrier_row = at_phase ? w.barrier_row : kNone;
  Strands& strands = strands_[w.index];
  strands.begin(std::move(waiting));
  if (!strands.part(w, all)) return strands.clear(), false;
  if (!at_phase) return true;
  w.awaited = {};
  const FlatCode& code = *machine_.code;
  a.rows.assign(machine_.rows, machine_.rows + std::size_t{code.rows} * kLanes);
  a.predicates.assign(machine_.predicates, machine_.predicates + code.predicates);
  // Machine code keeps them where a line of the cache begins.
  const auto kept = reinterpret_cast<std::uintptr_t>(w.kept_rows.data());
  const bool is_compiled = machine_.compiled != nullptr && !w.is_interpreted;
  std::copy_n(reinterpret_cast<const std::uint32_t*>(is_compiled ? (kept + 63) / 64 * 64 : kept),
              std::size_t{code.kept_rows} * kLanes, a.rows.begin());
  std::copy_n(w.kept_predicates.begin(), code.kept_predicates, a.predicates.begin());
  std::copy_n(a.rows.begin(), std::size_t{code.kept_rows} * kLanes, w.kept_rows.begin());
  w.is_interpreted = true;
  return a.is_asleep = has_waited_ = machine_.has_waits = true;
}

/// A strand has stopped: whether another takes its turn; otherwise what the warp has stopped by.
bool BlockRunner::turn_strands(WarpState& w, Stop& stop) {
  Strands& strands = strands_[w.index];
  if (!strands.stopped(machine_, w, stop, watch_)) return false;
  if (!strands.any()) return false;
  keep_rows(w);
  stop = Stop::apart;
  return strands.next(machine_, w, meetings_);
}

/// Each strand of the warp waits.
bool BlockRunner::sleep_strands(WarpState& w) {
  Asleep& a = asleep_[w.index];
  if (++a.times > kMostTimes) return false;
  return a.is_asleep = has_waited_ = machine_.has_waits = true;
}

/// Nothing that the warp's strands wait for comes about.
BlockOutcome BlockRunner::give_up(std::uint32_t index) {
  WarpState& w = warps_[index];
  Asleep& a = asleep_[index];
  Stop stop = strands_[index].give_up(machine_, w);
  if (stop == Stop::barrier) {
    a.is_asleep = false;
    meetings_.blame(machine_, warps_);
    stop = Stop::fault;
  } else if (stop == Stop::apart) {
    a.is_asleep = false;
    std::copy(a.rows.begin(), a.rows.end(), machine_.rows);
    std::copy(a.predicates.begin(), a.predicates.end(), machine_.predicates);
    stop = execute_(machine_, w);
  }
  return {stop, index};
}

Stop BlockRunner::take_turn(WarpState& w) {
  Stop stop = Stop::exited;
  do {
    watch_.turn(machine_, asleep_[w.index].times != 0);
    stop = execute_(machine_, w);
  } while (strands_[w.index].any() && turn_strands(w, stop));
  if (stop == Stop::apart) stop = sleep_strands(w) ? Stop::budget : give_up(w.index).stop;
  return end_turn(w, stop);
}

Stop BlockRunner::end_turn(WarpState& w, Stop stop) {
  if (stop == Stop::exited) {
    w.done = true;
    w.barrier_pc = kNone;
  } else if (stop == Stop::barrier && w.awaited.kind == Awaited::Kind::part) {
    meetings_.arrive(machine_, w, warps_);
  }
  return stop;
}

/// All, from barrier to barrier, for as long as that goes; false if one has failed.
bool BlockRunner::run_together(BlockOutcome& outcome) {
  watch_.turn(machine_, false);
  std::uint32_t which = 0;
  const Stop stop = execute_together_(machine_, warps_, which);
  if (which == warps_.size()) return true;
  if (has_failed(warps_[which], end_turn(warps_[which], stop), outcome)) return false;
  run_from(which + 1, outcome);
  return outcome.stop == Stop::exited;
}

/// Each from that one on, none of which has ended or waits, in turn: whether they have come to the first one's
/// barrier.
bool BlockRunner::run_from(std::size_t first, BlockOutcome& outcome) {
  bool together = true;
  for (std::size_t i = first; i < warps_.size(); ++i) {
    WarpState& w = warps_[i];
    w.awaited.kind = Awaited::Kind::nothing;
    const Stop stop = take_turn(w);
    if (has_failed(w, stop, outcome)) return false;
    together = together && stop == Stop::barrier && w.barrier_pc == warps_.front().barrier_pc;
  }
  return together;
}

/// All, each in turn: whether they have come to one barrier of the block.
bool BlockRunner::run_all(BlockOutcome& outcome) {
  return run_from(0, outcome) &&
         machine_.code->ops[warps_.front().barrier_pc].code == Code::barrier;
}

/// Ending and waiting is no failure, for memory that another changes either.
bool BlockRunner::has_failed(WarpState& w, Stop stop, BlockOutcome& outcome) {
  if (stop == Stop::exited || stop == Stop::barrier) return false;
  if (stop == Stop::budget && fall_asleep(w)) return false;
  outcome = {stop, w.index};
  return true;
}

/// Each in turn that has not ended and waits for nothing, until it does; false when none is left, or one
/// has failed.
bool BlockRunner::run_those_that_can(BlockOutcome& outcome) {
  bool any = false;
  for (WarpState& w : warps_) {
    if (w.done) continue;
    if (w.awaited.kind != Awaited::Kind::nothing && !meetings_.is_over(machine_, w)) continue;
    if (asleep_[w.index].is_asleep && !may_wake(w)) continue;
    any = true;
    if (has_failed(w, take_turn(w), outcome)) return false;
  }
  return any;
}

/// In turn, until all meet; false when the block has ended or stopped.
bool BlockRunner::run_to_meeting(BlockOutcome& outcome) {
  for (;;) {
    while (run_those_that_can(outcome)) {
    }
    if (outcome.stop != Stop::exited || first_waiting() == nullptr) return false;
    if (part(is_only())) continue;
    const WarpState* apart = first_apart();
    const bool in_cluster = !machine_.cluster.empty();
    if (apart != nullptr && !in_cluster && meetings_.tell(machine_, warps_)) continue;
    if (is_only() && tell()) continue;
    if (waits_for_memory()) {
      const auto first =
          std::find_if(asleep_.begin(), asleep_.end(), [](const Asleep& a) { return a.is_asleep; });
      const auto index = static_cast<std::uint32_t>(first - asleep_.begin());
      // With others' help it may go on.
      if (strands_[index].any() && !is_only()) return outcome = {Stop::budget, index}, false;
      return outcome = endless(), false;
    }
    waits_for_cluster_ = apart != nullptr && in_cluster;
    if (apart != nullptr)
      return outcome = {in_cluster ? Stop::budget : Stop::fault, apart->index}, false;
    if (!meet_at_barrier(outcome)) return false;
    for (WarpState& w : warps_) w.awaited.kind = Awaited::Kind::nothing;
    return true;
  }
}

BlockOutcome BlockRunner::run_warps() {
  BlockOutcome outcome;
  waits_for_cluster_ = false;
  // Mostly all warps come to the same barrier, again and again.
  bool all = executed_ == 0;
  if (all && execute_together_ != nullptr && !machine_.has_waits) {
    all = false;
    if (!run_together(outcome)) return outcome;
  }
  for (;;) {
    all = all && run_all(outcome);
    if (outcome.stop != Stop::exited) return outcome;
    if (!all && !run_to_meeting(outcome)) return outcome;
    meetings_.all_met();
    const bool of_blocks =
        machine_.code->ops[first_waiting()->barrier_pc].code == Code::grid_barrier;
    // That of a cluster orders what its threads have done before they arrived, not before they wait.
    if (machine_.checker != nullptr && (!of_blocks || machine_.cluster.empty()))
      machine_.checker->barrier();
    if (of_blocks) return {Stop::barrier, 0};
    if (machine_.compiled != nullptr) continue;
    if (const LoopVerdict verdict = watch_.meet(machine_, warps_); verdict != LoopVerdict::goes_on)
      return endless(verdict);
  }
}

void BlockRunner::tell_why() {
  if (waits_for_memory())
    endless();
  else
    meetings_.blame(machine_, warps_);
}

/// Nobody changes what the first waits for that is asleep.
BlockOutcome BlockRunner::endless() {
  const auto first =
      std::find_if(asleep_.begin(), asleep_.end(), [](const Asleep& a) { return a.is_asleep; });
  const auto index = static_cast<std::uint32_t>(first - asleep_.begin());
  if (strands_[index].any()) return give_up(index);
  machine_.fault = first->fault;
  return {Stop::budget, index};
}

BlockOutcome BlockRunner::endless(LoopVerdict verdict) {
  const WarpState* first = first_waiting();
  machine_.fault = {};
  machine_.fault.kind = DiagnosticKind::step_budget;
  machine_.fault.info = machine_.code->ops[first->barrier_pc].info;
  machine_.fault.lane = std::countr_zero(first->stack.back().mask);
  machine_.fault.detail = static_cast<std::uint32_t>(verdict);
  return {Stop::budget, first->index};
}

const WarpState* BlockRunner::first_waiting() const {
  const auto found =
      std::find_if(warps_.begin(), warps_.end(), [](const WarpState& w) { return !w.done; });
  return found == warps_.end() ? nullptr : &*found;
}

/// The first that waits elsewhere than where all meet; null if none does.
const WarpState* BlockRunner::first_apart() const {
  const auto found = std::find_if(warps_.begin(), warps_.end(), [this](const WarpState& w) {
    return !w.done && w.awaited.kind != Awaited::Kind::all && !asleep_[w.index].is_asleep;
  });
  return found == warps_.end() ? nullptr : &*found;
}

std::uint32_t BlockRunner::waits_at() const {
  return machine_.code->ops[first_waiting()->barrier_pc].info;
}

bool BlockRunner::meet_at_barrier(BlockOutcome& outcome) {
  const WarpState* first = first_waiting();
  std::uint32_t count = 0;
  for (const WarpState& w : warps_)
    if (!w.done) count += static_cast<std::uint32_t>(active_lanes(w.barrier_predicate));
  for (WarpState& w : warps_) {
    if (!w.done && w.barrier_pc == first->barrier_pc) {
      w.barrier_count = count;
      continue;
    }
    // This warp has ended, or waits at another barrier, while the first one waits here.
    machine_.fault = {};
    machine_.fault.kind = DiagnosticKind::divergent_barrier;
    machine_.fault.info = machine_.code->ops[first->barrier_pc].info;
    machine_.fault.lane = std::countr_zero(w.existing);
    machine_.fault.detail = w.done ? kAllLanes : 0;  // the whole warp
    machine_.fault.passes = w.done;
    if (tolerate(machine_, w)) {
      // To the hardware one barrier is as good as another, and who has ended is not waited for.
      w.barrier_count = count;
      continue;
    }
    outcome = {Stop::fault, w.index};
    return false;
  }
  return true;
}

}  // namespace lanescope
