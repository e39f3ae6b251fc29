// Kernels that nothing launches: the last is taken, and the others are told.
__global__ void naive(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

template <int STEP>
__global__ void strided(const float* in, float* out, int n) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) * STEP;
  if (i < n) out[i] = in[i];
}

__global__ void scaled(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}
