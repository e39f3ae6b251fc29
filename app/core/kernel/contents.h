// What a buffer holds before the launch, from a file: raw bytes, or NumPy's .npy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lanescope/message.h"
#include "lanescope/types.h"

namespace lanescope::app {

struct WantedContents {
  std::string path;
  /// Of one scalar; a buffer's element may be several
  ScalarType scalar = ScalarType::unknown;
  std::uint32_t components = 1;
  /// As people write the element's type: "float4"
  std::string type;
  /// In scalars; nullopt takes all that the file has
  std::optional<std::uint64_t> count;
};

struct Contents {
  /// Null where something is wrong
  std::shared_ptr<const std::vector<std::byte>> bytes;
  /// As the file has it, in scalars: {rows, columns} of a matrix, else the count
  std::vector<std::uint64_t> shape;
  Message wrong, hint;
};
/// A .npy file must have the buffer's type, in this machine's order of bytes, row by row; any other is
/// taken byte by byte.
Contents read_contents(const WantedContents& wanted);

}  // namespace lanescope::app
