// Words on screen. The English text is its own key; a table in assets/translations replaces it.
#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

#include "lanescope/message.h"

namespace lanescope::app {

/// What stands in a place of a sentence: a text, or a whole number in digits. Lives as long as what it
/// was made of.
class Filling {
 public:
  // NOLINTBEGIN(google-explicit-constructor): a list of them is written as what they are made of
  template <std::convertible_to<std::string_view> Text>
  Filling(const Text& text) : value_(std::string_view(text)) {}
  template <std::signed_integral Number>
  Filling(Number number) : value_(static_cast<long long>(number)) {}
  template <std::unsigned_integral Number>
  Filling(Number number) : value_(static_cast<unsigned long long>(number)) {}
  Filling(bool) = delete;
  Filling(char) = delete;
  // NOLINTEND(google-explicit-constructor)

  void append_to(std::string& text) const;

 private:
  std::variant<std::string_view, long long, unsigned long long> value_;
};

/// The text in the current language; the English text itself where the table has none.
const char* tr(const char* english);
/// The same with {0}, {1}, … replaced by `arguments`; a translation may reorder them.
std::string tr(const char* english, std::initializer_list<Filling> arguments);
/// What the simulator, the program's core or the GPU says, by its identity in messages*.json; in
/// English where there is no translation, and as it is where it has no identity.
std::string tr_message(const Message& message);
/// A window's displayed title with its stable id: "Banks###banks".
std::string window_title(const char* english, const char* id);

/// "en" needs no table. Another language reads FOLDER/LANGUAGE/*.json, objects of strings; false if
/// it cannot.
bool set_language(const std::string& language, const std::string& folder);
const std::string& current_language();
/// Another one after each set_language(): what was made of translated words is of an older one then.
unsigned language_serial();

/// 1048576 as "1 048 576", with narrow spaces.
std::string grouped(unsigned long long value);
/// With `digits` after the point at most, none when it is whole.
std::string decimal(double value, int digits = 1);

}  // namespace lanescope::app
