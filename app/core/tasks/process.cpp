#include "core/tasks/process.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

namespace lanescope::app {

namespace {

constexpr int kStandard[] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
constexpr std::size_t kMostDescriptors = 8;
constexpr int kOutOfTheWay = 64;

// Between fork and exec only what is safe in a signal handler may be called.
[[noreturn]] void become(const Program& program, char* const* arguments) {
  if (program.own_group) setpgid(0, 0);
  // Where one is to go, another may still be.
  int copies[kMostDescriptors] = {};
  const std::size_t count = std::min(program.descriptors.size(), kMostDescriptors);
  for (std::size_t i = 0; i < count; ++i)
    copies[i] = fcntl(program.descriptors[i].ours, F_DUPFD_CLOEXEC, kOutOfTheWay);
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int standard : kStandard)
    if (nowhere >= 0) dup2(nowhere, standard);
  for (std::size_t i = 0; i < count; ++i)
    dup2(copies[i], program.descriptors[i].theirs);  // this copy has no close-on-exec
  execvp(arguments[0], arguments);
  _exit(127);
}

}  // namespace

pid_t start(const Program& program) {
  std::vector<char*> arguments;
  for (const std::string& text : program.arguments)
    arguments.push_back(const_cast<char*>(text.c_str()));
  arguments.push_back(nullptr);
  const pid_t id = fork();
  if (id == 0) become(program, arguments.data());
  return id;
}

std::uint64_t memory_taken(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/status", process));
  std::uint64_t kilobytes = 0;
  for (std::string line; std::getline(file, line);)
    for (const std::string_view part : {"RssAnon:", "RssShmem:", "VmSwap:"})
      if (line.starts_with(part))
        kilobytes += std::strtoull(line.c_str() + part.size(), nullptr, 10);
  return kilobytes << 10;
}

std::string own_path() {
  char path[4096] = {};
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : "lanescope";
}

}  // namespace lanescope::app
