#include "program/process/crash.h"

#include <execinfo.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <utility>

namespace lanescope::app {
namespace {

constexpr std::size_t kStackBytes = 256u << 10;
constexpr unsigned kSecondsToTell = 5;
constexpr int kMostCalls = 128;
std::function<void(const Crash&)> noter, teller;
volatile std::sig_atomic_t ending = 0;

/// Telling took too long.
void give_up(int) { raise(ending); }

void handle(int number, siginfo_t* info, void* context) {
  // Whatever happens from here on: the signal's own end, and soon.
  for (const int other : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) signal(other, SIG_DFL);
  ending = number;
  signal(SIGALRM, give_up);
  alarm(kSecondsToTell);
  Crash crash;
  crash.signal = number;
  crash.address = info->si_addr;
#if defined(__x86_64__)
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  crash.pc = reinterpret_cast<const void*>(registers[REG_RIP] + 1);
  crash.stack = reinterpret_cast<const void*>(registers[REG_RSP]);
#else
  (void)context;
#endif
  if (noter) noter(crash);
  void* calls[kMostCalls];
  const int count = backtrace(calls, kMostCalls);
  crash.calls.assign(calls, calls + count);
  if (teller) teller(crash);
  alarm(0);
  raise(number);
}

}  // namespace

void tell_crashes(std::function<void(const Crash&)> noted, std::function<void(const Crash&)> told) {
  noter = std::move(noted);
  teller = std::move(told);
  // The first time it loads a library, which is nothing for a handler.
  void* one = nullptr;
  backtrace(&one, 1);
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
