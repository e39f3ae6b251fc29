// Settings and selections as JSON, for sessions and for what is remembered between runs.
#pragma once

#include <nlohmann/json.hpp>

#include "core/kernel/settings.h"
#include "core/picture/selection.h"
#include "lanescope/message.h"

namespace lanescope::app {

nlohmann::json to_json(const Settings& settings);
nlohmann::json to_json(const Selection& selection);
/// What is wrong with a value of the JSON.
struct WrongValue {
  /// The last part of its path; empty for the object itself
  std::string key;
  /// Empty if nothing is
  Message message;
  [[nodiscard]] bool empty() const { return message.empty(); }
};
WrongValue from_json(const nlohmann::json& json, Settings& settings);
WrongValue from_json(const nlohmann::json& json, Selection& selection);

}  // namespace lanescope::app
