/*---
title = "A pointer that nobody set"
idea = "The table of rows was never filled: every entry is null"
source = "A mistake often seen in first kernels"
kernel = "gather_rows"
look_at = ["What the diagnostics say, and where"]

[[argument]]
name = "rows"
type = "unsigned long long"
shape = ["n"]
fill = "zero"

[[argument]]
name = "out"
type = "float"
shape = ["n"]
fill = "poison"

[[argument]]
name = "n"
title = "rows"
value = 40
min = 1
max = 32768

[launch]
block = ["32"]
grid = ["ceil_div(n, 32)"]
shared = "0"

[reference]
kind = "none"
---*/
// rows[i] is the address of the first element of row i, or null.
__global__ void gather_rows(const unsigned long long* rows, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float* row = reinterpret_cast<const float*>(rows[i]);
  out[i] = *row;
}
