// The copies and fills that a program asks for. Those with a stream may be recorded.
#include <fmt/format.h>

#include "program/runtime/copy.h"
#include "program/runtime/submit.h"

using namespace lanescope::app;

namespace {

/// Done at once, in the default stream.
template <class Body>
cudaError_t now(const char* function, const void* caller, Body body) {
  return answer(function, caller, [&](const Call& call) {
    synchronized();
    const cudaError_t error = refuse_while_capturing(call);
    return error == cudaSuccess ? body(call) : error;
  });
}

template <class Body>
cudaError_t later(const char* function, const void* caller, cudaStream_t stream, Body body,
                  cudaGraphNodeType type = cudaGraphNodeTypeMemcpy) {
  return answer(function, caller,
                [&](const Call& call) { return submit(call, stream, type, body); });
}

auto bytes_work(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return [=](const Call& call) { return copy_bytes(call, to, from, bytes, kind); };
}

auto rows_work(void* to, size_t to_pitch, const void* from, size_t from_pitch, BoxSize size,
               cudaMemcpyKind kind) {
  return [=](const Call& call) {
    Side to_side{}, from_side{};
    cudaError_t error = sides_of(call, kind, to_side, from_side);
    if (error != cudaSuccess || size.empty()) return error;
    Box target, source;
    error = box_at(call, "destination", to, to_pitch, 0, size, to_side, target);
    if (error == cudaSuccess)
      error = box_at(call, "source", from, from_pitch, 0, size, from_side, source);
    if (error == cudaSuccess) copy_box(call, target, source, size);
    return error;
  };
}

auto parameters_work(const cudaMemcpy3DParms& copy) {
  return [copy](const Call& call) { return copy_parameters(call, copy); };
}

auto fill_work(void* p, size_t pitch, size_t rows_of_slice, int value, BoxSize size) {
  return [=](const Call& call) {
    return fill_box(call, p, pitch, rows_of_slice, size, static_cast<std::uint32_t>(value), 1);
  };
}

auto fill_work(cudaPitchedPtr p, int value, cudaExtent extent) {
  return fill_work(p.ptr, p.pitch, p.ysize, value, {extent.width, extent.height, extent.depth});
}

/// The variable that a symbol stands for, if `bytes` from `offset` on lie in it.
cudaError_t find_symbol(const Call& call, const void* symbol, size_t offset, size_t bytes,
                        DeviceVariable& found) {
  Launcher* launcher = runtime().outer.launcher;
  found = launcher == nullptr ? DeviceVariable{} : launcher->variable(symbol);
  if (found.address == 0)
    return call.fail(cudaErrorInvalidSymbol,
                     fmt::format("{} is no __device__ or __constant__ variable", hex(symbol)));
  if (offset > found.bytes || bytes > found.bytes - offset)
    return call.fail(cudaErrorInvalidValue,
                     fmt::format("{} bytes from byte {} on go past the end of the variable, which "
                                 "has {}",
                                 bytes, offset, found.bytes));
  return cudaSuccess;
}

auto to_symbol_work(const void* symbol, const void* from, size_t bytes, size_t offset,
                    cudaMemcpyKind kind) {
  return [=](const Call& call) {
    DeviceVariable found;
    const cudaError_t error = find_symbol(call, symbol, offset, bytes, found);
    return error != cudaSuccess ? error
                                : copy_bytes(call, reinterpret_cast<void*>(found.address + offset),
                                             from, bytes, kind);
  };
}

auto from_symbol_work(void* to, const void* symbol, size_t bytes, size_t offset,
                      cudaMemcpyKind kind) {
  return [=](const Call& call) {
    DeviceVariable found;
    const cudaError_t error = find_symbol(call, symbol, offset, bytes, found);
    return error != cudaSuccess
               ? error
               : copy_bytes(call, to, reinterpret_cast<const void*>(found.address + offset), bytes,
                            kind);
  };
}

}  // namespace

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return now(LANESCOPE_CALL, bytes_work(to, from, bytes, kind));
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return later(LANESCOPE_CALL, stream, bytes_work(to, from, bytes, kind));
}
cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t bytes) {
  return now(LANESCOPE_CALL, bytes_work(to, from, bytes, cudaMemcpyDeviceToDevice));
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t bytes,
                                cudaStream_t stream) {
  return later(LANESCOPE_CALL, stream, bytes_work(to, from, bytes, cudaMemcpyDeviceToDevice));
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
  return now(LANESCOPE_CALL, rows_work(to, to_pitch, from, from_pitch, {width, height, 1}, kind));
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return later(LANESCOPE_CALL, stream,
               rows_work(to, to_pitch, from, from_pitch, {width, height, 1}, kind));
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* copy) {
  return now(LANESCOPE_CALL, [&](const Call& call) {
    return copy == nullptr ? call.fail(cudaErrorInvalidValue, "no parameters are given")
                           : copy_parameters(call, *copy);
  });
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* copy, cudaStream_t stream) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    return copy == nullptr ? call.fail(cudaErrorInvalidValue, "no parameters are given")
                           : submit(call, stream, cudaGraphNodeTypeMemcpy, parameters_work(*copy));
  });
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  return now(LANESCOPE_CALL, to_symbol_work(symbol, from, bytes, offset, kind));
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return later(LANESCOPE_CALL, stream, to_symbol_work(symbol, from, bytes, offset, kind));
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  return now(LANESCOPE_CALL, from_symbol_work(to, symbol, bytes, offset, kind));
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return later(LANESCOPE_CALL, stream, from_symbol_work(to, symbol, bytes, offset, kind));
}
cudaError_t cudaGetSymbolAddress(void** p, const void* symbol) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if (p == nullptr) return call.fail(cudaErrorInvalidValue, "nowhere to put the address");
    DeviceVariable found;
    const cudaError_t error = find_symbol(call, symbol, 0, 0, found);
    *p = reinterpret_cast<void*>(found.address);
    return error;
  });
}
cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if (bytes == nullptr) return call.fail(cudaErrorInvalidValue, "nowhere to put the size");
    DeviceVariable found;
    const cudaError_t error = find_symbol(call, symbol, 0, 0, found);
    *bytes = found.bytes;
    return error;
  });
}

cudaError_t cudaMemset(void* p, int value, size_t bytes) {
  return now(LANESCOPE_CALL, fill_work(p, bytes, 0, value, {bytes, 1, 1}));
}
cudaError_t cudaMemsetAsync(void* p, int value, size_t bytes, cudaStream_t stream) {
  return later(LANESCOPE_CALL, stream, fill_work(p, bytes, 0, value, {bytes, 1, 1}),
               cudaGraphNodeTypeMemset);
}
cudaError_t cudaMemset2D(void* p, size_t pitch, int value, size_t width, size_t height) {
  return now(LANESCOPE_CALL, fill_work(p, pitch, 0, value, {width, height, 1}));
}
cudaError_t cudaMemset2DAsync(void* p, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return later(LANESCOPE_CALL, stream, fill_work(p, pitch, 0, value, {width, height, 1}),
               cudaGraphNodeTypeMemset);
}
cudaError_t cudaMemset3D(cudaPitchedPtr p, int value, cudaExtent extent) {
  return now(LANESCOPE_CALL, fill_work(p, value, extent));
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr p, int value, cudaExtent extent, cudaStream_t stream) {
  return later(LANESCOPE_CALL, stream, fill_work(p, value, extent), cudaGraphNodeTypeMemset);
}
