// Aligned columns of text.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace lanescope::cli {

class Table {
 public:
  /// A '<' before a heading sets its column to the left, else to the right.
  explicit Table(std::vector<std::string> headings);
  void add(std::vector<std::string> cells);
  /// A blank line
  void rule();
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  void print(std::ostream& out, const std::string& indent) const;

 private:
  std::vector<std::string> headings_;
  std::vector<bool> left_;
  std::vector<std::vector<std::string>> rows_;
};

/// 1048576 → "1,048,576".
std::string grouped(std::uint64_t number);

/// The name of a kernel, whose template arguments may be pages long: `most` characters, the rest as dots.
std::string name_text(const std::string& kernel, std::size_t most = 60);

}  // namespace lanescope::cli
