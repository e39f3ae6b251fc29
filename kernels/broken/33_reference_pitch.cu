/*---
title = "A CPU reference with the pitch of the input"
idea = "Rows of out are ny long, not nx: on a square matrix nobody notices"
source = "A mistake often seen in first programs"
kernel = "transpose_reference"
look_at = ["Set nx = ny: the mistake is still there, and nothing is wrong"]

[[argument]]
name = "in"
type = "float"
shape = ["ny", "nx"]
fill = "index"

[[argument]]
name = "out"
type = "float"
shape = ["nx", "ny"]
fill = "poison"

[[argument]]
name = "nx"
title = "columns of in"
value = 48
min = 1
max = 1024

[[argument]]
name = "ny"
title = "rows of in"
value = 20
min = 1
max = 1024

[launch]
block = ["1"]
grid = ["1"]
shared = "0"

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
// The loop that the CPU is to check the GPU with: one thread runs it here, so that every access is looked at.
__host__ __device__ void reference(const float* in, float* out, int nx, int ny) {
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      out[i * nx + j] = in[j * nx + i];
}

__global__ void transpose_reference(const float* in, float* out, int nx, int ny) { reference(in, out, nx, ny); }
