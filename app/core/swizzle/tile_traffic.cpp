#include "core/swizzle/tile_traffic.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/picture/execution.h"
#include "core/picture/trace_index.h"
#include "lanescope/memory.h"

namespace lanescope::app {
namespace {

// Different requests, times swizzles: what is tried while somebody waits.
constexpr std::size_t kMostRequests = 8192;
constexpr int kMostXorBits = 5;
// Offsets' bits from here on do not choose a bank.
constexpr int kBankBits = std::bit_width(unsigned{kBanks * kBankBytes}) - 1;

struct Extent {
  std::uint64_t begin = ~std::uint64_t{0}, end = 0;
  void add(const Extent& other) {
    begin = std::min(begin, other.begin);
    end = std::max(end, other.end);
  }
  [[nodiscard]] bool meets(const Extent& other) const {
    return begin < other.end && other.begin < end;
  }
};

/// A recorded execution with its lanes.
struct Executed {
  const AccessInfo* access = nullptr;
  LaneMask mask = 0;
  LaneRow address{};

  [[nodiscard]] std::uint64_t bytes() const {
    return matrices_of(access->service) != 0 ? 16 : access->bytes;
  }
  /// From the beginning of shared memory
  [[nodiscard]] Extent extent() const {
    Extent all;
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      all.add({address[lane] - kSharedWindow, address[lane] - kSharedWindow + bytes()});
    }
    return all;
  }
};

Executed executed(const Picture& picture, const SharedExecution& execution) {
  const WarpTrack& track = picture.trace()->warps[execution.warp];
  const AccessInfo& access = picture.kernel().accesses[execution.access];
  return {&access, addressing_lanes(access.service, track.mask[execution.step]),
          picture.trace()->rows[track.rows[execution.step]]};
}

const SharedExecution* worst_execution(const Picture& picture, int access) {
  const SharedExecution* worst = nullptr;
  for (const SharedExecution& each : picture.index->shared())
    if (static_cast<int>(each.access) == access && each.conflicts > 0 &&
        (worst == nullptr || each.conflicts > worst->conflicts))
      worst = &each;
  return worst;
}

bool tells_elements(const SharedArray& array) {
  return array.bytes != 0 && array.element != ScalarType::unknown && array.element_bytes > 1;
}

/// What an access reaches within its memory, and every other that overlaps with that.
Extent overlapping(const Picture& picture, int access, Extent within) {
  std::map<int, Extent> by_access;
  for (const SharedExecution& each : picture.index->shared()) {
    const Extent extent = executed(picture, each).extent();
    if (within.meets(extent)) by_access[static_cast<int>(each.access)].add(extent);
  }
  Extent all = by_access[access];
  for (bool grew = true; grew;) {
    grew = false;
    for (const auto& [other, extent] : by_access)
      if (all.meets(extent) && (extent.begin < all.begin || extent.end > all.end))
        all.add(extent), grew = true;
  }
  return all;
}

std::uint32_t element_bytes_of(const SharedArray& array, const AccessInfo& access) {
  if (array.element_bytes > 1 && std::has_single_bit(array.element_bytes))
    return array.element_bytes;
  if (matrices_of(access.service) != 0) return 2;
  return std::max(1u, access.bytes / std::max(1u, access.components));
}

TileRequest request_of(const Executed& execution, std::uint64_t begin) {
  TileRequest request{.service = execution.access->service,
                      .bytes = execution.access->bytes,
                      .mask = execution.mask,
                      .offset = {},
                      .times = 0};
  for (LaneMask rest = execution.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    request.offset[lane] = execution.address[lane] - kSharedWindow - begin;
  }
  return request;
}

int log2_of(std::uint64_t value) { return std::bit_width(value) - 1; }

/// Over bytes, of one over elements.
Swizzle in_bytes(Swizzle swizzle, std::uint32_t element_bytes) {
  swizzle.base += log2_of(element_bytes);
  return swizzle;
}

SharedCounts cost_in_bytes(const TileTraffic& traffic, const Swizzle& swizzle) {
  SharedCounts sum;
  for (const TileRequest& request : traffic.requests) {
    LaneRow address = request.offset;
    for (std::uint64_t& each : address) each = traffic.begin + swizzle(each);
    const SharedCounts one = shared_cost(address, request.mask, request.bytes, request.service);
    sum.requests += one.requests * request.times;
    sum.wavefronts += one.wavefronts * request.times;
    sum.ideal_wavefronts += one.ideal_wavefronts * request.times;
    sum.conflicts += one.conflicts * request.times;
    sum.at_least += one.at_least * request.times;
  }
  return sum;
}

bool is_simple(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  });
}

std::string rows_text(const RowSwizzle& rows, const std::string& row) {
  std::string text = is_simple(row) ? row : "(" + row + ")";
  if (rows.row_shift != 0) text += fmt::format(" >> {}", rows.row_shift);
  return fmt::format("({} & {})", text, rows.mask);
}

}  // namespace

std::optional<TileTraffic> tile_traffic(const Picture& picture, int access) {
  if (!picture.trace() || !picture.index || picture.trace()->truncated) return std::nullopt;
  const SharedExecution* worst = worst_execution(picture, access);
  if (worst == nullptr) return std::nullopt;
  const Executed there = executed(picture, *worst);
  const auto first = static_cast<std::size_t>(std::countr_zero(there.mask));
  const int array = locate(picture, there.address[first]).array;
  if (array < 0) return std::nullopt;
  const SharedArray& of = picture.kernel().shared_arrays[static_cast<std::size_t>(array)];
  Extent tile{of.offset, of.bytes != 0 ? std::uint64_t{of.offset} + of.bytes
                                       : picture.prepared->shared_bytes()};
  if (!tells_elements(of)) tile = overlapping(picture, access, tile);
  TileTraffic traffic{.array = array,
                      .begin = tile.begin,
                      .bytes = tile.end - tile.begin,
                      .element_bytes = element_bytes_of(of, *there.access),
                      .accesses = {},
                      .requests = {}};
  std::map<std::tuple<Service, std::uint32_t, LaneMask, LaneRow>, std::uint64_t> times;
  for (const SharedExecution& each : picture.index->shared()) {
    const Executed execution = executed(picture, each);
    const Extent extent = execution.extent();
    if (!tile.meets(extent)) continue;
    // A warp that reaches beyond the tile is no request of it alone.
    if (extent.begin < tile.begin || extent.end > tile.end) return std::nullopt;
    const TileRequest request = request_of(execution, tile.begin);
    ++times[{request.service, request.bytes, request.mask, request.offset}];
    if (times.size() > kMostRequests) return std::nullopt;
    traffic.accesses.push_back(static_cast<int>(each.access));
  }
  for (const auto& [request, count] : times)
    traffic.requests.push_back({std::get<0>(request), std::get<1>(request), std::get<2>(request),
                                std::get<3>(request), count});
  std::sort(traffic.accesses.begin(), traffic.accesses.end());
  traffic.accesses.erase(std::unique(traffic.accesses.begin(), traffic.accesses.end()),
                         traffic.accesses.end());
  return traffic;
}

SharedCounts cost_with(const TileTraffic& traffic, const Swizzle& swizzle) {
  return cost_in_bytes(traffic, in_bytes(swizzle, traffic.element_bytes));
}

std::optional<BetterSwizzle> better_swizzle(const TileTraffic& traffic, std::uint64_t pitch) {
  std::uint64_t together = traffic.element_bytes;
  for (const TileRequest& request : traffic.requests)
    together =
        std::max<std::uint64_t>(together, matrices_of(request.service) != 0 ? 16 : request.bytes);
  const int element = log2_of(traffic.element_bytes), least = log2_of(together);
  const int width = std::bit_width(traffic.bytes - 1);
  BetterSwizzle best{.swizzle = {}, .now = cost_in_bytes(traffic, {}), .after = {}};
  best.after = best.now;
  auto rank = std::tuple(best.now.wavefronts, true, 0);
  for (int bits = 1; bits <= kMostXorBits; ++bits)
    for (int base = least; base + bits <= kBankBits; ++base) {
      // Within such a piece offsets stay.
      if (traffic.bytes % (std::uint64_t{1} << (base + bits)) != 0) continue;
      for (int shift = bits; base + shift < width; ++shift) {
        const Swizzle swizzle{bits, base - element, shift};
        const SharedCounts cost = cost_in_bytes(traffic, {bits, base, shift});
        const auto rows = by_rows(swizzle, pitch);
        const auto now = std::tuple(cost.wavefronts, !rows || rows->row_shift != 0, bits);
        if (cost.conflicts >= best.now.conflicts || now >= rank) continue;
        rank = now;
        best.swizzle = swizzle, best.after = cost;
      }
    }
  if (best.swizzle.bits == 0) return std::nullopt;
  return best;
}

std::optional<RowSwizzle> by_rows(const Swizzle& swizzle, std::uint64_t pitch) {
  if (!std::has_single_bit(pitch)) return std::nullopt;
  const int row = log2_of(pitch);
  if (swizzle.base + swizzle.shift < row || swizzle.base + swizzle.bits > row) return std::nullopt;
  return RowSwizzle{.row_shift = swizzle.base + swizzle.shift - row,
                    .mask = (std::uint64_t{1} << swizzle.bits) - 1,
                    .unit = std::uint64_t{1} << swizzle.base};
}

std::string formula_of(const Swizzle& swizzle, std::uint64_t pitch, std::uint32_t element_bytes) {
  const auto rows = by_rows(swizzle, pitch);
  if (!rows)
    return fmt::format("index ^ (index >> {} & {})", swizzle.shift,
                       ((std::uint64_t{1} << swizzle.bits) - 1) << swizzle.base);
  std::string unit = "column";
  if (rows->unit * element_bytes == 16)
    unit = "chunk";
  else if (rows->unit > 1)
    unit = fmt::format("column / {}", rows->unit);
  return unit + " ^ " + rows_text(*rows, "row");
}

std::string swizzled_subscript(const RowSwizzle& rows, const std::string& row,
                               const std::string& column) {
  const bool binds = column.find_first_of("^&|?<>=,") == std::string::npos;
  std::string text = (binds ? column : "(" + column + ")") + " ^ " + rows_text(rows, row);
  if (rows.unit > 1) text += fmt::format(" * {}", rows.unit);
  return text;
}

}  // namespace lanescope::app
