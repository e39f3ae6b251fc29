#include "program/process/sandbox.h"

#include <sys/socket.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <thread>

#include "core/tasks/scratch.h"
#include "program/process/forked.h"

namespace lanescope::app {
namespace {

using Say = std::function<void(const std::string&)>;

bool can_write(const std::string& path) {
  std::ofstream file(path);
  file << "x" << std::flush;
  return file.good();
}

/// What a sandboxed child says, or nothing where this machine's kernel cannot hold it.
std::string in_the_sandbox(const std::vector<std::string>& writable,
                           const std::function<void(const Say&)>& body) {
  const Forked child = in_a_child([&](const Say& say) {
    if (!enter_sandbox({writable}).empty())
      say("unbounded");
    else
      body(say);
  });
  EXPECT_EQ(child.status, 0);
  return child.said;
}

#define SKIP_WHERE_UNBOUNDED(said)                                                                 \
  if ((said) == "unbounded") GTEST_SKIP() << "this machine's kernel has no such bounds"

TEST(Sandbox, OneFolderMayBeWrittenTo) {
  const Scratch inside, outside;
  const std::string said = in_the_sandbox({inside.path()}, [&](const Say& say) {
    say(can_write(inside.path() + "/a") ? "inside " : "");
    say(can_write(outside.path() + "/a") ? "outside " : "");
    say(std::remove((inside.path() + "/a").c_str()) == 0 ? "removed" : "");
  });
  SKIP_WHERE_UNBOUNDED(said);
  EXPECT_EQ(said, "inside removed");
}

TEST(Sandbox, WhatIsThereMayBeRead) {
  const Scratch folder;
  ASSERT_TRUE(can_write(folder.path() + "/a"));
  const std::string said = in_the_sandbox({}, [&](const Say& say) {
    std::string word;
    std::ifstream(folder.path() + "/a") >> word;
    say(word);
    say(can_write(folder.path() + "/a") ? " written" : " kept");
  });
  SKIP_WHERE_UNBOUNDED(said);
  EXPECT_EQ(said, "x kept");
}

TEST(Sandbox, ThereIsNoNetworkAndNoOtherProcess) {
  const std::string said = in_the_sandbox({}, [](const Say& say) {
    const auto tell = [&say](const char* what, long result) {
      say(std::string(what) + (result < 0 ? std::strerror(errno) : "allowed") + "; ");
    };
    tell("socket: ", socket(AF_INET, SOCK_STREAM, 0));
    const pid_t child = fork();
    if (child == 0) _exit(0);
    tell("fork: ", child);
    char name[] = "true";
    char* arguments[] = {name, nullptr};
    tell("exec: ", execv("/bin/true", arguments));
    tell("kill: ", kill(getppid(), 0));
  });
  SKIP_WHERE_UNBOUNDED(said);
  EXPECT_EQ(said, "socket: Operation not permitted; fork: Operation not permitted; "
                  "exec: Operation not permitted; kill: Operation not permitted; ");
}

TEST(Sandbox, ThereAreThreads) {
  const std::string said =
      in_the_sandbox({}, [](const Say& say) { std::thread([&] { say("a thread"); }).join(); });
  SKIP_WHERE_UNBOUNDED(said);
  EXPECT_EQ(said, "a thread");
}

TEST(Sandbox, AFolderThatIsNotThereIsToldAsLacking) {
  const Forked child = in_a_child([](const Say& say) {
    for (const std::string& lacking : enter_sandbox({{"/no/such/folder"}})) say(lacking);
  });
  EXPECT_NE(child.said.find("writing"), std::string::npos);
}

}  // namespace
}  // namespace lanescope::app
