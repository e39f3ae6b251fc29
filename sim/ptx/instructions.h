// What an instruction of PTX is taken for, by the table in instructions.def.
#pragma once

#include <optional>

#include "lanescope/types.h"
#include "ptx/reader.h"

namespace lanescope {

enum class PtxForm : std::uint8_t {
  /// Of the prelude, by name
  function,
  move,
  load,
  store,
  /// atom and red
  atomic,
  /// setp and set
  comparison,
  selection,
  branch,
  /// cvta
  address,
  /// mma
  product,
  /// wmma: fragments of <mma.h>
  fragment,
  /// cp.async.bulk and cp.async.bulk.tensor
  bulk_copy,
  /// wgmma.mma_async
  group_product,
  /// isspacep: a function for each space
  within,
  /// Leaves no trace
  nothing,
  /// Gives zero
  zero
};

/// "b32": a letter, s for signed, and bits. f16x2 has 32, pred 1.
struct PtxType {
  char kind = 'b';
  unsigned bits = 0;
};
std::optional<PtxType> ptx_type(const std::string& text);

struct PtxMeaning {
  PtxForm form = PtxForm::function;
  /// "ptx_add_f32"
  std::string function;
  /// .ftz: floats below the normal ones are zero, as operands and as results
  bool flushes = false;
  /// .sat of floats: the result lies in [0, 1]
  bool saturates = false;
  /// Of the addresses that are operands, in order; what has none is generic
  std::vector<MemorySpace> spaces;
  /// The last operand tells a cache what to do
  bool has_policy = false;
};
PtxMeaning meaning_of(const PtxInstruction& instruction);

/// A memory instruction's modifiers.
struct PtxAccess {
  MemorySpace space = MemorySpace::generic;
  /// Of one component; no bits where the text names no type
  PtxType type;
  unsigned components = 1;
  bool is_volatile = false, is_relaxed = false, acquires = false, releases = false;
  /// Among the threads of a block alone (.cta)
  bool in_block = false;
  /// "add", "cas"; of an atomic
  std::string operation;
};
/// Nothing where a modifier is unknown.
std::optional<PtxAccess> access_of(const PtxInstruction& instruction);

}  // namespace lanescope
