// The TOML comment at the top of a kernel text: what it is, what can be tuned, how it is launched
// and checked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/kernel/settings.h"
#include "core/kernel/tensor_maps.h"
#include "lanescope/diagnostic.h"
#include "lanescope/memory.h"

namespace lanescope::app {

/// A macro the user may tune. Integer with a range, or one of several spellings (an element type).
struct TunableParameter {
  /// The macro: "PAD"
  std::string name;
  /// For people: "padding (elements)"
  std::string title;
  /// Default and range when `choices` is empty
  long long value = 0, min = 0, max = 0;
  /// {"float", "double"}; the first is the default
  std::vector<std::string> choices;
  /// Of its table in the kernel text
  SourcePos pos;
  [[nodiscard]] std::string default_text() const;
};

/// A kernel argument: a scalar (shape empty) or a buffer whose extents are constant expressions.
struct ArgumentSpec {
  /// The kernel parameter
  std::string name;
  /// Element type of a buffer, may be a macro ("T"); empty for a scalar
  std::string type;
  /// {"ny", "nx"}: rows, columns; one extent for a vector; {"auto"} where a run finds it
  std::vector<std::string> shape;
  Fill fill = Fill::index;
  /// What a buffer holds, instead of `fill`: a file below the text's folder
  std::string file;
  /// Scalar: default, a constant expression ("1024", "0.5"); "null" of a pointer
  std::string value;
  std::string title;
  /// Scalar integers that the user may tune
  long long min = 1, max = 1 << 20;
  /// Of its table in the kernel text
  SourcePos pos;
  [[nodiscard]] bool is_null() const { return value == "null" || value == "nullptr"; }
  [[nodiscard]] bool is_automatic() const { return shape.size() == 1 && shape[0] == "auto"; }
};

/// What the result must equal. `kind` is one of "copy", "transpose", "gemm", "none".
struct ReferenceSpec {
  std::string kind = "none";
  /// Argument names, in the order the reference wants them
  std::vector<std::string> inputs;
  std::string output;
};

/// How a linear index may be read: an array's, or the one that a variable holds.
struct LayoutSpec {
  /// Array or buffer, or variable
  std::string of;
  /// It was named by "index"
  bool variable = false;
  /// Constant expressions, outermost first
  std::vector<std::string> shape;
  /// In elements; empty: row by row, without gaps
  std::vector<std::string> strides;
  /// Of its table in the kernel text
  SourcePos pos;
};

struct FrontMatter {
  std::string title, idea, source;
  /// Name expression; may use the macros: "k<T, BDIMX>"
  std::string kernel;
  /// Folders are relative to the text's own, and lie below it
  CompileFlags compile;
  std::vector<TunableParameter> parameters;
  /// In the order of the kernel's parameters
  std::vector<ArgumentSpec> arguments;
  /// Those of type CUtensorMap
  std::vector<TensorMapSpec> tensor_maps;
  /// 1 to 3 constant expressions each, over macros and scalar arguments
  std::vector<std::string> block, grid;
  /// Dynamic shared bytes
  std::string shared = "0";
  ReferenceSpec reference;
  std::vector<LayoutSpec> layouts;
  /// Sentences: what to look at
  std::vector<std::string> look_at;
  /// Sentences: what was tried on the way, and what it taught
  std::vector<std::string> attempts;
  /// How many lines of the text it takes
  std::uint32_t lines = 0;
  /// In the kernel text
  SourcePos kernel_pos, block_pos, grid_pos, shared_pos, reference_pos;
};

struct FrontMatterResult {
  /// Nullopt: the text has none (no error), or it is wrong (errors)
  std::optional<FrontMatter> front_matter;
  /// Positions are in the kernel text
  std::vector<Diagnostic> diagnostics;
};

/// Reads the block between `/*---` and `---*/` if the text starts with one.
FrontMatterResult parse_front_matter(const std::string& file, const std::string& text);

}  // namespace lanescope::app
