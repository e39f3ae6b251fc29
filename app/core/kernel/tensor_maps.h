// Arguments that are tensor maps (CUtensorMap): of which buffer, and with what box.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/kernel/buffer_layout.h"
#include "lanescope/memory.h"
#include "lanescope/message.h"
#include "lanescope/program.h"
#include "lanescope/run.h"

namespace lanescope::app {

/// A map as it is written: the tensor has the buffer's extents, without gaps.
struct TensorMapSpec {
  /// The kernel parameter
  std::string name;
  /// The buffer's
  std::string of;
  /// Elements of the box, innermost first, and the width of its swizzle in bytes: constant expressions
  std::vector<std::string> box;
  std::string swizzle = "0";
  /// 0 where the shapes have no map (rows of no multiple of 16 bytes): the kernel is given one of zeros, and
  /// must not use it
  std::string when = "1";
  /// Of a map of an image's pixels, whose box is the channels alone: how many pixels a copy takes, and the box's corners
  /// along the dimensions between channels and images, innermost first; of a map of tiles ""
  std::string pixels = "";
  std::vector<std::string> lower = {}, upper = {};
  /// Of its table in the kernel text
  SourcePos pos;
  [[nodiscard]] bool is_image() const { return !pixels.empty(); }
  /// All of its expressions, in one order
  [[nodiscard]] std::vector<std::string> expressions() const;
};

bool is_tensor_map(const ArgumentInfo& parameter);
/// "A:box=64x128:swizzle=128", of pixels "A:box=64:pixels=128:lower=-1x-1:upper=-1x-1", as a flag says it; nothing if
/// the text is not of this form.
std::optional<TensorMapSpec> parse_tensor_map(const std::string& name, std::string_view text);
/// The name under which the expression of that number was evaluated.
std::string tensor_map_expression(const std::string& name, std::size_t index);

/// What a map is made of: the buffers of the launch, and values of the expressions.
struct TensorMapSources {
  const std::vector<BufferSpec>& buffers;
  /// Of the same buffers
  const std::vector<BufferLayout>& layouts;
  const std::map<std::string, long long>& values;
};
/// The argument, or why there is none.
struct BoundTensorMap {
  std::optional<Argument> argument;
  Message wrong;
};
BoundTensorMap bind_tensor_map(const TensorMapSpec& spec, const TensorMapSources& from);

}  // namespace lanescope::app
