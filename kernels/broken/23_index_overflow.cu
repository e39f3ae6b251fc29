/*---
title = "An index that does not fit an int"
idea = "i * STEP passes 2^31 long before i reaches n, and the remainder turns negative"
source = "A mistake often seen in first kernels"
kernel = "scatter"
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
value = 1024
min = 1
max = 32768

[launch]
block = ["256"]
grid = ["ceil_div(n, 256)"]
shared = "0"

[reference]
kind = "copy"
inputs = ["in"]
output = "out"
---*/
#define STEP 3000001  // odd, so that every element is met once when n is a power of two

__global__ void scatter(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int place = i * STEP % n;
  out[place] = in[place];
}
