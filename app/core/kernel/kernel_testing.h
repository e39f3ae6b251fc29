// What the tests of this folder share.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "core/kernel/catalog.h"
#include "core/kernel/settings.h"

namespace lanescope::app::testing_texts {

/// A transpose through a shared tile; PAD and N are tunable, the launch follows them.
inline const std::string kTranspose = R"cu(/*---
title = "Tile"
kernel = "tile"
look_at = ["the tile"]
[[parameter]]
name = "PAD"
default = 0
min = 0
max = 4
[[parameter]]
name = "BX"
default = 32
min = 1
max = 32
[[argument]]
name = "in"
type = "float"
shape = ["ny", "nx"]
[[argument]]
name = "out"
type = "float"
shape = ["nx", "ny"]
[[argument]]
name = "nx"
value = 64
[[argument]]
name = "ny"
value = 96
[launch]
block = ["BX", "BX"]
grid = ["ceil_div(nx, BX)", "ceil_div(ny, BX)"]
[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
__global__ void tile(const float* in, float* out, int nx, int ny) {
  __shared__ float cell[BX][BX + PAD];
  int ix = blockIdx.x * BX + threadIdx.x;
  int iy = blockIdx.y * BX + threadIdx.y;
  if (ix < nx && iy < ny) cell[threadIdx.y][threadIdx.x] = in[iy * nx + ix];
  __syncthreads();
  int jx = blockIdx.x * BX + threadIdx.y;
  int jy = blockIdx.y * BX + threadIdx.x;
  int to = jx * ny + jy;
  if (jx < nx && jy < ny) out[to] = cell[threadIdx.x][threadIdx.y];
}
)cu";

inline Settings settings_of(std::string text, std::string file = "test.cu") {
  Settings settings;
  settings.name = settings.file = std::move(file);
  settings.text = std::move(text);
  return settings;
}

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at != std::string::npos) text.replace(at, from.size(), to);
  return text;
}

inline std::string messages(const std::vector<Diagnostic>& diagnostics) {
  std::string result;
  for (const Diagnostic& diagnostic : diagnostics) result += format_diagnostic(diagnostic);
  return result;
}

}  // namespace lanescope::app::testing_texts
