#include "program/process/sandbox.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>

namespace lanescope::app {
namespace {

// ---- files: landlock, which is system calls without a library ----

constexpr std::uint64_t kWriting = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                   LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                   LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                                   LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                   LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
constexpr std::uint64_t kWritingAFile = LANDLOCK_ACCESS_FS_WRITE_FILE;

bool allow(int rules, const std::string& path) {
  const int folder = open(path.c_str(), O_PATH | O_CLOEXEC);
  if (folder < 0) return false;
  landlock_path_beneath_attr rule{};
  rule.allowed_access = std::filesystem::is_directory(path) ? kWriting : kWritingAFile;
  rule.parent_fd = folder;
  const bool fine =
      syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
  close(folder);
  return fine;
}

bool bound_files(const std::vector<std::string>& writable) {
  landlock_ruleset_attr attributes{};
  attributes.handled_access_fs = kWriting;
  const int rules =
      static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0));
  if (rules < 0) return false;
  bool fine = true;
  for (const std::string& path : writable) fine = allow(rules, path) && fine;
  // What every program may write to; not there in every container.
  for (const char* path : {"/dev/null", "/dev/tty", "/dev/full"}) allow(rules, path);
  fine = syscall(SYS_landlock_restrict_self, rules, 0) == 0 && fine;
  close(rules);
  return fine;
}

// ---- system calls: seccomp ----

bool bound_calls() {
  const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (filter == nullptr) return false;
  bool fine = true;
  const auto refuse = [&](int call, int error, auto... conditions) {
    fine = seccomp_rule_add(filter, SCMP_ACT_ERRNO(static_cast<std::uint32_t>(error)), call,
                            sizeof...(conditions), conditions...) == 0 &&
           fine;
  };
  for (const int call : {SCMP_SYS(socket),
                         SCMP_SYS(socketpair),
                         SCMP_SYS(execve),
                         SCMP_SYS(execveat),
                         SCMP_SYS(fork),
                         SCMP_SYS(vfork),
                         SCMP_SYS(ptrace),
                         SCMP_SYS(process_vm_readv),
                         SCMP_SYS(process_vm_writev),
                         SCMP_SYS(unshare),
                         SCMP_SYS(setns),
                         SCMP_SYS(mount),
                         SCMP_SYS(bpf),
                         SCMP_SYS(perf_event_open),
                         SCMP_SYS(io_uring_setup),
                         SCMP_SYS(keyctl),
                         SCMP_SYS(userfaultfd),
                         SCMP_SYS(memfd_create),
                         SCMP_SYS(setpgid),
                         SCMP_SYS(setsid)})
    refuse(call, EPERM);
  // Threads, but no processes. The newer call hides its flags behind a pointer: without it, the C
  // library takes the older one.
  constexpr std::uint64_t kThread = 0x00010000;  // CLONE_THREAD
  refuse(SCMP_SYS(clone), EPERM, SCMP_CMP(0, SCMP_CMP_MASKED_EQ, kThread, 0));
  refuse(SCMP_SYS(clone3), ENOSYS);
  const auto own = static_cast<std::uint64_t>(getpid());
  for (const int call : {SCMP_SYS(kill), SCMP_SYS(tgkill)})
    refuse(call, EPERM, SCMP_CMP(0, SCMP_CMP_NE, own));
  fine = seccomp_load(filter) == 0 && fine;
  seccomp_release(filter);
  return fine;
}

void go_first() {
  const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  // Where it cannot be had, the bound that the parent watches is all there is.
  if (write(file, "1000", 4) != 4) errno = 0;
  close(file);
}

}  // namespace

std::vector<std::string> enter_sandbox(const SandboxOptions& options) {
  std::vector<std::string> lacking;
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  go_first();
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) lacking.emplace_back("no new privileges");
  if (!bound_files(options.writable)) lacking.emplace_back("no writing outside its folder");
  if (!bound_calls()) lacking.emplace_back("no network and no other processes");
  return lacking;
}

}  // namespace lanescope::app
