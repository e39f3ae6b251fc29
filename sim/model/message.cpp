// Messages as text.
#include <fmt/args.h>
#include <fmt/format.h>

#include "model/simulator_messages.h"

namespace lanescope {
namespace {

std::string formatted(std::string_view format, const std::vector<std::string>& values) {
  fmt::dynamic_format_arg_store<fmt::format_context> store;
  for (const std::string& value : values) store.push_back(std::cref(value));
  return fmt::vformat(format, store);
}

}  // namespace

Message::Message(std::string_view id, std::string_view format, std::vector<Message> arguments)
    : id_(id), arguments_(std::move(arguments)) {
  std::vector<std::string> values;
  for (const Message& argument : arguments_) values.push_back(argument.english());
  english_ = formatted(format, values);
}

Message Message::verbatim(std::string text) { return received({}, std::move(text), {}); }

Message Message::received(std::string id, std::string english, std::vector<Message> arguments) {
  Message message;
  message.id_ = std::move(id);
  message.english_ = std::move(english);
  message.arguments_ = std::move(arguments);
  return message;
}

std::string Message::in(const FormatOf& format_of) const {
  const std::string* format = id_.empty() ? nullptr : format_of(id_);
  if (format == nullptr) return english_;
  std::vector<std::string> values;
  for (const Message& argument : arguments_) values.push_back(argument.in(format_of));
  try {
    return formatted(*format, values);
  } catch (const fmt::format_error&) {
    return english_;
  }
}

std::span<const MessageFormat> simulator_messages() {
  static constexpr MessageFormat kAll[] = {
#define MESSAGE(id, english) {#id, english},
#include "model/simulator_messages.def"
#undef MESSAGE
  };
  return kAll;
}

namespace say {

Message bytes(std::uint64_t n) { return n == 1 ? one_byte(n) : several_bytes(n); }
Message elements(std::uint64_t n) { return n == 1 ? one_element(n) : several_elements(n); }

}  // namespace say
}  // namespace lanescope
