#include "core/timing/measurement.h"

#include <algorithm>
#include <cmath>

namespace lanescope::app {

Spread spread_of(std::vector<double> samples, int launches) {
  Spread result;
  result.launches = launches;
  if (samples.empty()) return result;
  std::sort(samples.begin(), samples.end());
  const auto quantile = [&](double q) {
    const double at = q * static_cast<double>(samples.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, samples.size() - 1);
    const double part = at - static_cast<double>(below);
    return samples[below] + part * (samples[above] - samples[below]);
  };
  result.repetitions = static_cast<int>(samples.size());
  result.min = samples.front(), result.max = samples.back();
  result.q1 = quantile(0.25), result.median = quantile(0.5), result.q3 = quantile(0.75);
  return result;
}

std::optional<std::uint64_t> Counters::get(const std::string& metric) const {
  const auto found = values.find(metric);
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

double gigabytes_per_second(std::uint64_t bytes, double milliseconds) {
  return milliseconds > 0 ? static_cast<double>(bytes) / milliseconds / 1e6 : 0;
}

double Measurement::gbps() const { return time ? gigabytes_per_second(bytes, time->median) : 0; }

double Measurement::gflops() const { return time ? gigabytes_per_second(flops, time->median) : 0; }

double Measurement::share_of_copy() const {
  return time && copy && time->median > 0 ? copy->median / time->median : 0;
}

double Measurement::share_of_cublas() const {
  return time && cublas && time->median > 0 ? cublas->median / time->median : 0;
}

bool Measurement::same_launch(const Measurement& other) const {
  return kernel == other.kernel && function == other.function && parameters == other.parameters &&
         arguments == other.arguments && block == other.block && grid == other.grid &&
         dynamic_shared_bytes == other.dynamic_shared_bytes;
}

void merge(Recording& into, const std::vector<Measurement>& measurements) {
  for (const Measurement& measurement : measurements) {
    const auto same =
        std::find_if(into.measurements.begin(), into.measurements.end(),
                     [&](const Measurement& old) { return old.same_launch(measurement); });
    if (same == into.measurements.end()) {
      into.measurements.push_back(measurement);
      continue;
    }
    // Times and counters come from different runs of the program: keep what the newer one lacks.
    Measurement merged = measurement;
    if (!merged.counters) merged.counters = same->counters;
    if (!merged.time) {
      merged.time = same->time, merged.copy = same->copy, merged.cublas = same->cublas;
      merged.check = same->check, merged.registers = same->registers;
      merged.static_shared_bytes = same->static_shared_bytes;
      merged.local_bytes = same->local_bytes, merged.blocks_per_sm = same->blocks_per_sm;
    }
    *same = std::move(merged);
  }
}

}  // namespace lanescope::app
