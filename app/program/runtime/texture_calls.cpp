// Texture and surface objects: descriptors that device code reads, in device memory.
#include <fmt/format.h>

#include <cstring>

#include "frontend/prelude/host/lanescope_texture_layout.h"
#include "program/runtime/copy.h"

using namespace lanescope::app;

namespace {

void set_format(lanescope_texture& t, const cudaChannelFormatDesc& f) {
  t.channels = static_cast<unsigned short>(f.w != 0 ? 4 : f.y != 0 ? 2 : 1);
  t.channel_bits = static_cast<unsigned short>(f.x);
  t.texel_bytes = t.channels * t.channel_bits / 8u;
  t.kind = f.f;
}

void set_array(lanescope_texture& t, const Array& array) {
  set_format(t, array.format);
  t.data = array.address;
  t.pitch = array.pitch;
  t.slice = array.pitch * array.rows();
  t.width = static_cast<unsigned>(array.extent.width);
  t.height = static_cast<unsigned>(array.extent.height);
  t.cubemap = (array.flags & cudaArrayCubemap) != 0 ? 1 : 0;
  const bool layered = (array.flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
  (layered ? t.layers : t.depth) = static_cast<unsigned>(array.extent.depth);
}

cudaError_t set_linear(const Call& call, lanescope_texture& t, const cudaResourceDesc& resource) {
  const auto& linear = resource.res.linear;
  set_format(t, linear.desc);
  if (t.texel_bytes == 0)
    return call.fail(cudaErrorInvalidChannelDescriptor, "the elements have no size");
  if (locate(call, "resource", linear.devPtr, linear.sizeInBytes, Side::device) == nullptr)
    return cudaErrorInvalidValue;
  t.data = reinterpret_cast<std::uint64_t>(linear.devPtr);
  t.width = static_cast<unsigned>(linear.sizeInBytes / t.texel_bytes);
  t.pitch = t.slice = linear.sizeInBytes;
  return cudaSuccess;
}

cudaError_t set_rows(const Call& call, lanescope_texture& t, const cudaResourceDesc& resource) {
  const auto& rows = resource.res.pitch2D;
  set_format(t, rows.desc);
  if (t.texel_bytes == 0)
    return call.fail(cudaErrorInvalidChannelDescriptor, "the elements have no size");
  Box box;
  const cudaError_t error = box_at(call, "resource", rows.devPtr, rows.pitchInBytes, 0,
                                   {rows.width * t.texel_bytes, rows.height, 1}, Side::device, box);
  if (error != cudaSuccess) return error;
  // cudaDeviceProp::texturePitchAlignment
  if (rows.pitchInBytes % 32 != 0)
    return call.fail(cudaErrorInvalidValue,
                     fmt::format("rows {} bytes apart; of a texture they have to be a multiple of "
                                 "32 apart (cudaMallocPitch)",
                                 rows.pitchInBytes));
  t.data = reinterpret_cast<std::uint64_t>(rows.devPtr);
  t.width = static_cast<unsigned>(rows.width);
  t.height = static_cast<unsigned>(rows.height);
  t.pitch = rows.pitchInBytes;
  t.slice = rows.pitchInBytes * rows.height;
  return cudaSuccess;
}

cudaError_t set_resource(const Call& call, lanescope_texture& t, const cudaResourceDesc& resource) {
  switch (resource.resType) {
  case cudaResourceTypeArray: {
    const Array* array = find_array(call, resource.res.array.array);
    if (array == nullptr) return cudaErrorInvalidResourceHandle;
    set_array(t, *array);
    return cudaSuccess;
  }
  case cudaResourceTypeLinear:
    return set_linear(call, t, resource);
  case cudaResourceTypePitch2D:
    return set_rows(call, t, resource);
  default:
    return call.fail(cudaErrorNotSupported, "mipmapped arrays are not simulated");
  }
}

cudaError_t check_filter(const Call& call, const lanescope_texture& t) {
  const bool floats = t.kind == cudaChannelFormatKindFloat ||
                      (t.read_mode == cudaReadModeNormalizedFloat && t.channel_bits < 32);
  if (t.filter == cudaFilterModeLinear && !floats)
    return call.fail(cudaErrorInvalidFilterSetting,
                     "linear filtering between integers: read them as cudaReadModeNormalizedFloat");
  if (t.read_mode == cudaReadModeNormalizedFloat && t.channel_bits == 32 &&
      t.kind != cudaChannelFormatKindFloat)
    return call.fail(cudaErrorInvalidNormSetting,
                     "only integers of 8 and 16 bits are read as cudaReadModeNormalizedFloat");
  return cudaSuccess;
}

cudaError_t check_cube(const Call& call, const lanescope_texture& t,
                       const cudaTextureDesc& description) {
  if (t.cubemap != 0 && t.filter == cudaFilterModeLinear && description.seamlessCubemap != 0)
    return call.fail(cudaErrorNotSupported,
                     "filtering across the edges of a cubemap (seamlessCubemap) is not simulated");
  return cudaSuccess;
}

cudaError_t make_object(const Call& call, unsigned long long* to, const lanescope_texture& t,
                        TextureObject object) {
  const Allocation* storage = runtime().memory.allocate(MemoryKind::variable, sizeof t);
  if (storage == nullptr) return call.fail(cudaErrorMemoryAllocation, "the object does not fit");
  std::memcpy(storage->data, &t, sizeof t);
  runtime().textures[storage->address] = object;
  *to = storage->address;
  return cudaSuccess;
}

const TextureObject* find_object(const Call& call, unsigned long long handle, bool surface) {
  const auto found = runtime().textures.find(handle);
  if (found != runtime().textures.end() && found->second.surface == surface) return &found->second;
  const char* what = surface ? "surface" : "texture";
  call.fail(cudaErrorInvalidValue, runtime().memory.freed_at(handle) != nullptr
                                       ? fmt::format("the {} object has been destroyed", what)
                                       : fmt::format("{:#x} is no {} object", handle, what));
  return nullptr;
}

cudaError_t destroy_object(const Call& call, unsigned long long handle, bool surface) {
  if (handle == 0) return cudaSuccess;
  if (find_object(call, handle, surface) == nullptr) return cudaErrorInvalidValue;
  runtime().textures.erase(handle);
  runtime().memory.release(handle);
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description,
                                    const cudaResourceViewDesc*) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if (texture == nullptr || resource == nullptr || description == nullptr)
      return call.fail(cudaErrorInvalidValue, "a resource and a description have to be given");
    lanescope_texture t = {};
    cudaError_t error = set_resource(call, t, *resource);
    if (error != cudaSuccess) return error;
    for (int axis = 0; axis < 3; ++axis) t.address_mode[axis] = description->addressMode[axis];
    t.filter = description->filterMode;
    t.read_mode = description->readMode;
    t.normalized = description->normalizedCoords != 0 ? 1 : 0;
    std::memcpy(t.border, description->borderColor, sizeof t.border);
    error = check_filter(call, t);
    if (error == cudaSuccess) error = check_cube(call, t, *description);
    return error == cudaSuccess ? make_object(call, texture, t, {false, *resource, *description})
                                : error;
  });
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
  return answer(LANESCOPE_CALL,
                [&](const Call& call) { return destroy_object(call, texture, false); });
}
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaTextureObject_t texture) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    const TextureObject* found = find_object(call, texture, false);
    if (found == nullptr) return cudaErrorInvalidValue;
    *resource = found->resource;
    return cudaSuccess;
  });
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description,
                                            cudaTextureObject_t texture) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    const TextureObject* found = find_object(call, texture, false);
    if (found == nullptr) return cudaErrorInvalidValue;
    *description = found->description;
    return cudaSuccess;
  });
}
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface,
                                    const cudaResourceDesc* resource) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if (surface == nullptr || resource == nullptr)
      return call.fail(cudaErrorInvalidValue, "a resource has to be given");
    if (resource->resType != cudaResourceTypeArray)
      return call.fail(cudaErrorInvalidValue, "a surface is made of an array");
    lanescope_texture t = {};
    const cudaError_t error = set_resource(call, t, *resource);
    t.surface = 1;
    return error == cudaSuccess ? make_object(call, surface, t, {true, *resource, {}}) : error;
  });
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
  return answer(LANESCOPE_CALL,
                [&](const Call& call) { return destroy_object(call, surface, true); });
}
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaSurfaceObject_t surface) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    const TextureObject* found = find_object(call, surface, true);
    if (found == nullptr) return cudaErrorInvalidValue;
    *resource = found->resource;
    return cudaSuccess;
  });
}
