// Finds the shapes of all rows: from the best that could be down to what holds everywhere.
#include <algorithm>
#include <bit>
#include <set>

#include "compiled/lane_shapes.h"
#include "compiled/waiting_lanes.h"

namespace lanescope {
namespace {

LaneShape uniform_of(std::uint64_t most, std::uint8_t aligned = 0) {
  LaneShape shape{LaneShape::Kind::affine};
  shape.aligned = aligned;
  shape.most = most;
  return shape;
}

class Analysis {
 public:
  explicit Analysis(const Machine& machine) : machine_(machine), code_(*machine.code) {}

  LaneShapes run() {
    shapes_.rows.resize(code_.rows + 2);
    shapes_.predicates.resize(code_.predicates + 1);
    shapes_.keeps_others.resize(code_.ops.size());
    shapes_.meets.resize(code_.ops.size() + 1);
    changes_.resize(shapes_.rows.size());
    fixed_rows();
    do {
      changed_ = false;
      for (const FlatBlock& block : code_.blocks) walk(block);
    } while (changed_);
    for (std::uint32_t pc = 0; pc < code_.ops.size(); ++pc) {
      shapes_.meets[pc] = waiting_.is_meeting(pc);
      shapes_.keeps_others[pc] = waiting_.keeps_others(pc);
    }
    return std::move(shapes_);
  }

 private:
  // ---- what is fixed before the first operation ----

  [[nodiscard]] std::uint64_t bits_of(std::uint32_t row, bool wide) const {
    const std::uint32_t* words = machine_.rows + std::size_t{row} * kLanes;
    return wide ? std::uint64_t{words[1]} << 32 | words[0] : words[0];
  }
  void fix(std::uint32_t row, const LaneShape& shape) { shapes_.rows[row] = shape; }
  void fix_predicate(std::uint32_t predicate, LaneMask lanes) {
    shapes_.predicates[predicate] =
        lanes == 0 || lanes == kAllLanes ? PredicateShape::uniform : PredicateShape::lanes;
  }

  void fixed_rows() {
    for (const ConstantRow& row : code_.constants) fix(row.row, LaneShape::constant(row.bits));
    for (const auto& [predicate, lanes] : code_.constant_predicates)
      fix_predicate(predicate, lanes);
    for (const ArgumentRow& row : code_.arguments) {
      if (row.predicate)
        fix_predicate(row.row, machine_.predicates[row.row]);
      else
        fix(row.row, LaneShape::constant(bits_of(row.row, row.wide)));
    }
    for (const SpecialRow& row : code_.specials) fix(row.row, special(row));
  }

  LaneShape special(const SpecialRow& row) {
    const Dim3 grid = machine_.launch->grid;
    const auto coordinate = [](std::uint32_t extent) {
      return extent == 1 ? LaneShape::constant(0) : uniform_of(extent - 1);
    };
    switch (row.what) {
    case Special::tid_x:
    case Special::tid_y:
    case Special::tid_z:
      return thread_axis(static_cast<unsigned>(row.what));
    case Special::ctaid_x:
      return coordinate(grid.x);
    case Special::ctaid_y:
      return coordinate(grid.y);
    case Special::ctaid_z:
      return coordinate(grid.z);
    case Special::laneid: {
      LanePattern lanes;
      for (int l = 0; l < kLanes; ++l) lanes[static_cast<std::size_t>(l)] = l;
      LaneShape shape = LaneShape::constant(0);
      shape.pattern = shapes_.patterns.add(lanes);
      return shape;
    }
    case Special::warpid:
      return coordinate(warps_per_block(machine_.launch->block));
    default:
      return LaneShape::constant(bits_of(row.row, false));
    }
  }

  /// The same pattern in every warp, or rows.
  LaneShape thread_axis(unsigned axis) {
    const std::uint32_t warps = warps_per_block(machine_.launch->block);
    LaneShape shape{LaneShape::Kind::affine};
    shape.aligned = 63;
    shape.most = 0;
    LanePattern pattern{};
    for (std::uint32_t w = 0; w < warps; ++w) {
      const std::uint32_t* lanes =
          machine_.thread_rows.data() + (std::size_t{w} * 3 + axis) * kLanes;
      const std::uint32_t low = *std::min_element(lanes, lanes + kLanes);
      for (std::size_t l = 0; l < kLanes; ++l) {
        if (w == 0) pattern[l] = lanes[l] - low;
        if (pattern[l] != lanes[l] - low) return LaneShape::rows();
      }
      if (low != 0)
        shape.aligned = std::min(shape.aligned, static_cast<std::uint8_t>(std::countr_zero(low)));
      shape.most = std::max<std::uint64_t>(shape.most, low);
    }
    if (shape.most == 0) shape = LaneShape::constant(0);
    shape.pattern = shapes_.patterns.add(pattern);
    return shape;
  }

  // ---- one round ----

  void join(std::uint32_t row, const LaneShape& with) {
    LaneShape& have = shapes_.rows[row];
    const LaneShape joined = joined_of(have, with);
    if (joined == have) return;
    have = joined;
    changed_ = true;
    // What grows round a loop has no bound.
    if (++changes_[row] > 4 && have.is_affine()) have.most = ~0ull;
  }
  static LaneShape joined_of(const LaneShape& a, const LaneShape& b) {
    if (a.kind == LaneShape::Kind::none) return b;
    if (b.kind == LaneShape::Kind::none || a == b) return a;
    if (!a.is_affine() || !b.is_affine() || a.pattern != b.pattern) return LaneShape::rows();
    LaneShape shape{LaneShape::Kind::affine};
    shape.pattern = a.pattern;
    shape.aligned = std::min(a.aligned, b.aligned);
    shape.most = std::max(a.most, b.most);
    return shape;
  }
  void join_predicate(std::uint32_t predicate, PredicateShape with) {
    PredicateShape& have = shapes_.predicates[predicate];
    if (with <= have) return;
    have = with;
    changed_ = true;
  }

  void walk(const FlatBlock& block) {
    for (std::uint32_t pc = block.first; pc < block.first + block.count; ++pc) {
      const Op& op = code_.ops[pc];
      const OperationInfo& info = operation_info(op.code);
      switch (info.kind) {
      case OperationKind::masked_copy:
        masked_copy(op, waiting_.keeps_others(pc));
        break;
      case OperationKind::arithmetic:
        arithmetic(op, info);
        break;
      case OperationKind::comparison:
        join_predicate(op.dst, comparison(op, info));
        break;
      case OperationKind::logic:
        logic(op, info);
        break;
      case OperationKind::selection:
        selection(op, info);
        break;
      case OperationKind::address:
        address(op);
        break;
      case OperationKind::access:
        access(op);
        break;
      case OperationKind::warp:
        if (op.dst != kNone) join(op.dst, LaneShape::rows());
        if (op.code == Code::multiply)
          for (std::size_t i = 0; i < code_.products[op.a].c_count; ++i)
            join(code_.products[op.a].d[i], LaneShape::rows());
        if (op.code == Code::group_multiply)
          for (const std::uint32_t row : code_.group_products[op.a].d) join(row, LaneShape::rows());
        break;
      case OperationKind::control:
        if (op.code == Code::barrier_count) join(op.dst, uniform_of(1024));
        if (op.code == Code::mbarrier_wait) join(op.dst, uniform_of(1));
        if (op.code == Code::branch) part(pc, op);
        break;
      case OperationKind::recording:
        break;
      }
    }
  }

  [[nodiscard]] PredicateShape all_of(PredicateShape a, PredicateShape b) const {
    if (a == PredicateShape::none || b == PredicateShape::none) return PredicateShape::none;
    return std::max(a, b);
  }
  [[nodiscard]] bool is_unwritten(const Op& op, const OperationInfo& info) const {
    const auto none = [&](Operand kind, std::uint32_t field) {
      if (kind == Operand::predicate) return shapes_.predicates[field] == PredicateShape::none;
      return (kind == Operand::row32 || kind == Operand::row64) &&
             shapes_.rows[field].kind == LaneShape::Kind::none;
    };
    return none(info.a, op.a) || none(info.b, op.b) || none(info.c, op.c);
  }

  void masked_copy(const Op& op, bool keeps) {
    if (operation_info(op.code).dst == Operand::predicate)
      return join_predicate(op.dst, keeps ? PredicateShape::lanes : shapes_.predicates[op.a]);
    const LaneShape& from = shapes_.rows[op.a];
    join(op.dst, keeps && from.kind != LaneShape::Kind::none ? LaneShape::rows() : from);
  }

  void arithmetic(const Op& op, const OperationInfo& info) {
    if (is_unwritten(op, info)) return;
    if (info.a == Operand::predicate) {  // a predicate widened
      const bool once = shapes_.predicates[op.a] == PredicateShape::uniform;
      return join(op.dst, once ? uniform_of(1) : LaneShape::rows());
    }
    const LaneShape none;
    if (info.c != Operand::none) {
      const bool once = is_computed_once(op.code) && shapes_.rows[op.a].is_uniform() &&
                        shapes_.rows[op.b].is_uniform() && shapes_.rows[op.c].is_uniform();
      return join(op.dst, once ? uniform_of(~0ull) : LaneShape::rows());
    }
    const LaneShape& y = info.b == Operand::none ? none : shapes_.rows[op.b];
    join(op.dst, shape_of(op.code, shapes_.rows[op.a], y, shapes_.patterns).shape);
  }

  PredicateShape comparison(const Op& op, const OperationInfo& info) {
    if (is_unwritten(op, info)) return PredicateShape::none;
    const LaneShape& x = shapes_.rows[op.a];
    if (info.b == Operand::none)
      return x.is_uniform() ? PredicateShape::uniform : PredicateShape::lanes;
    const LaneShape& y = shapes_.rows[op.b];
    const bool equality = op.code == Code::eq32 || op.code == Code::ne32 || op.code == Code::eq64 ||
                          op.code == Code::ne64;
    const bool same = x.is_affine() && y.is_affine() && x.pattern == y.pattern;
    return (x.is_uniform() && y.is_uniform()) || (equality && same) ? PredicateShape::uniform
                                                                    : PredicateShape::lanes;
  }

  void logic(const Op& op, const OperationInfo& info) {
    const PredicateShape a = shapes_.predicates[op.a];
    join_predicate(op.dst, info.b == Operand::none ? a : all_of(a, shapes_.predicates[op.b]));
  }

  void selection(const Op& op, const OperationInfo& info) {
    if (is_unwritten(op, info)) return;
    const PredicateShape by = shapes_.predicates[op.a];
    if (info.dst == Operand::predicate)
      return join_predicate(op.dst,
                            all_of(by, all_of(shapes_.predicates[op.b], shapes_.predicates[op.c])));
    const LaneShape either = joined_of(shapes_.rows[op.b], shapes_.rows[op.c]);
    const bool same = shapes_.rows[op.b] == shapes_.rows[op.c] && either.known;
    join(op.dst, by == PredicateShape::uniform || same ? either : LaneShape::rows());
  }

  void address(const Op& op) {
    const MemRef& ref = code_.refs[op.a];
    const auto unwritten = [this](std::uint32_t row) {
      return row != kNone && shapes_.rows[row].kind == LaneShape::Kind::none;
    };
    if (unwritten(ref.base)) return;
    for (const MemTerm& term : ref.terms)
      if (unwritten(term.row)) return;
    join(op.dst, shape_of_address(ref, shapes_.rows, shapes_.patterns, false).shape);
  }

  void access(const Op& op) {
    if (op.code == Code::store) return;
    const MemRef& ref = code_.refs[op.a];
    for (std::uint32_t c = 0; c < ref.components; ++c) {
      if (ref.value[c] == kNone) continue;
      if (ref.predicate_value)
        join_predicate(ref.value[c], PredicateShape::lanes);
      else
        join(ref.value[c], LaneShape::rows());
    }
  }

  void part(std::uint32_t pc, const Op& op) {
    if (shapes_.predicates[op.a] != PredicateShape::lanes || !parted_.insert(pc).second) return;
    changed_ = true;
    waiting_.part(pc);
  }

  const Machine& machine_;
  const FlatCode& code_;
  LaneShapes shapes_;
  std::vector<std::uint32_t> changes_;
  std::set<std::uint32_t> parted_;
  WaitingLanes waiting_{code_};
  bool changed_ = false;
};

}  // namespace

LaneShapes find_lane_shapes(const Machine& machine) { return Analysis(machine).run(); }

}  // namespace lanescope
