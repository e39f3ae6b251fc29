/*---
title = "The last elements after the float4s"
idea = "n / 4 float4s do not cover n elements"
source = "A mistake often seen in first kernels"
kernel = "copy4"
look_at = ["What the diagnostics say, and where"]

[[argument]]
name = "in"
type = "float"
shape = ["n"]
fill = "index"

[[argument]]
name = "out"
type = "float"
shape = ["n"]
fill = "poison"

[[argument]]
name = "n"
title = "elements"
value = 1003
min = 1
max = 32768

[launch]
block = ["64"]
grid = ["ceil_div(n, 256)"]
shared = "0"

[reference]
kind = "copy"
inputs = ["in"]
output = "out"
---*/
__global__ void copy4(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4) reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
}
