#include "frontend/passes/recursion_stack.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <algorithm>

namespace lanescope {
namespace {

using Group = std::vector<llvm::Function*>;

/// Bytes of a thread's stack: for so many frames of the largest, within bounds
constexpr std::uint64_t kFrames = 256, kLeastStack = 4 << 10, kMostStack = 64 << 10,
                        kMostStacks = 256 << 10;

bool is_in(const Group& group, const llvm::Function* function) {
  return std::find(group.begin(), group.end(), function) != group.end();
}

/// Whether all that a body does can be done on a stack.
bool can_be_put(const Group& group, const llvm::Function& function) {
  if (function.isVarArg()) return false;
  for (const llvm::Argument& argument : function.args())
    if (argument.hasByValAttr() || !argument.getType()->isSized()) return false;
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& instruction : block) {
      if (const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
          slot != nullptr && (!slot->isStaticAlloca() || slot->getAddressSpace() != 0))
        return false;
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call != nullptr && is_in(group, call->getCalledFunction()) &&
          !llvm::isa<llvm::CallInst>(call))
        return false;
    }
  return true;
}

/// What is set once, where the function begins, and read afterwards alone: its parameters, mostly.
bool is_set_at_once(llvm::AllocaInst& slot) {
  if (!llvm::isAllocaPromotable(&slot)) return false;
  const llvm::StoreInst* store = nullptr;
  for (llvm::User* user : slot.users())
    if (auto* each = llvm::dyn_cast<llvm::StoreInst>(user)) {
      if (store != nullptr || each->getParent() != slot.getParent()) return false;
      store = each;
    }
  return store != nullptr && llvm::all_of(slot.users(), [&](const llvm::User* user) {
           const auto* load = llvm::dyn_cast<llvm::LoadInst>(user);
           return load == nullptr || load->getParent() != store->getParent() ||
                  store->comesBefore(load);
         });
}

void promote(llvm::Function& function) {
  std::vector<llvm::AllocaInst*> slots;
  for (llvm::Instruction& instruction : function.getEntryBlock())
    if (auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      if (is_set_at_once(*slot)) slots.push_back(slot);
  llvm::DominatorTree tree(function);
  llvm::PromoteMemToReg(slots, tree);
}

/// One function that runs the bodies of a group.
class OnStack {
 public:
  /// `originals`: copies of the group's, which call the group's
  OnStack(llvm::Function& into, const Group& group, const Group& originals)
      : into_(into), group_(group), originals_(originals), layout_(into.getDataLayout()),
        b_(into.getContext()) {}

  void run() {
    into_.deleteBody();
    entry_ = llvm::BasicBlock::Create(b_.getContext(), "entry", &into_);
    dispatch_ = llvm::BasicBlock::Create(b_.getContext(), "dispatch", &into_);
    exit_ = llvm::BasicBlock::Create(b_.getContext(), "exit", &into_);
    b_.SetInsertPoint(entry_);
    at_ = b_.CreateAlloca(b_.getInt32Ty(), nullptr, "frame");
    label_ = b_.CreateAlloca(b_.getInt32Ty(), nullptr, "label");
    places_end_ = b_.CreateUnreachable();
    for (std::size_t i = 0; i < group_.size(); ++i) bodies_.push_back(copy(*originals_[i]));
    for (Body& body : bodies_) split_at_calls(body);
    for (Body& body : bodies_) take_to_memory(body);
    for (Body& body : bodies_) lay_out(body);
    make_stack();
    for (Body& body : bodies_) place_slots(body);
    for (Call& call : calls_) emit_call(call);
    for (Body& body : bodies_) emit_returns(body);
    emit_ends();
  }

 private:
  /// A function's, within the one that runs all
  struct Body {
    llvm::Function* of = nullptr;
    llvm::BasicBlock* begins = nullptr;
    std::vector<llvm::BasicBlock*> blocks;
    std::vector<llvm::AllocaInst*> arguments, slots;
    std::vector<llvm::ReturnInst*> returns;
    /// In its frame, behind who called and where it goes on there
    std::uint64_t result = 8, size = 8;
    llvm::MapVector<llvm::AllocaInst*, std::uint64_t> offsets;
  };
  struct Call {
    std::size_t from, to;
    llvm::CallInst* call;
    llvm::BasicBlock* after;
    llvm::AllocaInst* result;
  };

  std::size_t body_of(const llvm::Function* function) const {
    return static_cast<std::size_t>(std::find(group_.begin(), group_.end(), function) -
                                    group_.begin());
  }
  llvm::AllocaInst* slot_for(llvm::Type* type) {
    return new llvm::AllocaInst(type, layout_.getAllocaAddrSpace(), nullptr,
                                layout_.getPrefTypeAlign(type), "slot", places_end_->getIterator());
  }

  Body copy(llvm::Function& original) {
    Body body;
    body.of = &original;
    llvm::ValueToValueMapTy values;
    std::vector<llvm::Instruction*> read;
    body.begins = llvm::BasicBlock::Create(b_.getContext(), "begins", &into_);
    llvm::IRBuilder<> builder(body.begins);
    for (llvm::Argument& argument : original.args()) {
      body.arguments.push_back(slot_for(argument.getType()));
      values[&argument] = builder.CreateLoad(argument.getType(), body.arguments.back());
      read.push_back(llvm::cast<llvm::Instruction>(values[&argument]));
    }
    body.blocks.push_back(body.begins);
    for (llvm::BasicBlock& block : original) {
      llvm::BasicBlock* copied = llvm::CloneBasicBlock(&block, values, "", &into_);
      values[&block] = copied;
      body.blocks.push_back(copied);
    }
    builder.CreateBr(body.blocks[1]);
    const llvm::DebugLoc here = location();
    llvm::DenseMap<const llvm::MDNode*, llvm::MDNode*> seen;
    for (llvm::BasicBlock* block : body.blocks)
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block)) {
        instruction.dropDbgRecords();
        if (block != body.begins)
          llvm::RemapInstruction(&instruction, values,
                                 llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
        if (instruction.getDebugLoc() && here)
          instruction.setDebugLoc(llvm::DebugLoc::appendInlinedAt(
              instruction.getDebugLoc(), here.get(), b_.getContext(), seen));
        const auto* marker = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        if (marker != nullptr && marker->isLifetimeStartOrEnd()) instruction.eraseFromParent();
      }
    // Each use reads its argument anew.
    for (std::size_t i = 0; i < read.size(); ++i) {
      for (llvm::Use& use : llvm::make_early_inc_range(read[i]->uses())) {
        auto* user = llvm::cast<llvm::Instruction>(use.getUser());
        auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
        llvm::IRBuilder<> at(phi != nullptr ? phi->getIncomingBlock(use)->getTerminator() : user);
        use.set(at.CreateLoad(read[i]->getType(), body.arguments[i]));
      }
      read[i]->eraseFromParent();
    }
    for (llvm::BasicBlock* block : body.blocks)
      for (llvm::Instruction& instruction : *block) {
        if (auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) body.slots.push_back(slot);
        if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) body.returns.push_back(end);
      }
    body.slots.insert(body.slots.end(), body.arguments.begin(), body.arguments.end());
    return body;
  }

  llvm::DebugLoc location() const {
    llvm::DISubprogram* program = into_.getSubprogram();
    if (program == nullptr) return {};
    return llvm::DILocation::get(b_.getContext(), program->getLine(), 0, program);
  }

  void split_at_calls(Body& body) {
    const std::size_t from = static_cast<std::size_t>(&body - bodies_.data());
    for (std::size_t i = 0; i < body.blocks.size(); ++i)
      for (llvm::Instruction& instruction : *body.blocks[i]) {
        auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        if (call == nullptr || !is_in(group_, call->getCalledFunction())) continue;
        llvm::BasicBlock* after = llvm::SplitBlock(body.blocks[i], call->getNextNode());
        body.blocks.push_back(after);
        llvm::AllocaInst* result = nullptr;
        if (!call->getType()->isVoidTy() && !call->use_empty()) {
          result = slot_for(call->getType());
          body.slots.push_back(result);
          for (llvm::Use& use : llvm::make_early_inc_range(call->uses())) {
            auto* user = llvm::cast<llvm::Instruction>(use.getUser());
            auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
            llvm::IRBuilder<> at(phi != nullptr ? phi->getIncomingBlock(use)->getTerminator()
                                                : user);
            use.set(at.CreateLoad(call->getType(), result));
          }
        }
        calls_.push_back({from, body_of(call->getCalledFunction()), call, after, result});
        break;
      }
  }

  /// What lives from block to block does so in the frame.
  void take_to_memory(Body& body) {
    std::vector<llvm::Instruction*> values;
    for (llvm::BasicBlock* block : body.blocks)
      for (llvm::Instruction& instruction : *block) {
        if (llvm::isa<llvm::AllocaInst>(instruction)) continue;
        const bool leaves = llvm::any_of(instruction.users(), [&](const llvm::User* user) {
          return llvm::cast<llvm::Instruction>(user)->getParent() != block ||
                 llvm::isa<llvm::PHINode>(user);
        });
        if (leaves || llvm::isa<llvm::PHINode>(instruction)) values.push_back(&instruction);
      }
    const auto point = std::optional(places_end_->getIterator());
    for (llvm::Instruction* value : values)
      if (!llvm::isa<llvm::PHINode>(value))
        body.slots.push_back(llvm::DemoteRegToStack(*value, false, point));
    for (llvm::Instruction* value : values)
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(value))
        if (llvm::AllocaInst* slot = llvm::DemotePHIToStack(phi, point)) body.slots.push_back(slot);
  }

  void lay_out(Body& body) {
    const auto take = [&](llvm::Align align, std::uint64_t bytes) {
      const std::uint64_t offset = llvm::alignTo(body.size, align);
      body.size = offset + bytes;
      return offset;
    };
    llvm::Type* result = body.of->getReturnType();
    if (!result->isVoidTy())
      body.result = take(layout_.getABITypeAlign(result), layout_.getTypeAllocSize(result));
    for (llvm::AllocaInst* slot : body.slots) {
      if (slot == nullptr) continue;
      const std::uint64_t bytes = slot->getAllocationSize(layout_)->getFixedValue();
      body.offsets[slot] = take(std::min(slot->getAlign(), llvm::Align(16)), bytes);
    }
    body.size = llvm::alignTo(body.size, 16);
  }

  void make_stack() {
    std::uint64_t most = 0;
    for (const Body& body : bodies_) most = std::max(most, body.size);
    bytes_ = std::clamp(most * kFrames, kLeastStack, kMostStack);
    // Each call from outside is inlined, with a stack of its own.
    bytes_ = std::max(std::min(bytes_, kMostStacks / std::max(1u, into_.getNumUses())), 4 * most);
    stack_ = new llvm::AllocaInst(llvm::ArrayType::get(b_.getInt8Ty(), bytes_),
                                  layout_.getAllocaAddrSpace(), nullptr, llvm::Align(16), "stack",
                                  entry_->begin());
  }

  /// In the frame at `at`, which is that of the body that runs if it is not said
  llvm::Value* place(llvm::IRBuilder<>& b, std::uint64_t offset, llvm::Value* at = nullptr) {
    if (at == nullptr) at = b.CreateLoad(b.getInt32Ty(), at_);
    llvm::Value* from = b.CreateAdd(at, b.getInt32(static_cast<std::uint32_t>(offset)));
    return b.CreateGEP(b.getInt8Ty(), stack_, b.CreateZExt(from, b.getInt64Ty()));
  }

  void place_slots(Body& body) {
    for (const auto& [slot, offset] : body.offsets) {
      for (llvm::Use& use : llvm::make_early_inc_range(slot->uses())) {
        auto* user = llvm::cast<llvm::Instruction>(use.getUser());
        llvm::IRBuilder<> b(user);
        use.set(place(b, offset));
      }
      slot->eraseFromParent();
    }
  }

  void emit_call(const Call& each) {
    const Body &from = bodies_[each.from], &to = bodies_[each.to];
    llvm::CallInst* call = each.call;
    llvm::Instruction* end = call->getParent()->getTerminator();
    llvm::IRBuilder<> b(call);
    b.SetCurrentDebugLocation(call->getDebugLoc());
    llvm::Value* own = b.CreateLoad(b.getInt32Ty(), at_);
    llvm::Value* next = b.CreateAdd(own, b.getInt32(static_cast<std::uint32_t>(from.size)));
    llvm::Value* fits =
        b.CreateICmpULE(next, b.getInt32(static_cast<std::uint32_t>(bytes_ - to.size)));
    llvm::BasicBlock* enters = llvm::BasicBlock::Create(b_.getContext(), "enters", &into_);
    llvm::BasicBlock* full = llvm::BasicBlock::Create(b_.getContext(), "full", &into_);
    b.CreateCondBr(fits, enters, full);
    end->eraseFromParent();
    b.SetInsertPoint(enters);
    b.CreateStore(own, place(b, 0, next));
    b.CreateStore(b.getInt32(static_cast<std::uint32_t>(labels_.size() + 1)), place(b, 4, next));
    for (std::size_t i = 0; i < to.arguments.size(); ++i)
      b.CreateStore(call->getArgOperand(static_cast<unsigned>(i)),
                    place(b, to.offsets.lookup(to.arguments[i]), next));
    b.CreateStore(next, at_);
    b.CreateBr(to.begins);
    labels_.push_back(llvm::BasicBlock::Create(b_.getContext(), "returned", &into_));
    b.SetInsertPoint(labels_.back());
    if (each.result != nullptr) {
      llvm::Value* at = b.CreateAdd(b.CreateLoad(b.getInt32Ty(), at_),
                                    b.getInt32(static_cast<std::uint32_t>(from.size)));
      b.CreateStore(b.CreateLoad(call->getType(), place(b, to.result, at)),
                    place(b, from.offsets.lookup(each.result)));
    }
    b.CreateBr(each.after);
    // There is no more room: the call stays, of something that has no body.
    call->removeFromParent();
    b.SetInsertPoint(full);
    const std::string name = (call->getCalledFunction()->getName() + ".deeper").str();
    llvm::FunctionCallee deeper =
        into_.getParent()->getOrInsertFunction(name, call->getFunctionType());
    call->setCalledFunction(deeper);
    for (llvm::Use& argument : call->args())
      argument.set(llvm::Constant::getNullValue(argument->getType()));
    b.Insert(call);
    b.CreateBr(exit_);
  }

  void emit_returns(const Body& body) {
    for (llvm::ReturnInst* end : body.returns) {
      llvm::IRBuilder<> b(end);
      if (llvm::Value* value = end->getReturnValue()) b.CreateStore(value, place(b, body.result));
      llvm::Value* own = b.CreateLoad(b.getInt32Ty(), at_);
      b.CreateStore(b.CreateLoad(b.getInt32Ty(), place(b, 4, own)), label_);
      b.CreateStore(b.CreateLoad(b.getInt32Ty(), place(b, 0, own)), at_);
      b.CreateBr(dispatch_);
      end->eraseFromParent();
    }
  }

  void emit_ends() {
    llvm::IRBuilder<> b(dispatch_);
    auto* where = b.CreateSwitch(b.CreateLoad(b.getInt32Ty(), label_), exit_);
    for (std::size_t i = 0; i < labels_.size(); ++i)
      where->addCase(b.getInt32(static_cast<std::uint32_t>(i + 1)), labels_[i]);
    const Body& own = bodies_[own_body()];
    b.SetInsertPoint(exit_);
    if (into_.getReturnType()->isVoidTy())
      b.CreateRetVoid();
    else
      b.CreateRet(b.CreateLoad(into_.getReturnType(), place(b, own.result, b.getInt32(0))));
    b.SetInsertPoint(places_end_);
    b.CreateStore(b.getInt32(0), at_);
    b.CreateStore(b.getInt32(0), place(b, 0, b.getInt32(0)));
    b.CreateStore(b.getInt32(0), place(b, 4, b.getInt32(0)));
    for (unsigned i = 0; i < into_.arg_size(); ++i)
      b.CreateStore(into_.getArg(i), place(b, own.offsets.lookup(own.arguments[i]), b.getInt32(0)));
    b.CreateBr(own.begins);
    places_end_->eraseFromParent();
  }
  std::size_t own_body() const { return body_of(&into_); }

  llvm::Function& into_;
  const Group &group_, &originals_;
  const llvm::DataLayout& layout_;
  mutable llvm::IRBuilder<> b_;
  llvm::BasicBlock *entry_ = nullptr, *dispatch_ = nullptr, *exit_ = nullptr;
  llvm::Instruction* places_end_ = nullptr;
  /// Where the frame of what runs begins; where to go on
  llvm::AllocaInst *at_ = nullptr, *label_ = nullptr, *stack_ = nullptr;
  std::uint64_t bytes_ = 0;
  std::vector<Body> bodies_;
  std::vector<Call> calls_;
  std::vector<llvm::BasicBlock*> labels_;
};

}  // namespace

bool put_on_stack(const Group& group) {
  if (!std::all_of(group.begin(), group.end(),
                   [&](const llvm::Function* each) { return can_be_put(group, *each); }))
    return false;
  Group originals;
  for (llvm::Function* function : group) {
    llvm::ValueToValueMapTy values;
    originals.push_back(llvm::CloneFunction(function, values));
    promote(*originals.back());
  }
  for (llvm::Function* function : group) OnStack(*function, group, originals).run();
  for (llvm::Function* original : originals) original->eraseFromParent();
  return true;
}

}  // namespace lanescope
