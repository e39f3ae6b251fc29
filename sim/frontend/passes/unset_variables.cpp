#include "frontend/passes/unset_variables.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "lower/lower.h"

namespace lanescope {
namespace {

/// Of a struct or small array; what is larger is indexed by what only the run knows, and stays in memory.
constexpr std::size_t kMostLeaves = 64;
constexpr const char* kSeen = "lanescope.seen";

/// A number, or pointer, at an offset in a variable.
struct Leaf {
  std::uint64_t offset = 0;
  llvm::Type* type = nullptr;
  /// Of a leaf that is looked at in pieces, and not yet known as what
  bool is_piece = false;
};

bool add_leaves(const llvm::DataLayout& layout, llvm::Type* type, std::uint64_t offset,
                llvm::SmallVectorImpl<Leaf>& leaves) {
  if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* places = layout.getStructLayout(record);
    for (unsigned i = 0; i < record->getNumElements(); ++i)
      if (!add_leaves(layout, record->getElementType(i), offset + places->getElementOffset(i),
                      leaves))
        return false;
    return true;
  }
  std::uint64_t count = 0;
  llvm::Type* element = nullptr;
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
    count = array->getNumElements(), element = array->getElementType();
  else if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    count = vector->getNumElements(), element = vector->getElementType();
  if (element != nullptr) {
    const std::uint64_t bytes = layout.getTypeAllocSize(element);
    for (std::uint64_t i = 0; i < count && leaves.size() <= kMostLeaves; ++i)
      if (!add_leaves(layout, element, offset + i * bytes, leaves)) return false;
    return leaves.size() <= kMostLeaves;
  }
  const std::uint64_t bits = layout.getTypeSizeInBits(type);
  const bool is_known = type->isIntegerTy() || type->isFloatingPointTy() || type->isPointerTy();
  if (!is_known || (bits != 8 && bits != 16 && bits != 32 && bits != 64)) return false;
  leaves.push_back({offset, type});
  return leaves.size() <= kMostLeaves;
}

/// What becomes of a variable.
class Uses {
 public:
  Uses(const llvm::DataLayout& layout, llvm::SmallVectorImpl<Leaf>& leaves)
      : layout_(layout), leaves_(leaves) {}
  /// False where its address goes where nobody can follow.
  bool follow(llvm::Value& pointer, std::uint64_t offset) {
    return llvm::all_of(pointer.uses(), [&](const llvm::Use& use) { return look(use, offset); });
  }
  llvm::SmallVector<llvm::IntrinsicInst*, 2> begins;
  llvm::SmallPtrSet<const llvm::Instruction*, 8> accesses;

 private:
  bool look(const llvm::Use& use, std::uint64_t offset) {
    auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    if (user == nullptr) return false;
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
      if (load->isVolatile() || load->isAtomic()) return false;
      touch(*load->getType(), offset);
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      if (store->isVolatile() || store->isAtomic() || use.getOperandNo() == 0) return false;
      touch(*store->getValueOperand()->getType(), offset);
    } else if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(user)) {
      if (call->getIntrinsicID() == llvm::Intrinsic::lifetime_start)
        begins.push_back(call);
      else if (call->getIntrinsicID() != llvm::Intrinsic::lifetime_end &&
               !llvm::isa<llvm::MemIntrinsic>(call))
        return false;
    } else if (auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
      llvm::APInt moved(layout_.getIndexTypeSizeInBits(step->getType()), 0);
      return step->accumulateConstantOffset(layout_, moved) && moved.isNonNegative() &&
             follow(*step, offset + moved.getZExtValue());
    } else if (llvm::isa<llvm::AddrSpaceCastInst>(user)) {
      return follow(*user, offset);
    } else {
      return false;
    }
    accesses.insert(user);
    return true;
  }
  /// Leaves that are looked at as something else too, as in a union, are set in the pieces that are looked at:
  /// what is only known as a whole would stay in memory.
  void touch(const llvm::Type& type, std::uint64_t offset) {
    auto* whole = const_cast<llvm::Type*>(&type);
    const std::uint64_t bytes = layout_.getTypeStoreSize(whole),
                        piece = layout_.getTypeStoreSize(whole->getScalarType());
    for (std::uint64_t at = offset; at < offset + bytes; at += piece) {
      cut(at);
      cut(at + piece);
      for (Leaf& leaf : leaves_)
        if (leaf.is_piece && leaf.offset == at &&
            layout_.getTypeSizeInBits(leaf.type) ==
                layout_.getTypeSizeInBits(whole->getScalarType()))
          leaf.type = whole->getScalarType(), leaf.is_piece = false;
    }
  }
  /// No leaf lies on both sides of the place.
  void cut(std::uint64_t place) {
    llvm::LLVMContext& context = leaves_[0].type->getContext();
    const auto piece = [&](std::uint64_t from, std::uint64_t to) {
      return Leaf{from, llvm::IntegerType::get(context, static_cast<unsigned>(8 * (to - from))),
                  true};
    };
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      const std::uint64_t begin = leaves_[i].offset,
                          end = begin + layout_.getTypeStoreSize(leaves_[i].type);
      if (place <= begin || end <= place) continue;
      leaves_[i] = piece(begin, place);
      leaves_.push_back(piece(place, end));
      return;
    }
  }

  const llvm::DataLayout& layout_;
  llvm::SmallVectorImpl<Leaf>& leaves_;
};

/// Whether the first thing that happens to the variable behind `from` sets all of it, as far as its basic
/// block goes.
bool is_set_at_once(const llvm::Instruction& from, const Uses& uses, const llvm::AllocaInst& slot) {
  for (const llvm::Instruction* at = &from; at != nullptr; at = at->getNextNode()) {
    if (!uses.accesses.contains(at) || llvm::isa<llvm::LifetimeIntrinsic>(at)) continue;
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(at);
    return store != nullptr && store->getPointerOperand() == &slot &&
           store->getValueOperand()->getType() == slot.getAllocatedType();
  }
  return false;
}

/// A value of the type that nothing is known of.
llvm::Value* unset(llvm::IRBuilder<>& builder, llvm::Module& module, llvm::Type* type,
                   std::uint32_t variable, llvm::MDNode* name) {
  llvm::LLVMContext& context = module.getContext();
  auto* const bits = builder.getIntNTy(
      static_cast<unsigned>(module.getDataLayout().getTypeSizeInBits(type).getFixedValue()));
  llvm::FunctionCallee callee = module.getOrInsertFunction(
      (kUnset + llvm::Twine(bits->getBitWidth())).str(), bits, builder.getInt32Ty());
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setMemoryEffects(llvm::MemoryEffects::none());
  for (const auto attribute :
       {llvm::Attribute::NoUnwind, llvm::Attribute::WillReturn, llvm::Attribute::Speculatable})
    function->addFnAttr(attribute);
  llvm::CallInst* value = builder.CreateCall(callee, builder.getInt32(variable));
  value->setMetadata(context.getMDKindID(kUnsetName), name);
  return type->isPointerTy() ? builder.CreateIntToPtr(value, type)
                             : builder.CreateBitCast(value, type);
}

void mark(llvm::AllocaInst& slot, std::uint32_t variable) {
  llvm::Function& function = *slot.getFunction();
  const llvm::DataLayout& layout = function.getDataLayout();
  llvm::LLVMContext& context = function.getContext();
  llvm::SmallVector<Leaf, 8> leaves;
  if (!add_leaves(layout, slot.getAllocatedType(), 0, leaves)) return;
  Uses uses(layout, leaves);
  if (!uses.follow(slot, 0)) return;
  llvm::SmallVector<llvm::Instruction*, 2> places;
  for (llvm::IntrinsicInst* begin : uses.begins) places.push_back(begin->getNextNode());
  if (places.empty()) places.push_back(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  llvm::MDNode* name = llvm::MDNode::get(context, llvm::MDString::get(context, slot.getName()));
  for (llvm::Instruction* place : places) {
    if (is_set_at_once(*place, uses, slot)) continue;
    llvm::IRBuilder<> builder(place);
    builder.SetCurrentDebugLocation(llvm::DebugLoc());
    for (const Leaf& leaf : leaves) {
      if (!llvm::isPowerOf2_64(layout.getTypeStoreSize(leaf.type))) continue;
      llvm::Value* to = leaf.offset == 0 ? static_cast<llvm::Value*>(&slot)
                                         : builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(),
                                                                              &slot, leaf.offset);
      builder.CreateStore(unset(builder, *function.getParent(), leaf.type, variable, name), to);
    }
  }
}

}  // namespace

llvm::PreservedAnalyses MarkUnset::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::LLVMContext& context = function.getContext();
  llvm::SmallVector<llvm::AllocaInst*, 16> slots;
  for (llvm::Instruction& instruction : function.getEntryBlock())
    if (auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        slot != nullptr && !slot->isArrayAllocation() && slot->getMetadata(kSeen) == nullptr)
      slots.push_back(slot);
  // The same variable of two calls is told apart by nobody.
  const auto function_id = static_cast<std::uint32_t>(llvm::hash_value(function.getName()));
  std::uint32_t index = 0;
  for (llvm::AllocaInst* slot : slots) {
    slot->setMetadata(kSeen, llvm::MDNode::get(context, {}));
    mark(*slot, function_id + index++);
  }
  return slots.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

void forget_unset_memory(llvm::Module& module) {
  llvm::SmallVector<llvm::Instruction*, 16> gone;
  const auto forget = [&](llvm::Value& value) {
    for (llvm::User* user : value.users())
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
          store != nullptr && store->getValueOperand() == &value && !store->getDebugLoc())
        gone.push_back(store);
  };
  for (llvm::Function& function : module) {
    if (!function.getName().starts_with(kUnset)) continue;
    for (llvm::User* call : function.users()) {
      forget(*call);
      for (llvm::User* user : call->users())
        if (llvm::isa<llvm::CastInst>(user)) forget(*user);
    }
  }
  for (llvm::Instruction* store : gone) store->eraseFromParent();
}

}  // namespace lanescope
