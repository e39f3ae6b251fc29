// Rows as lane 0 and a shape; the shapes that came last are found again by their hash.
#include "lanescope/lane_rows.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lanescope {
namespace {

/// Four streams, so that the multiplications do not wait for each other.
std::size_t hash_of(const std::uint32_t* shape) {
  std::uint64_t sums[4] = {1, 2, 3, 4};
  for (std::size_t i = 0; i < kLanes; i += 8) {
    for (std::size_t k = 0; k < 4; ++k) {
      std::uint64_t word = 0;
      std::memcpy(&word, shape + i + 2 * k, sizeof word);
      sums[k] = (sums[k] ^ word) * 0x9e3779b97f4a7c15ull;
    }
  }
  return (sums[0] ^ std::rotl(sums[1], 7) ^ std::rotl(sums[2], 13) ^ std::rotl(sums[3], 19)) >> 40;
}

std::uint64_t extended(std::uint32_t difference) {
  return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(difference)});
}

}  // namespace

void LaneRows::add(std::uint64_t first, std::uint32_t place, Form form) {
  firsts_.push_back(first);
  shapes_.push_back(place << 2 | static_cast<std::uint32_t>(form));
}

std::uint32_t LaneRows::place_of(const Shape& shape) {
  if (known_.empty()) known_.emplace_back();
  std::uint32_t any = 0;
  for (const std::uint32_t difference : shape) any |= difference;
  if (any == 0) return 0;
  std::uint32_t& place = recent_[hash_of(shape.data()) % recent_.size()];
  if (known_[place] == shape) return place;
  place = static_cast<std::uint32_t>(known_.size());
  known_.push_back(shape);
  return place;
}

void LaneRows::add32(const std::uint32_t* lanes) {
  Shape shape;
  for (std::size_t l = 0; l < kLanes; ++l) shape[l] = lanes[l] - lanes[0];
  add(lanes[0], place_of(shape), Form::narrow);
}

void LaneRows::add64(const std::uint64_t* lanes) {
  Shape shape;
  std::uint64_t beyond = 0;
  for (std::size_t l = 0; l < kLanes; ++l) {
    const std::uint64_t difference = lanes[l] - lanes[0];
    shape[l] = static_cast<std::uint32_t>(difference);
    beyond |= (difference + 0x8000'0000u) >> 32;
  }
  if (beyond == 0) return add(lanes[0], place_of(shape), Form::wide);
  add(lanes[0], static_cast<std::uint32_t>(whole_.size()), Form::whole);
  std::copy_n(lanes, kLanes, whole_.emplace_back().begin());
}

LaneRow LaneRows::operator[](std::size_t row) const {
  const auto [place, form] = entry(row);
  if (form == Form::whole) return whole_[place];
  LaneRow result;
  const std::uint64_t first = firsts_[row];
  const Shape& shape = known_[place];
  if (form == Form::narrow) {
    for (std::size_t l = 0; l < kLanes; ++l)
      result[l] = static_cast<std::uint32_t>(first) + shape[l];
  } else {
    for (std::size_t l = 0; l < kLanes; ++l) result[l] = first + extended(shape[l]);
  }
  return result;
}

std::uint64_t LaneRows::value(std::size_t row, std::size_t lane) const {
  const auto [place, form] = entry(row);
  if (form == Form::whole) return whole_[place][lane];
  if (form == Form::narrow) return static_cast<std::uint32_t>(firsts_[row]) + known_[place][lane];
  return firsts_[row] + extended(known_[place][lane]);
}

}  // namespace lanescope
