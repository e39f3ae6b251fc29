#include "frontend/passes/unaligned.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace lanescope {
namespace {

/// The bytes of each piece; 0 where one access will do.
template <class Access>
unsigned piece_bytes(const Access& access, llvm::Type& type, const llvm::DataLayout& layout) {
  const std::uint64_t bytes = layout.getTypeStoreSize(&type), align = access.getAlign().value();
  const bool is_known =
      type.isIntegerTy() || type.isFloatingPointTy() || type.isPointerTy() || type.isVectorTy();
  if (access.isAtomic() || !is_known || align >= bytes || bytes > 16 ||
      8 * bytes != layout.getTypeSizeInBits(&type) || !llvm::isPowerOf2_64(bytes))
    return 0;
  return static_cast<unsigned>(align);
}

/// The type as one number.
llvm::Value* as_number(llvm::IRBuilder<>& b, llvm::Value* value, llvm::Type* number) {
  return value->getType()->isPointerTy() ? b.CreatePtrToInt(value, number)
                                         : b.CreateBitCast(value, number);
}

void split(llvm::LoadInst& load, unsigned each, const llvm::DataLayout& layout) {
  llvm::IRBuilder<> b(&load);
  const auto bytes = static_cast<unsigned>(layout.getTypeStoreSize(load.getType()));
  llvm::Type* const number = b.getIntNTy(8 * bytes);
  llvm::Value* whole = nullptr;
  for (unsigned at = 0; at < bytes; at += each) {
    llvm::LoadInst* piece = b.CreateAlignedLoad(
        b.getIntNTy(8 * each),
        b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), load.getPointerOperand(), at),
        llvm::Align(each), load.isVolatile(), load.getName());
    llvm::Value* moved = b.CreateShl(b.CreateZExt(piece, number), 8 * at);
    whole = whole == nullptr ? moved : b.CreateOr(whole, moved);
  }
  load.replaceAllUsesWith(load.getType()->isPointerTy() ? b.CreateIntToPtr(whole, load.getType())
                                                        : b.CreateBitCast(whole, load.getType()));
  load.eraseFromParent();
}

void split(llvm::StoreInst& store, unsigned each, const llvm::DataLayout& layout) {
  llvm::IRBuilder<> b(&store);
  llvm::Value* value = store.getValueOperand();
  const auto bytes = static_cast<unsigned>(layout.getTypeStoreSize(value->getType()));
  value = as_number(b, value, b.getIntNTy(8 * bytes));
  for (unsigned at = 0; at < bytes; at += each) {
    llvm::StoreInst* piece = b.CreateAlignedStore(
        b.CreateTrunc(b.CreateLShr(value, 8 * at), b.getIntNTy(8 * each)),
        b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), store.getPointerOperand(), at),
        llvm::Align(each), store.isVolatile());
    piece->copyMetadata(store, {llvm::LLVMContext::MD_access_group});
  }
  store.eraseFromParent();
}

}  // namespace

void split_unaligned(llvm::Function& function) {
  const llvm::DataLayout& layout = function.getDataLayout();
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        if (const unsigned each = piece_bytes(*load, *load->getType(), layout))
          split(*load, each, layout);
      } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
        if (const unsigned each = piece_bytes(*store, *store->getValueOperand()->getType(), layout))
          split(*store, each, layout);
      }
    }
}

}  // namespace lanescope
