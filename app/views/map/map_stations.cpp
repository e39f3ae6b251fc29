#include "views/map/map_stations.h"

#include <algorithm>
#include <cmath>

namespace lanescope::app {
namespace {

constexpr float kSimpler = 1.12f;  // how much larger cells must be to leave the plain row
constexpr int kTileRole = 2;       // what comes after it stands beside the stack, or below

// Stations that stand above each other, with what is common to them.
struct Column {
  std::vector<Station*> of;
};
// Columns beside each other; a band is as high as its highest column.
using Band = std::vector<Column>;

Column& column_of(Band& band, int role, bool same) {
  if (band.empty() || (!same && band.back().of.back()->role != role)) band.emplace_back();
  return band.back();
}

std::vector<Band> bands_of(std::span<Station> stations, Arrangement arrangement) {
  std::vector<Band> bands(arrangement == Arrangement::turn ? 2 : 1);
  for (Station& station : stations) {
    const bool early = station.role <= kTileRole;
    if (arrangement == Arrangement::turn && !early) {
      // Below, from right to left.
      Band& band = bands[1];
      if (band.empty() || band.front().of.back()->role != station.role)
        band.insert(band.begin(), Column{});
      band.front().of.push_back(&station);
      continue;
    }
    const bool stacked = arrangement == Arrangement::stack && early;
    column_of(bands[0], station.role, stacked).of.push_back(&station);
  }
  if (bands.back().empty()) bands.pop_back();
  return bands;
}

struct Size {
  float width = 0, height = 0;
};

Size size_of(const Column& column, const StationRoom& room, float cell) {
  Size size;
  for (const Station* station : column.of) {
    size.width = std::max(size.width, room.margin + cell * static_cast<float>(station->shown_cols));
    size.height += room.header + cell * static_cast<float>(station->shown_rows);
  }
  size.height += room.gap * 0.4f * static_cast<float>(column.of.size() - 1);
  return size;
}

Size size_of(const std::vector<Band>& bands, const StationRoom& room, float cell) {
  Size size;
  for (const Band& band : bands) {
    float width = room.gap * static_cast<float>(band.size() - 1), height = 0;
    for (const Column& column : band) {
      const Size of = size_of(column, room, cell);
      width += of.width;
      height = std::max(height, of.height);
    }
    size.width = std::max(size.width, width);
    size.height += height;
  }
  size.height += room.gap * static_cast<float>(bands.size() - 1);
  return size;
}

void show_all(std::span<Station> stations) {
  for (Station& station : stations)
    station.shown_rows = station.rows, station.shown_cols = station.cols;
}

// Takes one row or column away from those of a column of stations that show most of them.
bool take(const Column& column, std::uint64_t Station::*shown) {
  std::uint64_t largest = 1;
  for (const Station* station : column.of) largest = std::max(largest, station->*shown);
  if (largest <= 1) return false;
  for (Station* station : column.of) station->*shown = std::min(station->*shown, largest - 1);
  return true;
}

std::uint64_t most_columns(const Band& band) {
  std::uint64_t most = 1;
  for (const Column& column : band) {
    for (const Station* station : column.of) most = std::max(most, station->shown_cols);
  }
  return most;
}

float height_of(const Band& band, const StationRoom& room, float cell) {
  return size_of(std::vector<Band>{band}, room, cell).height;
}

// Takes cells away where it is too wide or too high, until it fits.
void shrink(std::vector<Band>& bands, const StationRoom& room, float cell) {
  for (Band& band : bands) {
    while (size_of(std::vector<Band>{band}, room, cell).width > room.width) {
      const std::uint64_t most = most_columns(band);
      if (most <= 1) break;
      for (Column& column : band) {
        for (Station* station : column.of)
          station->shown_cols = std::min(station->shown_cols, most - 1);
      }
    }
  }
  while (size_of(bands, room, cell).height > room.height) {
    bool taken = false;
    for (Band& band : bands) {
      const float height = height_of(band, room, cell);
      for (Column& column : band) {
        if (size_of(column, room, cell).height >= height)
          taken |= take(column, &Station::shown_rows);
      }
    }
    if (!taken) break;
  }
}

float largest_cell(const std::vector<Band>& bands, const StationRoom& room, float least) {
  float cell = std::max(least, std::floor(room.most));
  const auto fits = [&](float side) {
    const Size size = size_of(bands, room, side);
    return size.width <= room.width && size.height <= room.height;
  };
  while (cell > least && !fits(cell)) cell -= cell > 6 ? 1.0f : 0.25f;
  return std::max(cell, least);
}

// How much is seen of the rows and columns of a station, whichever is less: a transpose needs both.
// Of all stations together, so that none is left with next to nothing.
double share_shown(std::span<const Station> stations) {
  double sum = 0, least = 1;
  for (const Station& station : stations) {
    const auto part = [](std::uint64_t shown, std::uint64_t all) {
      return static_cast<double>(shown) / static_cast<double>(std::max<std::uint64_t>(1, all));
    };
    const double share =
        std::min(part(station.shown_rows, station.rows), part(station.shown_cols, station.cols));
    sum += share;
    least = std::min(least, share);
  }
  return std::sqrt(least * sum / static_cast<double>(std::max<std::size_t>(1, stations.size())));
}

StationPlan try_out(std::span<Station> stations, const StationRoom& room, Arrangement arrangement,
                    bool overview) {
  show_all(stations);
  std::vector<Band> bands = bands_of(stations, arrangement);
  StationPlan plan{.arrangement = arrangement};
  plan.cell = largest_cell(bands, room, overview ? 0.5f : room.least);
  if (!overview) shrink(bands, room, plan.cell);
  plan.whole = share_shown(stations) >= 1;
  return plan;
}

void place(std::span<Station> stations, const StationRoom& room, const StationPlan& plan) {
  const std::vector<Band> bands = bands_of(stations, plan.arrangement);
  const Size all = size_of(bands, room, plan.cell);
  float y = std::max(0.0f, (room.height - all.height) / 2);
  for (const Band& band : bands) {
    float width = room.gap * static_cast<float>(band.size() - 1), height = 0;
    for (const Column& column : band) {
      const Size size = size_of(column, room, plan.cell);
      width += size.width;
      height = std::max(height, size.height);
    }
    // What is left of the width goes between the stations, up to as much again and half.
    const auto gaps = static_cast<float>(std::max<std::size_t>(1, band.size() - 1));
    const float more = std::clamp((room.width - width) / gaps, 0.0f, room.gap * 1.5f);
    const float used = width + (band.size() > 1 ? more * gaps : 0);
    float x = std::max(0.0f, (room.width - used) / 2);
    for (const Column& column : band) {
      const Size size = size_of(column, room, plan.cell);
      float top = y + (height - size.height) / 2;
      for (Station* station : column.of) {
        station->x = std::round(x + room.margin);
        station->y = std::round(top + room.header);
        top += room.header + plan.cell * static_cast<float>(station->shown_rows) + room.gap * 0.4f;
      }
      x += size.width + room.gap + more;
    }
    y += height + room.gap;
  }
}

}  // namespace

StationPlan arrange(std::span<Station> stations, const StationRoom& room, bool overview) {
  StationPlan best;
  double best_worth = -1;
  for (const Arrangement one : {Arrangement::row, Arrangement::stack, Arrangement::turn}) {
    const StationPlan plan = try_out(stations, room, one, overview);
    const double worth = static_cast<double>(plan.cell) * share_shown(stations) *
                         (one == Arrangement::row ? static_cast<double>(kSimpler) : 1.0);
    if (worth > best_worth) best = plan, best_worth = worth;
  }
  try_out(stations, room, best.arrangement, overview);
  place(stations, room, best);
  return best;
}

StationPlan KeptArrangement::arrange(std::vector<Station>& stations, const StationRoom& room,
                                     bool overview) {
  if (stations != asked_ || room != room_ || overview != overview_) {
    placed_ = asked_ = stations;
    room_ = room, overview_ = overview;
    plan_ = app::arrange(placed_, room, overview);
  }
  stations = placed_;
  return plan_;
}

}  // namespace lanescope::app
