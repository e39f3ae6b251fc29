// Memory in a stream's order, out of pools of the program's own.
#include <cstdint>
#include <cstdio>

__global__ void count_up(int* values) { values[threadIdx.x] += static_cast<int>(threadIdx.x); }

static void tell(const char* what, cudaError_t error) {
  std::printf("%s: %s\n", what, cudaGetErrorName(error));
}

int main() {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.handleTypes = cudaMemHandleTypeNone;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = 0;
  cudaMemPool_t pool = nullptr, usual = nullptr, current = nullptr;
  tell("create", cudaMemPoolCreate(&pool, &properties));
  cudaDeviceGetDefaultMemPool(&usual, 0);
  tell("set", cudaDeviceSetMemPool(0, pool));
  cudaDeviceGetMemPool(&current, 0);
  std::printf("current: %s\n", current == pool && current != usual ? "the new one" : "another");

  std::uint64_t threshold = 1 << 20;
  int reuse = 0;
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
  cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse);
  threshold = 0, reuse = 1;
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
  cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse);
  std::printf("kept: %llu %d\n", static_cast<unsigned long long>(threshold), reuse);

  cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
  cudaMemAccessFlags access = cudaMemAccessFlagsProtNone;
  tell("access", cudaMemPoolGetAccess(&access, pool, &device));
  std::printf("%s\n", access == cudaMemAccessFlagsProtReadWrite ? "read and write" : "none");

  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  int *first = nullptr, *second = nullptr, host[32];
  tell("allocate", cudaMallocAsync(&first, sizeof host, stream));
  tell("allocate", cudaMallocFromPoolAsync(&second, sizeof host, pool, stream));
  cudaMemsetAsync(first, 0, sizeof host, stream);
  count_up<<<1, 32, 0, stream>>>(first);
  cudaMemcpyAsync(second, first, sizeof host, cudaMemcpyDeviceToDevice, stream);
  count_up<<<1, 32, 0, stream>>>(second);
  cudaMemcpyAsync(host, second, sizeof host, cudaMemcpyDeviceToHost, stream);
  cudaFreeAsync(first, stream);
  cudaFreeAsync(second, stream);
  cudaStreamSynchronize(stream);
  std::printf("%d %d\n", host[1], host[31]);
  cudaDeviceSetMemPool(0, usual);
  tell("destroy", cudaMemPoolDestroy(pool));
  return cudaStreamDestroy(stream);
}
