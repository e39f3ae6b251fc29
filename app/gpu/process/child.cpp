#include "gpu/process/child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <thread>

#include "core/text/messages.h"
#include "gpu/process/worker.h"

namespace lanescope::gpu {

namespace say = app::say;

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

std::string own_path() {
  char path[4096] = {};
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : "lanescope";
}

// What a kernel or a library prints must reach neither our JSON nor a terminal.
void silence() {
  const int nowhere = open("/dev/null", O_RDWR);
  if (nowhere < 0) return;
  for (const int standard : {0, 1, 2}) dup2(nowhere, standard);
  if (nowhere > 2) close(nowhere);
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

Message described(int status) {
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    return say::ended_by_signal(number, strsignal(number));
  }
  return say::exit_status(WEXITSTATUS(status));
}

}  // namespace

ChildCommand worker_command() { return {{own_path(), kWorkerCommand}, {}}; }

Message Child::start(const ChildCommand& command) {
  end();
  int pair[2] = {};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    return say::no_socket(std::strerror(errno));
  std::vector<char*> arguments = pointers(command.arguments);
  pid_ = fork();
  if (pid_ < 0) {
    close(pair[0]), close(pair[1]);
    return say::no_new_process(std::strerror(errno));
  }
  if (pid_ == 0) {
    close(pair[0]);  // else it would keep its own line open
    if (command.function) _exit(command.function(pair[1]));
    silence();
    dup2(pair[1], kWorkerDescriptor);  // without close-on-exec, unless it is there already
    if (pair[1] == kWorkerDescriptor) fcntl(kWorkerDescriptor, F_SETFD, 0);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  close(pair[1]);
  descriptor_ = pair[0];
  lines_.emplace(descriptor_);
  return {};
}

// A process with a kernel in flight may take the driver a while to end.
Message Child::reap(bool patient) {
  int status = 0;
  const auto leave = Clock::now() + (patient ? 2s : 0s), give_up = leave + 10s;
  for (bool killed = false; Clock::now() < give_up; std::this_thread::sleep_for(2ms)) {
    if (!killed && Clock::now() >= leave) killed = ::kill(pid_, SIGKILL) == 0;
    const pid_t ended = waitpid(pid_, &status, WNOHANG);
    if (ended == 0) continue;
    pid_ = -1;
    return ended > 0 ? described(status) : Message();
  }
  std::thread([pid = pid_] { waitpid(pid, nullptr, 0); }).detach();
  pid_ = -1;
  return say::cannot_be_ended;
}

Message Child::end() {
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = -1;
  return pid_ > 0 ? reap(true) : Message();
}

Message Child::kill() {
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = -1;
  return pid_ > 0 ? reap(false) : Message();
}

int run_program(const std::vector<std::string>& texts, double time_limit_s,
                const std::stop_token& stop) {
  std::vector<char*> arguments = pointers(texts);
  const pid_t pid = fork();
  if (pid < 0) return -1;
  if (pid == 0) {
    setpgid(0, 0);
    silence();
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  const auto deadline = Clock::now() + std::chrono::duration<double>(time_limit_s);
  int status = 0;
  while (waitpid(pid, &status, WNOHANG) == 0) {
    if (stop.stop_requested() || Clock::now() >= deadline) {
      ::kill(-pid, SIGKILL);  // a profiler has a process of its own below it
      waitpid(pid, &status, 0);
      return -1;
    }
    std::this_thread::sleep_for(20ms);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace lanescope::gpu
