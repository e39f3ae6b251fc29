#include "program/process/crash.h"

#include <csignal>
#include <cstdlib>
#include <cstring>

#include "program/process/forked.h"

namespace lanescope::app {
namespace {

using Say = std::function<void(const std::string&)>;

/// Tells its signal, then whether it knows where it was, and what was touched.
void tell_to(const Say& say) {
  tell_crashes([&say](const Crash& crash) { say(std::to_string(crash.signal)); },
               [&say](const Crash& crash) {
                 say(crash.calls.size() > 1 ? " called" : " from nowhere");
                 if (crash.signal == SIGSEGV && crash.address == nullptr) say(" null");
                 if (crash.pc == nullptr) say(" no place");
                 if (crash.stack == nullptr) say(" no stack");
               });
}

int end_of(const Forked& child) { return WIFSIGNALED(child.status) ? WTERMSIG(child.status) : 0; }

TEST(Crash, IsToldAndEndsByItsSignal) {
  const Forked child = in_a_child([](const Say& say) {
    tell_to(say);
    int* volatile nowhere = nullptr;
    *nowhere = 1;
  });
  EXPECT_EQ(end_of(child), SIGSEGV);
  EXPECT_EQ(child.said, std::to_string(SIGSEGV) + " called null");
}

TEST(Crash, AnAbortIsToldToo) {
  const Forked child = in_a_child([](const Say& say) {
    tell_to(say);
    std::abort();
  });
  EXPECT_EQ(end_of(child), SIGABRT);
  EXPECT_EQ(child.said, std::to_string(SIGABRT) + " called");
}

TEST(Crash, OneWhileTellingEndsItAsTheFirst) {
  const Forked child = in_a_child([](const Say& say) {
    tell_crashes([&say](const Crash&) { say("noted"); }, [](const Crash&) { std::abort(); });
    int* volatile nowhere = nullptr;
    *nowhere = 1;
  });
  EXPECT_TRUE(end_of(child) == SIGABRT || end_of(child) == SIGSEGV);
  EXPECT_EQ(child.said, "noted");
}

}  // namespace
}  // namespace lanescope::app
