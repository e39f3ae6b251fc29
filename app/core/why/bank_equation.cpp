#include "core/why/bank_equation.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <vector>

#include <fmt/format.h>

#include "lanescope/memory.h"

namespace lanescope::app {
namespace {

constexpr std::uint64_t kFarthest = 32;  // elements that another pitch is looked for

bool is_simple(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
  });
}

// As a factor, or as one side of a sum.
std::string factor(const std::string& text) { return is_simple(text) ? text : "(" + text + ")"; }
std::string summand(const std::string& text) {
  return text.find_first_of("^&|?<>=") == std::string::npos ? text : "(" + text + ")";
}

// The subscripts before the last as one number of rows: "i", "i*8 + j".
std::string row_text(const std::vector<std::string>& indices,
                     const std::vector<std::uint32_t>& dims) {
  std::string text = indices.front();
  for (std::size_t i = 1; i + 1 < indices.size(); ++i)
    text = fmt::format("{}*{} + {}", factor(text), dims[i], summand(indices[i]));
  return text;
}

// As the front matter lays a one-dimensional array out; 0 if it does not.
std::uint64_t told_pitch(const Picture& picture, const std::string& array) {
  for (const IndexLayout& layout : picture.prepared->layouts) {
    if (!layout.variable && layout.of == array && layout.strides.size() > 1)
      return layout.strides[layout.strides.size() - 2];
  }
  return 0;
}

const SharedArray* array_at(const KernelInfo& kernel, std::uint64_t offset) {
  for (const SharedArray& array : kernel.shared_arrays) {
    if (offset >= array.offset && (array.bytes == 0 || offset - array.offset < array.bytes))
      return &array;
  }
  return nullptr;
}

std::vector<std::uint64_t> values(const BankEquation& equation,
                                  const std::array<std::uint64_t, kLanes>& of) {
  std::vector<std::uint64_t> all;
  for (LaneMask rest = equation.mask; rest != 0; rest &= rest - 1)
    all.push_back(of[static_cast<std::size_t>(std::countr_zero(rest))]);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

int place_of(const std::vector<std::uint64_t>& all, std::uint64_t value) {
  return static_cast<int>(std::lower_bound(all.begin(), all.end(), value) - all.begin());
}

// Whether rows change faster with the lane's number than columns do.
bool rows_run_faster(const BankEquation& equation) {
  int before = -1, row_changes = 0, column_changes = 0;
  for (LaneMask rest = equation.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if (before >= 0) {
      const auto a = static_cast<std::size_t>(before), b = static_cast<std::size_t>(lane);
      row_changes += equation.at_row[a] != equation.at_row[b];
      column_changes += equation.at_column[a] != equation.at_column[b];
    }
    before = lane;
  }
  return row_changes > column_changes;
}

}  // namespace

std::string BankEquation::text(std::uint64_t with_pitch) const {
  std::string sum = summand(column);
  if (!row.empty()) {
    const std::string by = with_pitch ? std::to_string(with_pitch) : "pitch";
    sum = factor(row) + "*" + by + (column == "0" ? "" : " + " + sum);
  }
  const std::uint64_t first = first_word % kBanks;
  if (element_bytes > kBankBytes) {
    sum = fmt::format("{}*({})", element_bytes / kBankBytes, sum);
  } else if (element_bytes < kBankBytes) {
    sum = fmt::format("({})/{}", sum, kBankBytes / element_bytes);
  }
  if (first) sum += fmt::format(" + {}", first);
  return "(" + sum + ") mod 32";
}

std::uint64_t pitch_of(const Picture& picture, const SharedArray& array) {
  return array.dims.size() > 1 ? array.dims.back() : told_pitch(picture, array.name);
}

std::optional<BankEquation> bank_equation(const Picture& picture, const AccessInfo& access,
                                          const LaneRow& address, LaneMask mask) {
  if (mask == 0) return std::nullopt;
  const auto offset = [&](int lane) {
    return address[static_cast<std::size_t>(lane)] - kSharedWindow;
  };
  const SharedArray* array = array_at(picture.kernel(), offset(std::countr_zero(mask)));
  if (!array || array->element_bytes == 0 || !std::has_single_bit(array->element_bytes))
    return std::nullopt;
  BankEquation equation{.element_bytes = array->element_bytes,
                        .bytes = access.bytes,
                        .load = access.op == AccessOp::load,
                        .first_word = array->offset / kBankBytes,
                        .mask = mask};
  const std::size_t dims = array->dims.size();
  equation.pitch = pitch_of(picture, *array);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    const std::uint64_t from = address[lane] - kSharedWindow;
    if (from < array->offset || (array->bytes && from - array->offset >= array->bytes))
      return std::nullopt;
    const std::uint64_t element = (from - array->offset) / array->element_bytes;
    equation.at_row[lane] = equation.pitch ? element / equation.pitch : 0;
    equation.at_column[lane] = equation.pitch ? element % equation.pitch : element;
  }
  const bool told = access.root == array->name && !access.indices.empty();
  if (told && dims > 1 && access.indices.size() == dims) {
    equation.row = row_text(access.indices, array->dims);
    equation.column = access.indices.back();
  } else if (told && access.indices.size() == 1) {
    equation.column = access.indices.front();
  } else {
    equation.row = equation.pitch ? "row" : "";
    equation.column = equation.pitch ? "column" : "index";
  }
  return equation;
}

BankGrid bank_grid(const BankEquation& equation, std::uint64_t pitch) {
  BankGrid grid{.pitch = pitch};
  LaneRow address{};
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const std::uint64_t element = equation.at_row[lane] * pitch + equation.at_column[lane];
    address[lane] =
        kSharedWindow + equation.first_word * kBankBytes + element * equation.element_bytes;
    address[lane] -= address[lane] % std::max(1u, equation.bytes);  // wide accesses lie aligned
    grid.bank[lane] = static_cast<int>(address[lane] / kBankBytes % kBanks);
  }
  grid.plan = plan_banks(address, equation.mask, equation.bytes, equation.load);
  for (std::size_t group = 0; group < grid.plan.groups.size(); ++group) {
    std::array<int, kBanks> words{};
    std::array<LaneMask, kBanks> lanes{};
    for (const Wavefront& wavefront : grid.plan.wavefronts) {
      if (wavefront.group != static_cast<int>(group)) continue;
      for (const BankWord& word : wavefront.words) {
        ++words[static_cast<std::size_t>(word.bank)];
        lanes[static_cast<std::size_t>(word.bank)] |= word.lanes;
      }
    }
    for (std::size_t bank = 0; bank < kBanks; ++bank)
      if (words[bank] > 1) grid.clashing |= lanes[bank];
  }
  return grid;
}

LaneTable lane_table(const BankEquation& equation) {
  LaneTable table;
  const auto rows = values(equation, equation.at_row),
             columns = values(equation, equation.at_column);
  const bool faster = rows_run_faster(equation);
  const bool by_axes = !equation.row.empty() && rows.size() * columns.size() <= kLanes;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    table.x[lane] = static_cast<int>(lane) % 8, table.y[lane] = static_cast<int>(lane) / 8;
    if (!by_axes) continue;
    const int row = place_of(rows, equation.at_row[lane]),
              column = place_of(columns, equation.at_column[lane]);
    table.x[lane] = faster ? row : column, table.y[lane] = faster ? column : row;
  }
  if (!by_axes) return table;
  table.across = static_cast<int>(faster ? rows.size() : columns.size());
  table.down = static_cast<int>(faster ? columns.size() : rows.size());
  table.across_name = faster ? equation.row : equation.column;
  table.down_name = faster ? equation.column : equation.row;
  return table;
}

std::uint64_t telling_pitch(const BankEquation& equation) {
  const std::uint64_t now = equation.pitch;
  if (now == 0) return now;
  const auto conflicts = [&](std::uint64_t pitch) {
    return bank_grid(equation, pitch).plan.cost.conflicts > 0;
  };
  if (conflicts(now)) {
    for (std::uint64_t more = 1; more <= kFarthest; ++more)
      if (!conflicts(now + more)) return now + more;
    return now + 1;
  }
  // Rows of a power of two are what a tile has before anybody pads it.
  if (const std::uint64_t bare = std::bit_floor(now); bare != now && conflicts(bare)) return bare;
  for (std::uint64_t less = 1; less < std::min(now, kFarthest); ++less)
    if (conflicts(now - less)) return now - less;
  return now + 1;
}

}  // namespace lanescope::app
