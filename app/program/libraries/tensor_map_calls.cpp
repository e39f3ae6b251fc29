// Tensor maps of the driver API.
#include <cstring>

#include "frontend/prelude/host/lanescope_driver.h"
#include "lanescope/tensor_map.h"
#include "program/runtime/copy.h"
#include "program/runtime/runtime.h"

using namespace lanescope;
using namespace lanescope::app;

namespace {

std::uint32_t bytes_of(CUtensorMapDataType type) {
  switch (type) {
  case CU_TENSOR_MAP_DATA_TYPE_UINT8:
    return 1;
  case CU_TENSOR_MAP_DATA_TYPE_UINT16:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
  case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
    return 2;
  case CU_TENSOR_MAP_DATA_TYPE_UINT32:
  case CU_TENSOR_MAP_DATA_TYPE_INT32:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT32:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ:
  case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32:
  case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ:
    return 4;
  case CU_TENSOR_MAP_DATA_TYPE_UINT64:
  case CU_TENSOR_MAP_DATA_TYPE_INT64:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
    return 8;
  case CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B:
  case CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B:
  case CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B:
    break;  // Blackwell's
  }
  return 0;
}

/// What both kinds of map are made of.
struct Asked {
  CUtensorMap* map;
  CUtensorMapDataType type;
  cuuint32_t rank;
  void* address;
  const cuuint64_t *extents, *strides;
  const cuuint32_t* element_strides;
  CUtensorMapInterleave interleave;
  CUtensorMapSwizzle swizzle;
  CUtensorMapL2promotion promotion;
  CUtensorMapFloatOOBfill fill;
};

/// `add(map)` tells the rest.
template <class Add>
cudaError_t make_map(const Call& call, const Asked& asked, Add add) {
  const auto refuse = [&](const std::string& why) { return call.fail(cudaErrorInvalidValue, why); };
  const bool in_place =
      reinterpret_cast<std::uintptr_t>(asked.map) % 64 == 0 && asked.map != nullptr;
  if (!in_place) return refuse("a tensor map lies at a multiple of 64");
  if (asked.extents == nullptr || asked.element_strides == nullptr ||
      (asked.rank > 1 && asked.strides == nullptr))
    return refuse("extents, strides or element strides are missing");
  if (bytes_of(asked.type) == 0) return refuse("there is no such element type");
  if (asked.swizzle < CU_TENSOR_MAP_SWIZZLE_NONE || asked.swizzle > CU_TENSOR_MAP_SWIZZLE_128B)
    return refuse("there is no such swizzle");
  if (asked.promotion < CU_TENSOR_MAP_L2_PROMOTION_NONE ||
      asked.promotion > CU_TENSOR_MAP_L2_PROMOTION_L2_256B)
    return refuse("there is no such promotion");
  if (asked.interleave != CU_TENSOR_MAP_INTERLEAVE_NONE ||
      asked.fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)
    return call.fail(cudaErrorNotSupported,
                     "interleaved layouts and fills other than zero are not simulated");
  TensorMap made;
  made.address = reinterpret_cast<std::uint64_t>(asked.address);
  made.rank = static_cast<int>(asked.rank);
  made.element_bytes = bytes_of(asked.type);
  made.element = static_cast<TensorElement>(asked.type);
  made.swizzle = static_cast<TensorSwizzle>(asked.swizzle);
  made.stride[0] = made.element_bytes;
  for (std::size_t d = 0; d < asked.rank && d < kMostDimensions; ++d) {
    made.extent[d] = asked.extents[d];
    made.element_stride[d] = asked.element_strides[d];
    if (d > 0) made.stride[d] = asked.strides[d - 1];
  }
  add(made);
  if (const auto wrong = tensor_map_error(made)) return refuse(wrong->english());
  const auto bytes = encode(made);
  std::memcpy(asked.map, bytes.data(), sizeof *asked.map);
  return cudaSuccess;
}

}  // namespace

CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                void* address, const cuuint64_t* extents, const cuuint64_t* strides,
                                const cuuint32_t* box, const cuuint32_t* element_strides,
                                CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  return static_cast<CUresult>(answer(LANESCOPE_CALL, [&](const Call& call) {
    if (box == nullptr) return call.fail(cudaErrorInvalidValue, "the box is missing");
    const Asked asked{map,        type,    rank,      address, extents, strides, element_strides,
                      interleave, swizzle, promotion, fill};
    return make_map(call, asked, [&](TensorMap& made) {
      for (std::size_t d = 0; d < rank && d < kMostDimensions; ++d) made.box[d] = box[d];
    });
  }));
}

CUresult cuTensorMapEncodeIm2col(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                 void* address, const cuuint64_t* extents,
                                 const cuuint64_t* strides, const int* lower, const int* upper,
                                 cuuint32_t channels, cuuint32_t pixels,
                                 const cuuint32_t* element_strides,
                                 CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                 CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  return static_cast<CUresult>(answer(LANESCOPE_CALL, [&](const Call& call) {
    if (lower == nullptr || upper == nullptr || pixels == 0)
      return call.fail(cudaErrorInvalidValue, "corners or pixels are missing");
    const Asked asked{map,        type,    rank,      address, extents, strides, element_strides,
                      interleave, swizzle, promotion, fill};
    return make_map(call, asked, [&](TensorMap& made) {
      made.box[0] = channels;
      made.image.pixels = pixels;
      for (std::size_t d = 0; d + 2 < rank && d + 2 < kMostDimensions; ++d)
        made.image.lower[d] = lower[d], made.image.upper[d] = upper[d];
    });
  }));
}

CUresult cuTensorMapReplaceAddress(CUtensorMap* map, void* address) {
  return static_cast<CUresult>(answer(LANESCOPE_CALL, [&](const Call& call) {
    std::array<std::byte, kTensorMapBytes> bytes{};
    if (map != nullptr) std::memcpy(bytes.data(), map, bytes.size());
    std::optional<TensorMap> made = decode_tensor_map(bytes);
    if (!made) return call.fail(cudaErrorInvalidValue, "that is no tensor map");
    made->address = reinterpret_cast<std::uint64_t>(address);
    if (const auto wrong = tensor_map_error(*made))
      return call.fail(cudaErrorInvalidValue, wrong->english());
    bytes = encode(*made);
    std::memcpy(map, bytes.data(), sizeof *map);
    return cudaSuccess;
  }));
}

/// What stands in the list of the driver's functions, also under the name that it has in newer headers (_v2).
cudaError_t cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult* result) {
  (void)flags;
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if (name == nullptr || function == nullptr)
      return call.fail(cudaErrorInvalidValue, "a name, and a place for the function, are needed");
    *function = nullptr;
    const std::string plain = name;
    for (const RuntimeFunction& each : runtime_functions())
      if (plain.starts_with("cu") && !plain.starts_with("cuda") &&
          (each.name == plain || each.name == plain + "_v2"))
        *function = each.address;
    if (result != nullptr)
      *result =
          *function != nullptr ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return cudaSuccess;
  });
}
cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned version,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult* result) {
  (void)version;
  return cudaGetDriverEntryPoint(name, function, flags, result);
}
