// The host code of a whole program, made into machine code in this process.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lanescope/whole_program.h"

namespace lanescope {

/// A function that the host code may call by its link name.
struct HostFunction {
  const char* name = nullptr;
  void* address = nullptr;
};
template <class Function>
HostFunction host_function(const char* name, Function* function) {
  return {name, reinterpret_cast<void*>(function)};
}

struct HostPlace {
  /// As the compiler was given it; empty if unknown
  std::string file;
  std::uint32_t line = 0;
  /// The function, demangled
  std::string function;
};

class HostCode {
 public:
  virtual ~HostCode() = default;
  /// Constructors of static objects, main, their destructors. Once.
  virtual int run(const std::vector<std::string>& arguments) = 0;
  /// What an address in the host code belongs to; `pc` is inside the instruction, or just behind a call.
  [[nodiscard]] virtual HostPlace where(const void* pc) const = 0;
};

struct HostCodeResult {
  /// Null when there are errors: no main, several, or a variable that nobody defines
  std::unique_ptr<HostCode> code;
  std::vector<Diagnostic> diagnostics;
};

/// Functions come from the texts, from `functions`, then from this process. One that is nowhere is a
/// call of `missing` with its demangled name and the place of the call, when it is called.
HostCodeResult load_host_code(std::span<const CompiledText> texts,
                              std::span<const HostFunction> functions,
                              void (*missing)(const char* name, const void* caller));

}  // namespace lanescope
