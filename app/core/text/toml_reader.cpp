#include "core/text/toml_reader.h"

#include <algorithm>

#include "core/text/messages.h"
#include "core/text/text.h"

namespace lanescope::app {

void TomlReader::error(const toml::source_region& where, const Message& message, Message hint) {
  Diagnostic diagnostic = usage_error(file_, wrap_ ? wrap_(message) : message, std::move(hint));
  diagnostic.line = where.begin.line;
  diagnostic.column = where.begin.column;
  diagnostic.source_line = line_of(text_, diagnostic.line);
  diagnostics.push_back(std::move(diagnostic));
}

void TomlReader::only(const toml::table& table, const Message& what, Keys known) {
  for (const auto& [key, value] : table) {
    if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
    std::vector<std::string> names(known.begin(), known.end());
    error(key.source(), say::unknown_key(key.str(), what), say::known_keys(say::listed(names)));
  }
}

std::optional<std::string> TomlReader::text(const toml::node* node, std::string_view key) {
  if (!node) return std::nullopt;
  if (const auto* value = node->as_string()) return value->get();
  if (const auto* value = node->as_integer()) return std::to_string(value->get());
  if (const auto* value = node->as_boolean()) return value->get() ? "true" : "false";
  if (const auto* value = node->as_floating_point()) {
    std::string digits = std::to_string(value->get());
    while (digits.back() == '0' && digits[digits.size() - 2] != '.') digits.pop_back();
    return digits;
  }
  error(node->source(), say::must_be_text(key));
  return std::nullopt;
}

std::string TomlReader::string(const toml::table& table, std::string_view key,
                               std::string fallback) {
  return text(table.get(key), key).value_or(std::move(fallback));
}

std::vector<std::string> TomlReader::strings(const toml::table& table, std::string_view key) {
  std::vector<std::string> result;
  const toml::node* node = table.get(key);
  if (!node) return result;
  if (const auto* array = node->as_array()) {
    for (const toml::node& item : *array) {
      if (auto value = text(&item, key)) result.push_back(std::move(*value));
    }
  } else if (auto value = text(node, key)) {
    result.push_back(std::move(*value));
  }
  return result;
}

bool TomlReader::flag(const toml::table& table, std::string_view key) {
  const toml::node* node = table.get(key);
  if (!node) return false;
  if (const auto* value = node->as_boolean()) return value->get();
  error(node->source(), say::must_be_true_or_false(key));
  return false;
}

std::optional<long long> TomlReader::integer(const toml::table& table, std::string_view key) {
  const toml::node* node = table.get(key);
  if (!node) return std::nullopt;
  if (const auto* value = node->as_integer()) return value->get();
  error(node->source(), say::must_be_integer(key));
  return std::nullopt;
}

std::optional<double> TomlReader::real(const toml::table& table, std::string_view key) {
  const toml::node* node = table.get(key);
  if (!node) return std::nullopt;
  if (const auto value = node->value<double>()) return value;
  error(node->source(), say::must_be_text(key));
  return std::nullopt;
}

std::vector<const toml::table*> TomlReader::tables(const toml::table& root, std::string_view key) {
  std::vector<const toml::table*> result;
  const toml::node* node = root.get(key);
  if (!node) return result;
  const toml::array* array = node->as_array();
  for (std::size_t i = 0; array && i < array->size(); ++i) {
    if (const auto* table = array->get(i)->as_table()) result.push_back(table);
  }
  if (!array || result.size() != array->size()) {
    error(node->source(), say::must_be_tables(key, key));
  }
  return result;
}

const toml::table* TomlReader::table(const toml::table& root, std::string_view key) {
  const toml::node* node = root.get(key);
  if (!node) return nullptr;
  if (const auto* found = node->as_table()) return found;
  error(node->source(), say::must_be_table(key, key));
  return nullptr;
}

SourcePos TomlReader::pos(const toml::node& node) {
  return {node.source().begin.line, node.source().begin.column, 0};
}

SourcePos TomlReader::pos(const toml::table& table, std::string_view key) {
  const toml::node* node = table.get(key);
  return node ? pos(*node) : SourcePos{};
}

}  // namespace lanescope::app
