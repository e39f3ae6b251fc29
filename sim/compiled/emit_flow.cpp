// The function, its blocks, and how lanes go from one to the next.
#include <algorithm>
#include <cstddef>
#include <set>

#include "compiled/emitter.h"
#include "execute/loop_slice.h"
#include "lower/operands.h"

LANESCOPE_EVERY_CODE

namespace lanescope {
namespace {

/// The warp stops there, and what it is to keep lies in its own rows meanwhile.
bool is_barrier(Code code) {
  return code == Code::barrier || code == Code::barrier_count || code == Code::barrier_part ||
         code == Code::mbarrier_wait;
}

/// Blocks of a loop in which a warp does nothing but wait.
constexpr std::uint32_t kLongestPoll = 4;

/// Parting branches × variables that are kept in registers throughout.
constexpr std::size_t kMostMeetings = 2000;

}  // namespace

Emitter::Emitter(const Machine& machine, LaneShapes& shapes, llvm::Module& module)
    : machine_(machine), code_(*machine.code), shapes_(shapes), module_(module),
      context_(module.getContext()), b_(context_), i1_(b_.getInt1Ty()), i8_(b_.getInt8Ty()),
      i32_(b_.getInt32Ty()), i64_(b_.getInt64Ty()), pointer_(b_.getPtrTy()), row32_(lanes_of(i32_)),
      row64_(lanes_of(i64_)) {}

void Emitter::run(std::string_view name) {
  find_widths();
  find_exposed();
  polls_ = find_polls();
  begin_function(name);
  for (std::uint32_t i = 0; i < code_.blocks.size(); ++i) emit_block(i);
  emit_resumes();
  emit_dispatch();
  emit_entry();
}

// ---- what rows are ----

void Emitter::find_widths() {
  wide_.resize(code_.rows + 2);
  prefilled_.resize(code_.rows + 2);
  const auto widen = [this](std::uint32_t row) {
    if (row != kNone) wide_[row] = true;
  };
  for (const ConstantRow& row : code_.constants) {
    wide_[row.row] = row.wide;
    prefilled_[row.row] = true;
  }
  for (const ArgumentRow& row : code_.arguments)
    if (!row.predicate) wide_[row.row] = row.wide, prefilled_[row.row] = true;
  for (const Op& op : code_.ops) {
    const OperationInfo& info = operation_info(op.code);
    if (info.dst == Operand::row64) widen(op.dst);
    if (info.a == Operand::row64) widen(op.a);
    if (info.b == Operand::row64) widen(op.b);
    if (info.c == Operand::row64) widen(op.c);
    if (op.code == Code::shuffle64) widen(code_.calls[op.a].value);
    if (info.a == Operand::product && code_.products[op.a].is_wide()) {
      const MatrixCall& product = code_.products[op.a];
      for (std::size_t i = 0; i < product.a_count; ++i) widen(product.a[i]);
      for (std::size_t i = 0; i < product.b_count; ++i) widen(product.b[i]);
      for (std::size_t i = 0; i < product.c_count; ++i) widen(product.c[i]), widen(product.d[i]);
    }
    if (info.a == Operand::group_product)
      widen(code_.group_products[op.a].a_descriptor),
          widen(code_.group_products[op.a].b_descriptor);
    if (info.a == Operand::bulk_copy) {
      const BulkCopy& copy = code_.bulk_copies[op.a];
      widen(copy.shared), widen(copy.global), widen(copy.mbarrier);
    }
    if (info.a != Operand::reference) continue;
    const MemRef& ref = code_.refs[op.a];
    widen(ref.base);
    for (const MemTerm& term : ref.terms)
      if (term.kind == MemTerm::Kind::i64) widen(term.row);
    if (info.kind != OperationKind::access || ref.predicate_value) continue;
    if (ref.component_bytes != 8) continue;
    for (std::uint32_t c = 0; c < ref.components; ++c) widen(ref.value[c]);
    widen(ref.operand);
    widen(ref.compare);
  }
}

/// Rows that are read in a block (or after a barrier) that did not write them before, and those of which
/// lanes that are off keep theirs.
void Emitter::find_exposed() {
  exposed_.resize(code_.rows + 2);
  used_.resize(code_.rows + 2);
  std::vector<std::uint32_t> written(code_.rows + 2, 0);
  std::uint32_t segment = 0;
  for (const FlatBlock& block : code_.blocks) {
    ++segment;
    for (std::uint32_t pc = block.first; pc < block.first + block.count; ++pc) {
      expose_uses(pc, written, segment);
      const Code code = code_.ops[pc].code;
      if (is_barrier(code)) ++segment;
    }
  }
}

void Emitter::expose_uses(std::uint32_t pc, std::vector<std::uint32_t>& written,
                          std::uint32_t segment) {
  const Op& op = code_.ops[pc];
  const auto use = [&](std::uint32_t number) {
    if (number >= exposed_.size()) return;
    used_[number] = true;
    if (written[number] != segment) exposed_[number] = true;
  };
  for_each_use(code_, op, use);
  const bool is_kept = shapes_.keeps_others[pc];
  for_each_result(code_, op, [&](std::uint32_t number) {
    if (number >= written.size()) return;
    written[number] = segment;
    if (is_kept) exposed_[number] = true;
  });
}

// ---- the function ----

void Emitter::begin_function(std::string_view name) {
  auto* type = llvm::FunctionType::get(i32_, {pointer_, i32_}, false);
  function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage,
                                     llvm::StringRef(name.data(), name.size()), module_);
  function_->addFnAttr("prefer-vector-width", "512");
  function_->addFnAttr("min-legal-vector-width", "512");
  function_->addFnAttr(llvm::Attribute::NoUnwind);
  frame_ = function_->getArg(0);
  b_.SetInsertPoint(new_block("entry"));
  rows_ = field(offsetof(Frame, rows), pointer_, "rows");
  predicates_ = field(offsetof(Frame, predicates), pointer_, "predicates");
  kept_ = field(offsetof(Frame, kept_rows), pointer_, "kept");
  regions_ = field(offsetof(Frame, regions), pointer_, "regions");
  fast_ = field(offsetof(Frame, fast), pointer_, "fast");
  last_offsets_ = field(offsetof(Frame, last_offsets), pointer_, "last_offsets");
  entries_ = field(offsetof(Frame, entries), pointer_, "entries");
  local_ = field(offsetof(Frame, local), pointer_, "local");
  mask_ = b_.CreateAlloca(i32_);
  meet_ = b_.CreateAlloca(i32_);
  last_ = b_.CreateAlloca(i32_);
  next_ = b_.CreateAlloca(i32_);
  executed_ = b_.CreateAlloca(i64_);
  auto* lanes = b_.CreateAlloca(row64_);
  lanes->setAlignment(llvm::Align(64));
  lanes_ = lanes;
  auto* values = b_.CreateAlloca(row32_);
  values->setAlignment(llvm::Align(64));
  values_ = values;
  variables_.resize(shapes_.rows.size());
  for (std::uint32_t row = 0; row < variables_.size(); ++row)
    if (shape(row).is_affine() && !shape(row).known)
      variables_[row] = b_.CreateAlloca(lane_type(row));
  predicate_variables_.resize(shapes_.predicates.size());
  for (Value& variable : predicate_variables_) variable = b_.CreateAlloca(i32_);
  const auto parting = static_cast<std::size_t>(
      std::count_if(code_.ops.begin(), code_.ops.end(), [this](const Op& op) {
        return op.code == Code::branch && shapes_.predicates[op.a] == PredicateShape::lanes;
      }));
  const auto scalars =
      variables_.size() -
      static_cast<std::size_t>(std::count(variables_.begin(), variables_.end(), nullptr));
  in_memory_ = parting * (scalars + predicate_variables_.size()) > kMostMeetings;
  for (std::size_t i = 0; i < code_.blocks.size(); ++i) headers_.push_back(new_block("block"));
  dispatch_ = new_block("dispatch");
}

/// Made last: variables that hold from the start, then to where the warp stands.
void Emitter::emit_entry() {
  b_.SetInsertPoint(&function_->getEntryBlock());
  load_position();
  b_.CreateStore(i32(kNone), last_);
  b_.CreateStore(field(offsetof(Frame, executed), i64_), executed_);
  for (const SpecialRow& special : code_.specials) {
    const LaneShape& s = shape(special.row);
    const auto axis = static_cast<unsigned>(special.what);
    if (axis < 3 && s.kind == LaneShape::Kind::rows) {
      const Value from = step(field(offsetof(Frame, threads), pointer_), axis * kLanes * 4ull);
      b_.CreateAlignedStore(b_.CreateAlignedLoad(row32_, from, llvm::Align(4)), home(special.row),
                            llvm::Align(64));
    } else if (s.known || !s.is_affine()) {
      continue;
    } else if (axis < 3) {
      const LanePattern& lanes = shapes_.patterns[s.pattern];
      const auto low =
          static_cast<std::uint64_t>(std::find(lanes.begin(), lanes.end(), 0) - lanes.begin());
      b_.CreateStore(b_.CreateLoad(i32_, step(field(offsetof(Frame, threads), pointer_),
                                              (axis * kLanes + low) * 4)),
                     variables_[special.row]);
    } else if (special.what == Special::warpid) {
      b_.CreateStore(field(offsetof(Frame, warp), i32_), variables_[special.row]);
    } else {
      const auto dimension = axis - static_cast<unsigned>(Special::ctaid_x);
      b_.CreateStore(field(offsetof(Frame, block) + dimension * 4ull, i32_),
                     variables_[special.row]);
    }
  }
  for (const ArgumentRow& row : code_.arguments)
    if (row.predicate) set_predicate(row.row, i32(machine_.predicates[row.row]));
  auto* choice =
      b_.CreateSwitch(function_->getArg(1), headers_[0], static_cast<unsigned>(resumes_.size()));
  for (const auto& [pc, block] : resumes_)
    choice->addCase(llvm::cast<llvm::ConstantInt>(i32(pc)), block);
}

void Emitter::load_position() {
  b_.CreateStore(field(offsetof(Frame, mask), i32_), mask_);
  b_.CreateStore(field(offsetof(Frame, meet), i32_), meet_);
}

void Emitter::give_back(Value code) {
  b_.CreateStore(b_.CreateLoad(i64_, executed_), field_place(offsetof(Frame, executed)));
  b_.CreateRet(code);
}

/// Do all lanes that the warp has take part? Then none has ended, and none waits elsewhere.
llvm::Value* Emitter::is_whole() {
  return b_.CreateICmpEQ(mask(), field(offsetof(Frame, existing), i32_));
}

void Emitter::unless_going_on(Value code) {
  Block stop = new_block("stop"), on = new_block("on");
  b_.CreateCondBr(b_.CreateICmpEQ(code, i32(kGoOn)), on, stop);
  b_.SetInsertPoint(stop);
  give_back(code);
  b_.SetInsertPoint(on);
}

// ---- two ways ----

/// One way where `condition`, the other where not, and what either gives. What a way brings into registers
/// is there on that way alone.
Emitter::Values Emitter::branch(Value condition, Way yes, Way no) {
  Block first = new_block("way"), second = new_block("other"), join = new_block("join");
  b_.CreateCondBr(condition, first, second);
  const auto before = here_;
  const auto go = [&](Block way, Way emit) {
    b_.SetInsertPoint(way);
    const Values values = emit();
    const Block last = b_.GetInsertBlock();
    b_.CreateBr(join);
    here_ = before;
    return std::pair(values, last);
  };
  const auto [values, after] = go(first, yes);
  const auto [others, after_other] = go(second, no);
  b_.SetInsertPoint(join);
  Values either;
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto* value = b_.CreatePHI(values[i]->getType(), 2);
    value->addIncoming(values[i], after);
    value->addIncoming(others[i], after_other);
    either.push_back(value);
  }
  return either;
}

/// Data that the run does without reads as 0, and nothing is stored there.
Emitter::Values Emitter::where_there_is(Value data, Way move) {
  Values values;
  return branch(
      b_.CreateIsNotNull(data), [&] { return values = move(); },
      [&] {
        Values zeros;
        for (Value value : values) zeros.push_back(llvm::Constant::getNullValue(value->getType()));
        return zeros;
      });
}

// ---- blocks ----

void Emitter::emit_block(std::uint32_t index) {
  const FlatBlock& block = code_.blocks[index];
  b_.SetInsertPoint(headers_[index]);
  here_.clear();
  const Value entries = step(entries_, index * 8ull);
  b_.CreateStore(b_.CreateAdd(b_.CreateLoad(i64_, entries), i64(1)), entries);
  const Value executed = b_.CreateAdd(b_.CreateLoad(i64_, executed_), i64(block.count));
  b_.CreateStore(executed, executed_);
  Block look = new_block("look"), body = new_block("body");
  const Value from = b_.CreateLoad(i32_, last_);
  b_.CreateCondBr(b_.CreateAnd(b_.CreateICmpUGE(executed, field(offsetof(Frame, next_check), i64_)),
                               b_.CreateICmpNE(from, i32(kNone))),
                  look, body);
  b_.SetInsertPoint(look);
  b_.CreateStore(executed, field_place(offsetof(Frame, executed)));
  emit_look(index);
  b_.CreateBr(body);
  b_.SetInsertPoint(body);
  for (std::uint32_t pc = block.first; pc < block.first + block.count; ++pc)
    emit_operation(pc, code_.ops[pc]);
}

void Emitter::emit_look(std::uint32_t index) {
  const Value from = b_.CreateLoad(i32_, last_);
  const bool may_wait = polls_[index];
  const Value told = call(&called::check, {frame_, from, mask(), i32(may_wait ? index : kNone)});
  if (!may_wait) return unless_going_on(told);
  Block over = new_block("over"), on = new_block("not_over");
  b_.CreateCondBr(b_.CreateICmpEQ(told, i32(kHandOver)), over, on);
  b_.SetInsertPoint(over);
  hand_over();
  b_.CreateRet(told);
  b_.SetInsertPoint(on);
  unless_going_on(told);
}

/// Does it read a flag, or change a word and look at what it was: a lock, a counter?
bool Emitter::reads_flag(const Op& op) const {
  if (operation_info(op.code).kind != OperationKind::access) return false;
  const MemRef& ref = code_.refs[op.a];
  return ref.strength == Strength::flag || (op.code == Code::atomic && used_[ref.value[0]]);
}

/// Blocks of short loops that read a flag.
std::vector<bool> Emitter::find_polls() const {
  std::vector<bool> polls(code_.blocks.size());
  for (std::uint32_t b = 0; b < polls.size(); ++b) {
    const Op* const first = code_.ops.data() + code_.blocks[b].first;
    if (std::none_of(first, first + code_.blocks[b].count,
                     [this](const Op& op) { return reads_flag(op); }))
      continue;
    const std::vector<bool> round = short_round(code_, b, kLongestPoll);
    for (std::size_t i = 0; i < polls.size(); ++i) polls[i] = polls[i] || round[i];
  }
  return polls;
}

/// Puts all that the warp holds where the interpreter has it.
void Emitter::hand_over() {
  std::set<std::uint32_t> numbers;
  for (const Op& op : code_.ops)
    for_each_result(code_, op, [&](std::uint32_t number) { numbers.insert(number); });
  for (const std::uint32_t number : numbers) {
    if (is_predicate_number(code_, number)) {
      spill_predicate(predicate_of_number(code_, number));
      continue;
    }
    const bool in_lanes = shape(number).kind == LaneShape::Kind::rows;
    if (in_lanes ? exposed_[number] && number < code_.kept_rows
                 : shape(number).kind != LaneShape::Kind::none)
      b_.CreateAlignedStore(lanes(number), machine_row(number), llvm::Align(64));
  }
  here_.clear();
}

void Emitter::emit_operation(std::uint32_t pc, const Op& op) {
  switch (operation_info(op.code).kind) {
  case OperationKind::arithmetic:
  case OperationKind::comparison:
  case OperationKind::logic:
  case OperationKind::selection:
  case OperationKind::masked_copy:
    return emit_lanewise(pc, op);
  case OperationKind::address:
    return emit_address(op);
  case OperationKind::access:
    return emit_access(pc, op);
  case OperationKind::warp:
    return emit_warp(pc, op);
  case OperationKind::control:
    return emit_control(pc, op);
  case OperationKind::recording:
    return;
  }
}

void Emitter::emit_control(std::uint32_t pc, const Op& op) {
  switch (op.code) {
  case Code::jump:
    b_.CreateStore(i32(pc), last_);
    return go_to(op.a);
  case Code::branch:
    b_.CreateStore(i32(pc), last_);
    return emit_branch(pc, op);
  case Code::barrier:
  case Code::barrier_count:
  case Code::barrier_part:
  case Code::mbarrier_wait:
    return emit_barrier(pc, op);
  case Code::exit: {
    b_.CreateStore(i32(kNone), last_);
    Block ended = new_block("ended"), some = new_block("some"), on = new_block("others");
    b_.CreateCondBr(is_whole(), ended, some);
    b_.SetInsertPoint(some);
    const Value next = call(&called::leave, {frame_, mask()});
    b_.CreateCondBr(b_.CreateICmpEQ(next, i32(kNone)), ended, on);
    b_.SetInsertPoint(ended);
    give_back(i32(kEnded));
    b_.SetInsertPoint(on);
    return dispatch_to(next);
  }
  case Code::print:
    return emit_called(pc, op);
  default:  // traps
    unless_going_on(call(&called::operation, {frame_, i32(pc), mask()}));
  }
}

void Emitter::emit_branch(std::uint32_t pc, const Op& op) {
  Block yes = new_block("yes"), no = new_block("no");
  const Value all = predicate(op.a);
  if (shapes_.predicates[op.a] != PredicateShape::lanes) {
    b_.CreateCondBr(b_.CreateICmpNE(all, i32(0)), yes, no);
  } else {
    Block some = new_block("some"), parted = new_block("parted");
    const Value active = mask(), taken = b_.CreateAnd(all, active);
    b_.CreateCondBr(b_.CreateICmpEQ(taken, active), yes, some);
    b_.SetInsertPoint(some);
    b_.CreateCondBr(b_.CreateICmpEQ(taken, i32(0)), no, parted);
    b_.SetInsertPoint(parted);
    const Value rest = b_.CreateAnd(active, b_.CreateNot(taken));
    dispatch_to(call(&called::part, {frame_, i32(pc), taken, rest}));
  }
  b_.SetInsertPoint(yes);
  go_to(op.b);
  b_.SetInsertPoint(no);
  go_to(op.c);
}

void Emitter::go_to(std::uint32_t target) {
  Block header = headers_[code_.block_of[target]];
  if (!shapes_.meets[target]) {
    b_.CreateBr(header);
    return;
  }
  Block wait = new_block("meet");
  b_.CreateCondBr(b_.CreateICmpEQ(b_.CreateLoad(i32_, meet_), i32(target)), wait, header);
  b_.SetInsertPoint(wait);
  dispatch_to(call(&called::settle, {frame_, i32(target)}));
}

void Emitter::dispatch_to(Value pc) {
  b_.CreateStore(pc, next_);
  b_.CreateBr(dispatch_);
}

/// To where lanes that parted go on: the sides of branches, and where they meet.
void Emitter::emit_dispatch() {
  b_.SetInsertPoint(dispatch_);
  load_position();
  std::vector<bool> may(code_.blocks.size());
  for (const Op& op : code_.ops) {
    if (op.code != Code::branch || shapes_.predicates[op.a] != PredicateShape::lanes) continue;
    may[code_.block_of[op.b]] = may[code_.block_of[op.c]] = true;
    if (op.dst != kNone) may[code_.block_of[op.dst]] = true;
  }
  Block nowhere = new_block("nowhere");
  auto* choice = b_.CreateSwitch(b_.CreateLoad(i32_, next_), nowhere);
  for (std::size_t i = 0; i < may.size(); ++i)
    if (may[i])
      choice->addCase(llvm::cast<llvm::ConstantInt>(i32(code_.blocks[i].first)), headers_[i]);
  b_.SetInsertPoint(nowhere);
  b_.CreateUnreachable();
}

// ---- barriers: rows are where they stay, scalars and predicates go there and come back ----
//
// Where a warp may part its lanes, at an mbarrier, the interpreter takes over what it has kept: rows of lanes.

void Emitter::emit_barrier(std::uint32_t pc, const Op& op) {
  const bool may_part = op.code == Code::mbarrier_wait;
  for (std::uint32_t row = 0; row < code_.kept_rows; ++row)
    if (may_part && shape(row).kind != LaneShape::Kind::rows)
      b_.CreateAlignedStore(lanes(row), home(row), llvm::Align(64));
    else if (variables_[row] != nullptr)
      b_.CreateStore(scalar(row), home(row));
  const Value kept = field(offsetof(Frame, kept_predicates), pointer_);
  for (std::uint32_t p = 0; p < code_.kept_predicates; ++p)
    b_.CreateStore(predicate(p), step(kept, p * 4ull));
  spill_operands(op);
  if (op.code == Code::barrier) {
    Block met = new_block("met"), some = new_block("some");
    b_.CreateCondBr(is_whole(), met, some);
    b_.SetInsertPoint(met);
    b_.CreateStore(i32(pc), field_place(offsetof(Frame, met_at)));
    give_back(i32(kMet));
    b_.SetInsertPoint(some);
  }
  const Value counted = op.code == Code::barrier_count ? predicate(op.a) : i32(0);
  give_back(call(&called::barrier, {frame_, i32(pc), mask(), b_.CreateAnd(counted, mask())}));
  Block after = new_block("after");
  resumes_[pc + 1] = after;
  b_.SetInsertPoint(after);
  here_.clear();
  if (op.dst == kNone) return;
  const Value count = field(offsetof(Frame, barrier_count), i32_);
  if (shape(op.dst).is_affine())
    set_scalar(op.dst, count);
  else
    set_lanes(op.dst, b_.CreateVectorSplat(kLanes, count));
}

void Emitter::emit_resumes() {
  for (auto& [pc, after] : resumes_) {
    Block resume = new_block("resume");
    b_.SetInsertPoint(resume);
    const bool may_part = code_.ops[pc - 1].code == Code::mbarrier_wait;
    for (std::uint32_t row = 0; row < code_.kept_rows; ++row) {
      if (variables_[row] == nullptr) continue;
      Value first = b_.CreateLoad(lane_type(row), home(row));
      const std::int64_t pattern = shapes_.patterns[shape(row).pattern][0];
      if (may_part && pattern != 0)
        first = b_.CreateSub(
            first, llvm::ConstantInt::get(lane_type(row), static_cast<std::uint64_t>(pattern)));
      b_.CreateStore(first, variables_[row]);
    }
    const Value kept = field(offsetof(Frame, kept_predicates), pointer_);
    for (std::uint32_t p = 0; p < code_.kept_predicates; ++p)
      set_predicate(p, b_.CreateLoad(i32_, step(kept, p * 4ull)));
    b_.CreateBr(after);
    after = resume;
  }
}

}  // namespace lanescope
