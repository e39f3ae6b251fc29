// The numbers that memory traffic is judged by, each once: what writes, prints, compares or judges
// them goes through these tables, so that a new number is one line here. What the counts mean says
// lanescope/banks.h and lanescope/sectors.h.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/totals.h"
#include "lanescope/banks.h"
#include "lanescope/sectors.h"

namespace lanescope::app {

/// One number of SharedCounts or GlobalCounts.
template <class Counts>
struct Counter {
  /// In JSON, CSV and conditions: "ideal_wavefronts"
  std::string_view id;
  /// Above a column: "ideal"
  std::string_view heading;
  /// Null where the number is a ratio
  std::uint64_t Counts::*count = nullptr;
  /// Of 0 to 1; null where the number is a count
  double (Counts::*ratio)() const = nullptr;
  /// Nsight Compute's sum over all parts that are `in_metric`; empty where it has none
  std::string_view metric = {};

  /// Nullopt where the counts have no such number: the efficiency of nothing.
  [[nodiscard]] std::optional<double> value(const Counts& counts) const;
  /// What it would be at best
  [[nodiscard]] constexpr bool is_ideal() const { return heading == "ideal"; }
};

inline constexpr std::array<Counter<SharedCounts>, 4> kSharedCounters = {
    {{"requests", "requests", &SharedCounts::requests},
     {"wavefronts", "wavefronts", &SharedCounts::wavefronts, nullptr,
      "memory_l1_wavefronts_shared"},
     {"ideal_wavefronts", "ideal", &SharedCounts::ideal_wavefronts, nullptr,
      "memory_l1_wavefronts_shared_ideal"},
     {"conflicts", "conflicts", &SharedCounts::conflicts}}};

inline constexpr std::array<Counter<GlobalCounts>, 4> kGlobalCounters = {
    {{"requests", "requests", &GlobalCounts::requests},
     {"sectors", "sectors", &GlobalCounts::sectors, nullptr,
      "memory_l2_theoretical_sectors_global"},
     {"ideal_sectors", "ideal", &GlobalCounts::ideal_sectors, nullptr,
      "memory_l2_theoretical_sectors_global_ideal"},
     {"efficiency", "efficiency", nullptr, &GlobalCounts::efficiency}}};

constexpr std::span<const Counter<SharedCounts>> counters_of(const SharedCounts&) {
  return kSharedCounters;
}
constexpr std::span<const Counter<GlobalCounts>> counters_of(const GlobalCounts&) {
  return kGlobalCounters;
}
/// The numbers but for the first, the requests, which both memories have.
template <class Counts>
constexpr auto costs_of(const Counts& counts) {
  return counters_of(counts).subspan(1);
}
/// "shared" and "global".
std::string_view space_of(const SharedCounts& counts);
std::string_view space_of(const GlobalCounts& counts);

/// The number as text tables have it: "6,144", "93.8 %", "-".
template <class Counts>
std::string text_of(const Counter<Counts>& counter, const Counts& counts);

enum class Ratios { told, left_out };
/// The ids of both memories' costs, as a CSV table is headed.
std::vector<std::string> csv_cost_ids(Ratios ratios = Ratios::told);
/// Their values; empty where there are no such counts.
std::vector<std::string> csv_costs(const SharedCounts* shared, const GlobalCounts* global,
                                   Ratios ratios = Ratios::told);

/// What it took, wavefronts or sectors, beside what it would have taken at best.
struct AgainstIdeal {
  std::uint64_t taken = 0, ideal = 0;
};
AgainstIdeal against_ideal(const SharedCounts& counts);
AgainstIdeal against_ideal(const GlobalCounts& counts);

/// All parts together.
SharedCounts shared_of(const Totals& totals);
GlobalCounts global_of(const Totals& totals);
/// Those that Nsight Compute's sums have: all but bulk copies.
SharedCounts shared_in_metrics(const Totals& totals);
GlobalCounts global_in_metrics(const Totals& totals);
/// Adds both memories' costs to an object, ratios among them: null where there are none.
void add_costs(Json& json, const SharedCounts& shared, const GlobalCounts& global);

/// The totals of one operation.
template <class Counts>
struct TotalsPart {
  /// "load"
  std::string_view op;
  Counts Totals::*counts = nullptr;
  /// Told even where there are none
  bool always = true;
  /// Of Counter::metric's sums
  bool in_metric = true;
  /// "shared_load"
  [[nodiscard]] std::string id() const;
};
inline constexpr std::array<TotalsPart<SharedCounts>, 4> kSharedParts = {
    {{"load", &Totals::shared_load},
     {"store", &Totals::shared_store},
     {"atomic", &Totals::shared_atomic, false},
     {"product", &Totals::shared_product, false}}};
inline constexpr std::array<TotalsPart<GlobalCounts>, 5> kGlobalParts = {
    {{"load", &Totals::global_load},
     {"store", &Totals::global_store},
     {"atomic", &Totals::global_atomic, false},
     {"bulk_load", &Totals::global_bulk_load, false, false},
     {"bulk_store", &Totals::global_bulk_store, false, false}}};

/// Calls take(counts, part) for every part: shared memory's, then global memory's.
template <class Take>
void each_part(const Totals& totals, Take take) {
  for (const auto& part : kSharedParts) take(totals.*part.counts, part);
  for (const auto& part : kGlobalParts) take(totals.*part.counts, part);
}

}  // namespace lanescope::app
