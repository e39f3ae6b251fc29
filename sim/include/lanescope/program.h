// What is known of a compiled kernel before it runs: arguments, accesses, variables, shared
// arrays.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lanescope/tensors.h"
#include "lanescope/types.h"

namespace lanescope {

enum class AccessOp : std::uint8_t {
  load,
  store,
  atomic,
  async_copy,
  /// wgmma, which reads A and B from shared memory
  product,
  // cp.async.bulk and its kin: global memory, past all lanes. No counter knows what they take of shared memory.
  bulk_load,
  bulk_store,
};
/// Its steps have no lanes' addresses: they are of kind `warp_op`.
constexpr bool is_of_engine(AccessOp op) { return op >= AccessOp::product; }
std::string_view access_op_name(AccessOp op);

/// A component of a load that a component of a store may be.
struct ValueSource {
  /// The bits were taken for others in between: any component of the load
  static constexpr std::uint32_t kAny = ~0u;
  /// Of the store: 0 of a scalar, 3 of a float4's w
  std::uint32_t component = 0;
  /// The load
  int access = -1;
  /// Of the load
  std::uint32_t part = 0;
  bool operator==(const ValueSource&) const = default;
};

/// One memory operation in the source; everything counted is counted per access.
/// Operations that the compiler made several copies of (inlining, templates) are one access when
/// file, line, column, operation and width agree.
struct AccessInfo {
  /// Index in KernelInfo::accesses
  std::uint32_t id = 0;
  /// Loads: start of the expression; stores: the `=`
  SourcePos pos;
  /// As far as the text tells; `generic` if only the run can
  MemorySpace space = MemorySpace::generic;
  AccessOp op = AccessOp::load;
  /// Where it is shared memory that serves it; of global memory only atomics have rules of their own
  Service service = Service::load;
  /// Of ldmatrix and stmatrix: .trans
  bool transposed = false;
  /// A lane: 1, 2, 4, 8 or 16. Of a matrix access a row's, which a lane gives the address of
  std::uint32_t bytes = 0;
  /// Of one component
  ScalarType element = ScalarType::unknown;
  /// 4 for a float4; a matrix access's registers, one for each matrix; a tensor copy's dimensions, 0 of a copy that
  /// is no tensor's
  std::uint32_t components = 1;
  /// "tile[threadIdx.x][threadIdx.y]"; empty if not recovered
  std::string text;
  /// The subscript texts, outermost first: {"threadIdx.x", "threadIdx.y"}
  std::vector<std::string> indices;
  /// The array or parameter at its base: "tile", "in"; empty if unknown
  std::string root;
  /// Stores: what each component may be, unchanged, of what the same lane has loaded; beside it there may be
  /// constants, as under a guard. Empty if it is computed. This is what links in[...] → tile[...] → out[...];
  /// which of several it was, and whether, the recorded values tell.
  std::vector<ValueSource> sources;
};

/// A named local variable or parameter of the kernel, or of a function inlined into it.
struct VariableInfo {
  /// "x", or "v.x" for a component of a vector
  std::string name;
  ScalarType type = ScalarType::unknown;
  SourcePos declared;
  /// The function that declares it
  std::string function;
};

/// A `__shared__` array (or scalar).
struct SharedArray {
  std::string name;
  /// Bytes from the start of the block's shared memory
  std::uint32_t offset = 0;
  /// 0 for `extern __shared__`: whatever the launch gives
  std::uint32_t bytes = 0;
  ScalarType element = ScalarType::unknown;
  std::uint32_t element_bytes = 0;
  /// {32, 33} for [32][33]; the last is the pitch in elements
  std::vector<std::uint32_t> dims;
  SourcePos declared;
};

struct ArgumentInfo {
  std::string name;
  /// As written: "const float *"
  std::string type_text;
  bool is_pointer = false;
  /// Points to const
  bool is_const = false;
  /// Of the scalar, or of the pointee
  ScalarType type = ScalarType::unknown;
  /// Of the pointee: 4 for float4*
  std::uint32_t components = 1;
  /// Of the parameter itself
  std::uint32_t bytes = 0;
  /// The struct that it points to: "Particle"; empty for anything else
  std::string structure;
  /// Of the pointee; 0 if it has none, as void
  std::uint32_t pointee_bytes = 0;
  /// A struct by value, or an array in one, whose value is told by that of its members: {1, 2.5, {3, 4}}
  bool by_members = false;
  /// Then, in order, bases first; of an array they are called "[0]", "[1]"
  std::vector<ArgumentInfo> members;
  /// Of a member: bytes from the parameter's beginning
  std::uint32_t offset = 0;
};

/// What one executed operation of the flat program is, as far as a viewer cares.
enum class StepKind : std::uint8_t { compute, access, assign, branch, barrier, warp_op, exit };

struct OpInfo {
  StepKind kind = StepKind::compute;
  /// Line 0 if the compiler made it up
  SourcePos pos;
  /// Index in KernelInfo::accesses
  int access = -1;
  /// `assign`: index in KernelInfo::variables
  int variable = -1;
};

struct KernelInfo {
  /// As asked for: "k_smem<float,32,8,1>"
  std::string name;
  /// The bare function name: "k_smem"
  std::string display;
  /// [0] is the compiled text's name, others are headers
  std::vector<std::string> files;
  SourcePos declared;
  std::vector<ArgumentInfo> arguments;
  std::vector<AccessInfo> accesses;
  std::vector<VariableInfo> variables;
  std::vector<SharedArray> shared_arrays;
  /// Variables that are tensors of CuTe in memory, in the order in which they are set
  std::vector<TensorInfo> tensors;
  std::uint32_t static_shared_bytes = 0;
  /// Calls functions for which a GPU's own libraries read tables in memory, and the simulator does not:
  /// sine, cosine and tangent (large arguments), curand_init
  bool reads_tables = false;
  /// Compares and exchanges: how often that is tried again depends on which threads meet
  bool exchanges = false;
  /// Threads of a block, from __launch_bounds__; 0 if the text has none
  std::uint32_t most_threads = 0;
  /// One per operation of the flat program, in program order
  std::vector<OpInfo> ops;
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
