#include "program/process/fresh_memory.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace lanescope::app {
namespace {

void* zeros(std::size_t bytes) { return std::calloc(1, bytes); }

void* new_zeros_or_null(std::size_t bytes, const std::nothrow_t&) noexcept {
  return std::calloc(1, std::max<std::size_t>(bytes, 1));
}

/// What is to be had no other way is asked of the real one, which throws.
void* new_zeros(std::size_t bytes) {
  void* memory = new_zeros_or_null(bytes, std::nothrow);
  return memory != nullptr ? memory : ::operator new(bytes);
}

}  // namespace

std::vector<HostFunction> fresh_memory() {
  return {host_function("malloc", zeros), host_function("_Znwm", new_zeros),
          host_function("_Znam", new_zeros),
          host_function("_ZnwmRKSt9nothrow_t", new_zeros_or_null),
          host_function("_ZnamRKSt9nothrow_t", new_zeros_or_null)};
}

}  // namespace lanescope::app
