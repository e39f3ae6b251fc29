// The flat program: what lowering makes of LLVM IR and the executor runs.
//
// Every value is a *row* of 32 lanes: 128 bytes for up to 32 bits a lane, two adjacent rows (256
// bytes) for 64. i8, i16 and half live zero-extended in 32-bit rows; i1 lives in a *predicate*, one
// bit a lane. Arithmetic computes all 32 lanes without a mask: SSA in LCSSA form makes what
// inactive lanes compute unreachable, since every value that leaves a loop does so through a masked
// copy on the exit edge.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lanescope/message.h"
#include "lanescope/program.h"
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
    wait_oldest
  } kind{};
  /// Index in FlatCode::ops
  std::uint32_t pc = 0;
  std::uint32_t count = 0;
};

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
  compare_exchange
};

/// How an access stands to those of other threads.
enum class Strength : std::uint8_t {
  plain,
  is_volatile,
  /// Volatile or an atomic load, and what it reads decides a branch: somebody waits for it
  flag,
  atomic
};

/// One lane's access, or the address alone (lea).
struct MemRef {
  /// AccessInfo::id; unused by lea
  std::uint32_t access = 0;
  MemorySpace space = MemorySpace::generic;
  bool is_store = false;
  /// A lane, all components
  std::uint8_t bytes = 4;
  /// 1, 2, 4 or 8
  std::uint8_t component_bytes = 4;
  std::uint8_t components = 1;
  /// An i1 in memory: one byte
  bool predicate_value = false;
  std::int64_t constant = 0;
  /// 64-bit row
  std::uint32_t base = kNone;
  std::vector<MemTerm> terms;
  /// Row of each component
  std::uint32_t value[8] = {kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone};
  Strength strength = Strength::plain;
  /// Releases what came before and acquires for what comes after, by itself
  bool is_ordered = false;
  /// One side of an asynchronous copy
  bool is_async = false;
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
  /// By pc
  std::vector<Mark> marks;
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
};

struct FlatProgram : Program {
  FlatCode lean, recording;
  /// What `trap` operations report
  std::vector<Message> traps;
  /// Initial bytes of the module's variables, at kConstantWindow
  std::vector<std::byte> image;
  std::vector<ModuleVariable> variables;
  /// A thread's local memory
  std::uint32_t local_bytes = 0;
  bool has_global_atomics = false;
  bool prints = false;
  /// Its blocks may wait for one another
  bool meets_grid = false;
  /// Loaded values may reach an address or a branch
  bool data_steers = true;
  KernelInfo& mutable_info() { return info_; }
};

}  // namespace lanescope
