#include "program/runtime/copy.h"

#include <fmt/format.h>

#include <cstring>

namespace lanescope::app {
namespace {

/// What is wrong with a pointer that lies in no allocation, if it has to be the device's.
std::string why_not_device(const char* role, const void* pointer) {
  Runtime& now = runtime();
  const std::uint64_t address = address_of(pointer);
  if (pointer == nullptr) return fmt::format("the {} is a null pointer", role);
  if (const Allocation* gone = now.memory.freed_at(address))
    return fmt::format("the {} {} lies in {}, which has been freed", role, hex(pointer),
                       described(*gone));
  if (now.memory.is_device_address(address)) {
    const Allocation* before = now.memory.before(address);
    return before == nullptr || !now.memory.is_device_address(before->address)
               ? fmt::format("the {} {} lies in no allocation", role, hex(pointer))
               : fmt::format("the {} {} lies {} bytes behind the end of {}", role, hex(pointer),
                             address - before->address - before->bytes, described(*before));
  }
  if (now.outer.launcher != nullptr && now.outer.launcher->variable(pointer).address != 0)
    return fmt::format("the {} is a __device__ or __constant__ variable: its address on the device "
                       "is what cudaGetSymbolAddress gives, and cudaMemcpyToSymbol and "
                       "cudaMemcpyFromSymbol copy to and from it",
                       role);
  return fmt::format("the {} {} is a pointer of the host where one of the device has to be", role,
                     hex(pointer));
}

/// Managed memory counts as the device's.
bool is_on_device(const void* pointer) {
  const Allocation* found = runtime().memory.at(address_of(pointer));
  return found != nullptr && found->kind != MemoryKind::pinned;
}

CopyWay way(bool to_device, bool from_device) {
  if (to_device) return from_device ? CopyWay::device_to_device : CopyWay::host_to_device;
  return from_device ? CopyWay::device_to_host : CopyWay::host_to_host;
}

std::byte* inside(const Call& call, const char* role, const void* pointer, std::size_t bytes,
                  const Allocation& allocation) {
  const std::size_t offset = address_of(pointer) - allocation.address;
  const std::size_t left = allocation.bytes - offset;
  if (bytes <= left) return allocation.data + offset;
  call.fail(cudaErrorInvalidValue,
            fmt::format("{} bytes from byte {} on go {} bytes past the end of {}, the {}", bytes,
                        offset, bytes - left, described(allocation), role));
  return nullptr;
}

}  // namespace

std::byte* locate(const Call& call, const char* role, const void* pointer, std::size_t bytes,
                  Side side) {
  const DeviceMemory& memory = runtime().memory;
  if (const Allocation* allocation = memory.at(address_of(pointer))) {
    const bool hidden =
        allocation->kind == MemoryKind::device || allocation->kind == MemoryKind::variable;
    // With unified addressing a GPU's driver copies all the same, as measured on an H200.
    if (side == Side::host && hidden)
      call.remark(fmt::format("the {} {} is device memory, and the kind of copy says that it is "
                              "the host's",
                              role, hex(pointer)));
    return inside(call, role, pointer, bytes, *allocation);
  }
  const bool devices = memory.is_device_address(address_of(pointer)) ||
                       memory.freed_at(address_of(pointer)) != nullptr;
  if (side == Side::device || devices || pointer == nullptr) {
    call.fail(cudaErrorInvalidValue, why_not_device(role, pointer));
    return nullptr;
  }
  return static_cast<std::byte*>(const_cast<void*>(pointer));
}

cudaError_t sides_of(const Call& call, cudaMemcpyKind kind, Side& to, Side& from) {
  if (static_cast<unsigned>(kind) > cudaMemcpyDefault)
    return call.fail(cudaErrorInvalidMemcpyDirection,
                     fmt::format("there is no kind of copy {}", static_cast<int>(kind)));
  const bool any = kind == cudaMemcpyDefault;
  to = any                                                                  ? Side::either
       : kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice ? Side::device
                                                                            : Side::host;
  from = any                                                                  ? Side::either
         : kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice ? Side::device
                                                                              : Side::host;
  return cudaSuccess;
}

cudaError_t copy_bytes(const Call& call, void* to, const void* from, std::size_t bytes,
                       cudaMemcpyKind kind) {
  Side to_side{}, from_side{};
  const cudaError_t error = sides_of(call, kind, to_side, from_side);
  if (error != cudaSuccess || bytes == 0) return error;
  std::byte* target = locate(call, "destination", to, bytes, to_side);
  if (target == nullptr) return cudaErrorInvalidValue;
  const std::byte* source = locate(call, "source", from, bytes, from_side);
  if (source == nullptr) return cudaErrorInvalidValue;
  call.moves(way(is_on_device(to), is_on_device(from)), bytes);
  std::memmove(target, source, bytes);
  return cudaSuccess;
}

cudaError_t box_at(const Call& call, const char* role, const void* pointer, std::size_t pitch,
                   std::size_t rows_of_slice, BoxSize size, Side side, Box& box) {
  if (pitch < size.width && (size.rows > 1 || size.slices > 1))
    return call.fail(cudaErrorInvalidPitchValue,
                     fmt::format("the {}'s rows are {} bytes apart, and {} of each are copied",
                                 role, pitch, size.width));
  const std::size_t slice = pitch * (rows_of_slice == 0 ? size.rows : rows_of_slice);
  const std::size_t bytes = (size.slices - 1) * slice + (size.rows - 1) * pitch + size.width;
  box = {locate(call, role, pointer, bytes, side), pitch, slice, is_on_device(pointer)};
  return box.data == nullptr ? cudaErrorInvalidValue : cudaSuccess;
}

Array* find_array(const Call& call, cudaArray_const_t array) {
  Array* found = runtime().arrays.find(array);
  if (found == nullptr)
    call.fail(cudaErrorInvalidResourceHandle,
              runtime().arrays.destroyed(array) ? "the array has been freed" : "this is no array");
  return found;
}

cudaError_t box_in(const Call& call, const char* role, cudaArray_const_t array, std::size_t x,
                   std::size_t y, std::size_t z, BoxSize size, Box& box) {
  const Array* found = find_array(call, array);
  if (found == nullptr) return cudaErrorInvalidResourceHandle;
  const std::size_t width = found->extent.width * found->element_bytes;
  if (x + size.width > width || y + size.rows > found->rows() || z + size.slices > found->slices())
    return call.fail(
        cudaErrorInvalidValue,
        fmt::format("{} bytes x {} rows x {} slices at ({}, {}, {}) do not fit into the {}, an "
                    "array of {} bytes x {} rows x {} slices",
                    size.width, size.rows, size.slices, x, y, z, role, width, found->rows(),
                    found->slices()));
  const std::size_t slice = found->pitch * found->rows();
  const Allocation* storage = runtime().memory.at(found->address);
  box = {storage->data + z * slice + y * found->pitch + x, found->pitch, slice, true};
  return cudaSuccess;
}

void copy_box(const Call& call, const Box& to, const Box& from, BoxSize size) {
  call.moves(way(to.on_device, from.on_device), size.width * size.rows * size.slices);
  for (std::size_t z = 0; z < size.slices; ++z)
    for (std::size_t y = 0; y < size.rows; ++y)
      std::memmove(to.data + z * to.slice + y * to.pitch,
                   from.data + z * from.slice + y * from.pitch, size.width);
}

namespace {

/// One side of a cudaMemcpy3D.
cudaError_t side_of_copy(const Call& call, const char* role, cudaArray_const_t array,
                         const cudaPitchedPtr& pointer, const cudaPos& at, BoxSize size, Side side,
                         Box& box) {
  if (array != nullptr && pointer.ptr != nullptr)
    return call.fail(cudaErrorInvalidValue,
                     fmt::format("the {} is an array and a pointer at once", role));
  if (array != nullptr) {
    const Array* found = find_array(call, array);
    if (found == nullptr) return cudaErrorInvalidResourceHandle;
    return box_in(call, role, array, at.x * found->element_bytes, at.y, at.z, size, box);
  }
  const std::size_t rows = pointer.ysize == 0 ? size.rows : pointer.ysize;
  const std::size_t offset = (at.z * rows + at.y) * pointer.pitch + at.x;
  const auto* first = static_cast<const std::byte*>(pointer.ptr);
  return box_at(call, role, first == nullptr ? nullptr : first + offset, pointer.pitch, rows, size,
                side, box);
}

}  // namespace

cudaError_t copy_parameters(const Call& call, const cudaMemcpy3DParms& copy) {
  Side to_side{}, from_side{};
  cudaError_t error = sides_of(call, copy.kind, to_side, from_side);
  if (error != cudaSuccess) return error;
  // An extent is in elements as soon as one side is an array.
  std::size_t element = 1;
  for (const cudaArray_t array : {copy.srcArray, copy.dstArray})
    if (array != nullptr) {
      const Array* found = find_array(call, array);
      if (found == nullptr) return cudaErrorInvalidResourceHandle;
      element = found->element_bytes;
    }
  const BoxSize size{copy.extent.width * element, copy.extent.height, copy.extent.depth};
  if (size.empty()) return cudaSuccess;
  Box to, from;
  error =
      side_of_copy(call, "destination", copy.dstArray, copy.dstPtr, copy.dstPos, size, to_side, to);
  if (error == cudaSuccess)
    error = side_of_copy(call, "source", copy.srcArray, copy.srcPtr, copy.srcPos, size, from_side,
                         from);
  if (error == cudaSuccess) copy_box(call, to, from, size);
  return error;
}

cudaError_t fill_box(const Call& call, const void* pointer, std::size_t pitch,
                     std::size_t rows_of_slice, BoxSize size, std::uint32_t value,
                     std::size_t element) {
  if (size.empty()) return cudaSuccess;
  Box box;
  const cudaError_t error =
      box_at(call, "destination", pointer, pitch, rows_of_slice, size, Side::device, box);
  if (error != cudaSuccess) return error;
  call.moves(CopyWay::none, size.width * size.rows * size.slices);
  for (std::size_t z = 0; z < size.slices; ++z)
    for (std::size_t y = 0; y < size.rows; ++y) {
      std::byte* row = box.data + z * box.slice + y * box.pitch;
      if (element == 1)
        std::memset(row, static_cast<int>(value & 0xff), size.width);
      else
        for (std::size_t x = 0; x + element <= size.width; x += element)
          std::memcpy(row + x, &value, element);
    }
  return cudaSuccess;
}

}  // namespace lanescope::app
