// What the program says about a kernel: a sentence's identity and the values in it. The English text
// comes with it; another language is formatted from the identity, so that nothing has to read
// English back.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope {

class Message {
 public:
  /// Says nothing.
  Message() = default;
  /// `format` has a place {0}, {1}, … for each argument, which is a message itself. Sentences are
  /// made by the tables of `Sentence`s, which know their formats.
  Message(std::string_view id, std::string_view format, std::vector<Message> arguments);
  /// What is the same in every language: a name, a number, or what the compiler, the driver or the
  /// system said.
  static Message verbatim(std::string text);
  /// As another process said it: with the identity, and the English already put together.
  static Message received(std::string id, std::string english, std::vector<Message> arguments);

  /// Empty for a verbatim text.
  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] const std::string& english() const { return english_; }
  [[nodiscard]] const std::vector<Message>& arguments() const { return arguments_; }
  [[nodiscard]] bool empty() const { return english_.empty(); }

  /// A sentence's format in another language, by its identity; null where there is none.
  using FormatOf = std::function<const std::string*(const std::string& id)>;
  /// In that language, the arguments too; in English where it has no format, or one that does not
  /// fit.
  [[nodiscard]] std::string in(const FormatOf& format_of) const;

  friend bool operator==(const Message&, const Message&) = default;

 private:
  std::string id_, english_;
  std::vector<Message> arguments_;
};

inline const Message& argument_of(const Message& message) { return message; }
template <std::convertible_to<std::string_view> Text>
Message argument_of(const Text& text) {
  return Message::verbatim(std::string(std::string_view(text)));
}
inline Message argument_of(char letter) { return Message::verbatim(std::string(1, letter)); }
template <std::integral Number>
Message argument_of(Number number) {
  return Message::verbatim(std::to_string(number));
}

/// One line of a table of sentences (such as simulator_messages.def): called with a value for each
/// place, it makes the message. One without places is a message by itself.
template <std::size_t Places>
struct Sentence {
  std::string_view id, english;

  template <class... Values>
  Message operator()(const Values&... values) const {
    static_assert(sizeof...(Values) == Places, "a value for each place of the sentence");
    return {id, english, {argument_of(values)...}};
  }
  // NOLINTNEXTLINE(google-explicit-constructor)
  operator Message() const requires(Places == 0) { return {id, english, {}}; }
};

/// How many different places a format has: one more than the highest number in braces.
consteval std::size_t places_in(std::string_view format) {
  std::size_t places = 0;
  for (std::size_t i = 0; i + 2 < format.size(); ++i)
    if (format[i] == '{' && format[i + 2] == '}' && format[i + 1] >= '0' && format[i + 1] <= '9')
      places = std::max(places, static_cast<std::size_t>(format[i + 1] - '0') + 1);
  return places;
}

/// A sentence as translators see it.
struct MessageFormat {
  std::string_view id, english;
};
/// Every sentence that the simulator can say.
std::span<const MessageFormat> simulator_messages();

}  // namespace lanescope
