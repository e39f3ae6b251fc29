#include "execute/recorder.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "lanescope/matrix_sum.h"
#include "lanescope/tensor_tile.h"

namespace lanescope {

Recorder::Recorder(Dim3 block, std::uint32_t warps, std::size_t cap_bytes)
    : left_(cap_bytes), kept_(cap_bytes / 2) {
  trace_.block = block;
  trace_.warps.resize(warps);
}

bool Recorder::has_room(std::size_t rows) {
  const std::size_t bytes = 12 + rows * sizeof(LaneRow);
  if (trace_.truncated || bytes > left_) {
    trace_.truncated = true;
    return false;
  }
  left_ -= bytes;
  return true;
}

void Recorder::step(std::uint32_t warp, std::uint32_t info, LaneMask mask) {
  if (!has_room(0)) return;
  WarpTrack& track = trace_.warps[warp];
  track.op.push_back(info);
  track.mask.push_back(mask);
  track.rows.push_back(WarpTrack::kNoRows);
}

void Recorder::add_step(std::uint32_t warp, const Op& op, LaneMask mask) {
  WarpTrack& track = trace_.warps[warp];
  track.op.push_back(op.info);
  track.mask.push_back(mask);
  track.rows.push_back(static_cast<std::uint32_t>(trace_.rows.size()));
}

void Recorder::add_predicate(LaneMask lanes) {
  std::uint32_t row[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) row[lane] = lanes >> lane & 1;
  trace_.rows.add32(row);
}

void Recorder::access(std::uint32_t warp, const Op& op, LaneMask mask, const std::uint64_t* address,
                      const MemRef& ref, const std::uint32_t* rows, const LaneMask* predicates) {
  if (!has_room(1 + ref.components)) return;
  add_step(warp, op, mask);
  trace_.rows.add64(address);
  for (std::uint32_t c = 0; c < ref.components; ++c) {
    if (ref.predicate_value) {
      add_predicate(predicates[ref.value[c]]);
    } else if (ref.component_bytes == 8) {
      trace_.rows.add64(
          reinterpret_cast<const std::uint64_t*>(rows + std::size_t{ref.value[c]} * kLanes));
    } else {
      trace_.rows.add32(rows + std::size_t{ref.value[c]} * kLanes);
    }
  }
}

void Recorder::assign(std::uint32_t warp, const Op& op, LaneMask mask, const std::uint32_t* rows,
                      const LaneMask* predicates) {
  if (!has_room(1)) return;
  add_step(warp, op, mask);
  const Operand value = operation_info(op.code).a;
  if (value == Operand::predicate) {
    add_predicate(predicates[op.a]);
  } else if (value == Operand::row64) {
    trace_.rows.add64(reinterpret_cast<const std::uint64_t*>(rows + std::size_t{op.a} * kLanes));
  } else {
    trace_.rows.add32(rows + std::size_t{op.a} * kLanes);
  }
}

void Recorder::product(std::uint32_t warp, const Op& op, LaneMask mask, const MatrixCall& call,
                       const std::uint32_t* rows) {
  if (!has_room(std::size_t{1} + call.a_count + call.b_count + call.c_count)) return;
  add_step(warp, op, mask);
  trace_.rows.push_back(form_row(call.form));
  const auto add = [&](const std::array<std::uint32_t, 8>& registers, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t* row = rows + std::size_t{registers[i]} * kLanes;
      if (call.is_wide())
        trace_.rows.add64(reinterpret_cast<const std::uint64_t*>(row));
      else
        trace_.rows.add32(row);
    }
  };
  add(call.a, call.a_count), add(call.b, call.b_count), add(call.c, call.c_count);
}

void Recorder::group_product(std::uint32_t warp, const Op& op, LaneMask mask, GroupStep step,
                             const MatrixOperands& values) {
  const std::size_t rows = values.a.size() + values.b.size() + values.c.size();
  step.has_values = left_ > kept_ + (rows + 3) * sizeof(LaneRow);
  if (!has_room(2 + (step.has_values ? rows : 0))) return;
  add_step(warp, op, mask);
  trace_.rows.push_back(form_row(step.form));
  trace_.rows.push_back(group_row(step));
  if (!step.has_values) return;
  for (const std::vector<LaneRow>* of : {&values.a, &values.b, &values.c})
    for (const LaneRow& row : *of) {
      std::array<std::uint32_t, kLanes> bits{};
      std::copy(row.begin(), row.end(), bits.begin());
      trace_.rows.add32(bits.data());
    }
}

void Recorder::bulk(std::uint32_t warp, const Op& op, LaneMask mask, const BulkCopy& copy,
                    const std::byte* map, const std::uint32_t* rows) {
  if (!has_room(map == nullptr ? kBulkRows : copy.is_image() ? kImageRows : kTensorRows)) return;
  add_step(warp, op, mask);
  const auto wide = [&](std::uint32_t row) {
    trace_.rows.add64(reinterpret_cast<const std::uint64_t*>(rows + std::size_t{row} * kLanes));
  };
  const auto narrow = [&](std::uint32_t row) {
    if (row == kNone)
      trace_.rows.push_back(LaneRow{});
    else
      trace_.rows.add32(rows + std::size_t{row} * kLanes);
  };
  wide(copy.shared), wide(copy.global), narrow(copy.bytes);
  if (map == nullptr) return;
  for (const std::uint32_t row : copy.coordinates) narrow(row);
  LaneRow words{};
  std::memcpy(words.data(), map, kTensorMapBytes);
  trace_.rows.push_back(words);
  for (const std::uint32_t row : copy.offsets)
    if (copy.is_image()) narrow(row);
}

}  // namespace lanescope
