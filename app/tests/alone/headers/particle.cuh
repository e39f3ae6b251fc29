#pragma once
struct Particle {
  float x, y, z, vx, vy, vz;
};
struct Cell {
  float weight;
  int first, count;
};
