#include "core/run/prepare.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "core/kernel/arguments.h"
#include "core/kernel/compile_request.h"
#include "core/launch/host_launches.h"
#include "core/run/captured_launch.h"
#include "core/run/index_pitch.h"
#include "core/text/messages.h"
#include "core/text/text.h"
#include "lanescope/compile.h"

namespace lanescope::app {

namespace {

constexpr const char* kAxes[] = {"x", "y", "z"};

std::string layout_expression(const char* what, std::size_t layout, std::size_t axis) {
  return fmt::format("lanescope_layout_{}_{}_{}", what, layout, axis);
}

std::string extent_expression(const char* what, std::size_t axis) {
  return "lanescope_" + std::string(what) + "_" + kAxes[axis];
}
constexpr const char* kSharedExpression = "lanescope_shared";

Dim3 threads_of(Dim3 grid, Dim3 block) {
  return {grid.x * block.x, grid.y * block.y, grid.z * block.z};
}

/// Whether blocks may wait for one another: a kernel that nobody launches might be launched so, and one that
/// its text launches where it says so.
bool is_cooperative(const std::string& text) {
  const auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
  return has("cudaLaunchCooperativeKernel") || has("cudaLaunchAttributeCooperative") || !has("<<<");
}

std::uint32_t* axis_of(Dim3& value, std::size_t axis) {
  return axis == 0 ? &value.x : axis == 1 ? &value.y : &value.z;
}

// The steps of `prepare`, and what they hand on. Each returns false when the next one makes no
// sense.
class Preparation {
 public:
  Preparation(const Settings& settings, std::stop_token stop, const DevicePreset& device,
              const MeasureBounds& bounds)
      : stop_(std::move(stop)), device_(device), bounds_(bounds) {
    launch_->settings = settings;
  }

  PrepareResult run() {
    const bool done = settings().captured
                          ? take_captured()
                          : read_front_matter() && choose_parameters() && compile_text() &&
                                choose_launch() && check_device() && bind() && measure() &&
                                fill_memory() && check_program() && read_layouts();
    PrepareResult result;
    result.kernels = launch_->kernels;
    result.diagnostics = std::move(diagnostics_);
    if (!done || has_errors(result.diagnostics)) return result;
    move_inspected_block_inside();
    result.ready = std::make_unique<ReadyLaunch>();
    result.ready->prepared = std::move(launch_);
    result.ready->memory = std::move(memory_);
    return result;
  }

 private:
  bool fine() const { return !has_errors(diagnostics_); }
  void flag_error(Message message, Message hint = {}) {
    diagnostics_.push_back(launch_error(std::move(message), std::move(hint)));
  }
  void add(std::vector<Diagnostic> found) {
    for (Diagnostic& diagnostic : found) diagnostics_.push_back(std::move(diagnostic));
  }

  // All has been decided by the program that made the launch.
  bool take_captured() {
    const CapturedLaunch& captured = *settings().captured;
    launch_->program = program_of(captured);
    if (!launch_->program) return false;
    launch_->launch = captured.launch;
    if (!take_shape()) return false;
    const auto columns = columns_of(captured);
    for (const CapturedBuffer& from : captured.buffers) {
      Buffer buffer;
      buffer.spec = {from.name, from.element, from.contents->size() / scalar_bytes(from.element)};
      buffer.base = from.address;
      buffer.space = from.space;
      if (auto failure = memory_.add_copy(buffer, from.contents)) {
        diagnostics_.push_back(std::move(*failure));
        return false;
      }
      launch_->buffers.push_back(
          {from.name, from.element, static_cast<std::uint32_t>(scalar_bytes(from.element)),
           from.address, from.contents->size(), dims_of(buffer.spec.count, columns, from.name)});
    }
    return check_program();
  }

  // Another block is possible where the same threads are covered: who counts on more or fewer reads
  // and writes something else.
  bool take_shape() {
    Launch& launch = launch_->launch;
    if (settings().block) add(check_launch(device_, {1, 1, 1}, *settings().block, 0, 0));
    if (!fine()) return false;
    const Dim3 block = settings().block.value_or(launch.block);
    Dim3 grid = settings().grid.value_or(launch.grid);
    if (settings().block && !settings().grid) grid = grid_of_same_threads(launch, block);
    const Dim3 covered = threads_of(grid, block), wanted = threads_of(launch.grid, launch.block);
    if (covered != wanted) {
      flag_error(say::captured_coverage(dim3_text(block), dim3_text(wanted)));
      return false;
    }
    if (block == launch.block) return true;
    launch.grid = grid, launch.block = block;
    return check_device();
  }

  // In elements, by the parameter that points to the buffer: a program allocates bytes, and only its
  // kernel's index arithmetic says which shape they have.
  std::map<std::string, std::uint64_t> columns_of(const CapturedLaunch& captured) const {
    const KernelInfo& kernel = launch_->program->info();
    std::map<std::string, std::string> macros;
    for (const MacroDefinition& macro : captured.compile.macros) macros[macro.name] = macro.value;
    std::map<std::string, std::uint64_t> columns = pitches_of(
        kernel, settings().text, known_values(kernel, captured.launch, macros, settings().text));
    for (const ArgumentInfo& parameter : kernel.arguments)
      if (const auto found = columns.find(parameter.name); found != columns.end())
        found->second *= std::max(1u, parameter.components);
    for (const auto& [name, given] : settings().columns) columns[name] = given;
    return columns;
  }

  // A matrix where whole rows fill the buffer.
  static std::vector<std::uint64_t> dims_of(std::uint64_t count,
                                            const std::map<std::string, std::uint64_t>& columns,
                                            const std::string& name) {
    const auto found = columns.find(name);
    const std::uint64_t of_row = found == columns.end() ? 0 : found->second;
    if (of_row < 2 || of_row >= count || count % of_row != 0) return {count};
    return {count / of_row, of_row};
  }

  // The text may have been edited since: then its kernel runs on what the program's own ran on.
  ProgramPtr program_of(const CapturedLaunch& captured) {
    for (const auto& [name, value] : settings().parameters)
      if (!is_identifier(name)) flag_error(say::no_macro_name(name + "=" + value, name));
    if (!fine()) return nullptr;
    if (captured.compile.files.empty()) return captured.program;
    WholeProgramRequest request = captured.compile;
    std::string& text = request.texts[request.files.front()];
    const bool same_text = settings().text.empty() || settings().text == text;
    if (same_text && settings().parameters.empty()) return captured.program;
    if (!same_text) text = settings().text;
    for (const auto& [name, value] : settings().parameters) {
      std::erase_if(request.macros, [&](const MacroDefinition& m) { return m.name == name; });
      request.macros.push_back({name, value});
      launch_->parameters[name] = value;
    }
    request.device_only = true;
    request.stop = stop_;
    const auto start = std::chrono::steady_clock::now();
    WholeProgramResult compiled = compile_whole_program(request);
    launch_->compile_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    add(std::move(compiled.diagnostics));
    if (!fine() || compiled.texts.empty() || !compiled.texts.front().device) return nullptr;
    const DeviceCode& device = *compiled.texts.front().device;
    ProgramPtr program = device.kernel(captured.symbol, captured.addresses, diagnostics_);
    if (!program && fine()) flag_error(say::captured_kernel_gone(settings().kernel));
    return program;
  }

  bool read_front_matter() {
    FrontMatterResult found = parse_front_matter(settings().file, settings().text);
    launch_->has_front_matter = found.front_matter.has_value();
    if (found.front_matter) launch_->front_matter = std::move(*found.front_matter);
    add(std::move(found.diagnostics));
    return fine();
  }

  bool choose_parameters() {
    if (settings().block) add(check_launch(device_, {1, 1, 1}, *settings().block, 0, 0));
    if (!fine()) return false;
    for (const TunableParameter& parameter : matter().parameters) {
      launch_->parameters[parameter.name] = parameter.default_text();
    }
    // -D reaches a tunable parameter too; --set comes after it.
    for (const auto& [name, value] : settings().compile.macros)
      if (launch_->parameters.contains(name)) set_parameter(name, value);
    for (const auto& [name, value] : settings().parameters) set_parameter(name, value);
    if (fine() && settings().block) follow_block(*settings().block);
    return fine();
  }

  void set_parameter(const std::string& name, const std::string& value) {
    const auto& known = matter().parameters;
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&](const TunableParameter& p) { return p.name == name; });
    if (!launch_->has_front_matter) {
      if (!is_identifier(name)) return flag_error(say::no_macro_name(name + "=" + value, name));
    } else if (found == known.end()) {
      return flag_error(say::no_parameter_of_name(name), describe_parameters(matter()));
    } else if (const Message wrong = check_parameter(*found, value); !wrong.empty()) {
      return flag_error(say::parameter_wrong(name, wrong), describe_parameters(matter()));
    }
    launch_->parameters[name] = std::string(trim(value));
  }

  static Message check_parameter(const TunableParameter& parameter, const std::string& value) {
    if (!parameter.choices.empty()) {
      const bool known = std::find(parameter.choices.begin(), parameter.choices.end(),
                                   trim(value)) != parameter.choices.end();
      return known ? Message() : say::none_of(value, say::listed(parameter.choices));
    }
    const auto number = parse_integer(value);
    if (!number) return say::not_an_integer(value);
    if (*number >= parameter.min && *number <= parameter.max) return {};
    return say::value_outside(value, parameter.min, parameter.max);
  }

  // A block given by hand takes the parameters along that the block is made of, so that tiles keep
  // to it.
  void follow_block(Dim3 block) {
    const std::vector<std::string> names = block_parameters(matter());
    std::map<std::string, std::string> wanted = settings().parameters;
    for (std::size_t axis = 0; axis < names.size() && fine(); ++axis) {
      const std::string& name = names[axis];
      if (name.empty()) continue;
      const std::string extent = std::to_string(*axis_of(block, axis));
      const auto [set, is_new] = wanted.emplace(name, extent);
      if (trim(set->second) != extent) {
        flag_error(say::block_needs(dim3_text(block), name + "=" + extent, name, set->second),
                   say::block_is(say::listed(matter().block)));
      } else {
        set_parameter(name, extent);
      }
    }
  }

  // "k<T, BDIMX>" → "k<float, 32>": the name that people see says which instance it is.
  std::string expanded(const std::string& kernel) const {
    std::string result;
    for (std::size_t i = 0; i < kernel.size();) {
      std::size_t end = i;
      while (end < kernel.size() && is_identifier(kernel.substr(i, end + 1 - i))) ++end;
      if (end == i) {
        result += kernel[i++];
        continue;
      }
      const auto macro = launch_->parameters.find(kernel.substr(i, end - i));
      result += macro == launch_->parameters.end() ? kernel.substr(i, end - i) : macro->second;
      i = end;
    }
    return result;
  }

  bool compile_text() {
    CompileRequest request = compile_request(settings(), matter(), launch_->parameters, stop_);
    request.kernel = settings().kernel.empty() ? expanded(matter().kernel) : settings().kernel;
    add_expressions(request);
    if (!fine()) return false;
    auto [compiled, milliseconds] = compile_once(request);
    launch_->compile_ms = milliseconds;
    launch_->kernels = std::move(compiled.kernels);
    launch_->program = std::move(compiled.program);
    values_ = std::move(compiled.values);
    for (Diagnostic& diagnostic : compiled.diagnostics) explain(diagnostic);
    // Which kernel is meant can often be read off the program's own launches.
    if (!launch_->program && request.kernel.empty() && launch_->kernels.size() > 0)
      for (Diagnostic& diagnostic : compiled.diagnostics)
        if (const Message known = describe_launches(find_launches(request));
            diagnostic.kind == DiagnosticKind::usage && !known.empty())
          diagnostic.hint = say::also(diagnostic.hint, known);
    add(std::move(compiled.diagnostics));
    return fine() && launch_->program;
  }

  struct Origin {
    Message what;
    std::string text;
    SourcePos pos;
  };

  void add_expression(CompileRequest& request, std::string name, const std::string& text,
                      Message what, SourcePos pos) {
    request.expressions.push_back({name, text});
    origins_[std::move(name)] = {std::move(what), text, pos};
  }

  // Scalars first, under their own names; then what is said in terms of them.
  void add_expressions(CompileRequest& request) {
    for (const ArgumentSpec& spec : matter().arguments) {
      if (!spec.shape.empty() || !spec.file.empty() || spec.is_null()) continue;
      const auto given = settings().arguments.find(spec.name);
      const std::string text(
          trim(given == settings().arguments.end() ? spec.value : given->second));
      if (text.starts_with('{')) continue;  // a struct's members are values of their own
      const bool number = parse_real(text).has_value() || text == "true" || text == "false";
      if (given != settings().arguments.end() && !number) {
        flag_error(say::about(say::the_flag(spec.name), say::not_a_number(text)),
                   say::the_flag(spec.name + "=" + spec.value));
      } else if (!number || parse_integer(text)) {
        add_expression(request, spec.name, text, say::the_argument(spec.name), spec.pos);
      }
    }
    for (const ArgumentSpec& spec : matter().arguments) {
      if (spec.is_automatic()) continue;
      for (std::size_t i = 0; i < spec.shape.size(); ++i) {
        add_expression(request, shape_expression(spec.name, i), spec.shape[i],
                       say::shape_of_argument(spec.name), spec.pos);
      }
    }
    for (const TensorMapSpec& spec : matter().tensor_maps) {
      const std::vector<std::string> texts = spec.expressions();
      for (std::size_t i = 0; i < texts.size(); ++i)
        add_expression(request, tensor_map_expression(spec.name, i), texts[i],
                       say::shape_of_argument(spec.name), spec.pos);
    }
    for (std::size_t i = 0; i < matter().block.size(); ++i) {
      add_expression(request, extent_expression("block", i), matter().block[i],
                     Message::verbatim("[launch] block"), matter().block_pos);
    }
    for (std::size_t i = 0; i < matter().grid.size(); ++i) {
      add_expression(request, extent_expression("grid", i), matter().grid[i],
                     Message::verbatim("[launch] grid"), matter().grid_pos);
    }
    for (std::size_t i = 0; i < matter().layouts.size(); ++i) {
      const LayoutSpec& spec = matter().layouts[i];
      for (std::size_t k = 0; k < spec.shape.size(); ++k)
        add_expression(request, layout_expression("shape", i, k), spec.shape[k],
                       say::shape_of_layout(spec.of), spec.pos);
      for (std::size_t k = 0; k < spec.strides.size(); ++k)
        add_expression(request, layout_expression("stride", i, k), spec.strides[k],
                       say::strides_of_layout(spec.of), spec.pos);
    }
    if (launch_->has_front_matter)
      add_expression(request, kSharedExpression, matter().shared,
                     Message::verbatim("[launch] shared"), matter().shared_pos);
  }

  // Moves an error in a constant expression to where the front matter says it.
  void explain(Diagnostic& diagnostic) const {
    constexpr std::string_view kPrefix = "<launch: ";
    if (!diagnostic.file.starts_with(kPrefix)) return;
    const auto origin = origins_.find(
        diagnostic.file.substr(kPrefix.size(), diagnostic.file.size() - kPrefix.size() - 1));
    if (origin == origins_.end()) return;
    const Origin& from = origin->second;
    diagnostic.kind = DiagnosticKind::usage;
    diagnostic.message = say::front_matter_value(from.what, from.text, diagnostic.message);
    diagnostic.file = settings().file;
    diagnostic.line = from.pos.line;
    diagnostic.column = from.pos.column;
    diagnostic.source_line = line_of(settings().text, from.pos.line);
  }

  // A whole program says itself how it launches its kernels.
  void follow_host_launch() {
    if (launch_->has_front_matter || settings().block) return;
    const std::vector<LaunchSite> sites =
        find_launches(compile_request(settings(), matter(), launch_->parameters, stop_));
    host_launches_ = describe_launches(sites);
    host_launch_ = only_launch(sites, launch_->program->info().name);
  }

  bool choose_launch() {
    Launch& launch = launch_->launch;
    follow_host_launch();
    launch.cooperative = is_cooperative(settings().text);
    launch.block = settings().block.value_or(evaluated("block", matter().block.size()));
    launch.grid = settings().grid.value_or(evaluated("grid", matter().grid.size()));
    if (host_launch_) {
      launch.block = *host_launch_->block;
      launch.grid = settings().grid.value_or(*host_launch_->grid);
      launch.dynamic_shared_bytes =
          checked_shared(static_cast<long long>(host_launch_->shared_bytes.value_or(0)));
    }
    if (settings().shared_bytes) {
      launch.dynamic_shared_bytes = *settings().shared_bytes;
    } else if (const auto shared = values_.find(kSharedExpression); shared != values_.end()) {
      launch.dynamic_shared_bytes = checked_shared(shared->second);
    }
    if (!settings().block && matter().block.empty() && !host_launch_) {
      flag_error(say::no_block_shape, host_launches_.empty()
                                          ? Message(say::give_threads)
                                          : say::also(say::give_threads, host_launches_));
    }
    return true;  // a missing argument is worth telling in the same go
  }

  Dim3 evaluated(const char* what, std::size_t axes) {
    Dim3 result;
    for (std::size_t i = 0; i < axes; ++i) {
      const auto value = values_.find(extent_expression(what, i));
      if (value != values_.end())
        *axis_of(result, i) =
            checked(value->second,
                    say::extent_impossible(std::string(what) + "." + kAxes[i], value->second));
    }
    return result;
  }

  std::uint32_t checked_shared(long long bytes) {
    return checked(bytes, say::shared_impossible(bytes));
  }
  std::uint32_t checked(long long value, const Message& impossible) {
    if (value >= 0 && value <= 0xffffffffll) return static_cast<std::uint32_t>(value);
    flag_error(impossible);
    return 1;
  }

  bool check_device() {
    const Launch& launch = launch_->launch;
    const KernelInfo& kernel = launch_->program->info();
    add(check_launch(device_, kernel, launch.grid, launch.block, launch.dynamic_shared_bytes));
    return true;
  }

  bool bind() {
    bound_ = bind_arguments(launch_->program->info(),
                            {settings(), matter(), launch_->parameters, values_}, diagnostics_);
    launch_->launch.arguments = bound_.arguments;
    return fine();
  }

  bool measure() {
    launch_->measured = measure_buffers(*launch_->program, launch_->launch, bound_, bounds_, stop_);
    return !stop_.stop_requested();
  }

  bool fill_memory() {
    for (std::size_t i = 0; i < bound_.buffers.size(); ++i) {
      bound_.buffers[i].deferred = true;
      if (auto failure = memory_.add(bound_.buffers[i])) {
        if (failure->file.empty()) failure->file = "<launch>";
        diagnostics_.push_back(std::move(*failure));
        return false;
      }
    }
    launch_->buffers = std::move(bound_.layouts);
    for (BufferLayout& layout : launch_->buffers) {
      const Buffer* buffer = memory_.find(layout.name);
      layout.base = buffer->pointer();
      layout.bytes = buffer->bytes - (layout.base - buffer->base);
    }
    return true;
  }

  bool check_program() {
    add(check_arguments(*launch_->program, launch_->launch, memory_));
    return fine();
  }

  // A picture can do without one, so that what is wrong with it is a warning.
  bool read_layouts() {
    for (std::size_t i = 0; i < matter().layouts.size(); ++i) {
      const LayoutSpec& spec = matter().layouts[i];
      const auto values = [&](const char* what, std::size_t count) {
        std::vector<long long> result;
        for (std::size_t k = 0; k < count; ++k)
          result.push_back(values_[layout_expression(what, i, k)]);
        return result;
      };
      const auto shape = values("shape", spec.shape.size());
      const auto strides = values("stride", spec.strides.size());
      Message wrong = check_layout(shape, strides);
      if (wrong.empty() && !spec.variable && !is_array(spec.of))
        wrong = say::no_such_array(spec.of);
      if (!wrong.empty()) {
        layout_warning(spec, wrong);
        continue;
      }
      IndexLayout layout = row_major(spec.of, {shape.begin(), shape.end()});
      if (!strides.empty()) layout.strides.assign(strides.begin(), strides.end());
      layout.axes = spec.shape;
      layout.variable = spec.variable;
      launch_->layouts.push_back(std::move(layout));
    }
    return fine();
  }

  bool is_array(const std::string& name) const {
    const auto named = [&](const auto& one) { return one.name == name; };
    const auto& arrays = launch_->program->info().shared_arrays;
    return std::any_of(arrays.begin(), arrays.end(), named) ||
           std::any_of(launch_->buffers.begin(), launch_->buffers.end(), named);
  }

  void layout_warning(const LayoutSpec& spec, const Message& wrong) {
    Diagnostic diagnostic =
        usage_error(settings().file, say::front_matter(say::layout_wrong(spec.of, wrong)));
    diagnostic.severity = Severity::warning;
    diagnostic.line = spec.pos.line;
    diagnostic.column = spec.pos.column;
    diagnostic.source_line = line_of(settings().text, spec.pos.line);
    diagnostics_.push_back(std::move(diagnostic));
  }

  void move_inspected_block_inside() {
    const Dim3 grid = launch_->launch.grid;
    Dim3& block = launch_->settings.inspected_block;
    block = {std::min(block.x, grid.x - 1), std::min(block.y, grid.y - 1),
             std::min(block.z, grid.z - 1)};
  }

  const Settings& settings() const { return launch_->settings; }
  const FrontMatter& matter() const { return launch_->front_matter; }

  std::stop_token stop_;
  const DevicePreset& device_;
  const MeasureBounds& bounds_;
  /// Nobody else has it yet
  std::shared_ptr<PreparedLaunch> launch_ = std::make_shared<PreparedLaunch>();
  GlobalMemory memory_;
  std::vector<Diagnostic> diagnostics_;
  std::map<std::string, long long> values_;
  /// Of the constant expressions, by their name
  std::map<std::string, Origin> origins_;
  BoundArguments bound_;
  std::optional<LaunchSite> host_launch_;
  Message host_launches_;
};

}  // namespace

PrepareResult prepare(const Settings& settings, std::stop_token stop, const DevicePreset& device,
                      const MeasureBounds& bounds) {
  return Preparation(settings, std::move(stop), device, bounds).run();
}

void add_source_lines(const Settings& settings, std::vector<Diagnostic>& diagnostics) {
  for (Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.file != settings.file || !diagnostic.source_line.empty()) continue;
    diagnostic.source_line = line_of(settings.text, diagnostic.line);
  }
}

Dim3 grid_of_same_threads(const Launch& launch, Dim3 block) {
  const Dim3 all = threads_of(launch.grid, launch.block);
  const auto along = [](std::uint32_t threads, std::uint32_t of_block) {
    return (threads + std::max(1u, of_block) - 1) / std::max(1u, of_block);
  };
  return {along(all.x, block.x), along(all.y, block.y), along(all.z, block.z)};
}

std::vector<std::string> block_parameters(const FrontMatter& front_matter) {
  std::vector<std::string> result;
  for (const std::string& extent : front_matter.block) {
    const std::string name(trim(extent));
    const bool known = std::any_of(front_matter.parameters.begin(), front_matter.parameters.end(),
                                   [&](const TunableParameter& p) { return p.name == name; });
    result.push_back(known ? name : "");
  }
  return result;
}

Message describe_parameters(const FrontMatter& front_matter) {
  if (front_matter.parameters.empty()) return say::no_parameters;
  std::vector<std::string> texts;
  for (const TunableParameter& p : front_matter.parameters) {
    std::string range;
    for (const std::string& choice : p.choices) range += (range.empty() ? "" : ", ") + choice;
    if (range.empty()) range = fmt::format("{} to {}", p.min, p.max);
    texts.push_back(p.name + " (" + range + ")");
  }
  return say::parameters(say::listed(texts));
}

}  // namespace lanescope::app
