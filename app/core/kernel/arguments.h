// Kernel arguments as people write them, matched with the kernel's parameters.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/kernel/buffer_layout.h"
#include "core/kernel/front_matter.h"
#include "core/kernel/settings.h"
#include "lanescope/memory.h"
#include "lanescope/program.h"
#include "lanescope/run.h"

namespace lanescope::app {

/// An element type: `float` is {f32, 1}, `float4` is {f32, 4}.
struct ElementType {
  ScalarType scalar = ScalarType::unknown;
  std::uint32_t components = 1;
  bool operator==(const ElementType&) const = default;
};
ElementType element_type(std::string_view name);

/// "float[1024]:zero", "float[32][64]", ":random", "null", "auto", "float[auto]:zero",
/// "float[64]:file=x.npy".
struct BufferText {
  /// Empty: not said
  std::string type;
  /// Empty: not said
  std::vector<std::uint64_t> shape;
  std::optional<Fill> fill;
  bool null = false;
  /// The run finds how large it must be
  bool automatic = false;
  /// What it holds; empty: what `fill` says
  std::string file;
};
/// Nullopt if the text is not of this form.
std::optional<BufferText> parse_buffer_text(std::string_view text);

/// Empty if `text` is a value of the type; else what is wrong, as in "'1.5' is not an integer".
Message check_scalar(ScalarType type, std::string_view text);

/// What the launch passes, before any memory is made.
struct BoundArguments {
  /// In the order of the kernel's parameters
  std::vector<Argument> arguments;
  std::vector<BufferSpec> buffers;
  /// Of `buffers`; base and bytes are not known yet. Of one whose size a run finds, extents neither.
  std::vector<BufferLayout> layouts;
};

struct ArgumentSources {
  const Settings& settings;
  const FrontMatter& front_matter;
  /// Macros
  const std::map<std::string, std::string>& parameters;
  /// Of the constant expressions
  const std::map<std::string, long long>& values;
};
/// Name under which extent `index` of argument `name` was evaluated.
std::string shape_expression(const std::string& name, std::size_t index);

BoundArguments bind_arguments(const KernelInfo& kernel, const ArgumentSources& sources,
                              std::vector<Diagnostic>& diagnostics);

}  // namespace lanescope::app
