// What the engine's benchmarks run, and how they take the time.
#pragma once

#include <chrono>
#include <fstream>
#include <iterator>
#include <string>

namespace lanescope {

/// The text of kernels/NAME.cu.
inline std::string kernel_text(const std::string& name) {
  std::ifstream file(std::string(LANESCOPE_SOURCE_DIR) + "/kernels/" + name + ".cu");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// kernels/transpose/04_shared_tile_padded.cu in OpenCL, with blocks of 32 × 32.
inline constexpr const char* kOpenClTranspose =
    R"(__kernel void transpose(__global const float* in, __global float* out, int nx, int ny) {
  __local float tile[32][33];
  int ix = get_group_id(0) * 32 + get_local_id(0), iy = get_group_id(1) * 32 + get_local_id(1);
  if (ix < nx && iy < ny) tile[get_local_id(1)][get_local_id(0)] = in[(size_t)iy * nx + ix];
  barrier(CLK_LOCAL_MEM_FENCE);
  int jx = get_group_id(0) * 32 + get_local_id(1), jy = get_group_id(1) * 32 + get_local_id(0);
  if (jx < nx && jy < ny) out[(size_t)jx * ny + jy] = tile[get_local_id(0)][get_local_id(1)];
}
)";

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace lanescope
