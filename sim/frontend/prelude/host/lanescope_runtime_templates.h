// What cuda_runtime.h adds for C++: typed overloads over the functions with C names. Host code only.
#pragma once

// Always inlined: what is called is then called from the program's own line.
#ifdef __CUDA__
#define LANESCOPE_HOST inline __attribute__((host, always_inline))
#else
#define LANESCOPE_HOST inline __attribute__((always_inline))
#endif

// ---- plain values ----
LANESCOPE_HOST struct cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t width, size_t height) {
  struct cudaPitchedPtr made = {pointer, pitch, width, height};
  return made;
}
LANESCOPE_HOST struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  struct cudaPos made = {x, y, z};
  return made;
}
LANESCOPE_HOST struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  struct cudaExtent made = {width, height, depth};
  return made;
}

// ---- memory ----
template <class T> LANESCOPE_HOST cudaError_t cudaMalloc(T** pointer, size_t bytes) { return cudaMalloc((void**)(void*)pointer, bytes); }
template <class T> LANESCOPE_HOST cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned int flags = 0) { return cudaHostAlloc((void**)(void*)pointer, bytes, flags); }
template <class T> LANESCOPE_HOST cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned int flags) { return cudaHostAlloc((void**)(void*)pointer, bytes, flags); }
LANESCOPE_HOST cudaError_t cudaMallocHost(void** pointer, size_t bytes, unsigned int flags) { return cudaHostAlloc(pointer, bytes, flags); }
template <class T> LANESCOPE_HOST cudaError_t cudaHostGetDevicePointer(T** device_pointer, void* pointer, unsigned int flags) { return cudaHostGetDevicePointer((void**)(void*)device_pointer, pointer, flags); }
template <class T> LANESCOPE_HOST cudaError_t cudaMallocManaged(T** pointer, size_t bytes, unsigned int flags = cudaMemAttachGlobal) { return cudaMallocManaged((void**)(void*)pointer, bytes, flags); }
template <class T> LANESCOPE_HOST cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) { return cudaMallocPitch((void**)(void*)pointer, pitch, width, height); }
template <class T> LANESCOPE_HOST cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream) { return cudaMallocAsync((void**)(void*)pointer, bytes, stream); }
template <class T> LANESCOPE_HOST cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) { return cudaMallocFromPoolAsync((void**)(void*)pointer, bytes, pool, stream); }
template <class T> LANESCOPE_HOST cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) { return cudaMallocFromPoolAsync((void**)(void*)pointer, bytes, pool, stream); }
template <class T> LANESCOPE_HOST cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* pointer, size_t bytes = 0, unsigned int flags = cudaMemAttachSingle) { return cudaStreamAttachMemAsync(stream, (void*)pointer, bytes, flags); }
// As CUDA 12 has them: a device by its number, cudaCpuDeviceId for the host.
LANESCOPE_HOST struct cudaMemLocation lanescope_location(int device) {
  struct cudaMemLocation made = {device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, device < 0 ? 0 : device};
  return made;
}
LANESCOPE_HOST cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device, cudaStream_t stream = 0) { return cudaMemPrefetchAsync(pointer, bytes, lanescope_location(device), 0u, stream); }
LANESCOPE_HOST cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, enum cudaMemoryAdvise advice, int device) { return cudaMemAdvise(pointer, bytes, advice, lanescope_location(device)); }

// ---- symbols ----
template <class T> LANESCOPE_HOST cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) { return ::cudaGetSymbolAddress(pointer, (const void*)&symbol); }
template <class T, class P> LANESCOPE_HOST cudaError_t cudaGetSymbolAddress(P** pointer, const T& symbol) { return ::cudaGetSymbolAddress((void**)(void*)pointer, (const void*)&symbol); }
template <class T> LANESCOPE_HOST cudaError_t cudaGetSymbolSize(size_t* bytes, const T& symbol) { return ::cudaGetSymbolSize(bytes, (const void*)&symbol); }
template <class T> LANESCOPE_HOST cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0, enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) { return ::cudaMemcpyToSymbol((const void*)&symbol, from, bytes, offset, kind); }
template <class T> LANESCOPE_HOST cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes, size_t offset = 0, enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) { return ::cudaMemcpyToSymbolAsync((const void*)&symbol, from, bytes, offset, kind, stream); }
template <class T> LANESCOPE_HOST cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0, enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) { return ::cudaMemcpyFromSymbol(to, (const void*)&symbol, bytes, offset, kind); }
template <class T> LANESCOPE_HOST cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset = 0, enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) { return ::cudaMemcpyFromSymbolAsync(to, (const void*)&symbol, bytes, offset, kind, stream); }

// ---- kernels ----
template <class T> LANESCOPE_HOST cudaError_t cudaLaunchKernel(T* kernel, dim3 grid, dim3 block, void** arguments, size_t shared = 0, cudaStream_t stream = 0) { return ::cudaLaunchKernel((const void*)kernel, grid, block, arguments, shared, stream); }
template <class T> LANESCOPE_HOST cudaError_t cudaLaunchCooperativeKernel(T* kernel, dim3 grid, dim3 block, void** arguments, size_t shared = 0, cudaStream_t stream = 0) { return ::cudaLaunchCooperativeKernel((const void*)kernel, grid, block, arguments, shared, stream); }
template <class T> struct lanescope_as_is { typedef T type; };
template <class... Parameters>
LANESCOPE_HOST cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...), typename lanescope_as_is<Parameters>::type... values) {
  void* pointers[sizeof...(Parameters) + 1] = {(void*)&values..., 0};
  return cudaLaunchKernelExC(config, (const void*)kernel, pointers);
}
template <class T> LANESCOPE_HOST cudaError_t cudaFuncSetAttribute(T* kernel, enum cudaFuncAttribute attribute, int value) { return ::cudaFuncSetAttribute((const void*)kernel, attribute, value); }
template <class T> LANESCOPE_HOST cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, T* kernel) { return ::cudaFuncGetAttributes(attributes, (const void*)kernel); }
template <class T> LANESCOPE_HOST cudaError_t cudaFuncSetCacheConfig(T* kernel, enum cudaFuncCache config) { return ::cudaFuncSetCacheConfig((const void*)kernel, config); }
template <class T> LANESCOPE_HOST cudaError_t cudaFuncSetSharedMemConfig(T* kernel, enum cudaSharedMemConfig config) { return ::cudaFuncSetSharedMemConfig((const void*)kernel, config); }
template <class T> LANESCOPE_HOST cudaError_t cudaFuncGetName(const char** name, T* kernel) { return ::cudaFuncGetName(name, (const void*)kernel); }

// ---- occupancy ----
template <class T> LANESCOPE_HOST cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T kernel, int block_size, size_t shared) { return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void*)kernel, block_size, shared); }
template <class T> LANESCOPE_HOST cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T kernel, int block_size, size_t shared, unsigned int flags) { return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void*)kernel, block_size, shared, flags); }
template <class T> LANESCOPE_HOST cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* shared, T* kernel, int blocks, int block_size) { return ::cudaOccupancyAvailableDynamicSMemPerBlock(shared, (const void*)kernel, blocks, block_size); }
// Of the block sizes with the most resident threads the largest, as CUDA answers.
template <class F, class T>
LANESCOPE_HOST cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* least_grid, int* block_size, T kernel, F shared_of, int limit = 0) {
  struct cudaFuncAttributes attributes;
  int device = 0, processors = 0, best_blocks = 0, best_size = 0;
  cudaError_t error = ::cudaFuncGetAttributes(&attributes, (const void*)kernel);
  if (error == cudaSuccess) error = cudaGetDevice(&device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  if (error != cudaSuccess) return error;
  int most = attributes.maxThreadsPerBlock;
  if (limit > 0 && limit < most) most = limit;
  for (int size = (most + 31) / 32 * 32; size > 0; size -= 32) {
    const int threads = size < most ? size : most;
    int blocks = 0;
    error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void*)kernel, threads, shared_of(threads));
    if (error != cudaSuccess) return error;
    if (blocks * threads > best_blocks * best_size) best_blocks = blocks, best_size = threads;
  }
  *least_grid = best_blocks * processors;
  *block_size = best_size;
  return cudaSuccess;
}
struct lanescope_fixed_shared {
  size_t bytes;
  LANESCOPE_HOST size_t operator()(int) const { return bytes; }
};
template <class T> LANESCOPE_HOST cudaError_t cudaOccupancyMaxPotentialBlockSize(int* least_grid, int* block_size, T kernel, size_t shared = 0, int limit = 0) {
  const lanescope_fixed_shared fixed = {shared};
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(least_grid, block_size, kernel, fixed, limit);
}
template <class T> LANESCOPE_HOST cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* least_grid, int* block_size, T kernel, size_t shared = 0, int limit = 0, unsigned int = 0) { return cudaOccupancyMaxPotentialBlockSize(least_grid, block_size, kernel, shared, limit); }

// ---- events and graphs ----
LANESCOPE_HOST cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) { return cudaEventCreateWithFlags(event, flags); }
LANESCOPE_HOST cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, cudaGraphNode_t* error_node, char* log, size_t log_bytes) {
  if (error_node) *error_node = 0;
  if (log && log_bytes) log[0] = 0;
  return cudaGraphInstantiateWithFlags(executable, graph, 0);
}
LANESCOPE_HOST cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, size_t count) { return cudaGraphAddDependencies(graph, from, to, (const cudaGraphEdgeData*)0, count); }
LANESCOPE_HOST cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphNode_t* error_node, enum cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo info;
  const cudaError_t error = cudaGraphExecUpdate(executable, graph, &info);
  if (error_node) *error_node = info.errorNode;
  if (result) *result = info.result;
  return error;
}

// ---- channels of a texture's element ----
template <class T> struct lanescope_channels;
#define LANESCOPE_CHANNELS(type, bits, count, kind) \
  template <> struct lanescope_channels<type> { enum { size = bits, channels = count }; static constexpr enum cudaChannelFormatKind format = kind; };
#define LANESCOPE_CHANNELS4(scalar, name, bits, kind) \
  LANESCOPE_CHANNELS(scalar, bits, 1, kind) LANESCOPE_CHANNELS(name##1, bits, 1, kind) LANESCOPE_CHANNELS(name##2, bits, 2, kind) LANESCOPE_CHANNELS(name##4, bits, 4, kind)
LANESCOPE_CHANNELS4(signed char, char, 8, cudaChannelFormatKindSigned)
LANESCOPE_CHANNELS4(unsigned char, uchar, 8, cudaChannelFormatKindUnsigned)
LANESCOPE_CHANNELS4(short, short, 16, cudaChannelFormatKindSigned)
LANESCOPE_CHANNELS4(unsigned short, ushort, 16, cudaChannelFormatKindUnsigned)
LANESCOPE_CHANNELS4(int, int, 32, cudaChannelFormatKindSigned)
LANESCOPE_CHANNELS4(unsigned int, uint, 32, cudaChannelFormatKindUnsigned)
LANESCOPE_CHANNELS4(float, float, 32, cudaChannelFormatKindFloat)
LANESCOPE_CHANNELS(char, 8, 1, cudaChannelFormatKindSigned)
template <class T> LANESCOPE_HOST struct cudaChannelFormatDesc cudaCreateChannelDesc() {
  typedef lanescope_channels<T> of;
  return cudaCreateChannelDesc(of::size, of::channels > 1 ? of::size : 0, of::channels > 2 ? of::size : 0, of::channels > 3 ? of::size : 0, of::format);
}
LANESCOPE_HOST struct cudaChannelFormatDesc cudaCreateChannelDescHalf() { return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat); }
LANESCOPE_HOST struct cudaChannelFormatDesc cudaCreateChannelDescHalf2() { return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat); }
LANESCOPE_HOST struct cudaChannelFormatDesc cudaCreateChannelDescHalf4() { return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat); }
