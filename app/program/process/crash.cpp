#include "program/process/crash.h"

#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

namespace lanescope::app {
namespace {

constexpr std::size_t kStackBytes = 256u << 10;
constexpr unsigned kSecondsToTell = 5;
std::function<void(const Crash&)> teller;

void handle(int number, siginfo_t* info, void* context) {
  // Whatever happens from here on: the signal's own end, and soon.
  for (const int other : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) signal(other, SIG_DFL);
  alarm(kSecondsToTell);
  Crash crash{number, nullptr, info->si_addr};
#if defined(__x86_64__)
  crash.pc = reinterpret_cast<const void*>(
      static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP] + 1);
#else
  (void)context;
#endif
  if (teller) teller(crash);
  alarm(0);
  raise(number);
}

}  // namespace

void tell_crashes(std::function<void(const Crash&)> told) {
  teller = std::move(told);
  stack_t stack{};
  stack.ss_sp = std::malloc(kStackBytes);
  stack.ss_size = kStackBytes;
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    sigaction(number, &action, nullptr);
}

}  // namespace lanescope::app
