#include "core/files/session_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/files/settings_json.h"
#include "core/text/messages.h"
#include "core/text/text.h"
#include "core/text/text_file.h"

namespace lanescope::app {

using nlohmann::json;

namespace {

constexpr int kSchema = 1;

SessionFileResult failed(const std::string& file, Message message,
                         Message hint = say::save_as_session) {
  return {std::nullopt, {usage_error(file, std::move(message), std::move(hint))}};
}

void set_position(Diagnostic& diagnostic, const std::string& text, std::size_t byte) {
  const std::string_view before = std::string_view(text).substr(0, byte > 0 ? byte - 1 : 0);
  diagnostic.line = 1 + static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n'));
  diagnostic.column = static_cast<std::uint32_t>(before.size() - (before.rfind('\n') + 1)) + 1;
  diagnostic.source_line = line_of(text, diagnostic.line);
  constexpr std::size_t kLongLine = 160;  // a whole kernel text is one line of the file
  if (diagnostic.source_line.size() > kLongLine) diagnostic.source_line.clear();
}

// The parser's message starts with its own name and number.
std::string plain(std::string message) {
  for (const char* cut : {"] ", ": "}) {
    const std::size_t at = message.find(cut);
    if (at != std::string::npos) message = message.substr(at + 2);
  }
  return message;
}

// Where a key stands, so that a wrong value has a position too.
std::size_t position_of(const std::string& text, const std::string& key) {
  const std::size_t at = key.empty() ? std::string::npos : text.find(fmt::format("\"{}\":", key));
  return at == std::string::npos ? 1 : at + 1;
}

// What is missing or of another type is as in a program that has just been opened.
SessionFile::Program program_from(const json& object) {
  const auto text = [&](const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  SessionFile::Program program;
  program.input = {text("arguments"), text("flags"), text("input")};
  if (const auto run = object.find("has_run"); run != object.end() && run->is_boolean())
    program.has_run = *run;
  if (const auto at = object.find("launch"); at != object.end() && at->is_number_unsigned())
    program.launch = *at;
  return program;
}

}  // namespace

bool is_session_file(const std::string& path) { return path.ends_with(kSessionSuffix); }

SessionFileResult parse_session(const std::string& file, const std::string& text) {
  json root;
  try {
    root = json::parse(text);
  } catch (const json::parse_error& error) {
    SessionFileResult result = failed(file, say::not_a_session(plain(error.what())));
    set_position(result.diagnostics.front(), text, error.byte);
    return result;
  }
  const auto refused = [&](const WrongValue& wrong) {
    SessionFileResult result = failed(file, say::not_a_session(wrong.message));
    set_position(result.diagnostics.front(), text, position_of(text, wrong.key));
    return result;
  };
  if (!root.is_object() || !root.contains("lanescope"))
    return refused({"lanescope", say::is_missing("lanescope")});
  if (!root["lanescope"].is_number_integer())
    return refused({"lanescope", say::is_not("lanescope", say::a_number)});
  if (root["lanescope"] != kSchema)
    return failed(file, say::session_of_other_version(root["lanescope"].dump(), kSchema), {});
  SessionFile session;
  for (const char* part : {"settings", "selection"})
    if (!root.contains(part)) return refused({part, say::is_missing(part)});
  if (const WrongValue wrong = from_json(root["settings"], session.settings); !wrong.empty())
    return refused(wrong);
  if (const WrongValue wrong = from_json(root["selection"], session.selection); !wrong.empty())
    return refused(wrong);
  if (root.contains("comparison")) {
    const WrongValue wrong = from_json(root["comparison"], session.comparison.emplace());
    if (!wrong.empty()) return refused({wrong.key, say::about("comparison", wrong.message)});
  }
  if (session.settings.text.empty()) return refused({"text", say::is_missing_or_empty("text")});
  if (root.contains("look") && root["look"].is_string()) session.look = root["look"];
  if (root.contains("lesson") && root["lesson"].is_string()) session.lesson = root["lesson"];
  if (root.contains("program") && root["program"].is_object())
    session.program = program_from(root["program"]);
  return {std::move(session), {}};
}

SessionFileResult read_session(const std::string& path) {
  const TextFile file = read_text_file(path);
  if (!file.diagnostics.empty()) return {std::nullopt, file.diagnostics};
  return parse_session(path, file.text);
}

std::string session_text(const SessionFile& session) {
  json root = {{"lanescope", kSchema},
               {"settings", to_json(session.settings)},
               {"selection", to_json(session.selection)},
               {"look", session.look}};
  if (!session.lesson.empty()) root["lesson"] = session.lesson;
  if (session.comparison) root["comparison"] = to_json(*session.comparison);
  if (const auto& program = session.program)
    root["program"] = {{"arguments", program->input.arguments},
                       {"flags", program->input.flags},
                       {"input", program->input.standard_input},
                       {"has_run", program->has_run},
                       {"launch", program->launch}};
  return root.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace lanescope::app
