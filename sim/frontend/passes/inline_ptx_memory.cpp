// PTX's loads, stores and atomics.
#include <llvm/IR/IntrinsicsNVPTX.h>

#include "frontend/passes/ptx_expansion.h"
#include "lower/lower.h"

namespace lanescope {
namespace {

llvm::AtomicOrdering ordering_of(const PtxAccess& access) {
  if (access.acquires && access.releases) return llvm::AtomicOrdering::AcquireRelease;
  if (access.acquires) return llvm::AtomicOrdering::Acquire;
  if (access.releases) return llvm::AtomicOrdering::Release;
  return llvm::AtomicOrdering::Monotonic;
}

bool is_ordered(const PtxAccess& access) {
  return access.is_relaxed || access.acquires || access.releases;
}

using R = llvm::AtomicRMWInst;
std::optional<R::BinOp> operation_of(const PtxAccess& access) {
  const std::string& name = access.operation;
  const bool is_float = access.type.kind == 'f', is_signed = access.type.kind == 's';
  if (name == "add") return is_float ? R::FAdd : R::Add;
  if (name == "min") return is_float ? R::FMin : is_signed ? R::Min : R::UMin;
  if (name == "max") return is_float ? R::FMax : is_signed ? R::Max : R::UMax;
  if (name == "and") return R::And;
  if (name == "or") return R::Or;
  if (name == "xor") return R::Xor;
  if (name == "exch") return R::Xchg;
  return std::nullopt;
}

}  // namespace

llvm::SyncScope::ID PtxExpansion::scope_of(const PtxAccess& access) const {
  return access.in_block ? b_.getContext().getOrInsertSyncScopeID(kBlockScope)
                         : llvm::SyncScope::ID{llvm::SyncScope::System};
}

bool PtxExpansion::emit_load(const PtxInstruction& instruction) {
  const auto access = access_of(instruction);
  if (!access || instruction.operands.size() < 2) return false;
  const std::vector<PtxOperand> to = flattened(instruction.operands[0]);
  if (to.size() != access->components || access->type.bits * access->components > 128) return false;
  Value from = pointer(instruction.operands[1], access->space);
  if (from == nullptr) return false;
  Type each = value_type(access->type);
  Type type =
      to.size() == 1 ? each : llvm::FixedVectorType::get(each, static_cast<unsigned>(to.size()));
  const llvm::Align align(access->type.bits / 8 * to.size());
  llvm::LoadInst* load =
      b_.CreateAlignedLoad(type, from, align, access->is_volatile || is_ordered(*access));
  if (is_ordered(*access) && to.size() == 1)
    load->setAtomic(ordering_of(*access), scope_of(*access));
  for (std::size_t i = 0; i < to.size(); ++i) {
    Value value = to.size() == 1 ? load : b_.CreateExtractElement(load, i);
    if (!write(to[i], value, access->type.kind == 's')) return false;
  }
  return true;
}

/// st.async [a], b, [mbarrier]: the store, whose bytes the mbarrier then waits for no longer.
bool PtxExpansion::emit_async_store(const PtxInstruction& instruction) {
  PtxInstruction store = instruction;
  std::erase(store.opcode, "async");
  const bool is_counted = std::erase(store.opcode, "mbarrier::complete_tx::bytes") != 0;
  const auto access = access_of(store);
  if (!access || !is_counted || store.operands.size() != 3) return false;
  Value mbarrier = pointer(store.operands[2], MemorySpace::shared);
  if (mbarrier == nullptr || !emit_store(store)) return false;
  const unsigned bytes = access->type.bits / 8 * access->components;
  return call_meaning("ptx_mbarrier_complete_tx",
                      {b_.CreateAddrSpaceCast(mbarrier, b_.getPtrTy()), b_.getInt32(bytes)});
}

bool PtxExpansion::emit_store(const PtxInstruction& instruction) {
  if (instruction.opcode.size() > 1 && instruction.opcode[1] == "async")
    return emit_async_store(instruction);
  const auto access = access_of(instruction);
  if (!access || instruction.operands.size() < 2) return false;
  const std::vector<PtxOperand> from = flattened(instruction.operands[1]);
  if (from.size() != access->components || access->type.bits * access->components > 128)
    return false;
  Value to = pointer(instruction.operands[0], access->space);
  if (to == nullptr) return false;
  Type each = value_type(access->type);
  Type type = llvm::FixedVectorType::get(each, static_cast<unsigned>(from.size()));
  Value whole = from.size() == 1 ? nullptr : llvm::PoisonValue::get(type);
  for (std::size_t i = 0; i < from.size(); ++i) {
    Value value = read(from[i], each);
    if (value == nullptr) return false;
    whole = whole == nullptr ? value : b_.CreateInsertElement(whole, value, i);
  }
  const llvm::Align align(access->type.bits / 8 * from.size());
  llvm::StoreInst* store =
      b_.CreateAlignedStore(whole, to, align, access->is_volatile || is_ordered(*access));
  if (is_ordered(*access) && from.size() == 1)
    store->setAtomic(ordering_of(*access), scope_of(*access));
  return true;
}

/// atom d, [a], b{, c}; red [a], b: the same without a result.
bool PtxExpansion::emit_atomic(const PtxInstruction& instruction) {
  const bool has_result = instruction.opcode[0] == "atom";
  const std::vector<PtxOperand>& operands = instruction.operands;
  const auto access = access_of(instruction);
  const std::size_t first = has_result;
  if (!access || operands.size() < first + 2 || access->components != 1) return false;
  const bool compares = access->operation == "cas";
  if (compares && operands.size() < first + 3) return false;
  Value address = pointer(operands[first], access->space);
  Type type = value_type(access->type);
  Value expected = compares ? read(operands[first + 1], type) : nullptr;
  Value operand = read(operands[first + (compares ? 2 : 1)], type);
  if (address == nullptr || operand == nullptr || (compares && expected == nullptr)) return false;
  Value old = nullptr;
  if (access->type.kind == 'h') {
    // f16, bf16 and two of either have operations of their own, which add.
    if (access->operation != "add") return false;
    llvm::FunctionCallee add =
        functions_.module.getOrInsertFunction("lanescope_atomic_add_" + instruction.opcode.back(),
                                              b_.getInt32Ty(), b_.getPtrTy(), b_.getInt32Ty());
    llvm::cast<llvm::Function>(add.getCallee())->setConvergent();
    old = b_.CreateCall(
        add, {b_.CreateAddrSpaceCast(address, b_.getPtrTy()), fit(operand, b_.getInt32Ty())});
  } else {
    old = atomic_result(*access, address, operand, expected);
  }
  return old != nullptr && (!has_result || write(operands[0], old));
}

llvm::Value* PtxExpansion::atomic_result(const PtxAccess& access, Value address, Value operand,
                                         Value expected) {
  if (access.operation == "cas") {
    const llvm::AtomicOrdering failure =
        access.acquires ? llvm::AtomicOrdering::Acquire : llvm::AtomicOrdering::Monotonic;
    return b_.CreateExtractValue(b_.CreateAtomicCmpXchg(address, expected, operand,
                                                        llvm::MaybeAlign(), ordering_of(access),
                                                        failure, scope_of(access)),
                                 0);
  }
  if (access.operation == "inc" || access.operation == "dec") {
    const auto which = access.operation == "inc" ? llvm::Intrinsic::nvvm_atomic_load_inc_32
                                                 : llvm::Intrinsic::nvvm_atomic_load_dec_32;
    if (access.type.bits != 32) return nullptr;
    return b_.CreateIntrinsic(which, {address->getType()}, {address, operand});
  }
  const auto operation = operation_of(access);
  if (!operation) return nullptr;
  return b_.CreateAtomicRMW(*operation, address, operand, llvm::MaybeAlign(), ordering_of(access),
                            scope_of(access));
}

}  // namespace lanescope
