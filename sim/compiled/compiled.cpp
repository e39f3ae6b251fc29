#include "compiled/compiled.h"

#include <algorithm>

#include "model/cost_service.h"

namespace lanescope {
namespace {

/// Making code takes time that grows with the program's length.
constexpr std::size_t kMostOperations = 4000;

std::vector<std::uint32_t> argument_words(const Machine& machine) {
  std::vector<std::uint32_t> words;
  for (const ArgumentRow& row : machine.code->arguments) {
    if (row.predicate) {
      words.push_back(machine.predicates[row.row]);
      continue;
    }
    const std::uint32_t* lanes = machine.rows + std::size_t{row.row} * kLanes;
    words.insert(words.end(), lanes, lanes + (row.wide ? 2 : 1));
  }
  return words;
}

}  // namespace

bool can_be_compiled(const FlatCode& code) {
  return code.ops.size() <= kMostOperations && !code.blocks.empty() &&
         std::none_of(code.ops.begin(), code.ops.end(),
                      [](const Op& op) { return op.code == Code::grid_barrier; });
}

CompiledKernel::Key CompiledKernel::key_of(const Machine& machine) {
  return {machine.code, machine.launch->block, machine.launch->grid, argument_words(machine)};
}

std::shared_ptr<const CompiledKernel> CompiledKernel::make(const Machine& machine) {
  if (!can_be_compiled(*machine.code)) return nullptr;
  std::shared_ptr<CompiledKernel> kernel(new CompiledKernel);
  LaneShapes shapes = find_lane_shapes(machine);
  kernel->code_ = make_machine_code(machine, shapes);
  if (kernel->code_.entry == nullptr) return nullptr;
  for (const MemRef& ref : machine.code->refs) {
    const LaneShape address = shape_of_address(ref, shapes.rows, shapes.patterns, true).shape;
    kernel->patterns_.push_back(shapes.patterns[address.pattern]);
  }
  kernel->made_for_ = key_of(machine);
  return kernel;
}

bool CompiledKernel::fits(const Machine& machine) const { return made_for_ == key_of(machine); }

/// What machine code has left in the machine's rows is the interpreter's from here on.
Stop CompiledKernel::hand_over(Machine& m, WarpState& w) {
  const FlatCode& code = *m.code;
  std::copy_n(m.rows, std::size_t{code.kept_rows} * kLanes, w.kept_rows.begin());
  std::copy_n(m.predicates, code.kept_predicates, w.kept_predicates.begin());
  w.barrier_row = kNone;
  w.is_interpreted = true;
  m.next_check = m.executed;
  return choose_executor(false)(m, w);
}

void CompiledKernel::begin(Machine& m) const {
  if (!m.fast.empty()) return;
  // Behind the counts lie the last offsets of each warp.
  m.fast.resize(m.code->refs.size() * (kSlots + 2 * warps_per_block(m.launch->block)) + 1);
  m.seen.resize(m.code->refs.size());
}

Frame CompiledKernel::frame_of(Machine& m, WarpState& w) {
  Frame frame;
  frame.rows = m.rows;
  frame.predicates = m.predicates;
  const auto kept = reinterpret_cast<std::uintptr_t>(w.kept_rows.data());
  frame.kept_rows = reinterpret_cast<std::uint32_t*>((kept + 63) / 64 * 64);
  frame.kept_predicates = w.kept_predicates.data();
  frame.regions = m.ref_region.data();
  frame.fast = m.fast.data();
  frame.last_offsets = frame.fast + m.code->refs.size() * (kSlots + 2 * w.index);
  frame.entries = m.block_entries.data();
  frame.threads = m.thread_rows.data() + std::size_t{w.index} * 3 * kLanes;
  frame.local = w.local.data();
  frame.executed = m.executed;
  frame.next_check = m.next_check;
  frame.mask = w.stack.back().mask;
  frame.meet = w.stack.back().meet;
  frame.existing = w.existing;
  frame.block[0] = m.block.x, frame.block[1] = m.block.y, frame.block[2] = m.block.z;
  frame.warp = w.index;
  frame.barrier_count = w.barrier_count;
  frame.machine = &m;
  frame.state = &w;
  return frame;
}

/// What the warp's code has told becomes its state.
Stop CompiledKernel::end(Machine& m, const Frame& frame, std::uint32_t told) {
  WarpState& w = *frame.state;
  if (told == kHandOver) return hand_over(m, w);
  if (told == kMet) return begin_wait(m, w, frame.met_at, w.existing, 0);
  if (told == kEnded) w.exited = w.existing, w.stack.clear();
  return static_cast<Stop>(told);
}

Stop CompiledKernel::run(Machine& m, WarpState& w) const {
  if (w.is_interpreted) return choose_executor(false)(m, w);
  begin(m);
  Frame frame = frame_of(m, w);
  const std::uint32_t told = code_.entry(&frame, w.stack.back().pc);
  m.executed = frame.executed;
  return end(m, frame, told);
}

/// Where the warps are their frames alone know, until one goes another way than the others.
Stop CompiledKernel::run_block(Machine& m, std::vector<WarpState>& warps,
                               std::uint32_t& which) const {
  begin(m);
  std::vector<Frame> frames;
  frames.reserve(warps.size());
  for (WarpState& w : warps) frames.push_back(frame_of(m, w));
  const auto let_wait = [&](std::size_t end) {
    for (std::size_t i = 0; i < end; ++i)
      if (!warps[i].done) CompiledKernel::end(m, frames[i], kMet);
  };
  for (std::uint32_t pc = 0;; pc = frames.front().met_at + 1) {
    std::size_t met = 0;
    for (which = 0; which < frames.size(); ++which) {
      Frame& frame = frames[which];
      frame.executed = m.executed, frame.next_check = m.next_check;
      const std::uint32_t told = code_.entry(&frame, pc);
      m.executed = frame.executed;
      if (told == kMet) {
        met += frame.met_at == frames.front().met_at;
      } else if (told == kEnded) {
        end(m, frame, told);
        warps[which].done = true;
      } else {
        let_wait(which);
        for (std::size_t i = which + 1; i < warps.size(); ++i) warps[i].stack.back().pc = pc;
        return end(m, frame, told);
      }
    }
    if (met == frames.size()) continue;
    let_wait(frames.size());
    return Stop::exited;
  }
}

AccessCounts CompiledKernel::cost_of(const Op& op, std::uint32_t slot, LaneMask mask) const {
  const MemRef& ref = made_for_.code->refs[op.a];
  const LanePattern& lanes = patterns_[op.a];
  AccessCounts one{1, {}, {}};
  if (ref.space == MemorySpace::shared) {
    std::uint32_t offset[kLanes];
    for (std::size_t l = 0; l < kLanes; ++l)
      offset[l] = static_cast<std::uint32_t>(lanes[l]) + slot;
    one.shared = cost::served(offset, mask, ref.bytes, ref.service);
  } else if (ref.space == MemorySpace::global || ref.space == MemorySpace::generic) {
    std::uint64_t address[kLanes];
    for (std::size_t l = 0; l < kLanes; ++l)
      address[l] = static_cast<std::uint64_t>(lanes[l]) + slot;
    one.global = cost::served_global(address, mask, ref.bytes, ref.service);
  }
  return one;
}

void CompiledKernel::settle_counts(Machine& m) const {
  if (m.fast.empty()) return;
  for (const Op& op : m.code->ops) {
    if (operation_info(op.code).kind != OperationKind::access) continue;
    const MemRef& ref = m.code->refs[op.a];
    std::uint64_t* const fast = m.fast.data() + std::size_t{op.a} * kSlots;
    const bool is_word = ref.space == MemorySpace::shared && ref.bytes == 4;
    if (is_word && op.code == Code::atomic) {
      const std::uint64_t times = std::exchange(fast[kRequestsSlot], 0);
      const std::uint64_t wavefronts = std::exchange(fast[kWavefrontsSlot], 0);
      cost::add(m.counts[ref.access], {times, {times, wavefronts, times, wavefronts - times}, {}});
      continue;
    }
    for (std::uint32_t slot = 0; slot < kSlots; ++slot)
      if (const std::uint64_t times = std::exchange(fast[slot], 0); times != 0)
        cost::add(m.counts[ref.access],
                  is_word && slot == kApartSlot ? AccessCounts{1, {1, 1, 1, 0}, {}}
                                                : cost_of(op, slot, kAllLanes),
                  times);
  }
}

Stop execute_compiled(Machine& machine, WarpState& warp) {
  return machine.compiled->run(machine, warp);
}

Stop execute_compiled_block(Machine& machine, std::vector<WarpState>& warps, std::uint32_t& which) {
  return machine.compiled->run_block(machine, warps, which);
}

}  // namespace lanescope
