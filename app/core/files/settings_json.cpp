#include "core/files/settings_json.h"

#include <fmt/format.h>

#include <utility>

#include "core/text/messages.h"

namespace lanescope::app {

using nlohmann::json;

namespace {

json extents(Dim3 value) { return json::array({value.x, value.y, value.z}); }

// Reads one value after the other and keeps the first complaint.
class Reader {
 public:
  explicit Reader(const json& object) : object_(object) {
    if (!object.is_object()) wrong_ = {"", say::not_an_object};
  }

  void text(const char* key, std::string& out) {
    if (const json* value = find(key, say::a_string, &json::is_string)) out = *value;
  }
  void texts(const char* key, std::map<std::string, std::string>& out) {
    const json* value = find(key, say::an_object, &json::is_object);
    if (!value) return;
    for (const auto& [name, text] : value->items()) {
      if (!text.is_string())
        return complain(name, say::is_not(fmt::format("{}.{}", key, name), say::a_string));
      out[name] = text;
    }
  }
  void numbers(const char* key, std::map<std::string, std::uint64_t>& out) {
    const json* value = find(key, say::an_object, &json::is_object);
    if (!value) return;
    for (const auto& [name, number] : value->items()) {
      const std::string path = fmt::format("{}.{}", key, name);
      if (!number.is_number_integer()) return complain(path, say::is_not(path, say::an_integer));
      if (!number.is_number_unsigned() || number.get<std::uint64_t>() == 0)
        return complain(path, say::not_in_range(path));
      out[name] = number.get<std::uint64_t>();
    }
  }
  void list(const char* key, std::vector<std::string>& out) {
    const json* value = find(key, say::a_list_of_strings, &json::is_array);
    if (!value) return;
    for (const json& text : *value) {
      if (!text.is_string()) return complain(key, say::is_not(key, say::a_list_of_strings));
      out.push_back(text);
    }
  }
  void extent(const char* key, std::optional<Dim3>& out) {
    const json* value = find(key, say::three_numbers, &json::is_array);
    if (!value) return;
    if (value->size() != 3) return complain(key, say::is_not(key, say::three_numbers));
    for (const json& number : *value)
      if (!number.is_number_unsigned() || number.get<std::uint64_t>() > 0xffffffffull)
        return complain(key, say::is_not(key, say::three_32_bit_numbers));
    out = Dim3{(*value)[0], (*value)[1], (*value)[2]};
  }
  template <class Integer>
  void number(const char* key, Integer& out) {
    if (const json* value = find(key, say::an_integer, &json::is_number_integer)) {
      const bool fits = value->is_number_unsigned()
                            ? std::in_range<Integer>(value->get<std::uint64_t>())
                            : std::in_range<Integer>(value->get<std::int64_t>());
      fits ? void(out = value->get<Integer>()) : complain(key, say::not_in_range(key));
    }
  }
  const json* object(const char* key) { return find(key, say::an_object, &json::is_object); }
  [[nodiscard]] const WrongValue& wrong() const { return wrong_; }

 private:
  const json* find(const char* key, const Message& kind, bool (json::*is)() const noexcept) {
    if (!wrong_.empty()) return nullptr;
    const auto found = object_.find(key);
    if (found == object_.end() || found->is_null()) return nullptr;
    if (((*found).*is)()) return &*found;
    complain(key, say::is_not(key, kind));
    return nullptr;
  }
  void complain(const std::string& key, Message message) {
    if (wrong_.empty()) wrong_ = {key.substr(key.rfind('.') + 1), std::move(message)};
  }

  const json& object_;
  WrongValue wrong_;
};

}  // namespace

json to_json(const Settings& s) {
  json result = {{"name", s.name},
                 {"file", s.file},
                 {"text", s.text},
                 {"kernel", s.kernel},
                 {"parameters", s.parameters},
                 {"arguments", s.arguments},
                 {"inspected_block", extents(s.inspected_block)}};
  const CompileFlags& compile = s.compile;
  if (compile != CompileFlags{})
    result["compile"] = {{"include", compile.include_folders},
                         {"define", compile.macros},
                         {"standard", compile.standard}};
  if (s.block) result["block"] = extents(*s.block);
  if (s.grid) result["grid"] = extents(*s.grid);
  if (s.shared_bytes) result["shared_bytes"] = *s.shared_bytes;
  if (!s.columns.empty()) result["columns"] = s.columns;
  if (!s.exercise.empty()) result["exercise"] = s.exercise;
  return result;
}

json to_json(const Selection& s) {
  json result = {{"warp", s.warp}, {"step", s.step}, {"access", s.access}, {"lane", s.lane}};
  if (s.cell) result["cell"] = {{"address", s.cell->address}, {"bytes", s.cell->bytes}};
  return result;
}

WrongValue from_json(const json& object, Settings& s) {
  Reader read(object);
  read.text("name", s.name);
  read.text("file", s.file);
  read.text("text", s.text);
  read.text("kernel", s.kernel);
  read.texts("parameters", s.parameters);
  read.texts("arguments", s.arguments);
  read.extent("block", s.block);
  read.extent("grid", s.grid);
  read.numbers("columns", s.columns);
  read.text("exercise", s.exercise);
  if (const json* compile = read.object("compile")) {
    Reader inner(*compile);
    inner.list("include", s.compile.include_folders);
    inner.texts("define", s.compile.macros);
    inner.text("standard", s.compile.standard);
    if (!inner.wrong().empty()) return inner.wrong();
  }
  std::optional<Dim3> inspected;
  read.extent("inspected_block", inspected);
  s.inspected_block = inspected.value_or(Dim3{0, 0, 0});
  if (object.is_object() && object.contains("shared_bytes"))
    read.number("shared_bytes", s.shared_bytes.emplace());
  return read.wrong();
}

WrongValue from_json(const json& object, Selection& s) {
  Reader read(object);
  read.number("warp", s.warp);
  read.number("step", s.step);
  read.number("access", s.access);
  read.number("lane", s.lane);
  if (const json* cell = read.object("cell")) {
    Reader inner(*cell);
    Cell found;
    inner.number("address", found.address);
    inner.number("bytes", found.bytes);
    if (const WrongValue& wrong = inner.wrong(); !wrong.empty())
      return {wrong.key, say::about("cell", wrong.message)};
    s.cell = found;
  }
  return read.wrong();
}

}  // namespace lanescope::app
