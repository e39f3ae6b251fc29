#include "program/process/refused_calls.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "program/process/work_folder.h"

namespace lanescope::app {
namespace {

std::function<void(const std::string&, const void*)> teller;
std::string work_folder;

void tell(const std::string& what, const void* caller) {
  const int error = errno;
  if (teller) teller(what, caller);
  errno = error;
}

int refuse(const std::string& what, const void* caller) {
  errno = EPERM;
  tell(what, caller);
  return -1;
}

constexpr const char* kAlone = ": a program runs here without other processes";
constexpr const char* kOffline = ": a program runs here without a network";

int refused_fork() { return refuse(std::string("fork") + kAlone, __builtin_return_address(0)); }
int refused_system(const char* command) {
  // Without a command it asks whether there is a shell.
  if (command == nullptr) return 0;
  return refuse(std::string("system") + kAlone, __builtin_return_address(0));
}
std::FILE* refused_popen(const char*, const char*) {
  refuse(std::string("popen") + kAlone, __builtin_return_address(0));
  return nullptr;
}
int refused_exec(const char*, char* const*) {
  return refuse(std::string("exec") + kAlone, __builtin_return_address(0));
}
int refused_socket(int, int, int) {
  return refuse(std::string("socket") + kOffline, __builtin_return_address(0));
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

template <class Function>
HostFunction entry(const char* name, Function* function) {
  return {name, reinterpret_cast<void*>(function)};
}

}  // namespace

std::vector<HostFunction>
refused_calls(std::function<void(const std::string& what, const void* caller)> told,
              std::string folder) {
  teller = std::move(told);
  work_folder = std::move(folder);
  return {
      entry("fork", refused_fork),   entry("vfork", refused_fork),  entry("system", refused_system),
      entry("popen", refused_popen), entry("execv", refused_exec),  entry("execvp", refused_exec),
      entry("execl", refused_exec),  entry("execlp", refused_exec), entry("socket", refused_socket),
      entry("fopen", told_fopen),    entry("fopen64", told_fopen)};
}

}  // namespace lanescope::app
