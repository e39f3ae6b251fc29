#include "frontend/crash_guard.h"

#include <llvm/Support/CrashRecoveryContext.h>

#include <csignal>
#include <memory>
#include <mutex>

namespace lanescope {
namespace {

constexpr unsigned kStackBytes = 64u << 20;  // deep templates and expressions recurse

/// A signal handler of its own stack, without which a compiler that has used up this thread's stack
/// could not be stopped. Left behind when the thread crashes.
class AlternateStack {
 public:
  AlternateStack() {
    stack_t stack{};
    stack.ss_sp = memory_.get();
    stack.ss_size = kBytes;
    sigaltstack(&stack, nullptr);
  }
  ~AlternateStack() {
    stack_t stack{};
    stack.ss_flags = SS_DISABLE;
    sigaltstack(&stack, nullptr);
  }

 private:
  static constexpr std::size_t kBytes = 64u << 10;
  std::unique_ptr<char[]> memory_ = std::make_unique<char[]>(kBytes);
};

void enable_recovery() {
  llvm::CrashRecoveryContext::Enable();
  for (const int number : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP}) {
    struct sigaction action {};
    if (sigaction(number, nullptr, &action) != 0) continue;
    action.sa_flags |= SA_ONSTACK;
    sigaction(number, &action, nullptr);
  }
}

}  // namespace

bool survives(const std::function<void()>& work) {
  static std::once_flag once;
  std::call_once(once, enable_recovery);
  llvm::CrashRecoveryContext guard;
  return guard.RunSafelyOnThread(
      [&] {
        const AlternateStack stack;
        work();
      },
      kStackBytes);
}

}  // namespace lanescope
