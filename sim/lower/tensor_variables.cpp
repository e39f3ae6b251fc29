#include "lower/tensor_variables.h"

#include <llvm/BinaryFormat/Dwarf.h>

#include <algorithm>
#include <utility>

#include "lower/tensor_types.h"

namespace lanescope {
namespace {

/// A scalar in a struct.
struct Scalar {
  std::uint64_t bits = 0;
  const llvm::DIType* type = nullptr;
  [[nodiscard]] bool is_pointer() const { return llvm::isa<llvm::DIDerivedType>(type); }
};

/// Without typedefs and qualifiers.
const llvm::DIType* bare(const llvm::DIType* type) {
  for (;;) {
    const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type);
    if (derived == nullptr || derived->getTag() == llvm::dwarf::DW_TAG_pointer_type) return type;
    type = derived->getBaseType();
  }
}

void add_scalars(const llvm::DIType* type, std::uint64_t bits, std::vector<Scalar>& out) {
  type = bare(type);
  const auto* record = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
  if (record == nullptr) {
    if (type != nullptr) out.push_back({bits, type});
    return;
  }
  for (const llvm::DINode* element : record->getElements()) {
    const auto* part = llvm::dyn_cast<llvm::DIDerivedType>(element);
    if (part == nullptr || part->isStaticMember()) continue;
    if (part->getTag() == llvm::dwarf::DW_TAG_member ||
        part->getTag() == llvm::dwarf::DW_TAG_inheritance)
      add_scalars(part->getBaseType(), bits + part->getOffsetInBits(), out);
  }
}

bool is_tensor(const llvm::DICompositeType& type) {
  const auto* space = llvm::dyn_cast_or_null<llvm::DINamespace>(type.getScope());
  return type.getName().starts_with("Tensor<") && space != nullptr && space->getName() == "cute";
}

}  // namespace

std::optional<TensorVariables::Found> TensorVariables::read(const llvm::DILocalVariable& variable,
                                                            const llvm::DILocation* at) const {
  const auto* type = llvm::dyn_cast_or_null<llvm::DICompositeType>(bare(variable.getType()));
  // What CuTe itself goes through tensors with is no name of the text's.
  const llvm::StringRef file = variable.getFilename();
  if (type == nullptr || !is_tensor(*type) || variable.getName().empty() ||
      (file.contains("/include/cute/") && !tables_.in_text(file)))
    return std::nullopt;
  auto tensor = tensor_of_type(type->getName());
  if (!tensor) return std::nullopt;
  std::vector<Scalar> scalars;
  add_scalars(type, 0, scalars);
  std::stable_sort(scalars.begin(), scalars.end(),
                   [](const Scalar& a, const Scalar& b) { return a.bits < b.bits; });
  // The pointer lies somewhere between the layout's numbers, which keep their order.
  const auto pointer =
      std::find_if(scalars.begin(), scalars.end(), std::mem_fn(&Scalar::is_pointer));
  if (scalars.size() != tensor->run_time.size() || pointer == scalars.end()) return std::nullopt;
  std::rotate(pointer, pointer + 1, scalars.end());
  Found found;
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    tensor->run_time[i].bytes = static_cast<std::uint32_t>(scalars[i].type->getSizeInBits() / 8);
    found.bits.push_back(scalars[i].bits);
  }
  const auto* to = llvm::cast<llvm::DIDerivedType>(scalars.back().type);
  const llvm::DIType* element = bare(to->getBaseType());
  tensor->element_bytes =
      element == nullptr ? 0 : static_cast<std::uint32_t>(element->getSizeInBits() / 8);
  if (tensor->element_bytes == 0) return std::nullopt;
  tensor->name = variable.getName().str();
  tensor->declared = tables_.place(variable.getFilename(), variable.getLine(),
                                   at != nullptr ? at->getColumn() : 0);
  found.is_set.resize(scalars.size());
  found.info = std::move(*tensor);
  return found;
}

void TensorVariables::set(const llvm::DILocalVariable& variable, std::uint64_t bits, int number,
                          std::optional<std::uint64_t> value, const llvm::DILocation* at) {
  const auto [it, added] = index_.try_emplace(&variable, -1);
  if (added)
    if (auto found = read(variable, at)) {
      it->second = static_cast<int>(found_.size());
      found_.push_back(std::move(*found));
    }
  if (it->second < 0) return;
  Found& found = found_[static_cast<std::size_t>(it->second)];
  const auto part = std::find(found.bits.begin(), found.bits.end(), bits) - found.bits.begin();
  const auto i = static_cast<std::size_t>(part);
  if (i == found.bits.size()) return;
  RunTimeNumber& of = found.info.run_time[i];
  of.value = !found.is_set[i] || of.value == value ? value : std::nullopt;
  of.variable = number;
  found.is_set[i] = true;
}

void TensorVariables::finish() {
  for (Found& found : found_) {
    const RunTimeNumber& pointer =
        found.info.run_time[static_cast<std::size_t>(found.info.pointer)];
    if (pointer.value || pointer.variable >= 0)
      tables_.info().tensors.push_back(std::move(found.info));
  }
  found_.clear();
  index_.clear();
}

}  // namespace lanescope
