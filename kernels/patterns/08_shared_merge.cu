/*---
title = "Shared: wide loads merge"
idea = "When neighbouring lanes read the same 16 bytes, a wide load is served in half as many groups"
source = "Rules read from the counters of an NVIDIA H200"
kernel = "shared_merge"
look_at = [
  "PARTNER 1: lanes 2i and 2i + 1 agree; PARTNER 2: lanes i and i ^ 2 agree; both halve the wavefronts",
  "PARTNER 4: lanes share just as much, but the hardware does not look that far",
  "Stores never merge",
]

[[parameter]]
name = "PARTNER"
title = "lanes that agree: i and i ^ PARTNER"
choices = ["1", "2", "4", "8"]

[[argument]]
name = "out"
type = "float4"
shape = ["32"]
fill = "poison"

[launch]
block = ["32"]
grid = ["1"]

[reference]
kind = "none"
---*/
#ifndef PARTNER
#define PARTNER 1
#endif

__global__ void shared_merge(float4* out) {
  __shared__ float4 values[16];
  if (threadIdx.x < 16) values[threadIdx.x] = make_float4(threadIdx.x, 0, 0, 0);
  __syncthreads();
  // The lane's number without the bit that partners differ in, closed up: 16 values for 32 lanes.
  int low = threadIdx.x % PARTNER, high = threadIdx.x / (2 * PARTNER);
  out[threadIdx.x] = values[high * PARTNER + low];
}
