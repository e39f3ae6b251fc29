#include "compiled/compiled_forms.h"

#include <algorithm>

namespace lanescope {
namespace {

/// Forms kept for launches of different arguments.
constexpr std::size_t kMostForms = 8;
/// Measured: what making code takes, in seconds, and by operation of the program.
constexpr double kAlways = 0.02, kByOperation = 0.0003;

}  // namespace

CompiledForms& CompiledForms::of(const FlatProgram& program) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (program.compiled_forms == nullptr) program.compiled_forms = std::make_shared<CompiledForms>();
  return *program.compiled_forms;
}

std::shared_ptr<const CompiledKernel> CompiledForms::find(const Machine& machine) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(kernels_.begin(), kernels_.end(),
                                  [&](const auto& kernel) { return kernel->fits(machine); });
  return found == kernels_.end() ? nullptr : *found;
}

std::shared_ptr<const CompiledKernel> CompiledForms::make(const Machine& machine) {
  if (auto known = find(machine)) return known;
  auto kernel = CompiledKernel::make(machine);
  const std::lock_guard lock(mutex_);
  making_ = false;
  waited_ = 0;
  impossible_ = kernel == nullptr;
  if (kernel == nullptr) return nullptr;
  if (kernels_.size() == kMostForms) kernels_.erase(kernels_.begin());
  kernels_.push_back(kernel);
  return kernel;
}

bool CompiledForms::pays(const FlatCode& code, double waited, double left) {
  const std::lock_guard lock(mutex_);
  waited_ += waited;
  if (making_ || impossible_ || !can_be_compiled(code)) return false;
  // A long launch pays for itself; short ones together, if they go on coming.
  const double cost = kAlways + kByOperation * static_cast<double>(code.ops.size());
  return making_ = left > 2 * cost || waited_ > 3 * cost;
}

}  // namespace lanescope
