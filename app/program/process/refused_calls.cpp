#include "program/process/refused_calls.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "program/process/work_folder.h"

namespace lanescope::app {
namespace {

std::function<void(const std::string&, const void*)> refusal_teller;
std::string work_folder;

void tell(const std::string& what, const void* caller) {
  const int error = errno;
  if (refusal_teller) refusal_teller(what, caller);
  errno = error;
}

int refuse_call(const std::string& what, const void* caller) {
  errno = EPERM;
  tell(what, caller);
  return -1;
}

constexpr const char* kAlone = ": a program runs here without other processes";
constexpr const char* kOffline = ": a program runs here without a network";

int refused_fork() {
  return refuse_call(std::string("fork") + kAlone, __builtin_return_address(0));
}
int refused_system(const char* command) {
  // Without a command it asks whether there is a shell.
  if (command == nullptr) return 0;
  return refuse_call(std::string("system") + kAlone, __builtin_return_address(0));
}
std::FILE* refused_popen(const char*, const char*) {
  refuse_call(std::string("popen") + kAlone, __builtin_return_address(0));
  return nullptr;
}
int refused_exec(const char*, char* const*) {
  return refuse_call(std::string("exec") + kAlone, __builtin_return_address(0));
}
int refused_socket(int, int, int) {
  return refuse_call(std::string("socket") + kOffline, __builtin_return_address(0));
}

/// Open: what the sandbox allows is the kernel's to say.
std::FILE* told_fopen(const char* path, const char* mode) {
  const bool writes = mode != nullptr && std::strpbrk(mode, "wa+") != nullptr;
  if (path != nullptr && mode != nullptr && mode[0] == 'w') make_way(path, work_folder);
  std::FILE* file = std::fopen(path, mode);
  if (file == nullptr && errno == EACCES && writes)
    tell(std::string("fopen: writing to ") + path +
             " is not allowed; --allow-write FOLDER allows a folder",
         __builtin_return_address(0));
  return file;
}

}  // namespace

std::vector<HostFunction>
refused_calls(std::function<void(const std::string& what, const void* caller)> told,
              std::string folder) {
  refusal_teller = std::move(told);
  work_folder = std::move(folder);
  return {host_function("fork", refused_fork),     host_function("vfork", refused_fork),
          host_function("system", refused_system), host_function("popen", refused_popen),
          host_function("execv", refused_exec),    host_function("execvp", refused_exec),
          host_function("execl", refused_exec),    host_function("execlp", refused_exec),
          host_function("socket", refused_socket), host_function("fopen", told_fopen),
          host_function("fopen64", told_fopen)};
}

}  // namespace lanescope::app
