// Streams' work: done at once, because everything here is synchronous, or recorded.
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

#include "program/device/device_time.h"
#include "program/runtime/submit.h"

namespace lanescope::app {
namespace {

cudaError_t error_of(LaunchEnd end) {
  switch (end) {
  case LaunchEnd::fine:
    return cudaSuccess;
  case LaunchEnd::illegal_address:
    return cudaErrorIllegalAddress;
  case LaunchEnd::misaligned_address:
    return cudaErrorMisalignedAddress;
  case LaunchEnd::illegal_instruction:
    return cudaErrorIllegalInstruction;
  case LaunchEnd::assertion:
    return cudaErrorAssert;
  case LaunchEnd::launch_failure:
    return cudaErrorLaunchFailure;
  case LaunchEnd::invalid_configuration:
    return cudaErrorInvalidConfiguration;
  case LaunchEnd::out_of_resources:
    return cudaErrorLaunchOutOfResources;
  case LaunchEnd::invalid_kernel:
    return cudaErrorInvalidDeviceFunction;
  }
  return cudaErrorUnknown;
}

/// Known when the kernel is launched, not while it runs.
bool is_immediate(LaunchEnd end) {
  return end == LaunchEnd::invalid_configuration || end == LaunchEnd::out_of_resources ||
         end == LaunchEnd::invalid_kernel;
}

/// The stream's capture; or what forbids to use it while another one is captured.
cudaError_t capture_of(const Call& call, Stream& stream, std::shared_ptr<Capture>& capture) {
  capture = stream.capture;
  Runtime& now = runtime();
  if (capture != nullptr) {
    if (!capture->invalid) return cudaSuccess;
    return call.fail(cudaErrorStreamCaptureInvalidated, "the capture has failed before");
  }
  if (stream.number != 0) return cudaSuccess;
  for (const auto& [handle, other] : now.streams.live())
    if (other->capture != nullptr && (other->flags & cudaStreamNonBlocking) == 0) {
      other->capture->invalid = true;
      return call.fail(cudaErrorStreamCaptureImplicit,
                       "the default stream waits for a stream that is being captured");
    }
  return cudaSuccess;
}

void record(Stream& stream, Capture& capture, GraphNode node) {
  node.id = 0x5700'0000 + 16 * ++runtime().nodes_made;
  node.after = stream.tail;
  stream.tail = {node.id};
  capture.graph.nodes.push_back(std::move(node));
}

}  // namespace

bool launches_block() {
  const char* value = std::getenv("CUDA_LAUNCH_BLOCKING");
  return value != nullptr && std::strcmp(value, "1") == 0;
}

void KernelWork::keep_arguments(const std::vector<std::uint32_t>& sizes) {
  values.clear();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto* first = static_cast<const std::byte*>(arguments[i]);
    values.emplace_back(first, first + sizes[i]);
  }
}

std::vector<void*> KernelWork::pointers() {
  std::vector<void*> all;
  for (std::vector<std::byte>& value : values) all.push_back(value.data());
  return all;
}

GraphNode* Graph::find(std::uint64_t id) {
  for (GraphNode& node : nodes)
    if (node.id == id) return &node;
  return nullptr;
}

cudaError_t run_kernel(const Call& call, KernelWork& kernel, std::uint64_t stream) {
  Runtime& now = runtime();
  std::vector<void*> kept = kernel.pointers();
  KernelCall request;
  request.stub = kernel.stub;
  request.grid = {kernel.grid.x, kernel.grid.y, kernel.grid.z};
  request.block = {kernel.block.x, kernel.block.y, kernel.block.z};
  request.dynamic_shared_bytes = kernel.shared;
  request.arguments = kernel.arguments != nullptr ? kernel.arguments : kept.data();
  request.cooperative = kernel.cooperative;
  request.cluster = kernel.cluster;
  request.stream = stream;
  request.caller = kernel.caller != nullptr ? kernel.caller : call.caller();
  const std::uint64_t before = event_clock();
  const LaunchEnd end = now.outer.launcher->launch(request);
  const LaunchWork work = now.outer.launcher->last_work();
  now.has_wall_times |= !work.counted;
  now.timeline.queue(stream, DeviceTimeline::Engine::kernels,
                     work.counted ? launch_ns(now.outer.device, now.facts, work)
                                  : event_clock() - before,
                     work.counted ? busy_part(now.facts, work) : 1);
  const cudaError_t error = error_of(end);
  if (error == cudaSuccess || is_immediate(end)) return error;
  now.pending = error;
  return launches_block() ? error_from_before() : cudaSuccess;
}

Stream* find_stream(const Call& call, cudaStream_t stream) {
  Runtime& now = runtime();
  Stream* found = stream == nullptr || stream == cudaStreamLegacy ? &now.default_stream
                  : stream == cudaStreamPerThread                 ? &now.per_thread_stream
                                                                  : now.streams.find(stream);
  if (found != nullptr)
    call.uses(found->number);
  else
    call.fail(cudaErrorInvalidResourceHandle, now.streams.destroyed(stream)
                                                  ? "the stream has been destroyed"
                                                  : hex(stream) + " is no stream");
  return found;
}

Event* find_event(const Call& call, cudaEvent_t event) {
  Runtime& now = runtime();
  Event* found = now.events.find(event);
  if (found == nullptr)
    call.fail(cudaErrorInvalidResourceHandle,
              now.events.destroyed(event) ? "the event has been destroyed"
              : event == nullptr          ? "the event is null: it was never created"
                                          : hex(event) + " is no event");
  return found;
}

cudaError_t submit(const Call& call, cudaStream_t stream, cudaGraphNodeType type, Work work) {
  Stream* found = find_stream(call, stream);
  if (found == nullptr) return cudaErrorInvalidResourceHandle;
  std::shared_ptr<Capture> capture;
  if (const cudaError_t error = capture_of(call, *found, capture); error != cudaSuccess)
    return error;
  if (capture == nullptr) return work(call);
  GraphNode node;
  node.type = type;
  node.work = std::move(work);
  record(*found, *capture, std::move(node));
  return cudaSuccess;
}

cudaError_t submit_kernel(const Call& call, cudaStream_t stream, KernelWork kernel) {
  Stream* found = find_stream(call, stream);
  if (found == nullptr) return cudaErrorInvalidResourceHandle;
  std::shared_ptr<Capture> capture;
  if (const cudaError_t error = capture_of(call, *found, capture); error != cudaSuccess)
    return error;
  kernel.caller = call.caller();
  if (capture == nullptr) return run_kernel(call, kernel, found->number);
  kernel.keep_arguments(runtime().outer.launcher->facts(kernel.stub).parameter_bytes);
  kernel.arguments = nullptr;
  GraphNode node;
  node.type = cudaGraphNodeTypeKernel;
  node.kernel = std::move(kernel);
  record(*found, *capture, std::move(node));
  return cudaSuccess;
}

cudaError_t refuse_while_capturing(const Call& call) {
  Runtime& now = runtime();
  if (now.strict_captures == 0) return cudaSuccess;
  for (const auto& [handle, stream] : now.streams.live())
    if (stream->capture != nullptr) stream->capture->invalid = true;
  return call.fail(cudaErrorStreamCaptureUnsupported,
                   "this waits, and a stream is being captured: nothing of it would run before");
}

}  // namespace lanescope::app
