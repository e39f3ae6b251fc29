/*---
title = "A volume, layer by layer"
idea = "Three indices and one linear place: (z * H + y) * W + x"
source = "Own design"
kernel = "copy_volume"
look_at = ["One step in x is one element, one in y a row, one in z a whole layer"]

[[argument]]
name = "in"
type = "float"
shape = ["D * H", "W"]
fill = "index"

[[argument]]
name = "out"
type = "float"
shape = ["D * H", "W"]
fill = "poison"

[[argument]]
name = "W"
title = "width, along x"
value = 20
min = 1
max = 1024

[[argument]]
name = "H"
title = "height, along y"
value = 10
min = 1
max = 1024

[[argument]]
name = "D"
title = "depth, along z"
value = 6
min = 1
max = 1024

[launch]
block = ["8", "4", "2"]
grid = ["ceil_div(W, 8)", "ceil_div(H, 4)", "ceil_div(D, 2)"]

[reference]
kind = "copy"
inputs = ["in"]
output = "out"
---*/
__global__ void copy_volume(const float* in, float* out, int W, int H, int D) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= W || y >= H || z >= D) return;
  int place = (z * H + y) * W + x;
  out[place] = in[place];
}
