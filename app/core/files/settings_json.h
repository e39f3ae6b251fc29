// Settings and selections as JSON, for sessions and for what is remembered between runs.
#pragma once

#include <nlohmann/json.hpp>

#include "core/kernel/settings.h"
#include "core/picture/selection.h"

namespace lanescope::app {

nlohmann::json to_json(const Settings& settings);
nlohmann::json to_json(const Selection& selection);
/// Returns what is wrong with the JSON, by the path of the value, or "".
std::string from_json(const nlohmann::json& json, Settings& settings);
std::string from_json(const nlohmann::json& json, Selection& selection);

}  // namespace lanescope::app
