__global__ void scale_all(float4* values, int count, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float4 v = values[i];
  values[i] = make_float4(v.x * factor, v.y * factor, v.z * factor, v.w * factor);
}

void scale(float4* values, int count, float factor) {
  scale_all<<<(count + 63) / 64, 64>>>(values, count, factor);
}
