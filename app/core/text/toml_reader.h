// Values out of TOML tables, with the position of everything that is wrong with them.
#pragma once

#include <toml++/toml.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lanescope/diagnostic.h"
#include "lanescope/types.h"

namespace lanescope::app {

/// Reads one text; `file` and `text` must outlive it. What is asked for and not there is no error.
class TomlReader {
 public:
  using Keys = std::initializer_list<std::string_view>;
  /// What a message is told as: "front matter: …".
  using Wrap = Message (*)(const Message&);

  TomlReader(const std::string& file, std::string_view text, Wrap wrap = nullptr)
      : file_(file), text_(text), wrap_(wrap) {}

  void error(const toml::source_region& where, const Message& message, Message hint = {});
  /// Refuses every key that is not known. `what` names the table.
  void only(const toml::table& table, const Message& what, Keys known);

  /// A string, or a number or boolean as its text.
  std::optional<std::string> text(const toml::node* node, std::string_view key);
  std::string string(const toml::table& table, std::string_view key, std::string fallback = {});
  /// Of an array, or of one value.
  std::vector<std::string> strings(const toml::table& table, std::string_view key);
  /// False where it is not there.
  bool flag(const toml::table& table, std::string_view key);
  std::optional<long long> integer(const toml::table& table, std::string_view key);
  /// An integer or a real.
  std::optional<double> real(const toml::table& table, std::string_view key);
  /// The tables of [[key]].
  std::vector<const toml::table*> tables(const toml::table& root, std::string_view key);
  /// The table of [key], or null.
  const toml::table* table(const toml::table& root, std::string_view key);

  static SourcePos pos(const toml::node& node);
  static SourcePos pos(const toml::table& table, std::string_view key);

  std::vector<Diagnostic> diagnostics;

 private:
  const std::string& file_;
  std::string_view text_;
  Wrap wrap_;
};

}  // namespace lanescope::app
