#include "views/draw/tr.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text/number.h"
#include "views/draw/window_words.h"

namespace lanescope::app {
namespace {

struct Language {
  std::string name = "en";
  std::map<std::string, std::string, std::less<>> table;
  /// By identity
  std::map<std::string, std::string> messages;
};

// The window speaks of its own controls, in every language.
Language with_window_words(Language language) {
  for (const WindowWords& words : window_words()) {
    const auto told = language.table.find(std::string_view(words.english));
    language.messages.insert_or_assign(std::string(words.id),
                                       told == language.table.end() ? words.english : told->second);
  }
  return language;
}

unsigned serial = 0;

Language& language() {
  static Language current = with_window_words({});
  return current;
}

void add_table(Language& language, const std::filesystem::path& path) {
  std::ifstream file(path);
  const nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
  if (!json.is_object()) return;
  // What messages say goes by identity; everything else by its English text.
  const bool messages = path.filename().string().starts_with("messages");
  for (const auto& [key, value] : json.items()) {
    if (!value.is_string()) continue;
    if (messages)
      language.messages.insert_or_assign(key, value.get<std::string>());
    else
      language.table.insert_or_assign(key, value.get<std::string>());
  }
}

}  // namespace

void Filling::append_to(std::string& text) const {
  std::visit([&](const auto& value) { fmt::format_to(std::back_inserter(text), "{}", value); },
             value_);
}

const char* tr(const char* english) {
  const auto& table = language().table;
  if (table.empty()) return english;
  const auto found = table.find(std::string_view(english));
  return found == table.end() ? english : found->second.c_str();
}

std::string tr(const char* english, std::initializer_list<Filling> arguments) {
  const std::string_view pattern = tr(english);
  std::string result;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool placeholder = pattern[i] == '{' && i + 2 < pattern.size() && pattern[i + 2] == '}';
    const auto index =
        placeholder ? static_cast<std::size_t>(pattern[i + 1] - '0') : arguments.size();
    if (index < arguments.size()) {
      (arguments.begin() + index)->append_to(result);
      i += 2;
    } else {
      result += pattern[i];
    }
  }
  return result;
}

std::string tr_message(const Message& message) {
  const auto& sentences = language().messages;
  return message.in([&](const std::string& id) {
    const auto found = sentences.find(id);
    return found == sentences.end() ? nullptr : &found->second;
  });
}

std::string window_title(const char* english, const char* id) {
  return std::string(tr(english)) + "###" + id;
}

bool set_language(const std::string& name, const std::string& folder) {
  ++serial;
  if (name == "en") {
    language() = with_window_words({});
    return true;
  }
  Language loaded{name, {}, {}};
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder + "/" + name, none)) {
    if (entry.path().extension() == ".json") add_table(loaded, entry.path());
  }
  if (loaded.table.empty()) return false;
  language() = with_window_words(std::move(loaded));
  return true;
}

const std::string& current_language() { return language().name; }

unsigned language_serial() { return serial; }

std::string grouped(unsigned long long value) { return grouped(value, "\u202f"); }

std::string decimal(double value, int digits) { return fixed(value, digits, Zeros::dropped); }

}  // namespace lanescope::app
