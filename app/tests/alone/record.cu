// A struct by value: numbers, an array, a struct in it, and the buffers that the kernel works on.
struct Window {
  short first, last;
};
struct Base {
  bool on;
};
struct Job : Base {
  float scale;
  double shift[2];
  Window window;
  const float* in;
  float* out;
};

__global__ void apply(Job job, float4 tint) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!job.on || i < job.window.first || i > job.window.last) return;
  job.out[i] = job.in[i] * job.scale + static_cast<float>(job.shift[1]) + tint.z;
  if (i == job.window.first) printf("%g %g %g", job.scale, job.shift[1], tint.z);
}
