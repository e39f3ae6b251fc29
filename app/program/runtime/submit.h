// Work that streams are asked for: done at once, or recorded as the nodes of a graph.
#pragma once

#include "program/runtime/state.h"

namespace lanescope::app {

/// Does the work, or records it if the stream is being captured.
cudaError_t submit(const Call& call, cudaStream_t stream, cudaGraphNodeType type, Work work);
cudaError_t submit_kernel(const Call& call, cudaStream_t stream, KernelWork kernel);
/// Tells and returns what forbids the launch: the shape, shared memory, blocks that cannot be resident.
cudaError_t check_launch(const Call& call, const KernelWork& kernel);
/// Runs the kernel now.
cudaError_t run_kernel(const Call& call, KernelWork& kernel, std::uint64_t stream);
/// Nullptr after having told what is wrong with the handle.
Stream* find_stream(const Call& call, cudaStream_t stream);
Event* find_event(const Call& call, cudaEvent_t event);
/// Calls that wait are forbidden while a stream is captured: the error, or cudaSuccess.
cudaError_t refuse_while_capturing(const Call& call);

}  // namespace lanescope::app
