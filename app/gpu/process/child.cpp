#include "gpu/process/child.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <thread>

#include "core/tasks/process.h"
#include "core/text/messages.h"
#include "gpu/process/worker.h"

namespace lanescope::gpu {

namespace say = app::say;

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

Message described(int status) {
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    return say::ended_by_signal(number, strsignal(number));
  }
  return say::exit_status(WEXITSTATUS(status));
}

}  // namespace

ChildCommand worker_command() { return {{app::own_path(), kWorkerCommand}, {}}; }

Message Child::start(const ChildCommand& command) {
  end();
  int pair[2] = {};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    return say::no_socket(std::strerror(errno));
  pid_ =
      command.function ? fork() : app::start({command.arguments, {{pair[1], kWorkerDescriptor}}});
  if (pid_ < 0) {
    close(pair[0]), close(pair[1]);
    return say::no_new_process(std::strerror(errno));
  }
  if (pid_ == 0) {
    close(pair[0]);  // else it would keep its own line open
    _exit(command.function(pair[1]));
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
  const pid_t pid = app::start({texts, {}, true});
  if (pid < 0) return -1;
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
