// Capture: what streams are asked for becomes a graph.
#include <fmt/format.h>

#include <algorithm>

#include "program/runtime/submit.h"

using namespace lanescope::app;

namespace {

bool is_strict(const Capture& capture) { return capture.mode != cudaStreamCaptureModeRelaxed; }

cudaError_t begin(const Call& call, cudaStream_t stream, cudaStreamCaptureMode mode) {
  Stream* found = find_stream(call, stream);
  if (found == nullptr) return cudaErrorInvalidResourceHandle;
  if (found->number == 0)
    return call.fail(cudaErrorStreamCaptureUnsupported, "the default stream cannot be captured");
  if (found->capture != nullptr)
    return call.fail(cudaErrorIllegalState, "the stream is being captured already");
  found->capture = std::make_shared<Capture>();
  found->capture->mode = mode;
  found->capture->origin = found->number;
  found->tail.clear();
  if (is_strict(*found->capture)) ++runtime().strict_captures;
  return cudaSuccess;
}

/// Takes the streams out of a capture that has ended. How many of them have work that the origin does
/// not wait for.
int leave(const std::shared_ptr<Capture>& capture, const Stream& origin) {
  const std::vector<std::uint64_t> joined = [&] {
    std::vector<std::uint64_t> reached = origin.tail;
    for (std::size_t i = 0; i < reached.size(); ++i)
      if (const GraphNode* node = capture->graph.find(reached[i]))
        for (const std::uint64_t id : node->after)
          if (std::find(reached.begin(), reached.end(), id) == reached.end()) reached.push_back(id);
    return reached;
  }();
  int unjoined = 0;
  const auto release = [&](Stream& stream) {
    if (stream.capture != capture) return;
    for (const std::uint64_t id : stream.tail)
      if (std::find(joined.begin(), joined.end(), id) == joined.end()) ++unjoined;
    stream.capture = nullptr;
    stream.tail.clear();
  };
  for (const auto& [handle, stream] : runtime().streams.live()) release(*stream);
  release(runtime().per_thread_stream);
  for (const auto& [handle, event] : runtime().events.live())
    if (event->capture == capture) event->capture = nullptr;
  return unjoined;
}

cudaError_t end(const Call& call, cudaStream_t stream, cudaGraph_t* graph) {
  Stream* found = find_stream(call, stream);
  if (found == nullptr) return cudaErrorInvalidResourceHandle;
  if (graph == nullptr) return call.fail(cudaErrorInvalidValue, "nowhere to put the graph");
  *graph = nullptr;
  const std::shared_ptr<Capture> capture = found->capture;
  if (capture == nullptr)
    return call.fail(cudaErrorIllegalState, "the stream is not being captured");
  if (capture->origin != found->number)
    return call.fail(cudaErrorStreamCaptureUnmatched, "the capture began in another stream");
  if (is_strict(*capture)) --runtime().strict_captures;
  const int unjoined = leave(capture, *found);
  if (capture->invalid)
    return call.fail(cudaErrorStreamCaptureInvalidated,
                     "a call while it was captured was not allowed");
  if (unjoined > 0)
    return call.fail(cudaErrorStreamCaptureUnjoined,
                     "another stream has work that the captured one does not wait for");
  *graph = reinterpret_cast<cudaGraph_t>(runtime().graphs.make(std::move(capture->graph)).first);
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return answer(LANESCOPE_CALL, [&](const Call& call) { return begin(call, stream, mode); });
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return answer(LANESCOPE_CALL, [&](const Call& call) { return end(call, stream, graph); });
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    const Stream* found = find_stream(call, stream);
    if (found == nullptr) return cudaErrorInvalidResourceHandle;
    if (status == nullptr) return call.fail(cudaErrorInvalidValue, "nowhere to put the answer");
    *status = found->capture == nullptr ? cudaStreamCaptureStatusNone
              : found->capture->invalid ? cudaStreamCaptureStatusInvalidated
                                        : cudaStreamCaptureStatusActive;
    return cudaSuccess;
  });
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return answer(LANESCOPE_CALL, [&](const Call&) {
    thread_local cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
    std::swap(*mode, current);
    return cudaSuccess;
  });
}
