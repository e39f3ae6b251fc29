// A header in another folder, structs of the text's own, a macro from outside.
#include "particle.cuh"

__global__ void move(Particle* p, const Cell* cells, float dt, int n) {
  int i = blockIdx.x * THREADS + threadIdx.x;
  if (i < n) p[i].x += dt * p[i].vx * (cells[i % 8].weight + 1.0f);
}
