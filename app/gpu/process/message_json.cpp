#include "gpu/process/message_json.h"

#include <algorithm>

namespace lanescope::gpu {

using Json = nlohmann::ordered_json;

Json to_json(const Message& message) {
  if (message.id().empty()) return message.english();
  Json arguments = Json::array();
  for (const Message& argument : message.arguments()) arguments.push_back(to_json(argument));
  return {{"id", message.id()}, {"english", message.english()}, {"arguments", arguments}};
}

Message message_from_json(const Json& json) {
  if (json.is_string()) return Message::verbatim(json);
  const auto text = [&](const char* key) {
    const auto found = json.is_object() ? json.find(key) : json.end();
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  std::vector<Message> arguments;
  if (json.is_object() && json.contains("arguments"))
    for (const Json& argument : json["arguments"]) arguments.push_back(message_from_json(argument));
  return Message::received(text("id"), text("english"), std::move(arguments));
}

Json sent(const app::Measurement& measurement) {
  Json diagnostics = Json::array();
  for (const Diagnostic& d : measurement.diagnostics)
    diagnostics.push_back({{"message", to_json(d.message)}, {"hint", to_json(d.hint)}});
  Json json = app::to_json(measurement);
  json["messages"] = {{"result", to_json(measurement.check.message)},
                      {"diagnostics", std::move(diagnostics)}};
  return json;
}

std::optional<app::Measurement> received(const Json& json) {
  std::optional<app::Measurement> measurement = app::measurement_from_json(json);
  if (!measurement || !json.contains("messages") || !json["messages"].is_object())
    return measurement;
  const Json& messages = json["messages"];
  if (messages.contains("result"))
    measurement->check.message = message_from_json(messages["result"]);
  const Json found = messages.value("diagnostics", Json::array());
  const std::size_t count = std::min(found.size(), measurement->diagnostics.size());
  for (std::size_t i = 0; i < count; ++i) {
    measurement->diagnostics[i].message = message_from_json(found[i].value("message", Json()));
    measurement->diagnostics[i].hint = message_from_json(found[i].value("hint", Json()));
  }
  return measurement;
}

}  // namespace lanescope::gpu
