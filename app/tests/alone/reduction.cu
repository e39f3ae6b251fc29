// Nobody launches it, but the text names an instance, and the kernel says how far its blocks are apart.
template <int B>
__global__ void reduce(const float* x, float* sums) {
  __shared__ float s[B];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * B + t];
  __syncthreads();
  for (int k = B / 2; k > 0; k /= 2) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = s[0];
}
template __global__ void reduce<64>(const float*, float*);
