// Errors, versions, and the profiler's switches.
#include <iterator>

#include "program/runtime/state.h"

namespace {

struct ErrorText {
  int code;
  const char* name;
  const char* text;
};
constexpr ErrorText kErrors[] = {
#define LANESCOPE_ERROR(name, value, text) {value, #name, text},
#include "frontend/prelude/host/lanescope_runtime_errors.h"
#undef LANESCOPE_ERROR
};

const ErrorText* find_error(cudaError_t code) {
  for (const ErrorText& error : kErrors)
    if (error.code == static_cast<int>(code)) return &error;
  return nullptr;
}

}  // namespace

using namespace lanescope::app;

// Asking for the last error is no use of the device: it neither waits nor learns of a fault that a
// launch left behind.
cudaError_t cudaGetLastError() {
  const std::lock_guard lock(runtime_mutex());
  return last_error(true);
}
cudaError_t cudaPeekAtLastError() {
  const std::lock_guard lock(runtime_mutex());
  return last_error(false);
}
const char* cudaGetErrorName(cudaError_t error) {
  const ErrorText* found = find_error(error);
  return found == nullptr ? "unrecognized error code" : found->name;
}
const char* cudaGetErrorString(cudaError_t error) {
  const ErrorText* found = find_error(error);
  return found == nullptr ? "unrecognized error code" : found->text;
}

namespace {

cudaError_t give_version(const Call& call, int* version) {
  if (version == nullptr) return call.fail(cudaErrorInvalidValue, "nowhere to put the version");
  *version = 13000;
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaDriverGetVersion(int* version) {
  return answer(LANESCOPE_CALL, [&](const Call& call) { return give_version(call, version); });
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  return answer(LANESCOPE_CALL, [&](const Call& call) { return give_version(call, version); });
}

cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }
