// A launch as it is handed to the process that owns the GPU: everything about the launch, nothing of
// the simulator.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/timing/gpu_service.h"

namespace lanescope::gpu {

struct RequestBuffer {
  std::string name;
  ScalarType element = ScalarType::f32;
  /// Cols counts scalars
  std::uint64_t rows = 1, cols = 0;
  Fill fill = Fill::random;
  [[nodiscard]] std::uint64_t count() const { return rows * cols; }
  [[nodiscard]] std::uint64_t bytes() const { return count() * scalar_bytes(element); }
};

/// One kernel parameter: an index into the buffers, or the raw bytes of a scalar or a struct (a null
/// pointer is eight zeros).
struct RequestArgument {
  int buffer = -1;
  std::vector<std::uint8_t> scalar;
  /// Where in a struct the address of which buffer goes
  std::vector<std::pair<std::uint32_t, int>> pointers = {};
};

struct Request {
  std::string kernel, file, text;
  /// Name expression
  std::string function;
  std::map<std::string, std::string> macros, scalars;
  Dim3 grid, block;
  std::uint64_t dynamic_shared_bytes = 0;
  std::vector<RequestBuffer> buffers;
  std::vector<RequestArgument> arguments;
  /// As ReferenceSpec::kind
  std::string reference = "none";
  /// Buffers, in the reference's order
  std::vector<int> inputs;
  /// Buffer
  int output = -1;
  app::MeasureOptions options;
};

/// Numbers as inputs: where the front matter fills a float buffer with its index, the request asks
/// for random values, because floats beyond 2^24 are not all different and would hide a wrong
/// place.
Request request_for(const app::ReadyLaunch& ready, const app::MeasureOptions& options);

/// C (m x n) = A (m x k) B (k x n), if that is what the launch computes and its buffers fit.
struct ProductShape {
  std::uint64_t m = 0, n = 0, k = 0;
};
std::optional<ProductShape> product_shape(const Request& request);

/// The part of a measurement that is known beforehand.
app::Measurement measurement_of(const Request& request);

nlohmann::ordered_json to_json(const Request& request);
std::optional<Request> request_from_json(const nlohmann::ordered_json& json);

}  // namespace lanescope::gpu
