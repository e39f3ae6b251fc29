// What the files of this program know of each other.
#pragma once

#include <string>
#include <vector>

std::vector<float> make_signal(int samples);
std::string describe(const std::vector<float>& samples);

/// Each sample becomes the mean of itself and its neighbours, `times` times over.
std::vector<float> smooth(const std::vector<float>& samples, int times);
int kernels_launched();
