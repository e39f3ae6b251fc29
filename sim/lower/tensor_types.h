// Layouts of CuTe in the names of types, as debug info writes them. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lanescope/tensors.h"

namespace lanescope {

/// A type's name taken apart: "cute::C<8>" is cute::C with the argument 8.
struct TypeName {
  std::string name;
  std::vector<TypeName> arguments;
};
/// Nothing for what is no name: brackets that do not close, texts behind them.
std::optional<TypeName> parse_type_name(std::string_view text);

/// What "Tensor<cute::ViewEngine<…>, cute::Layout<…>>" says: all but name, place and pointee's bytes, and of
/// `run_time` how many there are, the layout's in their order, the pointer last. Nothing for a tensor in registers,
/// for coordinates, and for what has no address of its own (elements smaller than a byte).
std::optional<TensorInfo> tensor_of_type(std::string_view name);

}  // namespace lanescope
