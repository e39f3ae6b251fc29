// wgmma.mma_async: each warp of a warpgroup computes the rows of D that it holds, when it comes there. Nobody changes
// what the others still read, unless there is a race; the checks look for that.
#include <cstring>
#include <vector>

#include "check/checker.h"
#include "execute/executor.h"
#include "execute/recorder.h"
#include "lanescope/group_matrix.h"
#include "machine/bulk.h"
#include "model/cost_fast.h"
#include "model/matrix_math.h"
#include "model/simulator_messages.h"

namespace lanescope {
namespace {

constexpr std::uint32_t kRows = kGroupRows;

class GroupMultiplying {
 public:
  GroupMultiplying(Machine& m, const WarpState& w, const Op& op)
      : m_(m), w_(w), op_(op), product_(m.code->group_products[op.a]), form_(product_.form),
        of_warp_(form_of_warp(form_)) {}

  Stop run() {
    const std::uint32_t warps = warps_per_block(m_.launch->block);
    if (w_.index / kGroupWarps * kGroupWarps + kGroupWarps > warps)
      return fault(say::warpgroup_incomplete, say::launch_whole_warpgroups);
    const auto n = static_cast<std::uint32_t>(form_.shape.n),
               k = static_cast<std::uint32_t>(form_.shape.k);
    std::vector<std::uint32_t> a(std::size_t{kRows} * k), b(std::size_t{n} * k),
        d(std::size_t{kRows} * n);
    if (product_.a_in_registers())
      take_registers(a);
    else if (!take_shared(product_.a_descriptor, form_.a, product_.a_by_columns,
                          w_.index % kGroupWarps * kRows, kRows, a))
      return Stop::fault;
    if (!take_shared(product_.b_descriptor, form_.b, product_.b_by_columns, 0, n, b))
      return Stop::fault;
    if (m_.checker != nullptr) m_.checker->group_reads(m_, w_, op_, read_);
    if (product_.negates_a) negate(form_.a, a);
    if (product_.negates_b) negate(form_.b, b);
    if ((m_.predicates[product_.adds] & 1) != 0) accumulators(d, product_.c, false);
    if (m_.recorder != nullptr) record(group_operands(form_, a, b, d));
    multiply(form_,
             {static_cast<int>(kRows), form_.shape.n, a.data(), b.data(), d.data(), d.data()});
    accumulators(d, product_.d, true);
    AccessCounts& counts = m_.counts[product_.access];
    counts.executions += 1;
    cost::add(counts.shared, group_product_cost(form_, product_.a_in_registers(), w_.index));
    return Stop::exited;
  }

 private:
  Stop fault(const Message& message, const Message& hint) {
    fail(m_, op_, DiagnosticKind::divergent_barrier, kAllLanes);
    m_.fault.message = message, m_.fault.hint = hint;
    return Stop::fault;
  }

  [[nodiscard]] std::uint32_t* row(std::uint32_t index) const {
    return m_.rows + std::size_t{index} * kLanes;
  }

  void take_registers(std::vector<std::uint32_t>& a) const {
    const Fragment fragment(of_warp_, MatrixRole::a);
    const int bits = matrix_type_bits(form_.a), k = form_.shape.k;
    for (int r = 0; r < static_cast<int>(kRows); ++r)
      for (int x = 0; x < k; ++x) {
        const FragmentSlot slot = fragment.slot({r, x});
        const std::uint32_t whole = row(product_.a[static_cast<std::size_t>(slot.reg)])[slot.lane];
        a[static_cast<std::size_t>(r * k + x)] =
            bits == 32 ? whole : whole >> (slot.part * bits) & ((1u << bits) - 1);
      }
  }

  bool take_shared(std::uint32_t descriptor, MatrixType type, bool by_columns, std::uint32_t first,
                   std::uint32_t lines, std::vector<std::uint32_t>& out) {
    const auto bytes = static_cast<std::uint32_t>(matrix_type_bits(type)) / 8,
               k = static_cast<std::uint32_t>(form_.shape.k);
    std::uint64_t bits = 0;
    std::memcpy(&bits, row(descriptor), sizeof bits);
    const GroupMatrix matrix(bits, by_columns, bytes);
    for (std::uint32_t line = 0; line < lines; ++line)
      for (std::uint32_t x = 0; x < k; ++x) {
        const std::uint32_t at = matrix.offset(first + line, x);
        if (at + bytes > m_.shared.size()) {
          fault(say::operand_outside(at, m_.shared.size()), say::check_the_descriptor);
          m_.fault.kind = DiagnosticKind::out_of_bounds;
          return false;
        }
        std::memcpy(&out[std::size_t{line} * k + x], m_.shared.data() + at, bytes);
        // Chunks stay whole whatever the layout.
        if (m_.checker != nullptr && at % 16 == 0) read_.push_back({at, 16, 0});
      }
    return true;
  }

  void record(const MatrixOperands& values) const {
    GroupStep step{.form = form_,
                   .a_in_registers = product_.a_in_registers(),
                   .a_by_columns = product_.a_by_columns,
                   .b_by_columns = product_.b_by_columns,
                   .adds = (m_.predicates[product_.adds] & 1) != 0};
    if (!step.a_in_registers)
      std::memcpy(&step.a_descriptor, row(product_.a_descriptor), sizeof step.a_descriptor);
    std::memcpy(&step.b_descriptor, row(product_.b_descriptor), sizeof step.b_descriptor);
    m_.recorder->group_product(w_.index, op_, kAllLanes, step, values);
  }

  static void negate(MatrixType type, std::vector<std::uint32_t>& of) {
    for (std::uint32_t& each : of) each ^= 1u << (matrix_type_bits(type) - 1);
  }

  /// Between registers and elements; eight columns after the other are as those of mma.m16n8.
  void accumulators(std::vector<std::uint32_t>& d, const std::vector<std::uint32_t>& registers,
                    bool to_registers) const {
    const Fragment fragment(of_warp_, MatrixRole::accumulator);
    const int bits = matrix_type_bits(form_.accumulator), n = form_.shape.n;
    for (int r = 0; r < static_cast<int>(kRows); ++r)
      for (int column = 0; column < n; ++column) {
        const FragmentSlot slot = fragment.slot({r, column % 8});
        const int reg = column / 8 * fragment.registers() + slot.reg;
        auto* at = reinterpret_cast<std::byte*>(row(registers[static_cast<std::size_t>(reg)]) +
                                                slot.lane) +
                   slot.part * bits / 8;
        std::uint32_t& element = d[static_cast<std::size_t>(r * n + column)];
        if (to_registers)
          std::memcpy(at, &element, static_cast<std::size_t>(bits / 8));
        else
          std::memcpy(&element, at, static_cast<std::size_t>(bits / 8));
      }
  }

  Machine& m_;
  const WarpState& w_;
  const Op& op_;
  const GroupProduct& product_;
  const MatrixForm& form_;
  /// The fragments' form
  MatrixForm of_warp_;
  /// What the checks are told of
  std::vector<BulkPiece> read_;
};

}  // namespace

Stop group_multiply(Machine& m, const WarpState& w, const Op& op) {
  return GroupMultiplying(m, w, op).run();
}

}  // namespace lanescope
