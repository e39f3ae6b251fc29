// Names by which texts include what is ours.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace lanescope {

/// CUDA header names that lead to the prelude's own headers: (name, content).
const std::vector<std::pair<std::string, std::string>>& cuda_headers();
/// Standard and CUDA header names that lead to the prelude's own headers: (name, content).
const std::vector<std::pair<std::string, std::string>>& forwarding_headers();

}  // namespace lanescope
