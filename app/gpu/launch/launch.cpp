#include "gpu/launch/launch.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/text/messages.h"
#include "lanescope/tensor_map.h"

namespace lanescope::gpu {

namespace say = app::say;

namespace {

// Values as filled_bits makes them (the finalizer of splitmix64). The check on the host works them
// out again, so that a mistake here cannot pass.
constexpr const char* kFillText = R"cu(
__device__ unsigned long long mix(unsigned long long x) {
  x += 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}
__device__ unsigned short half_bits(float value) {
  unsigned short bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
}
// kind: 0 integers and booleans, 1 half, 2 float, 3 double, 4 booleans
extern "C" __global__ void lanescope_fill(void* to, unsigned long long count, int width, int kind,
                                          int random) {
  unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;
  for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < count;
       i += step) {
    unsigned long long v = random ? mix(i) : i;
    if (kind == 1) {
      ((unsigned short*)to)[i] = half_bits(random ? (float)(v >> 53) * 0x1p-11f : (float)i);
    } else if (kind == 2) {
      ((float*)to)[i] = random ? (float)(v >> 40) * 0x1p-24f : (float)i;
    } else if (kind == 3) {
      ((double*)to)[i] = random ? (double)(v >> 11) * 0x1p-53 : (double)i;
    } else if (kind == 4) {
      ((unsigned char*)to)[i] = (unsigned char)(v & 1);
    } else if (width == 1) {
      ((unsigned char*)to)[i] = (unsigned char)v;
    } else if (width == 2) {
      ((unsigned short*)to)[i] = (unsigned short)v;
    } else if (width == 4) {
      ((unsigned int*)to)[i] = (unsigned int)v;
    } else {
      ((unsigned long long*)to)[i] = v;
    }
  }
}
)cu";

int fill_kind(ScalarType type) {
  switch (type) {
  case ScalarType::f16:
    return 1;
  case ScalarType::f32:
    return 2;
  case ScalarType::f64:
    return 3;
  case ScalarType::boolean:
    return 4;
  default:
    return 0;
  }
}

DiagnosticKind kind_of(CuResult code) {
  switch (code) {
  case kIllegalAddress:
    return DiagnosticKind::out_of_bounds;
  case kMisalignedAddress:
    return DiagnosticKind::misaligned;
  case kAssert:
    return DiagnosticKind::assertion;
  case kLaunchTimeout:
    return DiagnosticKind::step_budget;
  case kOutOfMemory:
  case kOutOfResources:
  case kInvalidValue:
    return DiagnosticKind::usage;
  default:
    return DiagnosticKind::unsupported;
  }
}

Message hint_for(CuResult code) {
  if (code == kOutOfMemory) return say::smaller_size;
  if (code == kOutOfResources) return say::fewer_threads;
  if (code == kUnsupportedPtx || code == kNoBinaryForGpu) return say::driver_older_than_nvrtc;
  if (code == kIllegalAddress || code == kMisalignedAddress) return say::analyze_names_access;
  return {};
}

}  // namespace

bool loses_device(CuResult code) {
  return code == kIllegalAddress || code == kLaunchTimeout ||
         (code >= kAssert && code <= kLaunchFailed);
}

Diagnostic driver_error(const Device& device, CuResult code, const Message& doing) {
  Diagnostic result;
  result.kind = kind_of(code);
  result.message = say::on_the_gpu(doing, device.error(code));
  result.hint = hint_for(code);
  return result;
}

Kernel::~Kernel() {
  if (module_) driver_->module_unload(module_);
}

std::vector<Diagnostic> Kernel::load(Device& device, const CompileInput& input) {
  CompileOutput compiled = compile_for_device(device.libraries(), input);
  if (compiled.image.empty()) return std::move(compiled.diagnostics);
  driver_ = &device.driver();
  CuResult code = driver_->module_load(&module_, compiled.image.data());
  if (code == kSuccess)
    code = driver_->module_function(&function_, module_, compiled.symbol.c_str());
  if (code != kSuccess)
    compiled.diagnostics.push_back(driver_error(device, code, say::loading_kernel));
  return std::move(compiled.diagnostics);
}

int Kernel::attribute(int which) const {
  int value = 0;
  return driver_->function_attribute(&value, which, function_) == kSuccess ? value : 0;
}

CuResult BufferSets::allocate(std::uint64_t enough_bytes, int most) {
  CuResult code = add_set();
  if (code != kSuccess) return code;
  const std::uint64_t bytes = std::max<std::uint64_t>(1, bytes_of_set());
  const auto wanted = static_cast<int>(std::clamp<std::uint64_t>(
      (enough_bytes + bytes - 1) / bytes, 1, static_cast<std::uint64_t>(most)));
  while (count() < wanted && add_set() == kSuccess) {
  }
  return kSuccess;
}

CuResult BufferSets::add_set() {
  std::vector<Memory> set;
  for (const RequestBuffer& buffer : request_.buffers) {
    set.emplace_back(device_.driver(), std::max<std::uint64_t>(buffer.bytes(), 1));
    if (set.back().code != kSuccess) return set.back().code;
  }
  sets_.push_back(std::move(set));
  return kSuccess;
}

std::uint64_t BufferSets::bytes_of_set() const {
  std::uint64_t bytes = 0;
  for (const RequestBuffer& buffer : request_.buffers) bytes += buffer.bytes();
  return bytes;
}

CuResult BufferSets::fill(Kernel& filler, int set) {
  for (std::size_t i = 0; i < request_.buffers.size(); ++i) {
    const RequestBuffer& buffer = request_.buffers[i];
    const CuPointer at = pointer(set, static_cast<int>(i));
    const bool bytes = buffer.fill == Fill::zero || buffer.fill == Fill::poison;
    const CuResult code = bytes ? device_.driver().memory_set_bytes(
                                      at, buffer.fill == Fill::zero ? 0 : 0xFF, buffer.bytes())
                                : launch_fill(device_, filler, at, buffer);
    if (code != kSuccess) return code;
  }
  return kSuccess;
}

CompileInput fill_kernel() {
  CompileInput input;
  input.file = "lanescope_fill.cu";
  input.text = kFillText;
  input.function = "lanescope_fill";
  return input;
}

CuResult launch_fill(Device& device, Kernel& filler, CuPointer buffer, const RequestBuffer& spec) {
  unsigned long long count = spec.count();
  int width = static_cast<int>(scalar_bytes(spec.element)), kind = fill_kind(spec.element);
  int random = spec.fill == Fill::random;
  void* parameters[] = {&buffer, &count, &width, &kind, &random};
  const auto blocks =
      static_cast<unsigned>(std::clamp<std::uint64_t>((count + 255) / 256, 1, 8192));
  return device.driver().launch(filler.function(), blocks, 1, 1, 256, 1, 1, 0, nullptr, parameters,
                                nullptr);
}

namespace {

/// A tensor map as the simulator has it, with its address on the device, becomes the driver's.
CuResult encode_for_driver(const DriverApi& driver, std::vector<std::uint8_t>& value) {
  if (value.size() != kTensorMapBytes) return kSuccess;
  std::array<std::byte, kTensorMapBytes> bytes{};
  std::memcpy(bytes.data(), value.data(), bytes.size());
  const std::optional<TensorMap> map = decode_tensor_map(bytes);
  if (!map) return kSuccess;
  if (driver.tensor_map_encode == nullptr) return kNotSupported;
  constexpr int kUint8 = 0, kUint16 = 1, kUint32 = 2, kUint64 = 4;  // CUtensorMapDataType
  const int type = map->element_bytes == 1   ? kUint8
                   : map->element_bytes == 2 ? kUint16
                   : map->element_bytes == 4 ? kUint32
                                             : kUint64;
  unsigned long long extents[kMostDimensions], strides[kMostDimensions];
  for (std::size_t d = 0; d < kMostDimensions; ++d) {
    extents[d] = map->extent[d];
    strides[d] = d + 1 < kMostDimensions ? map->stride[d + 1] : 0;
  }
  constexpr int kNoInterleave = 0, kPromotion128 = 2, kZeros = 0;
  alignas(64) std::array<std::uint8_t, kTensorMapBytes> made{};
  const CuResult result = driver.tensor_map_encode(
      made.data(), type, static_cast<unsigned>(map->rank), map->address, extents, strides,
      map->box.data(), map->element_stride.data(), kNoInterleave, static_cast<int>(map->swizzle),
      kPromotion128, kZeros);
  value.assign(made.begin(), made.end());
  return result;
}

}  // namespace

CuResult launch_request(Device& device, const Kernel& kernel, const Request& request,
                        const BufferSets& buffers, int set) {
  std::vector<CuPointer> pointers(request.arguments.size());
  std::vector<void*> parameters(request.arguments.size());
  std::vector<std::vector<std::uint8_t>> values(request.arguments.size());
  for (std::size_t i = 0; i < request.arguments.size(); ++i) {
    const RequestArgument& argument = request.arguments[i];
    if (argument.buffer >= 0) pointers[i] = buffers.pointer(set, argument.buffer);
    values[i] = argument.scalar;
    for (const auto& [offset, buffer] : argument.pointers) {
      const CuPointer address = buffers.pointer(set, buffer);
      std::memcpy(values[i].data() + offset, &address, sizeof address);
    }
    if (const CuResult code = encode_for_driver(device.driver(), values[i]); code != kSuccess)
      return code;
    parameters[i] = argument.buffer >= 0 ? static_cast<void*>(&pointers[i]) : values[i].data();
  }
  const Dim3 &g = request.grid, &b = request.block;
  return device.driver().launch(kernel.function(), g.x, g.y, g.z, b.x, b.y, b.z,
                                static_cast<unsigned>(request.dynamic_shared_bytes), nullptr,
                                parameters.data(), nullptr);
}

}  // namespace lanescope::gpu
