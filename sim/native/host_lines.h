// From an address in the host code to the line it was made from.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lanescope/host_code.h"

namespace llvm {
class MemoryBuffer;
}

namespace lanescope {

class HostLines {
 public:
  HostLines();
  ~HostLines();

  /// An object file as the compiler made it, before it is linked; a copy is kept.
  void add_object(const llvm::MemoryBuffer& object);
  /// Where a function of some object came to lie.
  void add_function(const std::string& name, std::uint64_t address);
  [[nodiscard]] HostPlace where(const void* pc) const;

 private:
  struct Object;
  std::vector<std::unique_ptr<Object>> objects_;
  std::map<std::uint64_t, std::string> functions_;
};

}  // namespace lanescope
