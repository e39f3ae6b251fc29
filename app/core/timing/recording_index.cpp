#include "core/timing/recording_index.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::app {

namespace {

using Texts = RecordingIndex::Texts;

std::string text_of(const Texts& values) {
  std::string result;
  for (const auto& [name, value] : values) result += name + "=" + value + ";";
  return result;
}

std::string dim_text(Dim3 d) { return fmt::format("{}x{}x{};", d.x, d.y, d.z); }

std::string key_of(const Measurement& m) {
  return fmt::format("{};{};{}|{}{}{}{}", m.kernel, m.function, text_of(m.parameters),
                     text_of(m.arguments), dim_text(m.grid), dim_text(m.block),
                     m.dynamic_shared_bytes);
}

Measurement launch_of(const PreparedLaunch& prepared) {
  Measurement m;
  const KernelInfo& kernel = prepared.kernel();
  m.kernel = prepared.settings.name;
  m.function = kernel.name.empty() ? kernel.display : kernel.name;
  m.parameters = prepared.parameters;
  for (const Argument& argument : prepared.launch.arguments)
    if (argument.buffer.empty()) m.arguments[argument.name] = argument.scalar;
  m.grid = prepared.launch.grid, m.block = prepared.launch.block;
  m.dynamic_shared_bytes = prepared.launch.dynamic_shared_bytes;
  return m;
}

}  // namespace

RecordingIndex::RecordingIndex(const std::vector<Recording>& recordings) {
  for (const Recording& recording : recordings) {
    for (const Measurement& m : recording.measurements) {
      if (!m.time || (m.check.checked && !m.check.correct)) continue;
      const RecordedTiming time{m.time->median,  m.gbps(),    m.share_of_copy(),
                                m.blocks_per_sm, m.registers, recording.device.name,
                                recording.date};
      times_.emplace(key_of(m), time);
      std::vector<Texts>& known = arguments_[m.kernel + ";" + text_of(m.parameters)];
      if (std::find(known.begin(), known.end(), m.arguments) == known.end())
        known.push_back(m.arguments);
    }
  }
}

const RecordedTiming* RecordingIndex::find(const PreparedLaunch& prepared) const {
  const auto found = times_.find(key_of(launch_of(prepared)));
  return found == times_.end() ? nullptr : &found->second;
}

std::vector<Texts> RecordingIndex::arguments(const std::string& kernel,
                                             const Texts& parameters) const {
  const auto found = arguments_.find(kernel + ";" + text_of(parameters));
  return found == arguments_.end() ? std::vector<Texts>{} : found->second;
}

RecordingIndexPtr bundled_recordings() {
  static const RecordingIndexPtr recordings = std::make_shared<const RecordingIndex>(
      load_recordings(default_measurement_folder()).recordings);
  return recordings;
}

}  // namespace lanescope::app
