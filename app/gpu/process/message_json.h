// What processes of the GPU's side tell each other: messages keep their identities on the way, which
// recordings and reports, being texts, do without.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "core/timing/measurement.h"
#include "lanescope/message.h"

namespace lanescope::gpu {

/// A verbatim text is a string; a sentence is {"id", "english", "arguments"}.
nlohmann::ordered_json to_json(const Message& message);
/// Says nothing where the JSON is of another form.
Message message_from_json(const nlohmann::ordered_json& json);

/// A measurement as JSON, with its messages.
nlohmann::ordered_json sent(const app::Measurement& measurement);
/// Nullopt if it is none.
std::optional<app::Measurement> received(const nlohmann::ordered_json& json);

}  // namespace lanescope::gpu
