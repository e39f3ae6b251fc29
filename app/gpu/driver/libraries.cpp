#include "gpu/driver/libraries.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>

#include "core/text/messages.h"

namespace lanescope::gpu {

namespace {

bool exists(const std::string& path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0;
}

std::vector<std::string> matching(const std::string& pattern) {
  glob_t found{};
  std::vector<std::string> paths;
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0)
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  std::reverse(paths.begin(), paths.end());  // newest version first
  return paths;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// Folders that hold lib64/ or lib/ and include/, as toolkits and Python's packages lay them out.
std::vector<std::string> toolkits() {
  std::vector<std::string> result;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
    if (const std::string path = variable(name); !path.empty()) result.push_back(path);
  result.push_back("/usr/local/cuda");
  std::vector<std::string> patterns = {"/usr/local/cuda-*", "/opt/cuda"};
  const std::string packages = "/lib/python3*/site-packages/nvidia/*";
  for (const std::string& root : {variable("VIRTUAL_ENV"), variable("CONDA_PREFIX"),
                                  variable("HOME") + "/.local", std::string("/usr/local")}) {
    if (!root.empty()) patterns.push_back(root + packages);
  }
  patterns.push_back("/usr/local/lib/python3*/dist-packages/nvidia/*");
  for (const std::string& pattern : patterns)
    for (std::string& path : matching(pattern)) result.push_back(std::move(path));
  return result;
}

std::vector<std::string> header_folders(const std::vector<std::string>& roots) {
  std::vector<std::string> result;
  for (const std::string& root : roots) {
    const std::string folder = root + "/include";
    if (!exists(folder + "/cooperative_groups.h") && !exists(folder + "/cuda_fp16.h")) continue;
    result.push_back(folder);
    if (exists(folder + "/cccl")) result.push_back(folder + "/cccl");
    if (exists(folder + "/cooperative_groups.h")) break;  // this one is complete
  }
  return result;
}

void* open_library(const std::string& name, const std::vector<std::string>& roots) {
  if (void* handle = dlopen((name + ".so").c_str(), RTLD_NOW)) return handle;
  for (int version = 20; version >= 11; --version) {
    if (void* handle = dlopen(fmt::format("{}.so.{}", name, version).c_str(), RTLD_NOW))
      return handle;
  }
  for (const std::string& root : roots) {
    for (const char* folder : {"/lib64/", "/lib/", "/targets/x86_64-linux/lib/"}) {
      for (const std::string& path : matching(root + folder + name + ".so*"))
        if (void* handle = dlopen(path.c_str(), RTLD_NOW)) return handle;
    }
  }
  return nullptr;
}

// Takes functions out of a library and remembers the first that is not there.
class Symbols {
 public:
  explicit Symbols(void* handle) : handle_(handle) {}

  template <class Function>
  void take(Function& into, const char* name) {
    take_if_there(into, name);
    if (!into && missing_.empty()) missing_ = name;
  }
  template <class Function>
  void take_if_there(Function& into, const char* name) {
    into = reinterpret_cast<Function>(dlsym(handle_, name));
  }
  [[nodiscard]] const std::string& missing() const { return missing_; }

 private:
  void* handle_;
  std::string missing_;
};

void take_devices(Symbols& from, DriverApi& api) {
  from.take(api.init, "cuInit");
  from.take(api.driver_version, "cuDriverGetVersion");
  from.take(api.device_count, "cuDeviceGetCount");
  from.take(api.device_get, "cuDeviceGet");
  from.take(api.device_name, "cuDeviceGetName");
  from.take(api.device_attribute, "cuDeviceGetAttribute");
  from.take(api.device_total_memory, "cuDeviceTotalMem_v2");
  from.take(api.device_pci_id, "cuDeviceGetPCIBusId");
  from.take(api.primary_context_retain, "cuDevicePrimaryCtxRetain");
  from.take(api.context_set_current, "cuCtxSetCurrent");
  from.take(api.context_synchronize, "cuCtxSynchronize");
  from.take(api.error_name, "cuGetErrorName");
  from.take(api.error_text, "cuGetErrorString");
}

void take_memory(Symbols& from, DriverApi& api) {
  from.take(api.memory_allocate, "cuMemAlloc_v2");
  from.take(api.memory_free, "cuMemFree_v2");
  from.take(api.memory_set_bytes, "cuMemsetD8_v2");
  from.take(api.copy_on_device, "cuMemcpyDtoDAsync_v2");
  from.take(api.copy_to_host, "cuMemcpyDtoH_v2");
  from.take(api.host_allocate, "cuMemAllocHost_v2");
  from.take(api.host_free, "cuMemFreeHost");
}

void take_launches(Symbols& from, DriverApi& api) {
  from.take(api.module_load, "cuModuleLoadData");
  from.take(api.module_unload, "cuModuleUnload");
  from.take(api.module_function, "cuModuleGetFunction");
  from.take(api.function_attribute, "cuFuncGetAttribute");
  from.take(api.set_function_attribute, "cuFuncSetAttribute");
  from.take(api.resident_blocks, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  from.take(api.launch, "cuLaunchKernel");
  from.take(api.event_create, "cuEventCreate");
  from.take(api.event_destroy, "cuEventDestroy_v2");
  from.take(api.event_record, "cuEventRecord");
  from.take(api.event_synchronize, "cuEventSynchronize");
  from.take(api.event_elapsed, "cuEventElapsedTime");
  from.take_if_there(api.tensor_map_encode, "cuTensorMapEncodeTiled");
}

void load_driver(Libraries& libraries) {
  void* handle = dlopen("libcuda.so.1", RTLD_NOW);
  if (!handle) {
    libraries.driver_problem = app::say::no_driver;
    return;
  }
  DriverApi api{};
  Symbols symbols(handle);
  take_devices(symbols, api);
  take_memory(symbols, api);
  take_launches(symbols, api);
  if (symbols.missing().empty())
    libraries.driver = api;
  else
    libraries.driver_problem = app::say::driver_too_old(symbols.missing());
}

void load_nvrtc(Libraries& libraries, const std::vector<std::string>& roots) {
  void* handle = open_library("libnvrtc", roots);
  if (!handle) {
    libraries.nvrtc_problem = app::say::no_nvrtc;
    return;
  }
  NvrtcApi api{};
  Symbols from(handle);
  from.take(api.version, "nvrtcVersion");
  from.take(api.arch_count, "nvrtcGetNumSupportedArchs");
  from.take(api.archs, "nvrtcGetSupportedArchs");
  from.take(api.create, "nvrtcCreateProgram");
  from.take(api.destroy, "nvrtcDestroyProgram");
  from.take(api.add_name, "nvrtcAddNameExpression");
  from.take(api.compile, "nvrtcCompileProgram");
  from.take(api.lowered_name, "nvrtcGetLoweredName");
  from.take(api.log_size, "nvrtcGetProgramLogSize");
  from.take(api.log, "nvrtcGetProgramLog");
  from.take(api.cubin_size, "nvrtcGetCUBINSize");
  from.take(api.cubin, "nvrtcGetCUBIN");
  from.take(api.ptx_size, "nvrtcGetPTXSize");
  from.take(api.ptx, "nvrtcGetPTX");
  from.take(api.error_text, "nvrtcGetErrorString");
  if (from.missing().empty())
    libraries.nvrtc = api;
  else
    libraries.nvrtc_problem = app::say::nvrtc_too_old(from.missing());
}

void load_cublas(Libraries& libraries, const std::vector<std::string>& roots) {
  void* handle = open_library("libcublas", roots);
  if (!handle) {
    libraries.cublas_problem = app::say::no_cublas;
    return;
  }
  CublasApi api{};
  Symbols from(handle);
  from.take(api.create, "cublasCreate_v2");
  from.take(api.destroy, "cublasDestroy_v2");
  from.take(api.version, "cublasGetVersion_v2");
  from.take(api.geam_float, "cublasSgeam");
  from.take(api.geam_double, "cublasDgeam");
  from.take(api.gemm_float, "cublasSgemm_v2");
  from.take(api.gemm_double, "cublasDgemm_v2");
  from.take(api.gemm_ex, "cublasGemmEx");
  if (from.missing().empty())
    libraries.cublas = api;
  else
    libraries.cublas_problem = app::say::cublas_too_old(from.missing());
}

void load_nvml(Libraries& libraries) {
  void* handle = dlopen("libnvidia-ml.so.1", RTLD_NOW);
  if (!handle) return;  // it only tells clocks and the driver's full version
  NvmlApi api{};
  Symbols from(handle);
  from.take(api.init, "nvmlInit_v2");
  from.take(api.driver_version, "nvmlSystemGetDriverVersion");
  from.take(api.device_by_pci_id, "nvmlDeviceGetHandleByPciBusId_v2");
  from.take(api.max_clock, "nvmlDeviceGetMaxClockInfo");
  if (from.missing().empty()) libraries.nvml = api;
}

}  // namespace

Libraries load_libraries() {
  Libraries libraries;
  load_driver(libraries);
  if (!libraries.driver) return libraries;  // the rest needs it
  const std::vector<std::string> roots = toolkits();
  load_nvrtc(libraries, roots);
  load_cublas(libraries, roots);
  load_nvml(libraries);
  libraries.include_folders = header_folders(roots);
  return libraries;
}

Libraries load_compiler() {
  Libraries libraries;
  const std::vector<std::string> roots = toolkits();
  load_nvrtc(libraries, roots);
  libraries.include_folders = header_folders(roots);
  return libraries;
}

}  // namespace lanescope::gpu
