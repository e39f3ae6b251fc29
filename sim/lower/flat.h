// The flat program: what lowering makes of LLVM IR and the executor runs.
//
// Every value is a *row* of 32 lanes: 128 bytes for up to 32 bits a lane, two adjacent rows (256
// bytes) for 64. i8, i16 and half live zero-extended in 32-bit rows; i1 lives in a *predicate*, one
// bit a lane. Arithmetic computes all 32 lanes without a mask: SSA in LCSSA form makes what
// inactive lanes compute unreachable, since every value that leaves a loop does so through a masked
// copy on the exit edge.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lanescope/fragments.h"
#include "lanescope/message.h"
#include "lanescope/program.h"
#include "lanescope/tensor_map.h"
#include "lower/operations.h"

namespace lanescope {

inline constexpr std::uint32_t kNone = 0xffffffffu;

/// One operation. What the fields hold is in operation_info(code): indices, or kNone.
struct Op {
  Code code{};
  /// Flags: kStep, kNoOverflow, kAssertion
  std::uint16_t aux = 0;
  std::uint32_t dst = kNone, a = kNone, b = kNone, c = kNone;
  /// Index in KernelInfo::ops
  std::uint32_t info = 0;
};
/// Op::aux: the last operation of its instruction; a step when recorded
inline constexpr std::uint16_t kStep = 1;
/// Op::aux of add32, sub32, mul32, shl32: signed arithmetic that must not overflow (LLVM's nsw)
inline constexpr std::uint16_t kNoOverflow = 2;
/// Op::aux of trap: a failed assertion, and `a` is its text
inline constexpr std::uint16_t kAssertion = 4;
/// Op::aux: FlatCode::marks has something that happens just before
inline constexpr std::uint16_t kMarked = 8;

/// What orders memory and moves no data. Not an operation: it costs nothing that is counted.
struct Mark {
  enum class Kind : std::uint8_t {
    fence_block,
    fence_device,
    // A thread's asynchronous copies: those so far become a group; all but the newest `count` groups
    // are waited for, or all copies, or the oldest group that has not been.
    commit,
    wait,
    wait_all,
    wait_oldest,
    // The same of its bulk copies from shared memory.
    bulk_commit,
    bulk_wait,
    // And of its warp's products (wgmma).
    sums_commit,
    sums_wait,
    /// What was written before is there for bulk copies and wgmma that are asked for behind it
    fence_proxy,
    /// A thread comes to the cluster's barrier; `count`: without giving on what it has done (relaxed)
    cluster_arrive,
    /// The next operation makes the value of a variable that nothing has set: FlatProgram::unset[count]
    unset
  } kind{};
  /// Index in FlatCode::ops
  std::uint32_t pc = 0;
  std::uint32_t count = 0;
};
/// Op::aux of divisions and shifts: C++ leaves some operands undefined (zero, a count past the width)
inline constexpr std::uint16_t kPartial = 16;
/// Op::aux of mul32: an unsigned product that becomes part of an address
inline constexpr std::uint16_t kIndexProduct = 32;

/// An address: constant + base row + Σ index row × scale, all in bytes.
struct MemTerm {
  enum class Kind : std::uint8_t { s32, u32, i64 } kind = Kind::s32;
  std::uint32_t row = kNone;
  std::int64_t scale = 0;
};
/// What an atomic operation makes of the old value and its operand, as PTX's `atom` does it (PTX ISA,
/// "atom"): inc and dec wrap at the operand.
enum class AtomicOp : std::uint8_t {
  add,
  sub,
  and_,
  or_,
  xor_,
  smin,
  smax,
  umin,
  umax,
  exchange,
  fadd,
  // Halves or bfloat16s side by side, each by itself.
  fadd_f16,
  fadd_bf16,
  fmin,
  fmax,
  inc,
  dec,
  compare_exchange,
  /// The operand is a change of an mbarrier (machine/mbarrier.h)
  mbarrier
};

/// How an access stands to those of other threads.
enum class Strength : std::uint8_t {
  plain,
  is_volatile,
  /// Volatile or an atomic load, and what it reads decides a branch: somebody waits for it
  flag,
  atomic
};

/// An index of an array of a fixed size in an access's address: its row, or `constant` where there is none.
struct IndexBound {
  MemTerm::Kind kind = MemTerm::Kind::s32;
  std::uint32_t row = kNone;
  std::int64_t constant = 0;
  /// Elements
  std::int64_t count = 0;
  /// All that an object is, or a row or member within one
  bool whole = true;
  /// A row that is named by constants, as those who see a matrix as one long row write it
  bool flattened = false;
};

/// What the pointer of an access belongs to, as far as the text tells. Only checks look at it.
struct Guard {
  std::vector<IndexBound> bounds;
  /// Indices in FlatProgram::objects: the address is to lie in one of them; empty if unknown
  std::vector<std::uint32_t> objects;
  /// The base row holds a pointer that the kernel was given or has loaded
  bool from_outside = false;
  /// Index in KernelInfo::arguments of the one that the base is; kNone for none
  std::uint32_t argument = kNone;
  /// Bytes of the struct that the base row points to, passed by value; 0 for none
  std::uint32_t parameter_bytes = 0;
};

/// One lane's access, or the address alone (lea).
struct MemRef {
  /// AccessInfo::id; unused by lea
  std::uint32_t access = 0;
  MemorySpace space = MemorySpace::generic;
  Service service = Service::load;
  bool is_store = false;
  /// Of a matrix access: .trans
  bool transposed = false;
  /// A lane, all components
  std::uint8_t bytes = 4;
  /// 1, 2, 4 or 8
  std::uint8_t component_bytes = 4;
  std::uint8_t components = 1;
  /// An i1 in memory: one byte
  bool predicate_value = false;
  /// Reads to keep the neighbours of the bits that it writes back, or is part of the device's heap
  /// (of a store: a piece of a copy, which writes what nothing has set along with the rest)
  bool keeps_bits = false, of_heap = false;
  /// Of an atomic operation: atomic among the threads of a block alone
  bool in_block = false;
  /// Past the caches that see what is written (ld.global.nc)
  bool incoherent = false;
  /// Bytes, one bit each, that are padding of what is copied
  std::uint16_t padding = 0;
  /// Index in FlatCode::guards; kNone for none
  std::uint32_t guard = kNone;
  std::int64_t constant = 0;
  /// 64-bit row
  std::uint32_t base = kNone;
  std::vector<MemTerm> terms;
  /// Row of each component
  std::uint32_t value[8] = {kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone};
  Strength strength = Strength::plain;
  /// Releases what came before and acquires for what comes after, by itself
  bool is_ordered = false;
  /// One side of an asynchronous copy, and the index in FlatCode::refs of the other
  bool is_async = false;
  std::uint32_t other_side = kNone;
  // Atomics: value[0] is the result, operand the new value, compare the expected one.
  AtomicOp atomic = AtomicOp::add;
  std::uint32_t operand = kNone, compare = kNone;
};

/// What `reduce` makes of the values of the lanes that its mask names.
enum class Reduction : std::uint8_t {
  add,
  umin,
  umax,
  smin,
  smax,
  conjunction,
  disjunction,
  exclusive
};

/// Operands of a shuffle: rows. The mode is 0 for a lane's number, 1 up, 2 down, 3 xor.
struct WarpCall {
  std::uint32_t mask = kNone, value = kNone, operand = kNone, width = kNone, mode = kNone;
};

/// Operands of a matrix multiplication: rows, by register, of 64 bits a lane for f64.
struct MatrixCall {
  MatrixForm form;
  std::array<std::uint32_t, 8> a{}, b{}, c{}, d{};
  /// How many of them there are
  std::uint8_t a_count = 0, b_count = 0, c_count = 0;
  [[nodiscard]] bool is_wide() const { return form.accumulator == MatrixType::f64; }
};

/// Operands of wgmma.mma_async: rows. m is 64 for the four warps together, a quarter for each.
struct GroupProduct {
  /// Index in KernelInfo::accesses
  std::uint32_t access = 0;
  MatrixForm form;
  /// Accumulators by register, before and after
  std::vector<std::uint32_t> c, d;
  /// A's registers, or else its descriptor
  std::array<std::uint32_t, 4> a{kNone, kNone, kNone, kNone};
  std::uint32_t a_descriptor = kNone, b_descriptor = kNone;
  /// Predicate: the product is added to C, which does not count otherwise
  std::uint32_t adds = kNone;
  bool negates_a = false, negates_b = false;
  /// Along m and n, not along k, elements lie side by side in shared memory
  bool a_by_columns = false, b_by_columns = false;
  [[nodiscard]] bool a_in_registers() const { return a_descriptor == kNone; }
};

/// Operands of a bulk copy: rows.
struct BulkCopy {
  /// Index in KernelInfo::accesses
  std::uint32_t access = 0;
  bool to_shared = true;
  /// 64-bit addresses: in shared memory; elsewhere, or of a tensor map where there are dimensions; of the
  /// mbarrier, kNone for none
  std::uint32_t shared = kNone, global = kNone, mbarrier = kNone;
  /// Of what is no tensor
  std::uint32_t bytes = kNone;
  std::uint8_t dimensions = 0;
  /// Of the tile's first element, innermost first
  std::array<std::uint32_t, 5> coordinates{kNone, kNone, kNone, kNone, kNone};
  /// Of an image's pixels; all of them then are rows
  std::array<std::uint32_t, 3> offsets{kNone, kNone, kNone};
  [[nodiscard]] bool is_image() const { return offsets[0] != kNone; }
  /// A bit for each block of the cluster that gets it, at the same place; kNone: the one that is asked for alone
  std::uint32_t multicast = kNone;
  /// With what lies there already; and of numbers of which type, where no tensor map tells it
  BulkReduction reduction = BulkReduction::none;
  TensorElement element = TensorElement::u8;
};

/// A run of operations entered only at its first.
struct FlatBlock {
  /// Pc, and number of operations
  std::uint32_t first = 0, count = 0;
};

/// A row whose lanes all hold the same bits from the start.
struct ConstantRow {
  std::uint32_t row = 0;
  bool wide = false;
  std::uint64_t bits = 0;
};

/// Rows that the executor fills: thread coordinates per warp, the others per block or launch.
enum class Special : std::uint8_t {
  tid_x,
  tid_y,
  tid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid
};
struct SpecialRow {
  Special what{};
  std::uint32_t row = 0;
};
/// Where a kernel argument goes: a row of 32 or (`wide`) 64 bits, or a predicate.
struct ArgumentRow {
  std::uint32_t argument = 0, row = 0;
  bool predicate = false, wide = false;
  /// A struct: the row holds the address of its bytes in the parameters' window
  bool by_value = false;
};

/// One form of the program. Two are kept: lean, and recording (with `assign` operations and the
/// values that only they need).
struct FlatCode {
  std::vector<Op> ops;
  std::vector<FlatBlock> blocks;
  /// By pc, valid at block starts
  std::vector<std::uint32_t> block_of;
  std::vector<MemRef> refs;
  std::vector<WarpCall> calls;
  std::vector<MatrixCall> products;
  std::vector<GroupProduct> group_products;
  std::vector<BulkCopy> bulk_copies;
  /// By pc
  std::vector<Mark> marks;
  std::vector<Guard> guards;
  std::vector<ConstantRow> constants;
  /// (predicate, lanes)
  std::vector<std::pair<std::uint32_t, std::uint32_t>> constant_predicates;
  std::vector<SpecialRow> specials;
  std::vector<ArgumentRow> arguments;
  /// File sizes
  std::uint32_t rows = 0, predicates = 0;
  // Rows and predicates below these are live across some barrier: saved when a warp waits there.
  // The others are scratch that all warps share.
  std::uint32_t kept_rows = 0, kept_predicates = 0;
};

/// A __constant__ or __device__ variable in the module image.
struct ModuleVariable {
  std::string name;
  std::uint32_t offset = 0, bytes = 0;
  /// __constant__
  bool read_only = false;
};

/// A variable or array at a fixed address: shared, of the module, or in a thread's local memory.
struct MemoryObject {
  std::string name;
  std::uint64_t begin = 0, bytes = 0;
  /// Of the array's elements; all bytes of what is no array
  std::uint32_t element_bytes = 0;
  /// __constant__
  bool read_only = false;
};

/// Machine code of the program, by launch (compiled/compiled_forms.h)
class CompiledForms;

struct FlatProgram : Program {
  FlatCode lean, recording;
  /// What `trap` operations report
  std::vector<Message> traps;
  /// Initial bytes of the module's variables, at kConstantWindow
  std::vector<std::byte> image;
  std::vector<ModuleVariable> variables;
  std::vector<MemoryObject> objects;
  /// Variables that may be used before they are set, by name
  std::vector<std::string> unset;
  /// A thread's local memory
  std::uint32_t local_bytes = 0;
  bool has_global_atomics = false;
  /// Loops may wait for what others write to global memory
  bool has_flags = false;
  bool prints = false;
  /// Its blocks may wait for one another
  bool meets_grid = false;
  /// Blocks that run together and see each other's shared memory
  Dim3 cluster;
  /// Loaded values may reach an address or a branch
  bool data_steers = true;
  /// Null until somebody asks for it
  mutable std::shared_ptr<CompiledForms> compiled_forms;
  KernelInfo& mutable_info() { return info_; }
};

}  // namespace lanescope
