#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>

#include "gpu/driver/fake_driver.h"
#include "lanescope/memory.h"

// (The name ends in _test so that only tests link it.)
namespace lanescope::gpu::testing {

namespace {

struct Function {
  std::string name;
};
/// What the next synchronisation says, as after an asynchronous fault
CuResult pending = kSuccess;

std::map<CuPointer, std::size_t>& blocks() {
  static std::map<CuPointer, std::size_t> all;
  return all;
}

CuResult allocate(CuPointer* to, std::size_t bytes) {
  if (fake().used + bytes > fake().memory) return kOutOfMemory;
  fake().used += bytes;
  *to = reinterpret_cast<CuPointer>(std::malloc(bytes));
  blocks()[*to] = bytes;
  return kSuccess;
}

CuResult release(CuPointer pointer) {
  fake().used -= blocks()[pointer];
  blocks().erase(pointer);
  std::free(reinterpret_cast<void*>(pointer));
  return kSuccess;
}

void fill(void** p) {
  auto* to = *static_cast<std::byte**>(p[0]);
  const auto count = *static_cast<unsigned long long*>(p[1]);
  const auto width = static_cast<std::size_t>(*static_cast<int*>(p[2]));
  const ScalarType kinds[] = {ScalarType::u32, ScalarType::f16, ScalarType::f32, ScalarType::f64};
  const Fill how = *static_cast<int*>(p[4]) ? Fill::random : Fill::index;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t bits = filled_bits(kinds[*static_cast<int*>(p[3])], how, i);
    std::memcpy(to + i * width, &bits, width);
  }
}

void transpose(void** p, bool lazy) {
  const auto* in = *static_cast<const float**>(p[0]);
  auto* out = *static_cast<float**>(p[1]);
  const int nx = *static_cast<int*>(p[2]), ny = *static_cast<int*>(p[3]);
  for (int x = 0; x < nx; ++x)
    for (int y = 0; y < ny; ++y)
      if (!lazy || x + 1 < nx || y + 1 < ny) out[x * ny + y] = in[y * nx + x];
}

void product(void** p) {
  const auto* a = *static_cast<const float**>(p[0]);
  const auto* b = *static_cast<const float**>(p[1]);
  auto* c = *static_cast<float**>(p[2]);
  const int m = *static_cast<int*>(p[3]), n = *static_cast<int*>(p[4]),
            k = *static_cast<int*>(p[5]);
  for (int row = 0; row < m; ++row) {
    for (int column = 0; column < n; ++column) {
      float sum = 0;
      for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
      c[row * n + column] = sum;
    }
  }
}

// As cuBLAS documents it: column-major, C = alpha A B + beta C.
int gemm(CublasHandle, int op_a, int op_b, int m, int n, int k, const float* alpha, const float* a,
         int lda, const float* b, int ldb, const float* beta, float* c, int ldc) {
  ++fake().products;
  if (fake().cublas_code != 0) return fake().cublas_code;
  bool same = op_a == kNotTransposed && op_b == kNotTransposed && *beta == 0;
  for (int column = 0; column < n; ++column) {
    for (int row = 0; row < m; ++row) {
      float sum = 0;
      for (int i = 0; i < k; ++i) sum += a[row + i * lda] * b[i + column * ldb];
      float& to = c[row + column * ldc];
      same = same && std::abs(to - *alpha * sum) <= 1e-4f;
      to = *alpha * sum;
    }
  }
  fake().other_products += !same;
  return 0;
}

CuResult launch(CuFunction function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                unsigned, CuStream, void** parameters, void**) {
  const std::string& name = reinterpret_cast<Function*>(function)->name;
  ++fake().launches;
  if (name == "lanescope_fill") return fill(parameters), kSuccess;
  if (name == "greedy") return kOutOfResources;
  if (name == "fault") return pending = kIllegalAddress, kSuccess;
  if (name == "hang") sleep(1000);
  if (name == "crash") std::abort();
  if (name == "product") return product(parameters), kSuccess;
  transpose(parameters, name == "lazy");
  return kSuccess;
}

CuResult synchronize() { return pending; }

DriverApi driver() {
  DriverApi api{};
  api.init = [](unsigned) { return fake().init; };
  api.driver_version = [](int* v) { return *v = 13000, kSuccess; };
  api.device_count = [](int* n) { return *n = fake().devices, kSuccess; };
  api.device_get = [](CuDevice* d, int) { return *d = 0, kSuccess; };
  api.device_name = [](char* name, int, CuDevice) {
    return std::strcpy(name, "Fake GPU"), kSuccess;
  };
  api.device_attribute = [](int* value, int which, CuDevice) {
    *value = which == kComputeMajor ? 9 : which == kL2Bytes ? 1 << 16 : 0;
    return kSuccess;
  };
  api.device_total_memory = [](std::size_t* bytes, CuDevice) {
    return *bytes = fake().memory, kSuccess;
  };
  api.device_pci_id = [](char*, int, CuDevice) { return kInvalidValue; };
  api.primary_context_retain = [](CuContext*, CuDevice) { return kSuccess; };
  api.context_set_current = [](CuContext) { return kSuccess; };
  api.context_synchronize = synchronize;
  api.memory_allocate = allocate;
  api.memory_free = release;
  api.memory_set_bytes = [](CuPointer at, unsigned char value, std::size_t bytes) {
    return std::memset(reinterpret_cast<void*>(at), value, bytes), kSuccess;
  };
  api.copy_on_device = [](CuPointer to, CuPointer from, std::size_t bytes, CuStream) {
    std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes);
    return kSuccess;
  };
  api.copy_to_host = [](void* to, CuPointer from, std::size_t bytes) {
    return std::memcpy(to, reinterpret_cast<void*>(from), bytes), kSuccess;
  };
  api.host_allocate = [](void** to, std::size_t bytes) {
    return *to = std::malloc(bytes), kSuccess;
  };
  api.host_free = [](void* pointer) { return std::free(pointer), kSuccess; };
  api.module_load = [](CuModule*, const void*) { return kSuccess; };
  api.module_unload = [](CuModule) { return kSuccess; };
  api.module_function = [](CuFunction* function, CuModule, const char* name) {
    static std::map<std::string, Function> all;
    Function& found = all[name];
    found.name = name;
    *function = reinterpret_cast<CuFunction>(&found);
    return kSuccess;
  };
  api.function_attribute = [](int* value, int, CuFunction) { return *value = 32, kSuccess; };
  api.set_function_attribute = [](CuFunction, int, int) { return kSuccess; };
  api.resident_blocks = [](int* n, CuFunction, int, std::size_t) { return *n = 4, kSuccess; };
  api.launch = launch;
  api.event_create = [](CuEvent*, unsigned) { return kSuccess; };
  api.event_destroy = [](CuEvent) { return kSuccess; };
  api.event_record = [](CuEvent, CuStream) { return kSuccess; };
  api.event_synchronize = [](CuEvent) { return pending; };
  api.event_elapsed = [](float* ms, CuEvent, CuEvent) { return *ms = 0.5f, kSuccess; };
  api.error_name = [](CuResult code, const char** text) {
    *text = code == kOutOfMemory ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_OF_THE_FAKE";
    return kSuccess;
  };
  api.error_text = [](CuResult, const char** text) { return *text = "as told", kSuccess; };
  return api;
}

std::string& last_name() {
  static std::string name;
  return name;
}

NvrtcApi nvrtc() {
  NvrtcApi api{};
  api.version = [](int* major, int* minor) { return *major = 13, *minor = 0, kSuccess; };
  api.arch_count = [](int* count) { return *count = 1, kSuccess; };
  api.archs = [](int* archs) { return archs[0] = 90, kSuccess; };
  api.create = [](NvrtcProgram*, const char*, const char*, int, const char* const*,
                  const char* const*) { return kSuccess; };
  api.destroy = [](NvrtcProgram*) { return kSuccess; };
  api.add_name = [](NvrtcProgram, const char* name) { return last_name() = name, kSuccess; };
  api.compile = [](NvrtcProgram, int, const char* const*) {
    return fake().compile_log.empty() || last_name() == "lanescope_fill" ? kSuccess : 6;
  };
  api.lowered_name = [](NvrtcProgram, const char*, const char** name) {
    return *name = last_name().c_str(), kSuccess;
  };
  api.log_size = [](NvrtcProgram, std::size_t* n) {
    return *n = fake().compile_log.size() + 1, kSuccess;
  };
  api.log = [](NvrtcProgram, char* to) {
    return std::strcpy(to, fake().compile_log.c_str()), kSuccess;
  };
  api.cubin_size = [](NvrtcProgram, std::size_t* n) { return *n = 4, kSuccess; };
  api.cubin = [](NvrtcProgram, char* to) { return std::memcpy(to, "code", 4), kSuccess; };
  api.ptx_size = api.cubin_size;
  api.ptx = api.cubin;
  api.error_text = [](NvrtcResult) { return "NVRTC_ERROR_OF_THE_FAKE"; };
  return api;
}

CublasApi cublas() {
  CublasApi api{};
  static int handle = 0;
  api.create = [](CublasHandle* to) { return *to = reinterpret_cast<CublasHandle>(&handle), 0; };
  api.destroy = [](CublasHandle) { return 0; };
  api.version = [](CublasHandle, int* version) { return *version = 130100, 0; };
  api.geam_float = [](CublasHandle, int, int, int, int, const float*, const float*, int,
                      const float*, const float*, int, float*, int) { return 0; };
  api.geam_double = nullptr;
  api.gemm_float = gemm;
  api.gemm_double = nullptr;
  api.gemm_ex = nullptr;
  return api;
}

}  // namespace

FakeState& fake() {
  static FakeState state;
  return state;
}

Libraries fake_libraries() {
  pending = kSuccess;
  Libraries libraries;
  libraries.driver = driver();
  libraries.nvrtc = nvrtc();
  libraries.cublas = cublas();
  return libraries;
}

}  // namespace lanescope::gpu::testing
