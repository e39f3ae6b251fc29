#include "core/kernel/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "core/kernel/braced.h"
#include "core/kernel/contents.h"
#include "core/kernel/elements.h"
#include "core/text/messages.h"
#include "core/text/text.h"

namespace lanescope::app {

namespace {

// "float", "float4", as a person would write the pointee.
std::string element_name(const ArgumentInfo& parameter) {
  const bool is_vector = element_type(parameter.structure).scalar != ScalarType::unknown;
  if (!parameter.structure.empty() && !is_vector) return parameter.structure;
  if (parameter.type == ScalarType::unknown) return "float";
  const std::string name(scalar_name(parameter.type));
  return parameter.components > 1 ? fmt::format("{}{}", name, parameter.components) : name;
}

// Hexadecimal, blanks and the f of 0.5f are for people.
std::string plain_scalar(ScalarType type, std::string_view text) {
  text = trim(text);
  if (is_real(type)) {
    const bool hexadecimal = text.find_first_of("xX") != std::string_view::npos;
    if (!hexadecimal && text.ends_with('f') && !text.ends_with("inf")) text.remove_suffix(1);
    return std::string(text);
  }
  if (const auto value = parse_integer(text)) return std::to_string(*value);
  if (const auto value = parse_unsigned(text)) return std::to_string(*value);
  return std::string(text);
}

std::string example_value(const ArgumentInfo& parameter) {
  if (parameter.is_pointer) return element_name(parameter) + "[1024]";
  if (is_tensor_map(parameter)) return "BUFFER:box=64x64:swizzle=128";
  if (!parameter.by_members) return is_real(parameter.type) ? "1.0" : "1024";
  std::string text;
  for (const ArgumentInfo& member : parameter.members)
    text += (text.empty() ? "" : ", ") + example_value(member);
  return "{" + text + "}";
}

std::string example_text(const ArgumentInfo& parameter) {
  const std::string text = parameter.name + "=" + example_value(parameter);
  return "--arg " + (parameter.by_members ? "'" + text + "'" : text);
}

// "p.inner", "p.weights[2]".
ArgumentInfo named_in(const ArgumentInfo& whole, ArgumentInfo member) {
  member.name = whole.name + (member.name.starts_with('[') ? "" : ".") + member.name;
  return member;
}

Message example(const ArgumentInfo& parameter) {
  return Message::verbatim(example_text(parameter));
}

class Binder {
 public:
  Binder(const KernelInfo& kernel, const ArgumentSources& sources,
         std::vector<Diagnostic>& diagnostics)
      : kernel_(kernel), from_(sources), diagnostics_(diagnostics) {}

  BoundArguments bind() {
    check_names();
    for (const ArgumentInfo& parameter : kernel_.arguments) {
      const ArgumentSpec* spec = find_spec(parameter.name);
      const auto given = from_.settings.arguments.find(parameter.name);
      const std::string* text = given == from_.settings.arguments.end() ? nullptr : &given->second;
      if (is_tensor_map(parameter)) {
        find_tensor_map(parameter, text);
      } else if (!spec && !text) {
        missing_.push_back(&parameter);
      } else if (parameter.is_pointer) {
        if (auto buffer = bind_buffer(parameter, spec, text))
          result_.arguments.push_back({parameter.name, "", std::move(*buffer)});
      } else if (parameter.by_members) {
        bind_struct(parameter, spec, text);
      } else {
        bind_scalar(parameter, spec, text);
      }
    }
    bind_mapped_buffers();
    for (const auto& [index, spec] : maps_) bind_tensor_map_at(index, spec);
    report_missing();
    return std::move(result_);
  }

 private:
  const ArgumentSpec* find_spec(const std::string& name) const {
    for (const ArgumentSpec& spec : from_.front_matter.arguments) {
      if (spec.name == name) return &spec;
    }
    return nullptr;
  }

  bool takes(const std::string& name) const {
    return std::any_of(kernel_.arguments.begin(), kernel_.arguments.end(),
                       [&](const ArgumentInfo& p) { return p.name == name; });
  }
  // A buffer that the kernel reaches through tensor maps alone.
  bool is_mapped(const std::string& name) const {
    const auto& maps = from_.front_matter.tensor_maps;
    return !takes(name) && std::any_of(maps.begin(), maps.end(),
                                       [&](const TensorMapSpec& map) { return map.of == name; });
  }

  // "in (const float *)".
  static std::string described(const ArgumentInfo& parameter) {
    return fmt::format("{} ({})", parameter.name, parameter.type_text);
  }

  Message parameter_list() const {
    std::vector<std::string> names;
    for (const ArgumentInfo& p : kernel_.arguments) names.push_back(described(p));
    return names.empty() ? say::takes_no_arguments(kernel_.display)
                         : say::takes(kernel_.display, say::listed(names));
  }

  void flag_error(Message message, Message hint = {}) {
    diagnostics_.push_back(launch_error(std::move(message), std::move(hint)));
  }

  // What an error is about: a flag, or the front matter where the value comes from there.
  static bool of_flag(const ArgumentSpec* spec, const std::string* text) { return text || !spec; }
  static Message subject(const ArgumentSpec* spec, const std::string* text,
                         const std::string& name) {
    return of_flag(spec, text) ? say::the_flag(name) : say::the_argument(name);
  }

  // `message` begins with its subject.
  void error_at(const ArgumentSpec* spec, const std::string* text, Message message,
                Message hint = {}) {
    if (of_flag(spec, text)) return flag_error(std::move(message), std::move(hint));
    Diagnostic diagnostic =
        usage_error(from_.settings.file, say::front_matter(message), std::move(hint));
    diagnostic.line = spec->pos.line;
    diagnostic.column = spec->pos.column;
    diagnostic.source_line = line_of(from_.settings.text, spec->pos.line);
    diagnostics_.push_back(std::move(diagnostic));
  }

  void wrong(const ArgumentSpec* spec, const std::string* text, const std::string& name,
             const Message& what, Message hint = {}) {
    error_at(spec, text, say::about(subject(spec, text, name), what), std::move(hint));
  }

  void check_names() {
    for (const auto& [name, text] : from_.settings.arguments) {
      if (!takes(name) && !is_mapped(name))
        flag_error(say::about(say::the_flag(name), say::no_such_kernel_parameter),
                   parameter_list());
    }
    if (!from_.settings.kernel.empty())
      return;  // another kernel of the file than the front matter's
    for (const ArgumentSpec& spec : from_.front_matter.arguments) {
      if (!takes(spec.name) && !is_mapped(spec.name))
        wrong(&spec, nullptr, spec.name, say::no_such_kernel_parameter, parameter_list());
    }
  }

  void report_missing() {
    if (missing_.empty()) return;
    std::vector<std::string> names;
    std::string flags;
    for (const ArgumentInfo* p : missing_) {
      names.push_back(described(*p));
      flags += (flags.empty() ? "" : " ") + example_text(*p);
    }
    const Message all = say::listed(names);
    flag_error(names.size() == 1 ? say::argument_missing(all) : say::arguments_missing(all),
               say::give_every_parameter(kernel_.display, flags));
  }

  void find_tensor_map(const ArgumentInfo& parameter, const std::string* text) {
    const auto& known = from_.front_matter.tensor_maps;
    const auto spec = std::find_if(known.begin(), known.end(), [&](const TensorMapSpec& each) {
      return each.name == parameter.name;
    });
    std::optional<TensorMapSpec> wanted;
    if (text != nullptr)
      wanted = parse_tensor_map(parameter.name, *text);
    else if (spec != known.end())
      wanted = *spec;
    else
      return missing_.push_back(&parameter);
    if (!wanted)
      return wrong(nullptr, text, parameter.name, say::no_tensor_map_text(*text),
                   say::tensor_map_by_flag);
    maps_.emplace_back(result_.arguments.size(), *wanted);
    result_.arguments.push_back({parameter.name, "", ""});
  }

  void bind_mapped_buffers() {
    for (const ArgumentSpec& spec : from_.front_matter.arguments) {
      if (!is_mapped(spec.name)) continue;
      ArgumentInfo info;
      info.name = spec.name;
      info.type_text = spec.type;
      info.is_pointer = true;
      const auto given = from_.settings.arguments.find(spec.name);
      bind_buffer(info, &spec, given == from_.settings.arguments.end() ? nullptr : &given->second);
    }
  }

  // Behind all buffers, of one of which it is.
  void bind_tensor_map_at(std::size_t index, const TensorMapSpec& spec) {
    BoundTensorMap bound = bind_tensor_map(spec, {result_.buffers, result_.layouts, from_.values});
    if (bound.argument) {
      result_.arguments[index] = std::move(*bound.argument);
      return;
    }
    const ArgumentSpec at{.name = spec.name, .pos = spec.pos};
    const std::string flag = spec.pos.line == 0 ? spec.of : std::string();
    wrong(&at, flag.empty() ? nullptr : &flag, spec.name, bound.wrong,
          flag.empty() ? say::tensor_map_for_example : say::tensor_map_by_flag);
  }

  void bind_scalar(const ArgumentInfo& parameter, const ArgumentSpec* spec,
                   const std::string* text) {
    std::string value = text ? std::string(trim(*text)) : spec->value;
    if (!text) {
      if (!spec->shape.empty()) {
        return error_at(spec, text,
                        say::has_shape(subject(spec, text, parameter.name), parameter.type_text));
      }
      // An evaluated expression; what no integer is (0.5) stays as it is written.
      const auto evaluated = from_.values.find(parameter.name);
      if (evaluated != from_.values.end()) value = std::to_string(evaluated->second);
    }
    if (parameter.type == ScalarType::unknown) {
      return wrong(spec, text, parameter.name, say::type_has_no_values(parameter.type_text),
                   say::no_members_to_write);
    }
    const Message misfit = check_scalar(parameter.type, value);
    if (!misfit.empty()) {
      return wrong(spec, text, parameter.name, say::kernel_takes(misfit, parameter.type_text),
                   example(parameter));
    }
    result_.arguments.push_back({parameter.name, plain_scalar(parameter.type, value), ""});
  }

  /// What is told of one struct: where it is said, and the bytes that it fills.
  struct Filling {
    const ArgumentSpec* spec;
    const std::string* text;
    Argument argument;
  };

  void bind_struct(const ArgumentInfo& parameter, const ArgumentSpec* spec,
                   const std::string* text) {
    const std::string& value = text ? *text : spec->value;
    const auto braced = parse_braced(value);
    if (!braced)
      return wrong(spec, text, parameter.name, say::braces_do_not_match(value), example(parameter));
    Filling filling{spec, text, {parameter.name, "", ""}};
    filling.argument.bytes.resize(parameter.bytes);
    if (fill(filling, parameter, *braced)) result_.arguments.push_back(std::move(filling.argument));
  }

  // False after an error.
  bool fill(Filling& to, const ArgumentInfo& member, const Braced& value) {
    if (member.by_members) return fill_members(to, member, value);
    if (member.is_pointer) return fill_pointer(to, member, value.text);
    const Message misfit = check_scalar(member.type, value.text);
    if (!misfit.empty()) {
      wrong(to.spec, to.text, member.name, say::kernel_takes(misfit, member.type_text));
      return false;
    }
    const std::uint64_t bits = scalar_bits(member.type, plain_scalar(member.type, value.text));
    std::memcpy(to.argument.bytes.data() + member.offset, &bits, scalar_bytes(member.type));
    return true;
  }

  bool fill_members(Filling& to, const ArgumentInfo& whole, const Braced& value) {
    // As of a `half`, whose only member is its value.
    if (!value.is_list && whole.members.size() == 1) return fill(to, member_of(whole, 0), value);
    if (value.is_list && value.items.empty()) return true;  // zeros
    const std::size_t count = whole.members.size();
    Message problem;
    if (!value.is_list)
      problem = say::not_a_list(value.text);
    else if (value.items.size() != count)
      problem = say::other_number_of_values(value.items.size(), count, whole.type_text);
    if (!problem.empty()) {
      std::vector<std::string> names;
      for (std::size_t i = 0; i < count; ++i) names.push_back(described(member_of(whole, i)));
      const Message members = say::list_of_values(say::listed(names));
      wrong(to.spec, to.text, whole.name, problem, say::also(members, example(whole)));
      return false;
    }
    for (std::size_t i = 0; i < count; ++i)
      if (!fill(to, member_of(whole, i), value.items[i])) return false;
    return true;
  }

  static ArgumentInfo member_of(const ArgumentInfo& whole, std::size_t index) {
    ArgumentInfo member = named_in(whole, whole.members[index]);
    member.offset += whole.offset;
    return member;
  }

  bool fill_pointer(Filling& to, const ArgumentInfo& member, const std::string& text) {
    const auto buffer = bind_buffer(member, nullptr, &text);
    if (buffer && *buffer != "null") to.argument.pointers.emplace_back(member.offset, *buffer);
    return buffer.has_value();
  }

  // Extents as evaluated from the front matter; empty after an error.
  std::vector<std::uint64_t> evaluated_shape(const ArgumentSpec& spec) {
    std::vector<std::uint64_t> shape;
    for (std::size_t i = 0; i < spec.shape.size(); ++i) {
      const auto value = from_.values.find(shape_expression(spec.name, i));
      const long long extent = value == from_.values.end() ? 0 : value->second;
      if (extent < 1) {
        wrong(&spec, nullptr, spec.name, say::extent_below_one(spec.shape[i], extent));
        return {};
      }
      shape.push_back(static_cast<std::uint64_t>(extent));
    }
    return shape;
  }

  std::string expand(const std::string& type) const {
    const auto macro = from_.parameters.find(type);
    return macro == from_.parameters.end() ? type : macro->second;
  }

  // The name of the buffer, "null" or, after an error, nothing.
  std::optional<std::string> bind_buffer(const ArgumentInfo& parameter, const ArgumentSpec* spec,
                                         const std::string* text) {
    BufferText wanted;
    if (text) {
      const auto parsed = parse_buffer_text(*text);
      if (!parsed) {
        wrong(spec, text, parameter.name + "=" + *text, say::takes_a_buffer(parameter.type_text),
              say::write_type_and_count(example(parameter)));
        return std::nullopt;
      }
      wanted = *parsed;
    }
    if (wanted.null || (!text && spec->is_null())) return "null";
    if (!take_shape(parameter, spec, text, wanted)) return std::nullopt;
    const auto type = checked_type(parameter, spec, text, wanted.type);
    if (!type) return std::nullopt;
    if (!wanted.fill) wanted.fill = spec ? spec->fill : usual_fill(parameter);
    if (!add_buffer(parameter, *type, std::move(wanted), spec, text)) return std::nullopt;
    return parameter.name;
  }

  // What the text leaves open is the front matter's. False after an error.
  bool take_shape(const ArgumentInfo& parameter, const ArgumentSpec* spec, const std::string* text,
                  BufferText& wanted) {
    const bool open = wanted.shape.empty() && !wanted.automatic;
    if (!text && !spec->file.empty()) wanted.file = beside_text(spec->file);
    if (spec && spec->shape.empty() && open && wanted.file.empty()) {
      error_at(spec, nullptr,
               say::has_no_shape(subject(spec, nullptr, parameter.name), parameter.type_text));
      return false;
    }
    if (wanted.type.empty() && spec) wanted.type = expand(spec->type);
    if (open && spec && spec->is_automatic()) wanted.automatic = true;
    if (open && spec && !wanted.automatic && !spec->shape.empty()) {
      wanted.shape = evaluated_shape(*spec);
      if (wanted.shape.empty()) return false;
    }
    if (!wanted.shape.empty() || wanted.automatic || !wanted.file.empty()) return true;
    if (!spec) wrong(spec, text, parameter.name, say::how_many_elements, example(parameter));
    return false;
  }

  std::string beside_text(const std::string& file) const {
    return (std::filesystem::path(from_.settings.file).parent_path() / file).string();
  }

  // Bytes that count upwards make no numbers of the fields of a struct.
  static Fill usual_fill(const ArgumentInfo& parameter) {
    const bool mixed = parameter.type == ScalarType::unknown && !parameter.structure.empty();
    return mixed ? Fill::zero : Fill::index;
  }

  // A struct of the text's own: as many scalars as fill it, or bytes where its fields differ.
  static std::optional<ElementType> structure_of(const ArgumentInfo& parameter,
                                                 std::string_view name) {
    if (name.starts_with("struct ")) name = trim(name.substr(7));
    const bool is_this = !name.empty() && (name == parameter.structure ||
                                           name.ends_with("::" + parameter.structure));
    if (parameter.structure.empty() || parameter.pointee_bytes == 0 || (!name.empty() && !is_this))
      return std::nullopt;
    const auto scalar = static_cast<std::uint32_t>(scalar_bytes(parameter.type));
    if (scalar == 0 || parameter.pointee_bytes % scalar != 0)
      return ElementType{ScalarType::u8, parameter.pointee_bytes};
    return ElementType{parameter.type, parameter.pointee_bytes / scalar};
  }

  std::optional<ElementType> checked_type(const ArgumentInfo& parameter, const ArgumentSpec* spec,
                                          const std::string* text, const std::string& name) {
    if (const auto structure = structure_of(parameter, name)) return structure;
    const ElementType pointee{parameter.type, parameter.components};
    // Of nothing in particular, as void.
    if (name.empty() && pointee.scalar == ScalarType::unknown && parameter.structure.empty())
      return ElementType{ScalarType::f32, 1};
    if (name.empty() && pointee.scalar != ScalarType::unknown) return pointee;
    const ElementType type = element_type(name);
    if (type.scalar == ScalarType::unknown) {
      wrong(spec, text, parameter.name, say::no_element_type(name), say::element_types);
      return std::nullopt;
    }
    if (pointee.scalar != ScalarType::unknown && type != pointee) {
      wrong(spec, text, parameter.name, say::buffer_of_other_type(name, parameter.type_text),
            example(parameter));
      return std::nullopt;
    }
    return type;
  }

  // Scalars, or nullopt after an error.
  std::optional<std::uint64_t> scalars_in(const std::vector<std::uint64_t>& shape,
                                          const ArgumentInfo& parameter, const ArgumentSpec* spec,
                                          const std::string* text) {
    std::uint64_t count = 1;
    for (std::uint64_t extent : shape) {
      if (extent == 0 || __builtin_mul_overflow(count, extent, &count) ||
          count > (std::uint64_t{1} << 60)) {
        wrong(spec, text, parameter.name,
              extent == 0 ? say::buffer_without_elements : say::buffer_beyond_memory);
        return std::nullopt;
      }
    }
    return count;
  }

  bool add_buffer(const ArgumentInfo& parameter, ElementType type, BufferText wanted,
                  const ArgumentSpec* spec, const std::string* text) {
    std::vector<std::uint64_t>& shape = wanted.shape;
    if (!shape.empty()) shape.back() *= type.components;  // elements are counted as scalars
    const auto scalars = scalars_in(shape, parameter, spec, text);
    if (!scalars) return false;
    BufferSpec buffer{parameter.name, type.scalar, *scalars, *wanted.fill};
    buffer.measured = wanted.automatic;
    const std::string named = wanted.type.empty() ? element_name(parameter) : wanted.type;
    if (!wanted.file.empty()) {
      Contents contents =
          read_contents({wanted.file, type.scalar, type.components, named,
                         shape.empty() ? std::nullopt : std::optional(buffer.count)});
      if (!contents.bytes) {
        wrong(spec, text, parameter.name, contents.wrong, std::move(contents.hint));
        return false;
      }
      buffer.contents = std::move(contents.bytes);
      if (shape.empty()) shape = std::move(contents.shape);
      buffer.count = buffer.contents->size() / scalar_bytes(type.scalar);
    }
    BufferLayout layout;
    layout.components = type.components;
    layout.type = named;
    layout.name = parameter.name;
    layout.element = type.scalar;
    layout.element_bytes = static_cast<std::uint32_t>(scalar_bytes(type.scalar));
    layout.dims = std::move(shape);
    result_.layouts.push_back(std::move(layout));
    result_.buffers.push_back(std::move(buffer));
    return true;
  }

  const KernelInfo& kernel_;
  const ArgumentSources& from_;
  std::vector<Diagnostic>& diagnostics_;
  std::vector<const ArgumentInfo*> missing_;
  /// Tensor maps and their places among the arguments
  std::vector<std::pair<std::size_t, TensorMapSpec>> maps_;
  BoundArguments result_;
};

}  // namespace

std::string shape_expression(const std::string& name, std::size_t index) {
  return fmt::format("lanescope_shape_{}_{}", index, name);
}

BoundArguments bind_arguments(const KernelInfo& kernel, const ArgumentSources& sources,
                              std::vector<Diagnostic>& diagnostics) {
  return Binder(kernel, sources, diagnostics).bind();
}

}  // namespace lanescope::app
