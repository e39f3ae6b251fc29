#include "core/tasks/process.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

namespace lanescope::app {

namespace {

constexpr int kStandard[] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};

// Between fork and exec only what is safe in a signal handler may be called.
[[noreturn]] void become(const Program& program, char* const* arguments) {
  if (program.own_group) setpgid(0, 0);
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int standard : kStandard)
    if (nowhere >= 0) dup2(nowhere, standard);
  for (const Program::Descriptor& each : program.descriptors) {
    if (each.ours == each.theirs)
      fcntl(each.theirs, F_SETFD, 0);
    else
      dup2(each.ours, each.theirs);  // the copy has no close-on-exec
  }
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

std::string own_path() {
  char path[4096] = {};
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : "lanescope";
}

}  // namespace lanescope::app
