// Streams and events. Work is done when it is asked for, so whoever waits has nothing to wait for; what time it would
// have taken is told by events.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "program/runtime/submit.h"

using namespace lanescope::app;

namespace {

cudaError_t create_stream(const Call& call, cudaStream_t* stream, unsigned flags, int priority) {
  if (stream == nullptr) return call.fail(cudaErrorInvalidValue, "nowhere to put the stream");
  if (flags > cudaStreamNonBlocking)
    return call.fail(cudaErrorInvalidValue, fmt::format("flags {:#x} are unknown", flags));
  const auto [handle, made] = runtime().streams.make();
  made->flags = flags;
  made->priority = std::clamp(priority, -5, 0);
  made->number = ++runtime().streams_made;
  if ((flags & cudaStreamNonBlocking) != 0) runtime().timeline.is_apart(made->number);
  *stream = reinterpret_cast<cudaStream_t>(handle);
  return cudaSuccess;
}

/// Something that wants a stream and nothing else.
template <class Body>
cudaError_t with_stream(const char* function, const void* caller, cudaStream_t stream, Body body) {
  return answer(function, caller, [&](const Call& call) {
    Stream* found = find_stream(call, stream);
    return found == nullptr ? cudaErrorInvalidResourceHandle : body(call, *found);
  });
}

cudaError_t wait_for_stream(const Call& call, Stream& stream) {
  synchronized();
  if (stream.capture == nullptr) return cudaSuccess;
  stream.capture->invalid = true;
  return call.fail(cudaErrorStreamCaptureUnsupported,
                   "the stream is being captured: nothing of its work has run");
}

cudaError_t create_event(const Call& call, cudaEvent_t* event, unsigned flags) {
  if (event == nullptr) return call.fail(cudaErrorInvalidValue, "nowhere to put the event");
  const auto [handle, made] = runtime().events.make();
  made->flags = flags;
  *event = reinterpret_cast<cudaEvent_t>(handle);
  return cudaSuccess;
}

void stamp(Event& event, const Stream& stream) {
  event.recorded = true;
  event.nanoseconds = runtime().timeline.reached(stream.number);
}

/// Once a run: what the numbers are that the program is about to read.
void tell_of_times(const Call& call) {
  Runtime& now = runtime();
  if (std::exchange(now.told_of_times, true)) return;
  call.remark(
      fmt::format("times between events are estimates for {}, from the counts of launches and the "
                  "bytes of copies; what libraries "
                  "and the host do takes the time that it takes here{}",
                  now.outer.device.name,
                  now.has_wall_times ? ", and so does a launch that could not be counted" : ""));
}

cudaError_t record_event(const Call& call, cudaEvent_t event, cudaStream_t stream) {
  Event* found = find_event(call, event);
  Stream* in = found == nullptr ? nullptr : find_stream(call, stream);
  if (in == nullptr) return cudaErrorInvalidResourceHandle;
  found->capture = in->capture;
  found->tail = in->tail;
  if (in->capture == nullptr) stamp(*found, *in);
  return cudaSuccess;
}

cudaError_t check_event(const Call& call, cudaEvent_t event) {
  const Event* found = find_event(call, event);
  if (found == nullptr) return cudaErrorInvalidResourceHandle;
  if (found->capture == nullptr) return cudaSuccess;
  return call.fail(cudaErrorCapturedEvent, "the event was last recorded in a captured stream");
}

/// A stream that waits for an event of a captured one is captured with it from then on.
cudaError_t wait_for_event(const Call& call, Stream& stream, cudaEvent_t event) {
  const Event* found = find_event(call, event);
  if (found == nullptr) return cudaErrorInvalidResourceHandle;
  if (found->capture == nullptr) {
    if (found->recorded) runtime().timeline.hold(stream.number, found->nanoseconds);
    return cudaSuccess;
  }
  if (stream.capture == nullptr) {
    stream.capture = found->capture;
    stream.tail.clear();
  } else if (stream.capture != found->capture) {
    return call.fail(cudaErrorStreamCaptureMerge,
                     "the event and the stream belong to different captures");
  }
  for (const std::uint64_t id : found->tail)
    if (std::find(stream.tail.begin(), stream.tail.end(), id) == stream.tail.end())
      stream.tail.push_back(id);
  return cudaSuccess;
}

cudaError_t elapsed(const Call& call, float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (milliseconds == nullptr) return call.fail(cudaErrorInvalidValue, "nowhere to put the time");
  const Event* times[] = {find_event(call, start), nullptr};
  if (times[0] != nullptr) times[1] = find_event(call, end);
  if (times[1] == nullptr) return cudaErrorInvalidResourceHandle;
  for (const Event* event : times) {
    const char* which = event == times[0] ? "first" : "second";
    if (!event->recorded)
      return call.fail(cudaErrorInvalidResourceHandle,
                       fmt::format("the {} event was never recorded", which));
    if ((event->flags & cudaEventDisableTiming) != 0)
      return call.fail(cudaErrorInvalidResourceHandle,
                       fmt::format("the {} event was created with cudaEventDisableTiming", which));
  }
  const auto apart =
      static_cast<double>(static_cast<std::int64_t>(times[1]->nanoseconds - times[0]->nanoseconds));
  tell_of_times(call);
  // Programs divide by it.
  *milliseconds = static_cast<float>((apart >= 0 ? std::max(apart, 1e3) : apart) * 1e-6);
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return answer(LANESCOPE_CALL,
                [&](const Call& call) { return create_stream(call, stream, 0, 0); });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return answer(LANESCOPE_CALL,
                [&](const Call& call) { return create_stream(call, stream, flags, 0); });
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return answer(LANESCOPE_CALL,
                [&](const Call& call) { return create_stream(call, stream, flags, priority); });
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return with_stream(LANESCOPE_CALL, stream, [&](const Call& call, Stream&) {
    return runtime().streams.destroy(stream)
               ? cudaSuccess
               : call.fail(cudaErrorInvalidResourceHandle, "a default stream stays");
  });
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return with_stream(LANESCOPE_CALL, stream, wait_for_stream);
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return with_stream(LANESCOPE_CALL, stream, wait_for_stream);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return with_stream(LANESCOPE_CALL, stream, [&](const Call& call, Stream& found) {
    return wait_for_event(call, found, event);
  });
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    return submit(call, stream, cudaGraphNodeTypeHost, [=](const Call&) {
      callback(stream, cudaSuccess, data);
      return cudaSuccess;
    });
  });
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    return submit(call, stream, cudaGraphNodeTypeHost, [=](const Call&) {
      function(data);
      return cudaSuccess;
    });
  });
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return with_stream(LANESCOPE_CALL, stream, [&](const Call&, const Stream& found) {
    *flags = found.flags;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return with_stream(LANESCOPE_CALL, stream, [&](const Call&, const Stream& found) {
    *priority = found.priority;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return with_stream(LANESCOPE_CALL, stream, [&](const Call&, const Stream& found) {
    *id = found.number + 1;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* p, size_t, unsigned) {
  return with_stream(LANESCOPE_CALL, stream, [&](const Call& call, const Stream&) {
    const Allocation* found = runtime().memory.at(reinterpret_cast<std::uint64_t>(p));
    if (found != nullptr && found->kind == MemoryKind::managed) return cudaSuccess;
    return call.fail(cudaErrorInvalidValue, hex(p) + " is not managed memory (cudaMallocManaged)");
  });
}
// Hints of how work may be scheduled and cached, which nothing here depends on.
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID,
                                   const cudaLaunchAttributeValue*) {
  return with_stream(LANESCOPE_CALL, stream, [](const Call&, Stream&) { return cudaSuccess; });
}
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID,
                                   cudaLaunchAttributeValue* value) {
  return with_stream(LANESCOPE_CALL, stream, [&](const Call&, const Stream&) {
    *value = {};
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return answer(LANESCOPE_CALL, [&](const Call& call) { return create_event(call, event, 0); });
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return answer(LANESCOPE_CALL, [&](const Call& call) { return create_event(call, event, flags); });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return answer(LANESCOPE_CALL,
                [&](const Call& call) { return record_event(call, event, stream); });
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
  return answer(LANESCOPE_CALL,
                [&](const Call& call) { return record_event(call, event, stream); });
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return answer(LANESCOPE_CALL, [&](const Call& call) { return check_event(call, event); });
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    synchronized();
    return check_event(call, event);
  });
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return answer(LANESCOPE_CALL,
                [&](const Call& call) { return elapsed(call, milliseconds, start, end); });
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if (find_event(call, event) == nullptr) return cudaErrorInvalidResourceHandle;
    runtime().events.destroy(event);
    return cudaSuccess;
  });
}
