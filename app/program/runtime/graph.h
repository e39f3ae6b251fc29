// Graphs of work, and the captures that they are made by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "frontend/prelude/host/lanescope_runtime.h"

namespace lanescope::app {

class Call;

/// One launch with its own copy of its arguments, where it has to outlive the call.
struct KernelWork {
  const void* stub = nullptr;
  dim3 grid, block;
  std::size_t shared = 0;
  void** arguments = nullptr;
  bool cooperative = false;
  std::optional<lanescope::Dim3> cluster;
  const void* caller = nullptr;
  std::vector<std::vector<std::byte>> values;
  /// What cudaGraphKernelNodeGetParams gave out last
  std::vector<void*> given_out;

  /// Copies the arguments, by the sizes that the launcher knows.
  void keep_arguments(const std::vector<std::uint32_t>& sizes);
  /// One pointer for each argument, into this object's copies.
  [[nodiscard]] std::vector<void*> pointers();
};

using Work = std::function<cudaError_t(const Call&)>;

struct GraphNode {
  /// The handle, unique in the process
  std::uint64_t id = 0;
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  /// Ids of nodes of the same graph
  std::vector<std::uint64_t> after;
  Work work;
  /// Of a kernel node, instead of `work`
  std::optional<KernelWork> kernel;
};

struct Graph {
  std::vector<GraphNode> nodes;
  GraphNode* find(std::uint64_t id);
};

/// A graph as it was when it was instantiated, in an order in which it can be run.
struct GraphExec {
  std::vector<GraphNode> nodes;
};

/// A stream, and those that have joined it, while they are recorded.
struct Capture {
  Graph graph;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::uint64_t origin = 0;
  bool invalid = false;
};

}  // namespace lanescope::app
