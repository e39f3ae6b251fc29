// The driver's functions over the same device as the runtime's.
#include "frontend/prelude/lanescope_driver.h"
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
