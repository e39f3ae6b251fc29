// The bank of each lane as an equation of the access's own subscripts: bank = (icol*pitch + irow) mod
// 32, and what it gives at this pitch or at another one. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "core/picture/picture.h"
#include "lanescope/banks.h"
#include "lanescope/types.h"

namespace lanescope::app {

struct BankEquation {
  /// As in the source: what counts rows of the array, and what counts elements within a row
  std::string row, column;
  /// Elements from row to row; 0: the array has one dimension
  std::uint64_t pitch = 0;
  std::uint32_t element_bytes = 4;
  /// Of the access, a lane
  std::uint32_t bytes = 4;
  bool load = true;
  /// Words from the start of shared memory to the array
  std::uint64_t first_word = 0;
  LaneMask mask = 0;
  std::array<std::uint64_t, kLanes> at_row{}, at_column{};

  /// "(icol*pitch + irow) mod 32"; with the number where one is given.
  [[nodiscard]] std::string text(std::uint64_t with_pitch = 0) const;
};

/// Elements from row to row, by its extents or as the front matter lays it out; 0: it has no rows.
std::uint64_t pitch_of(const Picture& picture, const SharedArray& array);

/// nullopt: no lane is active, or the lanes reach no array that is known.
std::optional<BankEquation> bank_equation(const Picture& picture, const AccessInfo& access,
                                          const LaneRow& address, LaneMask mask);

/// What an equation gives at one pitch.
struct BankGrid {
  std::uint64_t pitch = 0;
  BankPlan plan;
  std::array<int, kLanes> bank{};
  /// Lanes whose bank has a different word to serve as well
  LaneMask clashing = 0;
};
BankGrid bank_grid(const BankEquation& equation, std::uint64_t pitch);

/// Where the lanes stand in a table whose axes are the subscripts; the one that changes from lane to
/// lane runs across. Without such axes, eight lanes a line.
struct LaneTable {
  int across = 8, down = 4;
  std::string across_name, down_name;
  std::array<int, kLanes> x{}, y{};
};
LaneTable lane_table(const BankEquation& equation);

/// A pitch worth seeing beside this one: the next without conflicts where there are some now, else
/// the nearest below that has some. Where the pitch changes nothing the next one, which shows that; 0
/// for an equation without a pitch.
std::uint64_t telling_pitch(const BankEquation& equation);

}  // namespace lanescope::app
