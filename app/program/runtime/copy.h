// Copying and filling, with every pointer and extent checked against what was allocated.
#pragma once

#include "program/runtime/state.h"

namespace lanescope::app {

enum class Side : std::uint8_t { host, device, either };

/// Where a pointer given to a copy leads on this machine: `bytes` from there on may be touched.
/// Nullptr after having told what is wrong. `role`: "source", "destination".
std::byte* locate(const Call& call, const char* role, const void* pointer, std::size_t bytes,
                  Side side);

/// Rows and slices that a copy reads or writes. In bytes.
struct Box {
  std::byte* data = nullptr;
  std::size_t pitch = 0, slice = 0;
  bool on_device = false;
};
struct BoxSize {
  std::size_t width = 0, rows = 1, slices = 1;
  [[nodiscard]] bool empty() const { return width == 0 || rows == 0 || slices == 0; }
};

/// A place for `size` at a pointer with a pitch; `rows_of_slice`: how many rows apart slices are.
cudaError_t box_at(const Call& call, const char* role, const void* pointer, std::size_t pitch,
                   std::size_t rows_of_slice, BoxSize size, Side side, Box& box);
/// The same in an array; `x` in bytes.
cudaError_t box_in(const Call& call, const char* role, cudaArray_const_t array, std::size_t x,
                   std::size_t y, std::size_t z, BoxSize size, Box& box);
void copy_box(const Call& call, const Box& to, const Box& from, BoxSize size);

/// Whose memory the two sides of a copy have to be.
cudaError_t sides_of(const Call& call, cudaMemcpyKind kind, Side& to, Side& from);

cudaError_t copy_bytes(const Call& call, void* to, const void* from, std::size_t bytes,
                       cudaMemcpyKind kind);
cudaError_t copy_parameters(const Call& call, const cudaMemcpy3DParms& copy);
/// `element`: 1, 2 or 4 bytes that are repeated.
cudaError_t fill_box(const Call& call, const void* pointer, std::size_t pitch,
                     std::size_t rows_of_slice, BoxSize size, std::uint32_t value,
                     std::size_t element);

/// The array of a handle, or nullptr after having told what is wrong.
Array* find_array(const Call& call, cudaArray_const_t array);

}  // namespace lanescope::app
