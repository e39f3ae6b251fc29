#include "cli/text/table.h"

#include <algorithm>

#include "core/text/number.h"
#include "core/text/utf8.h"

namespace lanescope::cli {

Table::Table(std::vector<std::string> headings) : headings_(std::move(headings)) {
  for (std::string& heading : headings_) {
    left_.push_back(heading.starts_with('<'));
    if (left_.back()) heading.erase(0, 1);
  }
}

void Table::add(std::vector<std::string> cells) {
  cells.resize(headings_.size());
  rows_.push_back(std::move(cells));
}

void Table::rule() { rows_.push_back({}); }

// A code point is a column of the terminal, for the texts we print.
void Table::print(std::ostream& out, const std::string& indent) const {
  std::vector<std::size_t> widths;
  for (const std::string& heading : headings_) widths.push_back(app::count_code_points(heading));
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], app::count_code_points(row[i]));
  }
  const auto print_row = [&](const std::vector<std::string>& row) {
    std::string line = indent;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string blanks(widths[i] - app::count_code_points(row[i]), ' ');
      line += (i == 0 ? "" : "  ") + (left_[i] ? row[i] + blanks : blanks + row[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  };
  print_row(headings_);
  for (const auto& row : rows_) print_row(row);
}

std::string grouped(std::uint64_t number) { return app::grouped(number, ","); }

std::string name_text(const std::string& kernel, std::size_t most) {
  return kernel.size() <= most ? kernel : kernel.substr(0, most - 3) + "...";
}

}  // namespace lanescope::cli
