#include "core/program/call_record.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace lanescope::app {
namespace {

TEST(CallRecord, NamesTellTheKind) {
  EXPECT_EQ(kind_of_call("cudaMemcpy2DAsync"), CallKind::copy);
  EXPECT_EQ(kind_of_call("cudaMemsetAsync"), CallKind::fill);
  EXPECT_EQ(kind_of_call("cudaMallocManaged"), CallKind::allocate);
  EXPECT_EQ(kind_of_call("cudaFreeHost"), CallKind::release);
  EXPECT_EQ(kind_of_call("cudaEventSynchronize"), CallKind::wait);
  EXPECT_EQ(kind_of_call("cudaEventRecord"), CallKind::event);
  EXPECT_EQ(kind_of_call("cublasSgemm_v2"), CallKind::library);
  EXPECT_EQ(kind_of_call("cublasSetMatrixAsync"), CallKind::copy);
  EXPECT_EQ(kind_of_call("curandGenerateUniform"), CallKind::library);
  EXPECT_FALSE(kind_of_call("cublasSetStream_v2"));
  EXPECT_FALSE(kind_of_call("curandCreateGenerator"));
  EXPECT_FALSE(kind_of_call("cudaLaunchKernel")) << "a launch has a record of its own";
  EXPECT_FALSE(kind_of_call("cudaGetDeviceProperties"));
}

TEST(CallRecord, JsonKeepsAll) {
  const CallRecord call{"cudaMemcpyAsync",
                        CallKind::copy,
                        CopyWay::device_to_host,
                        4096,
                        2,
                        1.5,
                        2.25,
                        {"a.cu", 7},
                        true,
                        "cudaError"};
  const CallRecord back = call_record_from(to_json(call));
  EXPECT_EQ(to_json(back), to_json(call));
  EXPECT_EQ(back.way, CopyWay::device_to_host);
  EXPECT_EQ(back.from.line, 7u);
}

TEST(LaunchProgress, TheRestIsAtThePaceSoFar) {
  EXPECT_DOUBLE_EQ(rest_ms({0, "k", 25, 100, 50}).value(), 150);
  EXPECT_FALSE(rest_ms({0, "k", 0, 100, 50})) << "no pace yet";
  EXPECT_FALSE(rest_ms({0, "k", 0, 0, 50}));
  const LaunchProgress back = progress_from(to_json(LaunchProgress{3, "k", 25, 100, 50, 2, 9.5}));
  EXPECT_EQ(back.number, 3u);
  EXPECT_EQ(back.of, 100u);
  EXPECT_EQ(back.stream, 2u);
  EXPECT_EQ(back.begin_ms, 9.5);
}

}  // namespace
}  // namespace lanescope::app
