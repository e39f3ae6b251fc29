#include "program/process/refused_calls.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace lanescope::app {
namespace {

template <class Function>
Function* find(const std::vector<HostFunction>& functions, const char* name) {
  for (const HostFunction& function : functions)
    if (std::strcmp(function.name, name) == 0) return reinterpret_cast<Function*>(function.address);
  return nullptr;
}

struct RefusedCalls : testing::Test {
  std::string told;
  std::vector<HostFunction> functions =
      refused_calls([this](const std::string& what, const void*) { told += what; });
  ~RefusedCalls() override { refused_calls({}); }
};

TEST_F(RefusedCalls, AForkFailsAndIsTold) {
  errno = 0;
  EXPECT_EQ(find<int()>(functions, "fork")(), -1);
  EXPECT_EQ(errno, EPERM);
  EXPECT_EQ(told, "fork: a program runs here without other processes");
}

TEST_F(RefusedCalls, AskingForAShellIsNoMistake) {
  EXPECT_EQ(find<int(const char*)>(functions, "system")(nullptr), 0);
  EXPECT_EQ(told, "");
}

TEST_F(RefusedCalls, FilesOpenAsEver) {
  const auto open = find<std::FILE*(const char*, const char*)>(functions, "fopen");
  std::FILE* null = open("/dev/null", "w");
  ASSERT_NE(null, nullptr);
  std::fclose(null);
  EXPECT_EQ(open("/no/such/file", "r"), nullptr);
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(told, "");
}

}  // namespace
}  // namespace lanescope::app
