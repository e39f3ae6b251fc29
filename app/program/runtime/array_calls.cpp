// CUDA arrays: memory whose elements have a format, for textures and surfaces.
#include <fmt/format.h>

#include <algorithm>

#include "program/runtime/copy.h"
#include "program/runtime/submit.h"

using namespace lanescope::app;

namespace {

/// 0 for a format that no array can have.
std::size_t element_bytes(const cudaChannelFormatDesc& f) {
  const int bits[] = {f.x, f.y, f.z, f.w};
  int channels = 0;
  while (channels < 4 && bits[channels] != 0) ++channels;
  for (int i = 0; i < 4; ++i)
    if (bits[i] != (i < channels ? f.x : 0)) return 0;
  const bool size = f.x == 8 || f.x == 16 || f.x == 32;
  const bool count = channels == 1 || channels == 2 || channels == 4;
  return size && count ? static_cast<std::size_t>(f.x * channels / 8) : 0;
}

cudaError_t allocate_array(const Call& call, cudaArray_t* to, const cudaChannelFormatDesc* format,
                           cudaExtent extent, unsigned flags) {
  if (to == nullptr || format == nullptr)
    return call.fail(cudaErrorInvalidValue, "nowhere to put the array, or no format");
  if (const cudaError_t error = refuse_while_capturing(call); error != cudaSuccess) return error;
  Array array;
  array.element_bytes = element_bytes(*format);
  if (array.element_bytes == 0)
    return call.fail(cudaErrorInvalidChannelDescriptor,
                     fmt::format("elements of {}, {}, {} and {} bits; channels are 1, 2 or 4, all "
                                 "of 8, 16 or 32 bits",
                                 format->x, format->y, format->z, format->w));
  if (extent.width == 0) return call.fail(cudaErrorInvalidValue, "an array of width 0");
  array.format = *format;
  array.extent = extent;
  array.flags = flags;
  array.pitch = (extent.width * array.element_bytes + 31) / 32 * 32;
  const Allocation* storage =
      runtime().memory.allocate(MemoryKind::device, array.pitch * array.rows() * array.slices());
  if (storage == nullptr) return call.fail(cudaErrorMemoryAllocation, "the array does not fit");
  array.address = storage->address;
  runtime().asked_from[storage->number] = call.caller();
  *to = reinterpret_cast<cudaArray_t>(runtime().arrays.make(array).first);
  return cudaSuccess;
}

cudaError_t copy_in(const Call& call, cudaArray_t to, size_t x, size_t y, const void* from,
                    size_t pitch, BoxSize size, cudaMemcpyKind kind) {
  Side to_side{}, from_side{};
  cudaError_t error = sides_of(call, kind, to_side, from_side);
  if (error != cudaSuccess || size.empty()) return error;
  Box target, source;
  error = box_in(call, "destination", to, x, y, 0, size, target);
  if (error == cudaSuccess) error = box_at(call, "source", from, pitch, 0, size, from_side, source);
  if (error == cudaSuccess) copy_box(call, target, source, size);
  return error;
}

cudaError_t copy_out(const Call& call, void* to, size_t pitch, cudaArray_const_t from, size_t x,
                     size_t y, BoxSize size, cudaMemcpyKind kind) {
  Side to_side{}, from_side{};
  cudaError_t error = sides_of(call, kind, to_side, from_side);
  if (error != cudaSuccess || size.empty()) return error;
  Box target, source;
  error = box_in(call, "source", from, x, y, 0, size, source);
  if (error == cudaSuccess)
    error = box_at(call, "destination", to, pitch, 0, size, to_side, target);
  if (error == cudaSuccess) copy_box(call, target, source, size);
  return error;
}

/// The old calls copy so many bytes, row after row from (x, y) on.
template <class Part>
cudaError_t row_after_row(const Call& call, cudaArray_const_t array, size_t x, size_t y,
                          size_t bytes, Part part) {
  const Array* found = find_array(call, array);
  if (found == nullptr) return cudaErrorInvalidResourceHandle;
  const std::size_t width = found->extent.width * found->element_bytes;
  if (x >= width && bytes > 0)
    return call.fail(cudaErrorInvalidValue, "the first byte lies outside of the array");
  for (std::size_t done = 0; done < bytes; x = 0, ++y) {
    const std::size_t row = std::min(bytes - done, width - x);
    if (const cudaError_t error = part(x, y, done, row); error != cudaSuccess) return error;
    done += row;
  }
  return cudaSuccess;
}

cudaError_t copy_line_in(const Call& call, cudaArray_t to, size_t x, size_t y, const void* from,
                         size_t bytes, cudaMemcpyKind kind) {
  return row_after_row(call, to, x, y, bytes, [&](size_t px, size_t py, size_t done, size_t row) {
    return copy_in(call, to, px, py, static_cast<const std::byte*>(from) + done, row, {row, 1, 1},
                   kind);
  });
}

cudaError_t copy_line_out(const Call& call, void* to, cudaArray_const_t from, size_t x, size_t y,
                          size_t bytes, cudaMemcpyKind kind) {
  return row_after_row(call, from, x, y, bytes, [&](size_t px, size_t py, size_t done, size_t row) {
    return copy_out(call, static_cast<std::byte*>(to) + done, row, from, px, py, {row, 1, 1}, kind);
  });
}

}  // namespace

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                            size_t height, unsigned flags) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    return allocate_array(call, array, format, {width, height, 0}, flags);
  });
}
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                              cudaExtent extent, unsigned flags) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    return allocate_array(call, array, format, extent, flags);
  });
}
cudaError_t cudaFreeArray(cudaArray_t array) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if (array == nullptr) return cudaSuccess;
    const Array* found = find_array(call, array);
    if (found == nullptr) return cudaErrorInvalidResourceHandle;
    if (const Allocation* storage = runtime().memory.at(found->address))
      runtime().asked_from.erase(storage->number);
    runtime().memory.release(found->address);
    runtime().arrays.destroy(array);
    return cudaSuccess;
  });
}
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags,
                             cudaArray_t array) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    const Array* found = find_array(call, array);
    if (found == nullptr) return cudaErrorInvalidResourceHandle;
    if (format != nullptr) *format = found->format;
    if (extent != nullptr) *extent = found->extent;
    if (flags != nullptr) *flags = found->flags;
    return cudaSuccess;
  });
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    const Array* found = find_array(call, array);
    if (found == nullptr) return cudaErrorInvalidResourceHandle;
    *format = found->format;
    return cudaSuccess;
  });
}
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind) {
  return answer(LANESCOPE_CALL,
                [&](const Call& call) { return copy_line_in(call, to, x, y, from, bytes, kind); });
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
  return answer(LANESCOPE_CALL,
                [&](const Call& call) { return copy_line_out(call, to, from, x, y, bytes, kind); });
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                   size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    return submit(call, stream, cudaGraphNodeTypeMemcpy, [=](const Call& then) {
      return copy_line_in(then, to, x, y, from, bytes, kind);
    });
  });
}
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    return submit(call, stream, cudaGraphNodeTypeMemcpy, [=](const Call& then) {
      return copy_line_out(then, to, from, x, y, bytes, kind);
    });
  });
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    return copy_in(call, to, x, y, from, pitch, {width, height, 1}, kind);
  });
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                     size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    return submit(call, stream, cudaGraphNodeTypeMemcpy, [=](const Call& then) {
      return copy_in(then, to, x, y, from, pitch, {width, height, 1}, kind);
    });
  });
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    return copy_out(call, to, pitch, from, x, y, {width, height, 1}, kind);
  });
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    return submit(call, stream, cudaGraphNodeTypeMemcpy, [=](const Call& then) {
      return copy_out(then, to, pitch, from, x, y, {width, height, 1}, kind);
    });
  });
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t from_x, size_t from_y,
                                     size_t width, size_t height, cudaMemcpyKind) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    const BoxSize size{width, height, 1};
    Box target, source;
    if (size.empty()) return cudaSuccess;
    cudaError_t error = box_in(call, "destination", to, to_x, to_y, 0, size, target);
    if (error == cudaSuccess) error = box_in(call, "source", from, from_x, from_y, 0, size, source);
    if (error == cudaSuccess) copy_box(call, target, source, size);
    return error;
  });
}
