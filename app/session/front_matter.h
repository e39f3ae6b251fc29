// The TOML comment at the top of a kernel text: what it is, what can be tuned, how it is launched
// and checked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lanescope/diagnostic.h"
#include "lanescope/memory.h"

namespace lanescope::app {

/// A macro the user may tune. Integer with a range, or one of several spellings (an element type).
struct TunableParameter {
  std::string name;                       ///< the macro: "PAD"
  std::string title;                      ///< for people: "padding (elements)"
  long long value = 0, min = 0, max = 0;  ///< default and range when `choices` is empty
  std::vector<std::string> choices;       ///< {"float", "double"}; the first is the default
  SourcePos pos;                          ///< of its table in the kernel text
  [[nodiscard]] std::string default_text() const;
};

/// A kernel argument: a scalar (shape empty) or a buffer whose extents are constant expressions.
struct ArgumentSpec {
  std::string name;  ///< the kernel parameter
  std::string type;  ///< element type of a buffer, may be a macro ("T"); empty for a scalar
  std::vector<std::string> shape;  ///< {"ny", "nx"}: rows, columns; one extent for a vector
  Fill fill = Fill::index;
  std::string value;  ///< scalar: default, a constant expression ("1024", "0.5")
  std::string title;
  long long min = 1, max = 1 << 20;  ///< scalar integers that the user may tune
  SourcePos pos;                     ///< of its table in the kernel text
};

/// What the result must equal. `kind` is one of "copy", "transpose", "gemm", "none".
struct ReferenceSpec {
  std::string kind = "none";
  std::vector<std::string> inputs;  ///< argument names, in the order the reference wants them
  std::string output;
};

/// How a linear index may be read: an array's, or the one that a variable holds.
struct LayoutSpec {
  std::string of;                    ///< array or buffer, or variable
  bool variable = false;             ///< it was named by "index"
  std::vector<std::string> shape;    ///< constant expressions, outermost first
  std::vector<std::string> strides;  ///< in elements; empty: row by row, without gaps
  SourcePos pos;                     ///< of its table in the kernel text
};

struct FrontMatter {
  std::string title, idea, source;
  std::string kernel;  ///< name expression; may use the macros: "k<T, BDIMX>"
  std::vector<TunableParameter> parameters;
  std::vector<ArgumentSpec> arguments;  ///< in the order of the kernel's parameters
  std::vector<std::string> block,
      grid;                  ///< 1 to 3 constant expressions each, over macros and scalar arguments
  std::string shared = "0";  ///< dynamic shared bytes
  ReferenceSpec reference;
  std::vector<LayoutSpec> layouts;
  std::vector<std::string> look_at;   ///< sentences: what to look at
  std::vector<std::string> attempts;  ///< sentences: what was tried on the way, and what it taught
  std::uint32_t lines = 0;            ///< how many lines of the text it takes
  SourcePos kernel_pos, block_pos, grid_pos, shared_pos, reference_pos;  ///< in the kernel text
};

struct FrontMatterResult {
  std::optional<FrontMatter>
      front_matter;  ///< nullopt: the text has none (no error), or it is wrong (errors)
  std::vector<Diagnostic> diagnostics;  ///< positions are in the kernel text
};

/// Reads the block between `/*---` and `---*/` if the text starts with one.
FrontMatterResult parse_front_matter(const std::string& file, const std::string& text);

}  // namespace lanescope::app
