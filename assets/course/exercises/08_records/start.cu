/*---
title = "Records taken apart"
idea = "An array of structures becomes a structure of arrays"
kernel = "split_records"
look_at = [
  "The load from records: which lanes meet",
  "Four fields, and eight lanes a row of banks",
]

[[argument]]
name = "in"
type = "float"
shape = ["n", "4"]
fill = "index"

[[argument]]
name = "out"
type = "float"
shape = ["4", "n"]
fill = "poison"

[[argument]]
name = "n"
title = "records"
value = 2048
min = 1
max = 32768

[launch]
block = ["256"]
grid = ["ceil_div(n, 256)"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
#define FIELDS 4

// in: n records of four fields. out: four rows of n, one for each field.
__global__ void split_records(const float* in, float* out, int n) {
  __shared__ float records[256 * FIELDS];

  int first = blockIdx.x * 256 * FIELDS;
  for (int k = threadIdx.x; k < 256 * FIELDS; k += 256)
    if (first + k < n * FIELDS) records[k] = in[first + k];

  __syncthreads();

  int record = blockIdx.x * 256 + threadIdx.x;
  for (int field = 0; field < FIELDS; ++field)
    if (record < n) out[field * n + record] = records[threadIdx.x * FIELDS + field];
}
