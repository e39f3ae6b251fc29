// Which of a kernel's variables are tensors of CuTe, and what their parts hold: from debug info.
#pragma once

#include <llvm/IR/DebugInfoMetadata.h>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "lower/lower_tables.h"

namespace lanescope {

class TensorVariables {
 public:
  explicit TensorVariables(LowerTables& tables) : tables_(tables) {}

  /// The part of a variable that begins `bits` behind its beginning is set: to a constant, if `value`.
  /// `number`: index in KernelInfo::variables, -1 where it is none of the kernel text's.
  void set(const llvm::DILocalVariable& variable, std::uint64_t bits, int number,
           std::optional<std::uint64_t> value, const llvm::DILocation* at);
  /// Into KernelInfo::tensors, those whose pointer can be known.
  void finish();

 private:
  struct Found {
    TensorInfo info;
    /// Of each run-time number
    std::vector<std::uint64_t> bits;
    std::vector<bool> is_set;
  };
  std::optional<Found> read(const llvm::DILocalVariable& variable,
                            const llvm::DILocation* at) const;

  LowerTables& tables_;
  /// Index in `found_`, in the order in which they are set; -1 of what is no tensor
  std::map<const llvm::DILocalVariable*, int> index_;
  std::vector<Found> found_;
};

}  // namespace lanescope
