#include "core/kernel/front_matter.h"

#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/kernel/compile_request.h"
#include "core/kernel/elements.h"
#include "core/text/messages.h"
#include "core/text/text.h"
#include "core/text/toml_reader.h"

namespace lanescope::app {

namespace {

constexpr std::string_view kOpen = "/*---";
constexpr std::string_view kClose = "---*/";

Message of_front_matter(const Message& message) { return say::front_matter(message); }

TunableParameter read_parameter(TomlReader& reader, const toml::table& table) {
  reader.only(table, Message::verbatim("[[parameter]]"),
              {"name", "title", "default", "min", "max", "choices"});
  TunableParameter result;
  result.name = reader.string(table, "name");
  result.title = reader.string(table, "title", result.name);
  result.choices = reader.strings(table, "choices");
  result.pos = TomlReader::pos(table);
  if (!is_identifier(result.name)) {
    reader.error(table.source(), say::parameter_needs_name);
  }
  if (!result.choices.empty()) {
    const std::string chosen = reader.string(table, "default", result.choices.front());
    const auto found = std::find(result.choices.begin(), result.choices.end(), chosen);
    if (found == result.choices.end()) {
      reader.error(table.source(), say::default_not_a_choice(result.name));
    } else {
      std::rotate(result.choices.begin(), found, found + 1);  // the first is the default
    }
    return result;
  }
  const auto value = reader.integer(table, "default"), low = reader.integer(table, "min"),
             high = reader.integer(table, "max");
  if (!value || !low || !high) {
    reader.error(table.source(), say::parameter_needs_range(result.name));
    return result;
  }
  result.value = *value, result.min = *low, result.max = *high;
  if (*value < *low || *value > *high) {
    reader.error(table.source(), say::default_outside(result.name, *value, *low, *high));
  }
  return result;
}

// A text that nobody vouches for may not open folders to itself.
bool is_below(const std::string& folder) {
  const std::filesystem::path path = std::filesystem::path(folder).lexically_normal();
  return !path.empty() && !path.is_absolute() && *path.begin() != "..";
}

TensorMapSpec read_tensor_map(TomlReader& reader, const toml::table& table) {
  reader.only(
      table, Message::verbatim("[[argument]]"),
      {"name", "type", "of", "box", "swizzle", "when", "pixels", "lower", "upper", "title"});
  TensorMapSpec result;
  result.name = reader.string(table, "name");
  result.of = reader.string(table, "of");
  result.box = reader.strings(table, "box");
  result.swizzle = reader.string(table, "swizzle", "0");
  result.when = reader.string(table, "when", "1");
  result.pixels = reader.string(table, "pixels");
  if (result.is_image()) {
    result.lower = reader.strings(table, "lower");
    result.upper = reader.strings(table, "upper");
  }
  result.pos = TomlReader::pos(table);
  if (!is_identifier(result.name)) reader.error(table.source(), say::argument_needs_name);
  if (result.of.empty() || result.box.empty())
    reader.error(table.source(), say::tensor_map_needs_box(result.name),
                 say::tensor_map_for_example);
  return result;
}

// `output` is the reference's: it starts as poison, so that an element nobody writes cannot pass.
ArgumentSpec read_argument(TomlReader& reader, const toml::table& table,
                           const std::string& output) {
  reader.only(table, Message::verbatim("[[argument]]"),
              {"name", "type", "shape", "fill", "file", "value", "min", "max", "title"});
  ArgumentSpec result;
  result.name = reader.string(table, "name");
  result.type = reader.string(table, "type");
  result.shape = reader.strings(table, "shape");
  result.value = reader.string(table, "value");
  result.title = reader.string(table, "title", result.name);
  result.min = reader.integer(table, "min").value_or(result.min);
  result.max = reader.integer(table, "max").value_or(result.max);
  result.pos = TomlReader::pos(table);
  if (!is_identifier(result.name)) {
    reader.error(table.source(), say::argument_needs_name);
  }
  result.file = reader.string(table, "file");
  if (!result.file.empty() && !is_below(result.file))
    reader.error(table.get("file")->source(), say::file_outside(result.file),
                 say::file_by_flag(result.name, result.file));
  const std::string fill = reader.string(table, "fill", result.name == output ? "poison" : "index");
  if (const auto known = fill_named(fill)) {
    result.fill = *known;
  } else {
    reader.error(table.get("fill")->source(), say::unknown_fill(fill), say::fills);
  }
  // A file says how much it holds.
  const bool is_buffer = !result.shape.empty() || !result.file.empty();
  if (is_buffer == !result.value.empty()) {
    reader.error(table.source(), say::argument_needs_value(result.name));
  }
  return result;
}

// "BM/TM, max(1, TM), BK", or an array of such texts.
std::vector<std::string> read_axes(TomlReader& reader, const toml::table& table,
                                   std::string_view key) {
  std::vector<std::string> result;
  for (const std::string& text : reader.strings(table, key)) {
    int depth = 0;
    std::size_t start = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
      if (i < text.size()) depth += (text[i] == '(') - (text[i] == ')');
      if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
      result.emplace_back(trim(std::string_view(text).substr(start, i - start)));
      start = i + 1;
    }
  }
  return result;
}

LayoutSpec read_layout(TomlReader& reader, const toml::table& table) {
  reader.only(table, Message::verbatim("[[layout]]"), {"array", "index", "shape", "strides"});
  LayoutSpec result;
  const std::string array = reader.string(table, "array"), index = reader.string(table, "index");
  result.variable = array.empty();
  result.of = array.empty() ? index : array;
  result.shape = read_axes(reader, table, "shape");
  result.strides = read_axes(reader, table, "strides");
  result.pos = TomlReader::pos(table);
  if (array.empty() == index.empty())
    reader.error(table.source(), say::layout_needs_name, say::array_or_index);
  else if (result.shape.empty())
    reader.error(table.source(), say::layout_needs_shape(result.of), say::shape_for_example);
  return result;
}

void read_launch(TomlReader& reader, const toml::table& root, FrontMatter& result) {
  const toml::table* table = reader.table(root, "launch");
  if (!table) return;
  reader.only(*table, Message::verbatim("[launch]"), {"block", "grid", "shared"});
  result.block = reader.strings(*table, "block");
  result.grid = reader.strings(*table, "grid");
  result.shared = reader.string(*table, "shared", "0");
  result.block_pos = TomlReader::pos(*table, "block");
  result.grid_pos = TomlReader::pos(*table, "grid");
  result.shared_pos = TomlReader::pos(*table, "shared");
  for (const auto* extents : {&result.block, &result.grid}) {
    if (extents->empty() || extents->size() > 3) {
      reader.error(table->source(), say::launch_needs_extents);
      return;
    }
  }
}

ReferenceSpec read_reference(TomlReader& reader, const toml::table& root) {
  ReferenceSpec result;
  const toml::table* table = reader.table(root, "reference");
  if (!table) return result;
  reader.only(*table, Message::verbatim("[reference]"), {"kind", "inputs", "output"});
  result.kind = reader.string(*table, "kind", "none");
  result.inputs = reader.strings(*table, "inputs");
  result.output = reader.string(*table, "output");
  const bool gemm = result.kind == "gemm";
  if (result.kind != "none" && result.kind != "copy" && result.kind != "transpose" && !gemm) {
    reader.error(table->source(), say::unknown_reference(result.kind), say::references);
  } else if (result.kind != "none" &&
             (result.inputs.size() != (gemm ? 2u : 1u) || result.output.empty())) {
    reader.error(table->source(), gemm ? say::reference_needs_two_inputs(result.kind)
                                       : say::reference_needs_one_input(result.kind));
  }
  return result;
}

void check_names(TomlReader& reader, const toml::table& root, const FrontMatter& result) {
  std::set<std::string> names;
  for (const TunableParameter& parameter : result.parameters) {
    if (!names.insert(parameter.name).second)
      reader.error(root.source(), say::declared_twice(parameter.name));
  }
  std::set<std::string> buffers;
  for (const ArgumentSpec& argument : result.arguments) {
    if (!names.insert(argument.name).second)
      reader.error(root.source(), say::declared_twice(argument.name));
    if (!argument.shape.empty()) buffers.insert(argument.name);
  }
  for (const TensorMapSpec& map : result.tensor_maps)
    if (!names.insert(map.name).second) reader.error(root.source(), say::declared_twice(map.name));
  if (result.reference.kind == "none") return;
  std::vector<std::string> used = result.reference.inputs;
  used.push_back(result.reference.output);
  for (const std::string& name : used) {
    if (buffers.count(name) == 0) {
      reader.error(root.get("reference")->source(), say::reference_without_buffer(name));
    }
  }
}

void read_compile(TomlReader& reader, const toml::table& root, CompileFlags& result) {
  const toml::table* table = reader.table(root, "compile");
  if (!table) return;
  reader.only(*table, Message::verbatim("[compile]"), {"include", "define", "standard"});
  result.include_folders = reader.strings(*table, "include");
  for (const std::string& folder : result.include_folders)
    if (!is_below(folder))
      reader.error(table->get("include")->source(), say::include_outside(folder),
                   say::include_by_flag(folder));
  for (const std::string& text : reader.strings(*table, "define")) {
    const auto [name, value] = macro_of(text);
    if (!is_identifier(name))
      reader.error(table->get("define")->source(), say::define_needs_name(text));
    result.macros[name] = value;
  }
  result.standard = reader.string(*table, "standard");
  const auto& known = language_standards();
  if (!result.standard.empty() &&
      std::find(known.begin(), known.end(), result.standard) == known.end())
    reader.error(table->get("standard")->source(), say::unknown_standard(result.standard),
                 say::standards(say::listed(known)));
}

FrontMatter read(TomlReader& reader, const toml::table& root) {
  reader.only(root, say::the_front_matter,
              {"title", "idea", "source", "kernel", "look_at", "attempts", "parameter", "argument",
               "launch", "reference", "layout", "compile"});
  FrontMatter result;
  result.title = reader.string(root, "title");
  result.idea = reader.string(root, "idea");
  result.source = reader.string(root, "source");
  result.kernel = reader.string(root, "kernel");
  result.kernel_pos = TomlReader::pos(root, "kernel");
  result.reference_pos = TomlReader::pos(root, "reference");
  result.look_at = reader.strings(root, "look_at");
  result.attempts = reader.strings(root, "attempts");
  result.reference = read_reference(reader, root);
  for (const toml::table* table : reader.tables(root, "parameter")) {
    result.parameters.push_back(read_parameter(reader, *table));
  }
  for (const toml::table* table : reader.tables(root, "argument")) {
    if (const toml::node* type = table->get("type");
        type != nullptr && type->value<std::string>() == "CUtensorMap")
      result.tensor_maps.push_back(read_tensor_map(reader, *table));
    else
      result.arguments.push_back(read_argument(reader, *table, result.reference.output));
  }
  for (const toml::table* table : reader.tables(root, "layout")) {
    result.layouts.push_back(read_layout(reader, *table));
  }
  read_launch(reader, root, result);
  read_compile(reader, root, result.compile);
  check_names(reader, root, result);
  return result;
}

}  // namespace

std::string TunableParameter::default_text() const {
  return choices.empty() ? std::to_string(value) : choices.front();
}

FrontMatterResult parse_front_matter(const std::string& file, const std::string& text) {
  const std::size_t bom = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
  const std::size_t open = text.find_first_not_of(" \t\r\n", bom);
  if (open == std::string::npos || text.compare(open, kOpen.size(), kOpen) != 0) return {};

  TomlReader reader(file, text, of_front_matter);
  const std::size_t close = text.find(kClose, open + kOpen.size());
  if (close == std::string::npos) {
    const auto line = static_cast<toml::source_index>(
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(open), '\n'));
    reader.error({{line, 1}, {line, 1}, nullptr}, say::not_closed, say::close_it);
    return {std::nullopt, std::move(reader.diagnostics)};
  }
  // Blanks in place of the marker keep every position the text's own.
  std::string body = text.substr(0, close);
  for (std::size_t i = 0; i < open + kOpen.size(); ++i) {
    if (body[i] != '\n') body[i] = ' ';
  }
  try {
    const toml::table root = toml::parse(body);
    FrontMatter result = read(reader, root);
    result.lines = 1 + static_cast<std::uint32_t>(std::count(body.begin(), body.end(), '\n'));
    if (has_errors(reader.diagnostics)) return {std::nullopt, std::move(reader.diagnostics)};
    return {std::move(result), std::move(reader.diagnostics)};
  } catch (const toml::parse_error& failure) {
    reader.error(failure.source(), Message::verbatim(std::string(failure.description())));
    return {std::nullopt, std::move(reader.diagnostics)};
  }
}

}  // namespace lanescope::app
