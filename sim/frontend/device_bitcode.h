// The device's half of a whole program's text, kept as bitcode until a kernel of it is launched.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lanescope/whole_program.h"
#include "lower/access_text.h"

namespace lanescope {

struct KernelDeclaration {
  /// "reduce<float, 256>"
  std::string name;
  SourcePos declared;
  std::vector<ArgumentInfo> arguments;
  /// From __launch_bounds__; 0: none
  std::uint32_t most_threads = 0;
  /// Blocks, from __cluster_dims__
  Dim3 cluster;
};
/// By mangled name; instances of templates each for themselves
using KernelDeclarations = std::map<std::string, KernelDeclaration>;

struct DeviceSource {
  std::string file;
  std::string bitcode;
  KernelDeclarations kernels;
  AccessTexts texts;
};

std::shared_ptr<const DeviceCode> make_device_code(DeviceSource source);
/// Of what make_device_code() has made.
const DeviceSource& source_of(const DeviceCode& code);

}  // namespace lanescope
