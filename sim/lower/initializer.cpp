#include "lower/initializer.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>

namespace lanescope {

void write_initializer(const llvm::DataLayout& layout, const llvm::Constant& value,
                       std::span<std::byte> image, std::uint64_t offset) {
  const auto put = [&](std::uint64_t bits, std::uint64_t bytes) {
    for (std::uint64_t i = 0; i < bytes && offset + i < image.size(); ++i)
      image[offset + i] = static_cast<std::byte>(bits >> (8 * i));
  };
  const llvm::Type* type = value.getType();
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
