// Which values are needed, which live across barriers, and how blocks and edges become jumps.
#include "lower/lower_function.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugProgramInstruction.h>

#include "model/simulator_messages.h"

namespace lanescope {
namespace {

bool is_barrier(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (call == nullptr) return false;
  if (call->getCalledFunction() == nullptr) return false;
  const llvm::StringRef name = call->getCalledFunction()->getName();
  return name.starts_with("llvm.nvvm.barrier") || name == "lanescope_barrier_count" ||
         name == "lanescope_barrier_part" || name == "lanescope_mbarrier_wait" ||
         name == "lanescope_grid_sync" || name == "lanescope_cluster_sync";
}

/// A call of a function whose name begins so.
bool calls(const llvm::Instruction& instruction, llvm::StringRef name) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call != nullptr && call->getCalledFunction() != nullptr &&
         call->getCalledFunction()->getName().starts_with(name);
}

bool is_folded(const llvm::Value* value) {
  return llvm::isa<llvm::GEPOperator>(value) || llvm::isa<llvm::AddrSpaceCastOperator>(value);
}

}  // namespace

LowerFunction::LowerFunction(llvm::Function& function, LowerTables& tables, bool recording)
    : function_(function), tables_(tables), recording_(recording), tensors_(tables),
      post_dominators_(function) {}

FlatCode LowerFunction::run() {
  find_needed();
  find_index_products();
  find_kept();
  code_.kept_rows = code_.rows;
  code_.kept_predicates = code_.predicates;
  unsigned index = 0;
  for (const llvm::Argument& argument : function_.args()) {
    for (const Part part : define(argument))
      code_.arguments.push_back({index, part.index, part.kind == Part::Kind::predicate,
                                 part.kind == Part::Kind::row64, argument.hasByValAttr()});
    ++index;
  }
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
  for (llvm::BasicBlock* block : order) emit_block(*block);
  tensors_.finish();
  fix_jumps();
  for (const Mark& mark : code_.marks)
    if (mark.pc < code_.ops.size()) code_.ops[mark.pc].aux |= kMarked;
  return std::move(code_);
}

// ---- needed values: roots are effects, conditions and, when recording, variables ----

void LowerFunction::need(const llvm::Value* value) {
  if (!llvm::isa<llvm::Instruction>(value) || !needed_.insert(value).second) return;
  work_.push_back(value);
}

void LowerFunction::need_address(const llvm::Value* pointer) {
  const Address& address = address_of(pointer);
  if (address.base != nullptr) need(address.base);
  for (const Address::Term& term : address.terms) need(term.value);
}

llvm::SmallVector<const llvm::Value*, 8>
LowerFunction::uses_of(const llvm::Instruction& instruction) {
  llvm::SmallVector<const llvm::Value*, 8> uses;
  const auto add_address = [&](const llvm::Value* pointer) {
    const Address& address = address_of(pointer);
    if (address.base != nullptr) uses.push_back(address.base);
    for (const Address::Term& term : address.terms) uses.push_back(term.value);
  };
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    add_address(load->getPointerOperand());
  } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    add_address(store->getPointerOperand());
    uses.push_back(store->getValueOperand());
  } else if (const auto* transfer = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
    add_address(transfer->getRawDest());
    if (const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(transfer))
      add_address(copy->getRawSource());
    else
      uses.push_back(transfer->getArgOperand(1));
  } else if (is_folded(&instruction)) {
    add_address(&instruction);
  } else {
    for (const llvm::Use& operand : instruction.operands()) uses.push_back(operand.get());
  }
  return uses;
}

void LowerFunction::find_needed() {
  for (const llvm::BasicBlock& block : function_)
    for (const llvm::Instruction& instruction : block) {
      if (instruction.mayHaveSideEffects() || instruction.isTerminator() ||
          llvm::isa<llvm::LoadInst>(instruction)) {
        if (instruction.getType()->isVoidTy())
          for (const llvm::Value* use : uses_of(instruction)) need(use);
        else
          need(&instruction);
      }
      if (!recording_) continue;
      for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange()))
        if (record.isDbgValue() && !record.hasArgList() &&
            record.getVariableLocationOp(0) != nullptr)
          need(record.getVariableLocationOp(0));
    }
  while (!work_.empty()) {
    const auto* instruction = llvm::cast<llvm::Instruction>(work_.back());
    work_.pop_back();
    for (const llvm::Value* use : uses_of(*instruction)) need(use);
  }
}

bool LowerFunction::data_steers() {
  std::set<const llvm::Value*> data;
  std::vector<const llvm::Instruction*> work;
  const auto mark = [&](const llvm::Instruction& instruction) {
    if (data.insert(&instruction).second) work.push_back(&instruction);
  };
  for (const llvm::BasicBlock& block : function_)
    for (const llvm::Instruction& instruction : block) {
      const bool reads = llvm::isa<llvm::LoadInst>(instruction) ||
                         llvm::isa<llvm::AtomicRMWInst>(instruction) ||
                         llvm::isa<llvm::AtomicCmpXchgInst>(instruction);
      if (reads || calls(instruction, "lanescope_load_matrix") ||
          calls(instruction, "lanescope_group_multiply"))
        mark(instruction);
    }
  while (!work.empty()) {
    const llvm::Instruction* from = work.back();
    work.pop_back();
    for (const llvm::User* user : from->users()) {
      const auto* instruction = llvm::cast<llvm::Instruction>(user);
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(instruction);
          store != nullptr && store->getValueOperand() == from &&
          store->getPointerOperand() != from)
        continue;
      // A store of it only keeps it; arithmetic passes it on; anything else is steered by it.
      const bool passes =
          llvm::isa<llvm::UnaryOperator>(instruction) ||
          llvm::isa<llvm::BinaryOperator>(instruction) || llvm::isa<llvm::CastInst>(instruction) ||
          llvm::isa<llvm::CmpInst>(instruction) || llvm::isa<llvm::SelectInst>(instruction) ||
          llvm::isa<llvm::PHINode>(instruction) ||
          llvm::isa<llvm::InsertElementInst>(instruction) ||
          llvm::isa<llvm::ExtractElementInst>(instruction) ||
          llvm::isa<llvm::ShuffleVectorInst>(instruction) ||
          llvm::isa<llvm::ExtractValueInst>(instruction) ||
          calls(*instruction, "lanescope_multiply") ||
          calls(*instruction, "lanescope_group_multiply") ||
          (calls(*instruction, "lanescope_store_matrix") && instruction->getOperand(0) != from) ||
          llvm::isa<llvm::InsertValueInst>(instruction) ||
          llvm::isa<llvm::FreezeInst>(instruction) ||
          llvm::isa<llvm::GetElementPtrInst>(instruction) ||
          llvm::isa<llvm::IntrinsicInst>(instruction);
      if (!passes) return true;
      mark(*instruction);
    }
  }
  return false;
}

// ---- liveness across barriers ----

void LowerFunction::find_kept() {
  LiveValues live_in;
  std::set<const llvm::Value*> kept;
  const auto step_back = [&](const llvm::Instruction& instruction,
                             std::set<const llvm::Value*>& live) {
    live.erase(&instruction);
    if (llvm::isa<llvm::PHINode>(instruction)) return;
    const bool has_effect = instruction.mayHaveSideEffects() || instruction.isTerminator();
    if (has_effect || needed_.count(&instruction) != 0)
      for (const llvm::Value* use : uses_of(instruction))
        if (llvm::isa<llvm::Instruction>(use)) live.insert(use);
    if (recording_)
      for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange()))
        if (record.isDbgValue() && !record.hasArgList())
          if (const llvm::Value* value = record.getVariableLocationOp(0);
              value != nullptr && llvm::isa<llvm::Instruction>(value))
            live.insert(value);
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::BasicBlock* block : llvm::post_order(&function_)) {
      std::set<const llvm::Value*> live;
      for (const llvm::BasicBlock* next : llvm::successors(block)) {
        live.insert(live_in[next].begin(), live_in[next].end());
        for (const llvm::PHINode& phi : next->phis())
          if (const llvm::Value* value = phi.getIncomingValueForBlock(block);
              llvm::isa<llvm::Instruction>(value))
            live.insert(value);
      }
      for (const llvm::Instruction& instruction : llvm::reverse(*block)) {
        if (is_barrier(instruction)) kept.insert(live.begin(), live.end());
        step_back(instruction, live);
      }
      // A phi's row is written on the edges, so it is live through the whole of its block.
      if (live != live_in[block]) changed = true, live_in[block] = std::move(live);
    }
  }
  keep_for_others(live_in, kept);
  for (const llvm::BasicBlock& block : function_)
    for (const llvm::Instruction& instruction : block)
      if (kept.count(&instruction) != 0) define(instruction);
}

/// Some lanes may wait for a phase while others have yet to go their way, or wait for them where they meet: what those
/// need is kept too.
void LowerFunction::keep_for_others(const LiveValues& live_in, std::set<const llvm::Value*>& kept) {
  const auto keep = [&](const llvm::BasicBlock* block) {
    if (const auto live = live_in.find(block); live != live_in.end())
      kept.insert(live->second.begin(), live->second.end());
    for (const llvm::PHINode& phi : block->phis()) {
      kept.insert(&phi);
      for (const llvm::Use& value : phi.incoming_values())
        if (llvm::isa<llvm::Instruction>(value)) kept.insert(value);
    }
  };
  for (llvm::BasicBlock& block : function_) {
    if (block.getTerminator()->getNumSuccessors() < 2) continue;
    const auto* node = post_dominators_.getNode(&block);
    const llvm::BasicBlock* meet =
        node != nullptr && node->getIDom() != nullptr ? node->getIDom()->getBlock() : nullptr;
    std::set<const llvm::BasicBlock*> region;
    std::vector<const llvm::BasicBlock*> work(llvm::succ_begin(&block), llvm::succ_end(&block));
    bool waits = false;
    while (!work.empty()) {
      const llvm::BasicBlock* at = work.back();
      work.pop_back();
      if (at == meet || !region.insert(at).second) continue;
      waits = waits || std::any_of(at->begin(), at->end(), [](const llvm::Instruction& i) {
                return calls(i, "lanescope_mbarrier_wait");
              });
      work.insert(work.end(), llvm::succ_begin(at), llvm::succ_end(at));
    }
    if (!waits) continue;
    for (const llvm::BasicBlock* next : llvm::successors(&block)) keep(next);
    if (meet != nullptr) keep(meet);
  }
}

// ---- blocks and edges ----

void LowerFunction::begin_block() {
  const auto pc = static_cast<std::uint32_t>(code_.ops.size());
  if (!code_.blocks.empty()) code_.blocks.back().count = pc - code_.blocks.back().first;
  code_.block_of.resize(pc + 1, kNone);
  code_.block_of[pc] = static_cast<std::uint32_t>(code_.blocks.size());
  code_.blocks.push_back({pc, 0});
}

void LowerFunction::emit_block(llvm::BasicBlock& block) {
  begin_block();
  starts_[&block] = code_.blocks.back().first;
  for (llvm::Instruction& instruction : block) {
    emit_debug(instruction);
    if (llvm::isa<llvm::PHINode>(instruction)) continue;
    const bool has_effect = instruction.mayHaveSideEffects() || instruction.isTerminator();
    if (!has_effect && needed_.count(&instruction) == 0) continue;
    const std::size_t before = code_.ops.size();
    const StepKind kind = instruction.isTerminator() ? StepKind::branch : StepKind::compute;
    info_ = tables_.op_info(&instruction, kind, tables_.position(instruction.getDebugLoc()));
    if (instruction.isTerminator()) {
      emit_terminator(instruction);
      continue;
    }
    emit_instruction(instruction);
    if (code_.ops.size() > before &&
        operation_info(code_.ops.back().code).kind != OperationKind::recording)
      code_.ops.back().aux |= kStep;
  }
}

std::uint32_t LowerFunction::reconvergence(const llvm::BasicBlock& block) {
  const auto* node = post_dominators_.getNode(const_cast<llvm::BasicBlock*>(&block));
  if (node == nullptr || node->getIDom() == nullptr || node->getIDom()->getBlock() == nullptr)
    return kNone;
  jumps_.push_back({static_cast<std::uint32_t>(code_.ops.size()), 0, node->getIDom()->getBlock()});
  return 0;
}

bool LowerFunction::has_copies(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const {
  (void)from;
  for (const llvm::PHINode& phi : to.phis())
    if (needed_.count(&phi) != 0) return true;
  return false;
}

void LowerFunction::emit_branch(std::uint32_t predicate, const llvm::BasicBlock& from,
                                const llvm::BasicBlock& yes, const llvm::BasicBlock& no) {
  const auto pc = static_cast<std::uint32_t>(code_.ops.size());
  const std::uint32_t meet = reconvergence(from);
  code_.ops.push_back({Code::branch, kStep, meet, predicate, 0, 0, info_});
  const auto side = [&](const llvm::BasicBlock& to, int field) {
    if (!has_copies(from, to)) return jumps_.push_back({pc, field, &to});
    begin_block();
    (field == 2 ? code_.ops[pc].b : code_.ops[pc].c) = code_.blocks.back().first;
    emit_edge(from, to);
  };
  side(yes, 2);
  side(no, 3);
}

void LowerFunction::emit_edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  struct Copy {
    Part to, from;
  };
  std::vector<Copy> copies;
  for (const llvm::PHINode& phi : to.phis()) {
    if (needed_.count(&phi) == 0) continue;
    const Parts destination = define(phi), source = parts(*phi.getIncomingValueForBlock(&from));
    for (std::size_t i = 0; i < destination.size() && i < source.size(); ++i)
      if (destination[i].index != source[i].index || destination[i].kind != source[i].kind)
        copies.push_back({destination[i], source[i]});
  }
  const auto clashes = [&copies](const Copy& c) {
    for (const Copy& other : copies)
      if (&other != &c && other.to.kind == c.from.kind && other.to.index == c.from.index)
        return true;
    return false;
  };
  const auto code_for = [](Part::Kind kind) {
    return kind == Part::Kind::row64   ? Code::masked_copy64
           : kind == Part::Kind::row32 ? Code::masked_copy32
                                       : Code::masked_copy_p;
  };
  // The copies are parallel: what another one overwrites is read first.
  for (Copy& copy : copies)
    if (clashes(copy)) {
      const Part temporary = fresh(copy.from.kind);
      emit(code_for(copy.from.kind), temporary, copy.from);
      copy.from = temporary;
    }
  for (const Copy& copy : copies) emit(code_for(copy.to.kind), copy.to, copy.from);
  jumps_.push_back({static_cast<std::uint32_t>(code_.ops.size()), 1, &to});
  code_.ops.push_back({Code::jump, 0, kNone, 0, kNone, kNone, info_});
}

void LowerFunction::emit_terminator(llvm::Instruction& terminator) {
  const llvm::BasicBlock& from = *terminator.getParent();
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&terminator)) {
    if (branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
      return emit_edge(from, *branch->getSuccessor(0));
    return emit_branch(part(*branch->getCondition()).index, from, *branch->getSuccessor(0),
                       *branch->getSuccessor(1));
  }
  if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&terminator)) return emit_switch(*choice);
  if (llvm::isa<llvm::ReturnInst>(terminator) || llvm::isa<llvm::UnreachableInst>(terminator)) {
    info_ =
        tables_.op_info(&terminator, StepKind::exit, tables_.position(terminator.getDebugLoc()));
    code_.ops.push_back({Code::exit, kStep, kNone, kNone, kNone, kNone, info_});
    return;
  }
  unsupported(terminator, say::this_control_flow(terminator.getOpcodeName()));
  code_.ops.push_back({Code::exit, 0, kNone, kNone, kNone, kNone, info_});
}

void LowerFunction::emit_switch(llvm::SwitchInst& choice) {
  const llvm::BasicBlock& from = *choice.getParent();
  const Part value = part(*choice.getCondition());
  for (const auto& option : choice.cases()) {
    const Part same = fresh(Part::Kind::predicate);
    emit(value.kind == Part::Kind::row64 ? Code::eq64 : Code::eq32, same, value,
         constant(value.kind, option.getCaseValue()->getZExtValue()));
    const auto pc = static_cast<std::uint32_t>(code_.ops.size());
    const std::uint32_t meet = reconvergence(from);
    code_.ops.push_back({Code::branch, kStep, meet, same.index, 0, 0, info_});
    begin_block();
    code_.ops[pc].b = code_.blocks.back().first;
    emit_edge(from, *option.getCaseSuccessor());
    begin_block();
    code_.ops[pc].c = code_.blocks.back().first;
  }
  emit_edge(from, *choice.getDefaultDest());
}

void LowerFunction::fix_jumps() {
  if (!code_.blocks.empty())
    code_.blocks.back().count =
        static_cast<std::uint32_t>(code_.ops.size()) - code_.blocks.back().first;
  for (const Jump& jump : jumps_) {
    Op& op = code_.ops[jump.op];
    std::uint32_t* fields[] = {&op.dst, &op.a, &op.b, &op.c};
    *fields[jump.field] = starts_.lookup(jump.target);
  }
}

// ---- variables ----

void LowerFunction::emit_debug(llvm::Instruction& before) {
  if (!recording_) return;
  for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(before.getDbgRecordRange()))
    if (record.isDbgValue() && !record.hasArgList() && !record.isKillLocation())
      emit_assign(record);
}

void LowerFunction::emit_assign(llvm::DbgVariableRecord& record) {
  const llvm::DIExpression& expression = *record.getExpression();
  const auto fragment = expression.getFragmentInfo();
  const llvm::Value* value = record.getVariableLocationOp(0);
  // A bool is a bit to us, whatever the expression says of how it would be widened.
  if (expression.getNumElements() != (fragment ? 3u : 0u) && !value->getType()->isIntegerTy(1))
    return;
  const Parts values = parts(*value);
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::optional<std::uint64_t> bits;
    if (fragment) bits = fragment->OffsetInBits;
    if (values.size() > 1)
      bits = bits.value_or(0) + i * (values[i].kind == Part::Kind::row64 ? 64 : 32);
    const llvm::DILocation* at = record.getDebugLoc().get();
    const int variable = tables_.variable(*record.getVariable(), bits, at);
    const auto* known = llvm::dyn_cast<llvm::Constant>(value);
    tensors_.set(*record.getVariable(), bits.value_or(0), variable,
                 known != nullptr ? constant_bits(*known) : std::nullopt, at);
    if (variable < 0) continue;
    // Promoted variables carry no position of their own; the value's is where the assignment
    // stands.
    SourcePos pos = tables_.position(llvm::DebugLoc(at));
    if (const auto* source = llvm::dyn_cast<llvm::Instruction>(value);
        source != nullptr && !llvm::isa<llvm::PHINode>(source))
      if (const SourcePos computed = tables_.position(source->getDebugLoc()); computed.line != 0)
        pos = computed;
    if (pos.line == 0) pos = {record.getVariable()->getLine(), 1, 0};
    const auto* key = reinterpret_cast<const char*>(&record) + i;
    const std::uint32_t info = tables_.op_info(key, StepKind::assign, pos, -1, variable);
    const Code code = values[i].kind == Part::Kind::predicate ? Code::assign_p
                      : values[i].kind == Part::Kind::row64   ? Code::assign64
                                                              : Code::assign32;
    code_.ops.push_back({code, kStep, kNone, values[i].index, kNone, kNone, info});
  }
}

}  // namespace lanescope
