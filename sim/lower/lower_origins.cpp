// Which loads the components of a stored value may be of, unchanged.
#include <llvm/ADT/SmallSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>

#include "lower/lower_function.h"

namespace lanescope {
namespace {

/// One component of a value.
using Component = std::pair<const llvm::Value*, std::uint32_t>;
constexpr std::uint32_t kAny = ValueSource::kAny;
/// One component of what a load brings.
using Origin = std::pair<const llvm::LoadInst*, std::uint32_t>;
/// Loads that one component may be of; a chain of more guards tells nobody anything.
constexpr std::size_t kMostOrigins = 8;

std::uint32_t lanes_of(const llvm::Type& type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  return vector == nullptr ? 1 : vector->getNumElements();
}

std::uint32_t index_of(const llvm::Value& index) {
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&index);
  return number == nullptr ? kAny : static_cast<std::uint32_t>(number->getZExtValue());
}

/// Gathers the loads behind one component of a stored value.
class Origins {
 public:
  explicit Origins(std::function<bool(const llvm::PHINode&)> comes_round)
      : comes_round_(std::move(comes_round)) {}

  /// Empty where something may be computed, or where there are too many.
  llvm::SmallVector<Origin, 8> of(const Component& stored) {
    work_ = {stored};
    while (!work_.empty()) {
      const Component next = work_.pop_back_val();
      if (llvm::isa<llvm::Constant>(next.first) || !seen_.insert(next).second) continue;
      if (!follow(*next.first, next.second) || found_.size() > kMostOrigins) return {};
    }
    return found_;
  }

 private:
  void push(const llvm::Value* value, std::uint32_t component) {
    work_.push_back({value, component});
  }

  bool follow(const llvm::Value& value, std::uint32_t component) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value)) {
      // What the thread has put together itself
      if (!llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(load->getPointerOperand())))
        found_.push_back({load, component});
      return true;
    }
    if (llvm::isa<llvm::BitCastInst, llvm::FreezeInst, llvm::ZExtInst, llvm::SExtInst>(value)) {
      const llvm::Value* from = llvm::cast<llvm::User>(value).getOperand(0);
      push(from, lanes_of(*from->getType()) == lanes_of(*value.getType()) ? component : kAny);
      return true;
    }
    if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(&value)) {
      push(select->getTrueValue(), component), push(select->getFalseValue(), component);
      return true;
    }
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value)) {
      if (comes_round_(*phi)) return false;
      for (const llvm::Value* incoming : phi->incoming_values()) push(incoming, component);
      return true;
    }
    return follow_vector(value, component);
  }

  bool follow_vector(const llvm::Value& value, std::uint32_t component) {
    if (const auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(&value)) {
      push(extract->getVectorOperand(), index_of(*extract->getIndexOperand()));
    } else if (const auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&value)) {
      const std::uint32_t at = index_of(*insert->getOperand(2));
      const bool may_be_any = component == kAny || at == kAny;
      if (may_be_any || at == component) push(insert->getOperand(1), 0);
      if (may_be_any || at != component) push(insert->getOperand(0), component);
    } else if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&value)) {
      const std::uint32_t width = lanes_of(*shuffle->getOperand(0)->getType());
      const int from = component == kAny ? -1 : shuffle->getMaskValue(component);
      if (component == kAny) {
        push(shuffle->getOperand(0), kAny), push(shuffle->getOperand(1), kAny);
      } else if (from >= 0) {
        const auto taken = static_cast<std::uint32_t>(from);
        push(shuffle->getOperand(taken < width ? 0 : 1), taken % width);
      }
    } else {
      return false;
    }
    return true;
  }

  std::function<bool(const llvm::PHINode&)> comes_round_;
  llvm::SmallVector<Component, 8> work_;
  llvm::SmallVector<Origin, 8> found_;
  llvm::SmallSet<Component, 16> seen_;
};

}  // namespace

void LowerFunction::link_value(const llvm::StoreInst& store, std::uint32_t access) {
  const llvm::Value& stored = *store.getValueOperand();
  for (std::uint32_t i = 0; i < lanes_of(*stored.getType()); ++i) {
    Origins origins([this](const llvm::PHINode& phi) { return comes_round(phi); });
    for (const auto& [load, part] : origins.of({&stored, i})) {
      if (const auto it = access_of_.find(load); it != access_of_.end())
        tables_.link_store(access, {i, static_cast<int>(it->second), part});
    }
  }
}

// A loop's value: what it was the time before, when a newer one may have been loaded since.
bool LowerFunction::comes_round(const llvm::PHINode& phi) {
  if (!dominators_) dominators_.emplace(function_);
  return llvm::any_of(phi.blocks(), [&](const llvm::BasicBlock* from) {
    return dominators_->dominates(phi.getParent(), from);
  });
}

}  // namespace lanescope
