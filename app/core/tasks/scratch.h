// A folder that is gone with its owner.
#pragma once

#include <string>

namespace lanescope::app {

class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  /// Empty if there could be none
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string file(const char* name) const { return path_ + "/" + name; }
  /// What is in the file of that name; empty if there is none
  [[nodiscard]] std::string content(const char* name) const;

 private:
  std::string path_;
};

}  // namespace lanescope::app
