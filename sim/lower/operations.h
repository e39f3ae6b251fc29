// The operations of the flat program, as operations.def lists them: their codes, and what each
// writes and reads. Whoever treats each code in its own way switches over Code without a default,
// under LANESCOPE_EVERY_CODE: a code that it does not know must not compile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

/// Makes a switch that leaves out a code an error from here to the end of the file.
#define LANESCOPE_EVERY_CODE _Pragma("GCC diagnostic error \"-Wswitch\"")

namespace lanescope {

/// The types of a lane's value as operations.def spells them.
namespace lane {
using u32 = std::uint32_t;
using s32 = std::int32_t;
using u64 = std::uint64_t;
using s64 = std::int64_t;
using f32 = float;
using f64 = double;
}  // namespace lane

enum class Code : std::uint16_t {
#define LANESCOPE_LANEWISE(NAME, KIND, TO, X, Y, Z) NAME,
#define LANESCOPE_OPERATION(NAME, KIND, DST, A, B, C) NAME,
#include "lower/operations.def"
};

/// What a field of an Op holds.
enum class Operand : std::uint8_t {
  /// Nothing: kNone
  none,
  /// Index of a row: 32 lanes × 32 bits
  row32,
  /// Index of the first of two adjacent rows: 32 lanes × 64 bits
  row64,
  /// Index of a predicate: one bit a lane
  predicate,
  /// Index in FlatCode::ops, at the start of a block
  pc,
  /// Index in FlatCode::refs
  reference,
  /// Index in FlatCode::calls
  call,
  /// Index in FlatCode::products
  product,
  /// Index in FlatCode::bulk_copies
  bulk_copy,
  /// Index in FlatCode::group_products
  group_product,
  /// Index in FlatProgram::traps
  text,
  /// Index in FlatProgram::objects
  object,
};

enum class OperationKind : std::uint8_t {
  /// Row from rows (or a predicate widened to one), lane by lane, in all 32 lanes
  arithmetic,
  /// Predicate from rows, lane by lane
  comparison,
  /// Predicate from predicates
  logic,
  /// One of two values, by a predicate
  selection,
  /// A value in the active lanes; the others keep theirs
  masked_copy,
  /// An address, without touching memory
  address,
  /// Touches memory in the active lanes
  access,
  /// The lanes of a warp together
  warp,
  /// Where execution goes on, if it does; and printing, which is in order with it
  control,
  /// Tells the recorder or the checker, and is no instruction
  recording,
};

/// A row of operations.def.
struct OperationInfo {
  std::string_view name;
  OperationKind kind{};
  Operand dst{}, a{}, b{}, c{};
  /// Memory, in the active lanes
  bool reads = false, writes = false;
};

/// The operand that holds a lane's value of type T; none for void, a predicate for bool.
template <class T>
consteval Operand operand_of() {
  if constexpr (std::is_void_v<T>)
    return Operand::none;
  else if constexpr (std::is_same_v<T, bool>)
    return Operand::predicate;
  else
    return sizeof(T) == 8 ? Operand::row64 : Operand::row32;
}

/// By Code.
inline constexpr auto kOperations = [] {
  using namespace lane;
  using enum Operand;
  return std::to_array<OperationInfo>({
#define LANESCOPE_LANEWISE(NAME, KIND, TO, X, Y, Z)                                                \
  {#NAME, OperationKind::KIND, operand_of<TO>(), operand_of<X>(), operand_of<Y>(), operand_of<Z>()},
#define LANESCOPE_ACCESS(NAME, READS, WRITES)                                                      \
  {#NAME, OperationKind::access, none, reference, none, none, READS, WRITES},
#define LANESCOPE_OPERATION(NAME, KIND, DST, A, B, C) {#NAME, OperationKind::KIND, DST, A, B, C},
#include "lower/operations.def"
  });
}();

constexpr const OperationInfo& operation_info(Code code) {
  return kOperations[static_cast<std::size_t>(code)];
}

}  // namespace lanescope
