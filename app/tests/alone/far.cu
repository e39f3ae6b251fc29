// Beyond any room: still an error.
__global__ void far(float* p) {
  p[(long long)threadIdx.x * 1000000000] = 1.0f;
}
