/*---
title = "New: one element a thread"
idea = "A warp's lanes touch neighbouring elements: whole sectors, nothing moved in vain"
kernel = "scale"

[[parameter]]
name = "STRIDE"
title = "stride (elements)"
default = 1
min = 1
max = 32

[[parameter]]
name = "BDIMX"
title = "block x"
default = 256
min = 1
max = 1024

[[argument]]
name = "in"
type = "float"
shape = ["n * STRIDE"]

[[argument]]
name = "out"
type = "float"
shape = ["n"]
fill = "poison"

[[argument]]
name = "factor"
value = 2

[[argument]]
name = "n"
title = "elements"
value = 4096
min = 1
max = 1048576

[launch]
block = ["BDIMX"]
grid = ["ceil_div(n, BDIMX)"]
---*/
#ifndef STRIDE
#define STRIDE 1
#endif

__global__ void scale(const float* in, float* out, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = factor * in[i * STRIDE];
}
