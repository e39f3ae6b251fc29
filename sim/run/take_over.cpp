// When machine code takes over from the interpreter.
#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "run/grid_run.h"

namespace lanescope {
namespace {

using Seconds = std::chrono::duration<double>;
/// Before that nobody waits, and nothing can be told of how long the rest will take.
constexpr double kSoon = 0.01;

/// Buffers that are filled where they are touched are the interpreter's.
bool machine_is_complete(const Machine& machine) {
  return std::none_of(machine.regions.begin(), machine.regions.end(),
                      [](const Region& region) { return region.deferred != nullptr; });
}

/// As asked; tests may choose for a whole process.
Engine chosen(Engine asked) {
  static const std::string_view named = [] {
    const char* text = std::getenv("LANESCOPE_ENGINE");
    return std::string_view(text != nullptr ? text : "");
  }();
  if (asked != Engine::automatic) return asked;
  return named == "compiled"      ? Engine::compiled
         : named == "interpreter" ? Engine::interpreter
                                  : Engine::automatic;
}

}  // namespace

BlockRunner GridRun::runner_for(Machine& machine) {
  BlockRunner runner(machine, choose_executor(false), budget());
  const std::lock_guard lock(shared_.mutex);
  if (start_ == std::chrono::steady_clock::time_point{})
    start_ = told_ = std::chrono::steady_clock::now();
  const Engine engine = chosen(control_.engine);
  if (engine == Engine::interpreter || !machine_is_complete(machine)) return runner;
  CompiledForms& forms = CompiledForms::of(program_);
  use_compiled(machine, runner,
               engine == Engine::compiled ? forms.make(machine) : forms.find(machine));
  return runner;
}

void GridRun::use_compiled(Machine& machine, BlockRunner& runner,
                           const std::shared_ptr<const CompiledKernel>& kernel) {
  if (kernel == nullptr) return;
  compiled_ = kernel;
  machine.compiled = kernel.get();
  runner.use(execute_compiled, execute_compiled_block);
}

void GridRun::take_over(Machine& machine, BlockRunner& runner, std::uint64_t done) {
  if (machine.compiled != nullptr || chosen(control_.engine) != Engine::automatic) return;
  if (runner.has_waited()) return;  // of machine code nobody sees what it waits for
  const auto now = std::chrono::steady_clock::now();
  std::unique_lock lock(shared_.mutex);
  if (compiled_ != nullptr) return use_compiled(machine, runner, compiled_);
  const double waited = Seconds(now - told_).count(), all = Seconds(now - start_).count();
  if (waited < kSoon || done == 0 || !machine_is_complete(machine)) return;
  told_ = now;
  const auto left = static_cast<double>(list_.size() - std::min(done, list_.size()));
  CompiledForms& forms = CompiledForms::of(program_);
  if (!forms.pays(program_.lean, waited, all * left / static_cast<double>(done))) return;
  lock.unlock();
  // The other workers go on as they are.
  const auto kernel = forms.make(machine);
  lock.lock();
  use_compiled(machine, runner, kernel);
}

}  // namespace lanescope
