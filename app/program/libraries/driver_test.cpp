// The driver's functions over the same device as the runtime's.
#include "frontend/prelude/host/lanescope_driver.h"
#include "program/runtime/fake_launcher.h"

namespace lanescope::app {
namespace {

class LibraryDriver : public RuntimeTest {};

TEST_F(LibraryDriver, KnowsTheDevice) {
  CUdevice device = -1;
  int value = 0;
  char name[8];
  ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
  ASSERT_EQ(cuDeviceGet(&device, 0), CUDA_SUCCESS);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cuDeviceGet(&device, 1), CUDA_ERROR_INVALID_DEVICE);
  ASSERT_EQ(cuDeviceGetName(name, sizeof name, 0), CUDA_SUCCESS);
  EXPECT_STREQ(name, "NVIDIA ");
  ASSERT_EQ(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0),
            CUDA_SUCCESS);
  EXPECT_EQ(value, 132);
  const char* text = nullptr;
  ASSERT_EQ(cuGetErrorName(CUDA_ERROR_INVALID_DEVICE, &text), CUDA_SUCCESS);
  EXPECT_STREQ(text, "CUDA_ERROR_INVALID_DEVICE");
  ASSERT_EQ(cuGetErrorString(CUDA_ERROR_INVALID_DEVICE, &text), CUDA_SUCCESS);
  EXPECT_STREQ(text, "invalid device ordinal");
}

TEST_F(LibraryDriver, SharesMemoryWithTheRuntime) {
  CUdeviceptr p = 0;
  const int values[] = {1, 2, 3};
  int back[3] = {};
  ASSERT_EQ(cuMemAlloc(&p, sizeof values), CUDA_SUCCESS);
  ASSERT_EQ(cuMemcpyHtoD(p, values, sizeof values), CUDA_SUCCESS);
  ASSERT_EQ(cuMemsetD8(p + 4, 0, 4), CUDA_SUCCESS);
  ASSERT_EQ(cudaMemcpy(back, reinterpret_cast<void*>(p), sizeof back, cudaMemcpyDeviceToHost),
            cudaSuccess);
  EXPECT_EQ(back[0], 1);
  EXPECT_EQ(back[1], 0);
  EXPECT_EQ(cuMemcpyDtoH(back, p, 16), CUDA_ERROR_INVALID_VALUE);
  expect_told("past the end");
  EXPECT_EQ(cudaFree(reinterpret_cast<void*>(p)), cudaSuccess);
  EXPECT_EQ(cuMemFree(p), CUDA_ERROR_INVALID_VALUE);
}

CUresult encode(CUtensorMap* map, void* address, cuuint32_t box_x, CUtensorMapSwizzle swizzle,
                cuuint32_t rank = 2) {
  const cuuint64_t extents[] = {64, 32}, strides[] = {128};
  const cuuint32_t box[] = {box_x, 16}, steps[] = {1, 1};
  return cuTensorMapEncodeTiled(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, rank, address, extents,
                                strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                                CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

TEST_F(LibraryDriver, EncodesTensorMaps) {
  CUtensorMap map{};
  void* memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, 4096), cudaSuccess);
  EXPECT_EQ(encode(&map, memory, 64, CU_TENSOR_MAP_SWIZZLE_128B), CUDA_SUCCESS);
  EXPECT_NE(map.opaque[0], 0u);
  EXPECT_EQ(cuTensorMapReplaceAddress(&map, static_cast<char*>(memory) + 16), CUDA_SUCCESS);
  EXPECT_EQ(cuTensorMapReplaceAddress(&map, static_cast<char*>(memory) + 8),
            CUDA_ERROR_INVALID_VALUE);
  expect_told("is no multiple of 16");
  EXPECT_EQ(encode(&map, memory, 64, CU_TENSOR_MAP_SWIZZLE_64B), CUDA_ERROR_INVALID_VALUE);
  expect_told("a swizzle of 64 bytes has room for no more");
  EXPECT_EQ(encode(&map, memory, 257, CU_TENSOR_MAP_SWIZZLE_NONE), CUDA_ERROR_INVALID_VALUE);
  expect_told("a box of 257 elements");
  EXPECT_EQ(encode(&map, memory, 64, CU_TENSOR_MAP_SWIZZLE_NONE, 6), CUDA_ERROR_INVALID_VALUE);
  expect_told("1 to 5 dimensions");
  EXPECT_EQ(encode(reinterpret_cast<CUtensorMap*>(reinterpret_cast<char*>(&map) + 8), memory, 64,
                   CU_TENSOR_MAP_SWIZZLE_NONE),
            CUDA_ERROR_INVALID_VALUE);
  expect_told("a multiple of 64");
}

TEST_F(LibraryDriver, EncodesMapsOfImages) {
  CUtensorMap map{};
  void* memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, 16384), cudaSuccess);
  const auto make = [&](cuuint32_t rank, int lower, int upper, cuuint32_t pixels) {
    const cuuint64_t extents[] = {8, 6, 5, 4}, strides[] = {32, 192, 960};
    const int from[] = {lower, -1}, to[] = {upper, -1};
    const cuuint32_t steps[] = {1, 1, 1, 1};
    return cuTensorMapEncodeIm2col(
        &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, rank, memory, extents, strides, from, to, 8, pixels,
        steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_32B,
        CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  };
  EXPECT_EQ(make(4, -1, -1, 64), CUDA_SUCCESS);
  EXPECT_NE(map.opaque[0], 0u);
  EXPECT_EQ(make(2, -1, -1, 64), CUDA_ERROR_INVALID_VALUE);
  expect_told("3 to 5 dimensions");
  EXPECT_EQ(make(4, -200, -1, 64), CUDA_ERROR_INVALID_VALUE);
  expect_told("-128 to 127 are possible");
  EXPECT_EQ(make(4, 3, -3, 64), CUDA_ERROR_INVALID_VALUE);
  expect_told("it is empty");
  EXPECT_EQ(make(4, -1, -1, 1025), CUDA_ERROR_INVALID_VALUE);
  expect_told("1025 pixels in a column");
}

TEST_F(LibraryDriver, IsFoundByName) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult result = cudaDriverEntryPointVersionNotSufficent;
  ASSERT_EQ(
      cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault, &result),
      cudaSuccess);
  EXPECT_EQ(function, reinterpret_cast<void*>(&cuTensorMapEncodeTiled));
  EXPECT_EQ(result, cudaDriverEntryPointSuccess);
  ASSERT_EQ(
      cudaGetDriverEntryPointByVersion("cuMemAlloc", &function, 12000, cudaEnableDefault, &result),
      cudaSuccess);
  EXPECT_NE(function, nullptr);
  ASSERT_EQ(cudaGetDriverEntryPoint("cuNothing", &function, cudaEnableDefault, &result),
            cudaSuccess);
  EXPECT_EQ(function, nullptr);
  EXPECT_EQ(result, cudaDriverEntryPointSymbolNotFound);
}

TEST_F(LibraryDriver, ContextsAreAStack) {
  CUcontext context = nullptr, current = nullptr;
  ASSERT_EQ(cuCtxCreate(&context, 0, 0), CUDA_SUCCESS);
  cuCtxGetCurrent(&current);
  EXPECT_EQ(current, context);
  EXPECT_EQ(cuCtxPopCurrent(&current), CUDA_SUCCESS);
  cuCtxGetCurrent(&current);
  EXPECT_EQ(current, nullptr);
  EXPECT_EQ(cuCtxPopCurrent(&current), CUDA_ERROR_INVALID_CONTEXT);
}

}  // namespace
}  // namespace lanescope::app
