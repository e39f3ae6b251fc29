// Allocations, copies between them and the host, and the mistakes that are told.
#include "lanescope/memory.h"

#include "program/runtime/fake_launcher.h"

namespace lanescope::app {
namespace {

class ProgramMemory : public RuntimeTest {};

void* allocated(std::size_t bytes) {
  void* pointer = nullptr;
  EXPECT_EQ(cudaMalloc(&pointer, bytes), cudaSuccess);
  return pointer;
}
std::uint64_t number(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

TEST_F(ProgramMemory, AddressesAreTheSameInEveryRun) {
  const void* first = allocated(100);
  const void* second = allocated(1);
  EXPECT_EQ(number(first), kGlobalWindow);
  EXPECT_GT(number(second), kGlobalWindow + 100);
  EXPECT_EQ(number(second) % 512, 0u);
  start_runtime(launcher, device_presets().front());
  EXPECT_EQ(allocated(100), first);
  EXPECT_EQ(allocated(1), second);
}

TEST_F(ProgramMemory, StorageIsPoisonedAndVariablesAreZero) {
  for (const std::size_t bytes : {std::size_t{1000}, std::size_t{20} << 20}) {
    std::vector<unsigned char> read(bytes);
    void* p = allocated(bytes);
    ASSERT_EQ(cudaMemcpy(read.data(), p, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(read, std::vector<unsigned char>(bytes, 0));
    // Written, it holds what was written, in the middle of it as well.
    std::vector<unsigned char> data(bytes);
    for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<unsigned char>(i * 7);
    ASSERT_EQ(cudaMemcpy(p, data.data(), bytes, cudaMemcpyHostToDevice), cudaSuccess);
    ASSERT_EQ(cudaMemcpy(read.data(), p, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(read, data);
  }
  const Allocation* variable = device_memory().allocate(MemoryKind::variable, 64);
  EXPECT_EQ(variable->data[63], std::byte{0});
}

TEST_F(ProgramMemory, TheHostFaultsWhereOnlyTheDeviceMayGo) {
  auto* p = static_cast<volatile int*>(allocated(64));
  EXPECT_TRUE(device_memory().is_device_address(number(const_cast<int*>(p))));
  EXPECT_DEATH(*p = 1, "");
  void* managed = nullptr;
  ASSERT_EQ(cudaMallocManaged(&managed, 64, cudaMemAttachGlobal), cudaSuccess);
  *static_cast<volatile int*>(managed) = 1;
  ASSERT_EQ(cudaFree(managed), cudaSuccess);
  EXPECT_DEATH(*static_cast<volatile int*>(managed) = 1, "");
}

TEST_F(ProgramMemory, ACopyPastAnEndIsRefusedAndSaysByHowMuch) {
  void* p = allocated(1024);
  std::vector<char> host(4096);
  EXPECT_EQ(cudaMemcpy(p, host.data(), 4096, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  expect_told("4096 bytes from byte 0 on go 3072 bytes past the end of the 1024 bytes");
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaMemset(static_cast<char*>(p) + 1000, 0, 25), cudaErrorInvalidValue);
  expect_told("1 bytes past");
  EXPECT_EQ(cudaMemset(static_cast<char*>(p) + 1000, 0, 24), cudaSuccess);
  EXPECT_EQ(cudaMemset(static_cast<char*>(p) + 1030, 0, 1), cudaErrorInvalidValue);
  expect_told("6 bytes behind the end");
}

TEST_F(ProgramMemory, FreeingTellsWhatWasWrong) {
  void* p = allocated(16);
  void* q = allocated(16);
  int local = 0;
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  EXPECT_EQ(cudaFree(static_cast<char*>(q) + 4), cudaErrorInvalidValue);
  expect_told("inside of");
  EXPECT_EQ(cudaFree(p), cudaSuccess);
  EXPECT_EQ(cudaFree(p), cudaErrorInvalidValue);
  expect_told("freed before");
  EXPECT_EQ(cudaMemset(p, 0, 4), cudaErrorInvalidValue);
  expect_told("has been freed");
  EXPECT_EQ(cudaFree(&local), cudaErrorInvalidValue);
  expect_told("no device pointer");
  EXPECT_EQ(cudaFreeHost(q), cudaErrorInvalidValue);
  expect_told("cudaFree frees");
  void* pinned = nullptr;
  ASSERT_EQ(cudaHostAlloc(&pinned, 64, cudaHostAllocDefault), cudaSuccess);
  EXPECT_EQ(cudaFree(pinned), cudaErrorInvalidValue);
  expect_told("cudaFreeHost frees");
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
}

TEST_F(ProgramMemory, DirectionsHaveToFit) {
  float* p = device_floats({1, 2, 3});
  float* q = device_floats({0, 0, 0});
  float host[3] = {};
  launcher.told.clear();
  EXPECT_EQ(cudaMemcpy(host, p, 12, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  expect_told("pointer of the host where one of the device has to be");
  EXPECT_EQ(cudaMemcpy(host, host, 12, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  expect_told("source");
  // A GPU copies this; a remark says that it was not meant.
  EXPECT_EQ(cudaMemcpy(q, p, 12, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(launcher.told.size(), 1u);
  EXPECT_FALSE(launcher.told[0].is_error);
  EXPECT_EQ(host_floats(q, 3), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(cudaMemcpy(host, p, 12, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(host[2], 3);
  EXPECT_EQ(cudaMemcpy(host, p, 12, static_cast<cudaMemcpyKind>(5)),
            cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemcpy(host, p, 0, cudaMemcpyDeviceToHost), cudaSuccess);
}

TEST_F(ProgramMemory, RowsAreCopiedWithTheirPitch) {
  void* p = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&p, &pitch, 12, 4), cudaSuccess);
  EXPECT_EQ(pitch, 512u);
  int host[4][5], back[4][3] = {};
  for (int i = 0; i < 20; ++i) host[i / 5][i % 5] = i;
  ASSERT_EQ(cudaMemcpy2D(p, pitch, host, sizeof host[0], 12, 4, cudaMemcpyHostToDevice),
            cudaSuccess);
  ASSERT_EQ(cudaMemset2D(static_cast<char*>(p) + 4, pitch, 0, 4, 2), cudaSuccess);
  ASSERT_EQ(cudaMemcpy2D(back, 12, p, pitch, 12, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 3; ++x) EXPECT_EQ(back[y][x], x == 1 && y < 2 ? 0 : y * 5 + x);
  EXPECT_EQ(cudaMemcpy2D(back, 8, p, pitch, 12, 4, cudaMemcpyDeviceToHost),
            cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemcpy2D(back, 12, p, pitch, 12, 5, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
}

TEST_F(ProgramMemory, SlicesAreCopiedBetweenPointersAndArrays) {
  int host[2][3][4], back[2][3][4] = {};
  for (int i = 0; i < 24; ++i) host[i / 12][i / 4 % 3][i % 4] = i;
  const cudaChannelFormatDesc format =
      cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
  cudaArray_t array = nullptr;
  ASSERT_EQ(cudaMalloc3DArray(&array, &format, {4, 3, 2}), cudaSuccess);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = {host, sizeof host[0][0], 4, 3};
  copy.dstArray = array;
  copy.extent = {4, 3, 2};
  copy.kind = cudaMemcpyHostToDevice;
  ASSERT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
  copy = {};
  copy.srcArray = array;
  copy.srcPos = {1, 1, 1};
  copy.dstPtr = {back, sizeof back[0][0], 4, 3};
  copy.extent = {3, 2, 1};
  copy.kind = cudaMemcpyDeviceToHost;
  ASSERT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
  EXPECT_EQ(back[0][0][0], 17);
  EXPECT_EQ(back[0][1][2], 23);
  EXPECT_EQ(back[0][0][3], 0);
  copy.srcPos = {2, 1, 1};
  EXPECT_EQ(cudaMemcpy3D(&copy), cudaErrorInvalidValue);
  expect_told("do not fit into the source");
  EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
  EXPECT_EQ(cudaFreeArray(array), cudaErrorInvalidResourceHandle);
  expect_told("has been freed");
}

TEST_F(ProgramMemory, SymbolsAreCopiedByTheirStandIn) {
  static int stand_in[4];
  const Allocation* made = device_memory().allocate(MemoryKind::variable, 16);
  launcher.variables[stand_in] = {made->address, 16};
  const int values[] = {7, 8};
  int back[4] = {};
  ASSERT_EQ(cudaMemcpyToSymbol(stand_in, values, 8, 4), cudaSuccess);
  ASSERT_EQ(cudaMemcpyFromSymbol(back, stand_in, 16), cudaSuccess);
  EXPECT_EQ(back[0], 0);
  EXPECT_EQ(back[1], 7);
  EXPECT_EQ(back[2], 8);
  EXPECT_EQ(cudaMemcpyToSymbol(stand_in, values, 8, 12), cudaErrorInvalidValue);
  expect_told("past the end of the variable, which has 16");
  EXPECT_EQ(cudaMemcpyToSymbol(&back, values, 8), cudaErrorInvalidSymbol);
  EXPECT_EQ(cudaMemcpy(stand_in, values, 8, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  expect_told("cudaMemcpyToSymbol");
  void* address = nullptr;
  ASSERT_EQ(cudaGetSymbolAddress(&address, stand_in), cudaSuccess);
  EXPECT_EQ(number(address), made->address);
}

TEST_F(ProgramMemory, WhatIsNotFreedIsToldAtTheEnd) {
  void* p = allocated(100);
  allocated(28);
  device_memory().allocate(MemoryKind::variable, 64);
  end_runtime();
  ASSERT_EQ(launcher.told.size(), 1u);
  EXPECT_FALSE(launcher.told[0].is_error);
  EXPECT_NE(launcher.told[0].text.find("2 allocations of 128 bytes"), std::string::npos);
  launcher.told.clear();
  cudaDeviceReset();
  end_runtime();
  EXPECT_TRUE(launcher.told.empty());
  EXPECT_EQ(cudaFree(p), cudaErrorInvalidValue);
}

TEST_F(ProgramMemory, ThereIsNoMoreThanTheDeviceHas) {
  std::size_t free_bytes = 0, total = 0;
  void* p = nullptr;
  EXPECT_EQ(cudaMalloc(&p, std::size_t{1} << 40), cudaErrorMemoryAllocation);
  EXPECT_EQ(p, nullptr);
  allocated(1 << 20);
  ASSERT_EQ(cudaMemGetInfo(&free_bytes, &total), cudaSuccess);
  EXPECT_EQ(total - free_bytes, std::size_t{1} << 20);
}

TEST_F(ProgramMemory, PointersSayWhoseTheyAre) {
  cudaPointerAttributes a;
  int local = 0;
  void *managed = nullptr, *device = allocated(4);
  cudaMallocManaged(&managed, 4, cudaMemAttachGlobal);
  ASSERT_EQ(cudaPointerGetAttributes(&a, &local), cudaSuccess);
  EXPECT_EQ(a.type, cudaMemoryTypeUnregistered);
  ASSERT_EQ(cudaPointerGetAttributes(&a, device), cudaSuccess);
  EXPECT_EQ(a.type, cudaMemoryTypeDevice);
  ASSERT_EQ(cudaPointerGetAttributes(&a, managed), cudaSuccess);
  EXPECT_EQ(a.type, cudaMemoryTypeManaged);
  EXPECT_EQ(a.hostPointer, managed);
  ASSERT_EQ(cudaHostRegister(&local, 4, 0), cudaSuccess);
  EXPECT_EQ(cudaHostRegister(&local, 4, 0), cudaErrorHostMemoryAlreadyRegistered);
  ASSERT_EQ(cudaPointerGetAttributes(&a, &local), cudaSuccess);
  EXPECT_EQ(a.type, cudaMemoryTypeHost);
  EXPECT_EQ(cudaHostUnregister(&local), cudaSuccess);
  EXPECT_EQ(cudaHostUnregister(&local), cudaErrorHostMemoryNotRegistered);
}

TEST_F(ProgramMemory, CallsAreRecordedWithWhatTheyMove) {
  std::vector<char> host(4096);
  void* p = nullptr;
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaMalloc(&p, 4096), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaMemcpyAsync(p, host.data(), 4096, cudaMemcpyHostToDevice, stream), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(host.data(), p, 100, cudaMemcpyDefault), cudaSuccess);
  ASSERT_EQ(cudaMemset2D(p, 64, 0, 32, 4), cudaSuccess);
  EXPECT_NE(cudaMemcpy(p, host.data(), 1 << 20, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaFree(p), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const auto& calls = launcher.calls;
  ASSERT_EQ(calls.size(), 7u) << "making a stream takes no time and moves nothing";
  EXPECT_EQ(calls[0].function + " " + std::to_string(calls[0].bytes), "cudaMalloc 4096");
  EXPECT_EQ(calls[1].way, CopyWay::host_to_device);
  EXPECT_EQ(calls[1].bytes, 4096u);
  EXPECT_EQ(calls[1].stream, 2u);
  EXPECT_EQ(calls[2].way, CopyWay::device_to_host) << "where the two pointers lead";
  EXPECT_EQ(calls[3].kind, CallKind::fill);
  EXPECT_EQ(calls[3].bytes, 128u);
  EXPECT_EQ(calls[4].error, "cudaErrorInvalidValue");
  EXPECT_EQ(calls[4].bytes, 0u) << "nothing was copied";
  EXPECT_EQ(calls[5].kind, CallKind::release);
  EXPECT_EQ(calls[5].bytes, 4096u);
  EXPECT_EQ(calls[6].kind, CallKind::wait);
}

TEST_F(ProgramMemory, NotMoreThanTheDeviceHasAndNothingIsTouchedBefore) {
  std::size_t free_bytes = 0, all = 0;
  ASSERT_EQ(cudaMemGetInfo(&free_bytes, &all), cudaSuccess);
  void* p = nullptr;
  EXPECT_EQ(cudaMalloc(&p, all + 1), cudaErrorMemoryAllocation);
  expect_told("are asked for");
  // More than this machine has: pages are taken when they are written to.
  ASSERT_EQ(cudaMalloc(&p, all / 4 * 3), cudaSuccess);
  void* second = nullptr;
  EXPECT_EQ(cudaMalloc(&second, all / 2), cudaErrorMemoryAllocation);
  ASSERT_EQ(cudaFree(p), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&second, all / 2), cudaSuccess);
}

}  // namespace
}  // namespace lanescope::app
