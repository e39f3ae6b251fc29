#include "core/picture/thread_grid.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "core/picture/trace_index.h"

namespace lanescope::app {
namespace {

constexpr std::uint64_t kSparse = 4;  // places for each thread, beyond which it is no shape

// What each thread stores first, and when.
struct FirstStore {
  std::uint64_t address = 0;
  std::size_t move = 0;
  bool there = false;
};

std::vector<FirstStore> first_stores(const Journey& journey) {
  std::vector<FirstStore> stores(std::size_t{journey.warps()} * kLanes);
  for (std::size_t i = 0; i < journey.moves().size(); ++i) {
    const JourneyMove& move = journey.moves()[i];
    if (move.leg != Leg::store || move.part) continue;
    const LaneRow row = journey.addresses(i);
    for (LaneMask rest = move.mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      FirstStore& store = stores[std::size_t{move.warp} * kLanes + lane];
      if (!store.there) store = {row[lane], i, true};
    }
  }
  return stores;
}

// Moves one axis to 0 and divides it by what all its values have in common.
void shrink(std::vector<std::uint64_t>& values) {
  const std::uint64_t least = *std::min_element(values.begin(), values.end());
  std::uint64_t common = 0;
  for (std::uint64_t& value : values) common = std::gcd(common, value -= least);
  for (std::uint64_t& value : values) value /= std::max<std::uint64_t>(1, common);
}

// The variable that has each thread's row (or column) when it stores.
class Namer {
 public:
  Namer(const Picture& picture, const Journey& journey, const std::vector<FirstStore>& stores)
      : kernel_(picture.kernel()) {
    if (!picture.index) return;
    std::vector<VariableValues> values;
    std::size_t move = ~std::size_t{0};
    for (std::size_t thread = 0; thread < stores.size(); ++thread) {
      if (!stores[thread].there) continue;
      if (stores[thread].move != move) {
        move = stores[thread].move;
        const JourneyMove& at = journey.moves()[move];
        values =
            variables_at(*picture.index, kernel_, *picture.trace(), at.warp, std::size_t{at.step});
      }
      seen_.push_back({thread, {}});
      for (const VariableValues& value : values) {
        const std::size_t lane = thread % kLanes;
        seen_.back().second.push_back(
            (value.known >> lane & 1u) != 0
                ? static_cast<std::int64_t>(static_cast<std::int32_t>(value.bits[lane]))
                : -1);
      }
    }
  }

  std::string name(const ThreadGrid& grid, std::uint32_t ThreadGrid::Spot::*axis) const {
    for (std::size_t v = 0; v < kernel_.variables.size(); ++v) {
      const bool all =
          !seen_.empty() && std::all_of(seen_.begin(), seen_.end(), [&](const auto& of) {
            return of.second[v] == static_cast<std::int64_t>(grid.spots[of.first].*axis);
          });
      if (all) return kernel_.variables[v].name;
    }
    return {};
  }

 private:
  const KernelInfo& kernel_;
  /// Threads that store, and what each variable is then
  std::vector<std::pair<std::size_t, std::vector<std::int64_t>>> seen_;
};

std::string thread_index_name(const ThreadGrid& grid, Dim3 block,
                              std::uint32_t ThreadGrid::Spot::*axis) {
  const auto all = [&](auto value) {
    for (std::size_t thread = 0; thread < grid.spots.size(); ++thread) {
      if (!grid.spots[thread].there) continue;
      const Dim3 index = thread_of(block, static_cast<std::uint32_t>(thread / kLanes),
                                   static_cast<int>(thread % kLanes));
      if (value(index) != grid.spots[thread].*axis) return false;
    }
    return true;
  };
  if (all([](Dim3 t) { return t.x; })) return "threadIdx.x";
  if (all([](Dim3 t) { return t.y; })) return "threadIdx.y";
  return {};
}

}  // namespace

const ThreadGrid::Spot* ThreadGrid::at(std::uint32_t warp, int lane) const {
  const std::size_t thread = std::size_t{warp} * kLanes + static_cast<std::size_t>(lane);
  return thread < spots.size() && spots[thread].there ? &spots[thread] : nullptr;
}

int ThreadGrid::thread_at(std::uint32_t row, std::uint32_t col) const {
  const std::size_t place = std::size_t{row} * cols + col;
  return row < rows && col < cols && place < threads.size() ? threads[place] : -1;
}

void ThreadGrid::index() {
  threads.assign(std::size_t{rows} * cols, -1);
  for (std::size_t i = 0; i < spots.size(); ++i) {
    if (spots[i].there)
      threads[std::size_t{spots[i].row} * cols + spots[i].col] = static_cast<int>(i);
  }
}

ThreadGrid block_grid(Dim3 block) {
  ThreadGrid grid;
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  const bool line = threads == block.x && block.x > static_cast<std::uint32_t>(kLanes);
  grid.cols = line ? kLanes : block.x;
  grid.rows = static_cast<std::uint32_t>((threads + grid.cols - 1) / grid.cols);
  grid.row_name = line ? "threadIdx.x / 32" : block.z > 1 ? "threadIdx.y, z" : "threadIdx.y";
  grid.col_name = line ? "threadIdx.x % 32" : "threadIdx.x";
  grid.spots.resize(std::size_t{warps_per_block(block)} * kLanes);
  for (std::uint32_t thread = 0; thread < threads; ++thread)
    grid.spots[thread] = {thread / grid.cols, thread % grid.cols, true};
  grid.index();
  return grid;
}

std::optional<ThreadGrid>
output_grid(const Picture& picture, const Journey& journey,
            const std::function<std::optional<MatrixPlace>(std::uint64_t)>& place_of) {
  const std::vector<FirstStore> stores = first_stores(journey);
  std::vector<std::size_t> threads;
  std::vector<std::uint64_t> rows, cols;
  for (std::size_t thread = 0; thread < stores.size(); ++thread) {
    if (!stores[thread].there) continue;
    const auto place = place_of(stores[thread].address);
    if (!place) return std::nullopt;
    threads.push_back(thread);
    rows.push_back(place->row);
    cols.push_back(place->col);
  }
  if (threads.empty()) return std::nullopt;
  shrink(rows), shrink(cols);
  const std::uint64_t height = *std::max_element(rows.begin(), rows.end()) + 1,
                      width = *std::max_element(cols.begin(), cols.end()) + 1;
  if (height * width > kSparse * threads.size()) return std::nullopt;
  ThreadGrid grid{.rows = static_cast<std::uint32_t>(height),
                  .cols = static_cast<std::uint32_t>(width)};
  grid.spots.resize(stores.size());
  std::vector<bool> taken(height * width);
  for (std::size_t i = 0; i < threads.size(); ++i) {
    const std::size_t place = rows[i] * width + cols[i];
    if (taken[place]) return std::nullopt;
    taken[place] = true;
    grid.spots[threads[i]] = {static_cast<std::uint32_t>(rows[i]),
                              static_cast<std::uint32_t>(cols[i]), true};
  }
  grid.index();
  const Dim3 block = picture.prepared->launch.block;
  const Namer namer(picture, journey, stores);
  const auto name = [&](std::uint32_t ThreadGrid::Spot::*axis) {
    const std::string variable = namer.name(grid, axis);
    return variable.empty() ? thread_index_name(grid, block, axis) : variable;
  };
  if (height > 1) grid.row_name = name(&ThreadGrid::Spot::row);
  if (width > 1) grid.col_name = name(&ThreadGrid::Spot::col);
  return grid;
}

}  // namespace lanescope::app
