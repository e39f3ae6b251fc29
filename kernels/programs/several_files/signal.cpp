// Plain C++: no CUDA here.
#include <algorithm>
#include <sstream>

#include "smooth.h"

std::vector<float> make_signal(int samples) {
  std::vector<float> signal(samples);
  for (int i = 0; i < samples; ++i) signal[i] = i == samples / 2 ? 9.0f : 0.0f;
  return signal;
}

std::string describe(const std::vector<float>& samples) {
  const auto peak = std::max_element(samples.begin(), samples.end());
  std::ostringstream text;
  text << "the peak is " << *peak << " at " << peak - samples.begin();
  return text.str();
}
