#include "lower/initializer.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/Support/xxhash.h>

namespace lanescope {

std::uint64_t function_address(std::string_view symbol) {
  // Below every window of lanescope/memory.h, and far from null.
  constexpr std::uint64_t kFunctionWindow = 0x0000'0006'0000'0000ull;
  return kFunctionWindow + (llvm::xxh3_64bits(llvm::StringRef(symbol)) & 0x0fff'ffffull) * 16;
}

void write_initializer(const llvm::DataLayout& layout, const llvm::Constant& value,
                       std::span<std::byte> image, std::uint64_t offset) {
  const auto put = [&](std::uint64_t bits, std::uint64_t bytes) {
    for (std::uint64_t i = 0; i < bytes && offset + i < image.size(); ++i)
      image[offset + i] = static_cast<std::byte>(bits >> (8 * i));
  };
  const llvm::Type* type = value.getType();
  if (type->isPointerTy()) {
    const llvm::Value* to = value.stripPointerCasts();
    if (const auto* function = llvm::dyn_cast<llvm::Function>(to))
      put(function_address(function->getName()), 8);
    // What a function's address has become already.
    if (const auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(to);
        cast != nullptr && cast->getOpcode() == llvm::Instruction::IntToPtr)
      write_initializer(layout, *cast->getOperand(0), image, offset);
    return;
  }
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value))
    return put(number->getZExtValue(), layout.getTypeStoreSize(value.getType()));
  if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(&value))
    return put(number->getValueAPF().bitcastToAPInt().getZExtValue(),
               layout.getTypeStoreSize(value.getType()));
  if (const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(&value)) {
    for (unsigned i = 0; i < data->getNumElements(); ++i)
      write_initializer(layout, *data->getElementAsConstant(i), image,
                        offset + i * data->getElementByteSize());
  } else if (const auto* record = llvm::dyn_cast<llvm::ConstantStruct>(&value)) {
    const auto* fields = layout.getStructLayout(record->getType());
    for (unsigned i = 0; i < record->getNumOperands(); ++i)
      write_initializer(layout, *record->getOperand(i), image,
                        offset + fields->getElementOffset(i));
  } else if (const auto* array = llvm::dyn_cast<llvm::ConstantAggregate>(&value);
             array != nullptr && (type->isArrayTy() || type->isVectorTy())) {
    const std::uint64_t stride = layout.getTypeAllocSize(array->getOperand(0)->getType());
    for (unsigned i = 0; i < array->getNumOperands(); ++i)
      write_initializer(layout, *array->getOperand(i), image, offset + i * stride);
  }
}

}  // namespace lanescope
