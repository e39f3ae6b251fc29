#include "core/run/counters.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/text/number.h"

namespace lanescope::app {

namespace {

template <class Counts>
void add_ids(std::vector<std::string>& ids, Ratios ratios) {
  for (const Counter<Counts>& counter : costs_of(Counts{}))
    if (counter.count || ratios == Ratios::told) ids.emplace_back(counter.id);
}

template <class Counts>
std::string csv_value(const Counter<Counts>& counter, const Counts* counts) {
  if (!counts) return "";
  if (counter.count) return std::to_string(counts->*counter.count);
  const auto ratio = counter.value(*counts);
  return ratio ? fixed(*ratio, 4) : "";
}

template <class Counts>
void add_values(std::vector<std::string>& values, const Counts* counts, Ratios ratios) {
  for (const Counter<Counts>& counter : costs_of(Counts{}))
    if (counter.count || ratios == Ratios::told) values.push_back(csv_value(counter, counts));
}

template <class Counts, std::size_t N>
Counts sum_of(const Totals& totals, const std::array<TotalsPart<Counts>, N>& parts,
              bool in_metric) {
  Counts sum;
  for (const auto& part : parts)
    if (part.in_metric || !in_metric) sum += totals.*part.counts;
  return sum;
}

template <class Counts>
void add_costs_of(Json& json, const Counts& counts) {
  for (const auto& counter : costs_of(counts)) {
    Json& number = json[std::string(counter.id)];
    if (counter.count)
      number = counts.*counter.count;
    else if (const auto ratio = counter.value(counts))
      number = *ratio;
  }
}

}  // namespace

template <class Counts>
std::optional<double> Counter<Counts>::value(const Counts& counts) const {
  if (count) return static_cast<double>(counts.*count);
  return against_ideal(counts).taken > 0 ? std::optional((counts.*ratio)()) : std::nullopt;
}

template <class Counts>
std::string text_of(const Counter<Counts>& counter, const Counts& counts) {
  if (counter.count) return grouped(counts.*counter.count, ",");
  const auto ratio = counter.value(counts);
  return ratio ? percent(*ratio) : "-";
}

template <class Counts>
std::string TotalsPart<Counts>::id() const {
  return fmt::format("{}_{}", space_of(Counts{}), op);
}

template struct Counter<SharedCounts>;
template struct Counter<GlobalCounts>;
template struct TotalsPart<SharedCounts>;
template struct TotalsPart<GlobalCounts>;
template std::string text_of(const Counter<SharedCounts>&, const SharedCounts&);
template std::string text_of(const Counter<GlobalCounts>&, const GlobalCounts&);

std::string_view space_of(const SharedCounts&) { return space_name(MemorySpace::shared); }
std::string_view space_of(const GlobalCounts&) { return space_name(MemorySpace::global); }

std::vector<std::string> csv_cost_ids(Ratios ratios) {
  std::vector<std::string> ids;
  add_ids<SharedCounts>(ids, ratios);
  add_ids<GlobalCounts>(ids, ratios);
  return ids;
}

std::vector<std::string> csv_costs(const SharedCounts* shared, const GlobalCounts* global,
                                   Ratios ratios) {
  std::vector<std::string> values;
  add_values(values, shared, ratios);
  add_values(values, global, ratios);
  return values;
}

AgainstIdeal against_ideal(const SharedCounts& counts) {
  return {counts.wavefronts, counts.ideal_wavefronts};
}

AgainstIdeal against_ideal(const GlobalCounts& counts) {
  return {counts.sectors, counts.ideal_sectors};
}

SharedCounts shared_of(const Totals& totals) { return sum_of(totals, kSharedParts, false); }
GlobalCounts global_of(const Totals& totals) { return sum_of(totals, kGlobalParts, false); }
SharedCounts shared_in_metrics(const Totals& totals) { return sum_of(totals, kSharedParts, true); }
GlobalCounts global_in_metrics(const Totals& totals) { return sum_of(totals, kGlobalParts, true); }

void add_costs(Json& json, const SharedCounts& shared, const GlobalCounts& global) {
  add_costs_of(json, shared);
  add_costs_of(json, global);
}

}  // namespace lanescope::app
