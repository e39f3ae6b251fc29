// What is known of a compiled kernel before it runs: parameters, accesses, variables, shared
// arrays.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lanescope/types.h"

namespace lanescope {

enum class AccessOp : std::uint8_t { load, store, atomic, async_copy };
std::string_view access_op_name(AccessOp op);

/// One memory operation in the source; everything counted is counted per access.
/// Operations that the compiler made several copies of (inlining, templates) are one access when
/// file, line, column, operation and width agree.
struct AccessInfo {
  std::uint32_t id = 0;  ///< index in KernelInfo::accesses
  SourcePos pos;         ///< loads: start of the expression; stores: the `=`
  MemorySpace space =
      MemorySpace::generic;  ///< as far as the text tells; `generic` if only the run can
  AccessOp op = AccessOp::load;
  std::uint32_t bytes = 0;                   ///< a lane: 1, 2, 4, 8 or 16
  ScalarType element = ScalarType::unknown;  ///< of one component
  std::uint32_t components = 1;              ///< 4 for a float4
  std::string text;  ///< "tile[threadIdx.x][threadIdx.y]"; empty if not recovered
  std::vector<std::string>
      indices;       ///< the subscript texts, outermost first: {"threadIdx.x", "threadIdx.y"}
  std::string root;  ///< the array or parameter at its base: "tile", "in"; empty if unknown
  /// Stores: the access whose loaded value is stored unchanged by the same lane, or -1. This is
  /// what links in[...] → tile[...] → out[...].
  int value_from = -1;
};

/// A named local variable or parameter of the kernel, or of a function inlined into it.
struct VariableInfo {
  std::string name;  ///< "x", or "v.x" for a component of a vector
  ScalarType type = ScalarType::unknown;
  SourcePos declared;
  std::string function;  ///< the function that declares it
};

/// A `__shared__` array (or scalar).
struct SharedArray {
  std::string name;
  std::uint32_t offset = 0;  ///< bytes from the start of the block's shared memory
  std::uint32_t bytes = 0;   ///< 0 for `extern __shared__`: whatever the launch gives
  ScalarType element = ScalarType::unknown;
  std::uint32_t element_bytes = 0;
  std::vector<std::uint32_t> dims;  ///< {32, 33} for [32][33]; the last is the pitch in elements
  SourcePos declared;
};

struct ParameterInfo {
  std::string name;
  std::string type_text;  ///< as written: "const float *"
  bool is_pointer = false;
  bool is_const = false;                  ///< points to const
  ScalarType type = ScalarType::unknown;  ///< of the scalar, or of the pointee
  std::uint32_t components = 1;           ///< of the pointee: 4 for float4*
  std::uint32_t bytes = 0;                ///< of the parameter itself
};

/// What one executed operation of the flat program is, as far as a viewer cares.
enum class StepKind : std::uint8_t { compute, access, assign, branch, barrier, warp_op, exit };

struct OpInfo {
  StepKind kind = StepKind::compute;
  SourcePos pos;      ///< line 0 if the compiler made it up
  int access = -1;    ///< index in KernelInfo::accesses
  int variable = -1;  ///< `assign`: index in KernelInfo::variables
};

struct KernelInfo {
  std::string name;                ///< as asked for: "k_smem<float,32,8,1>"
  std::string display;             ///< the bare function name: "k_smem"
  std::vector<std::string> files;  ///< [0] is the compiled text's name, others are headers
  SourcePos declared;
  std::vector<ParameterInfo> parameters;
  std::vector<AccessInfo> accesses;
  std::vector<VariableInfo> variables;
  std::vector<SharedArray> shared_arrays;
  std::uint32_t static_shared_bytes = 0;
  std::vector<OpInfo> ops;  ///< one per operation of the flat program, in program order
};

/// A kernel compiled to the simulator's flat program. Immutable; may be run by several threads at
/// once.
class Program {
 public:
  virtual ~Program() = default;
  [[nodiscard]] const KernelInfo& info() const { return info_; }

 protected:
  KernelInfo info_;
};
using ProgramPtr = std::shared_ptr<const Program>;

}  // namespace lanescope
