// Machine code that a program has already, and whether it pays to make more.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "compiled/compiled.h"

namespace lanescope {

/// Of one program; shared by all runs of it.
class CompiledForms {
 public:
  static CompiledForms& of(const FlatProgram& program);

  /// For launches like the machine's; null if there is none.
  std::shared_ptr<const CompiledKernel> find(const Machine& machine);
  /// Made now; null where it cannot be. One thread at a time makes some.
  std::shared_ptr<const CompiledKernel> make(const Machine& machine);
  /// `waited` seconds have been spent in the interpreter since the last call, and about `left` more will
  /// be: is it worth making some? If so, the caller is to make it.
  bool pays(const FlatCode& code, double waited, double left);

 private:
  std::mutex mutex_;
  std::vector<std::shared_ptr<const CompiledKernel>> kernels_;
  /// In the interpreter, since something was made
  double waited_ = 0;
  bool making_ = false, impossible_ = false;
};

}  // namespace lanescope
