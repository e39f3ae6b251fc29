// Turns executed operations into a BlockTrace, up to a size cap.
#pragma once

#include "lanescope/group_matrix.h"
#include "lanescope/trace.h"
#include "lower/flat.h"

namespace lanescope {

/// One block's trace as it grows. Each call adds a step to the warp's track; lanes are those of
/// `mask`, `info` is an index in KernelInfo::ops, `rows` and `predicates` the machine's files.
class Recorder {
 public:
  /// `warps` of the block; `cap_bytes` of rows and steps, past which the trace is `truncated`.
  Recorder(Dim3 block, std::uint32_t warps, std::size_t cap_bytes);

  void step(std::uint32_t warp, std::uint32_t info, LaneMask mask);
  /// With the 32 addresses, in bytes, then the values of each component.
  void access(std::uint32_t warp, const Op& op, LaneMask mask, const std::uint64_t* address,
              const MemRef& ref, const std::uint32_t* rows, const LaneMask* predicates);
  /// With the value that a variable takes.
  void assign(std::uint32_t warp, const Op& op, LaneMask mask, const std::uint32_t* rows,
              const LaneMask* predicates);
  /// With its form and the registers of A, B and C (lanescope/matrix_sum.h); before they are
  /// multiplied, for D may lie where C does.
  void product(std::uint32_t warp, const Op& op, LaneMask mask, const MatrixCall& call,
               const std::uint32_t* rows);

  /// With what lanescope/group_matrix.h says; `values` only while half of the room is left, so that many products
  /// do not keep other steps from being recorded.
  void group_product(std::uint32_t warp, const Op& op, LaneMask mask, GroupStep step,
                     const MatrixOperands& values);
  /// With what lanescope/tensor_tile.h says; `map` is that of a tensor copy, else null.
  void bulk(std::uint32_t warp, const Op& op, LaneMask mask, const BulkCopy& copy,
            const std::byte* map, const std::uint32_t* rows);

  BlockTrace take() { return std::move(trace_); }

 private:
  bool has_room(std::size_t rows);
  void add_predicate(LaneMask lanes);
  void add_step(std::uint32_t warp, const Op& op, LaneMask mask);

  BlockTrace trace_;
  std::size_t left_;
  /// What is to be left for steps without which nothing can be told
  std::size_t kept_;
};

}  // namespace lanescope
