// Graphs: by capture and by hand. What is recorded runs when the graph is launched, and in order.
#include "program/runtime/fake_launcher.h"

namespace lanescope::app {
namespace {

class ProgramGraph : public RuntimeTest {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    // Adds its integer to the first float.
    launcher.run = [](const KernelCall& call) {
      float value = 0;
      auto* sum = argument<float*>(call, 0);
      cudaMemcpy(&value, sum, 4, cudaMemcpyDeviceToHost);
      value += static_cast<float>(argument<int>(call, 1));
      cudaMemcpy(sum, &value, 4, cudaMemcpyHostToDevice);
      return LaunchEnd::fine;
    };
    cudaStreamCreate(&stream);
    p = device_floats({1, 1});
    launcher.told.clear();
  }
  cudaGraphExec_t captured() {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    EXPECT_EQ(cudaGraphInstantiate(&executable, graph), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    return executable;
  }
  cudaError_t add(int n, cudaStream_t to) {
    void* arguments[] = {&p, &n};
    return launch(1, 1, arguments, 0, to);
  }
  cudaStream_t stream = nullptr;
  float* p = nullptr;
};

TEST_F(ProgramGraph, WhatIsCapturedRunsWhenItIsLaunched) {
  float result[2] = {};
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), cudaSuccess);
  EXPECT_EQ(add(5, stream), cudaSuccess);
  EXPECT_EQ(add(7, stream), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(result, p, 8, cudaMemcpyDeviceToHost, stream), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(p + 1, 0, 4, stream), cudaSuccess);
  const auto bump = [](void* to) { *static_cast<float*>(to) += 100; };
  EXPECT_EQ(cudaLaunchHostFunc(stream, bump, &result[1]), cudaSuccess);
  const cudaGraphExec_t executable = captured();
  EXPECT_EQ(launcher.launches, 0);
  EXPECT_EQ(result[0], 0);
  ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
  EXPECT_EQ(result[0], 13);
  EXPECT_EQ(result[1], 101);
  ASSERT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
  EXPECT_EQ(result[0], 25);
  EXPECT_EQ(result[1], 100);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(executable, stream), cudaErrorInvalidValue);
  expect_told("destroyed");
}

TEST_F(ProgramGraph, ItsCopiesAreToldAsTheStreamsWork) {
  float result[2] = {};
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(result, p, 8, cudaMemcpyDeviceToHost, stream), cudaSuccess);
  const cudaGraphExec_t executable = captured();
  ASSERT_EQ(launcher.calls.back().function, "cudaMemcpyAsync");
  EXPECT_EQ(launcher.calls.back().bytes, 0u) << "recorded, not done";
  ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
  const CallRecord& copy = launcher.calls.at(launcher.calls.size() - 2);
  EXPECT_TRUE(copy.in_graph);
  EXPECT_EQ(copy.way, CopyWay::device_to_host);
  EXPECT_EQ(copy.bytes, 8u);
  EXPECT_EQ(copy.stream, 2u);
  EXPECT_EQ(launcher.calls.back().kind, CallKind::graph);
}

TEST_F(ProgramGraph, AnotherStreamJoinsThroughAnEvent) {
  cudaStream_t other = nullptr;
  cudaEvent_t fork = nullptr, join = nullptr;
  cudaStreamCreate(&other);
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  cudaEventRecord(fork, stream);
  cudaStreamWaitEvent(other, fork, 0);
  EXPECT_EQ(add(5, other), cudaSuccess);
  cudaEventRecord(join, other);
  EXPECT_EQ(add(7, stream), cudaSuccess);
  cudaStreamWaitEvent(stream, join, 0);
  EXPECT_EQ(add(9, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_EQ(launcher.launches, 0);
  std::size_t count = 0, roots = 0;
  ASSERT_EQ(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
  ASSERT_EQ(cudaGraphGetRootNodes(graph, nullptr, &roots), cudaSuccess);
  EXPECT_EQ(count, 3u);
  EXPECT_EQ(roots, 2u);
  EXPECT_EQ(add(1, other), cudaSuccess);  // no longer captured
  EXPECT_EQ(launcher.launches, 1);

  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  cudaEventRecord(fork, stream);
  cudaStreamWaitEvent(other, fork, 0);
  EXPECT_EQ(add(5, other), cudaSuccess);
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureUnjoined);
}

TEST_F(ProgramGraph, WaitingEndsACapture) {
  void* q = nullptr;
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&q, 4), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(add(1, stream), cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(graph, nullptr);
  EXPECT_EQ(cudaMalloc(&q, 4), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), cudaSuccess);
  EXPECT_EQ(add(1, nullptr), cudaErrorStreamCaptureImplicit);
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeRelaxed),
            cudaErrorStreamCaptureUnsupported);
}

TEST_F(ProgramGraph, NodesRunBehindWhatTheyDependOn) {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t kernel = nullptr, fill = nullptr, read = nullptr;
  cudaGraphCreate(&graph, 0);
  float result = 0;
  int n = 3;
  void* arguments[] = {&p, &n};
  const cudaKernelNodeParams launch_it = {&stub, 1, 1, 0, arguments, nullptr};
  ASSERT_EQ(cudaGraphAddKernelNode(&kernel, graph, nullptr, 0, &launch_it), cudaSuccess);
  n = 1000;  // the node has its own copy
  const cudaMemsetParams zero = {p, 0, 0, 4, 2, 1};
  ASSERT_EQ(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &zero), cudaSuccess);
  ASSERT_EQ(
      cudaGraphAddMemcpyNode1D(&read, graph, &kernel, 1, &result, p, 4, cudaMemcpyDeviceToHost),
      cudaSuccess);
  // The fill was added behind the kernel and has to run before it.
  ASSERT_EQ(cudaGraphAddDependencies(graph, &fill, &kernel, nullptr, 1), cudaSuccess);
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
  EXPECT_EQ(result, 3);

  cudaGraph_t copy = nullptr;
  ASSERT_EQ(cudaGraphClone(&copy, graph), cudaSuccess);
  cudaKernelNodeParams given;
  ASSERT_EQ(cudaGraphKernelNodeGetParams(kernel, &given), cudaSuccess);
  EXPECT_EQ(*static_cast<int*>(given.kernelParams[1]), 3);
  n = 8;
  ASSERT_EQ(cudaGraphExecKernelNodeSetParams(executable, kernel, &launch_it), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
  EXPECT_EQ(result, 8);
  ASSERT_EQ(cudaGraphExecUpdate(executable, copy, nullptr), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
  EXPECT_EQ(result, 3);

  ASSERT_EQ(cudaGraphAddDependencies(graph, &read, &fill, nullptr, 1), cudaSuccess);
  EXPECT_EQ(cudaGraphInstantiate(&executable, graph), cudaErrorInvalidValue);
  expect_told("circle");
}

TEST_F(ProgramGraph, AFaultInAGraphIsAFault) {
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  add(5, stream);
  add(5, stream);
  const cudaGraphExec_t executable = captured();
  launcher.run = [](const KernelCall&) { return LaunchEnd::assertion; };
  EXPECT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
  EXPECT_EQ(launcher.launches, 1);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorAssert);
}

}  // namespace
}  // namespace lanescope::app
