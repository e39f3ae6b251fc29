// Every operation of lower/operations.def: the interpreter computes its expression, and what the
// proof says of its result is what the interpreter computes, in every block.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <set>
#include <utility>

#include "execute/block.h"
#include "lanescope/compile.h"
#include "machine/lane_math.h"
#include "prove/symbolic_values.h"

namespace lanescope {
namespace {

/// The lanes of one operand as raw bits; a predicate's are 0 or 1.
using Lanes = std::array<std::uint64_t, kLanes>;

// Operand i of the operation under test lies in row 2i or predicate i: x, y, z, destination.
constexpr std::uint32_t kDestination = 3, kScratchRow = 8, kRows = 24, kPredicates = 4;
// One warp that is not full: 20 lanes are active.
constexpr std::uint32_t kPartOfWarp = 20;
constexpr LaneMask kActive = (1u << kPartOfWarp) - 1;
constexpr std::int64_t kBlocks = 8;

bool is_row(Operand kind) { return kind == Operand::row32 || kind == Operand::row64; }

std::uint32_t place(Operand kind, std::uint32_t i) {
  return is_row(kind)                 ? 2 * i
         : kind == Operand::predicate ? i
         : kind == Operand::none      ? kNone
                                      : 0;  // the only reference or call
}

Op op_of(Code code) {
  const OperationInfo& info = operation_info(code);
  return {
      code, 0, place(info.dst, kDestination), place(info.a, 0), place(info.b, 1), place(info.c, 2)};
}

/// Straight-line code on constant rows, and its launch of one warp a block.
struct Rig {
  FlatProgram program;
  Launch launch{{static_cast<std::uint32_t>(kBlocks), 1, 1}, {kPartOfWarp, 1, 1}, 0, {}};
  GlobalMemory memory;
  std::byte image{};

  explicit Rig(std::vector<Op> ops) {
    FlatCode& code = program.lean;
    ops.push_back({Code::exit});
    code.blocks = {{0, static_cast<std::uint32_t>(ops.size())}};
    code.block_of.assign(ops.size(), kNone);
    code.block_of[0] = 0;
    code.ops = std::move(ops);
    code.rows = kRows;
    code.predicates = kPredicates;
    MemRef ref;
    ref.constant = 40;
    ref.base = 2;
    ref.terms = {{MemTerm::Kind::s32, 0, 4}, {MemTerm::Kind::u32, 4, 12}};
    code.refs = {ref};
    code.calls = {{0, 2, 4, 4, 4}};
  }

  /// Tells the proof that the operand holds the same in all blocks, and what.
  void set_constant(Operand kind, std::uint32_t i, const Lanes& lanes) {
    LaneMask bits = 0;
    for (std::uint32_t l = 0; l < kLanes; ++l) bits |= static_cast<LaneMask>(lanes[l] & 1) << l;
    if (is_row(kind))
      program.lean.constants.push_back({place(kind, i), kind == Operand::row64, 0});
    else if (kind == Operand::predicate)
      program.lean.constant_predicates.emplace_back(place(kind, i), bits);
    if (is_row(kind)) rows_.push_back({place(kind, i), kind == Operand::row64, lanes});
  }

  Machine machine(std::uint32_t block = 0) {
    Machine m = make_machine(program, program.lean, launch, memory, &image);
    for (const Row& row : rows_)
      for (std::size_t l = 0; l < kLanes; ++l)
        if (row.wide)
          reinterpret_cast<std::uint64_t*>(m.rows + row.at * kLanes)[l] = row.lanes[l];
        else
          m.rows[row.at * kLanes + l] = static_cast<std::uint32_t>(row.lanes[l]);
    for (const SpecialRow& special : program.lean.specials)
      if (special.what == Special::ctaid_x)
        for (std::size_t l = 0; l < kLanes; ++l) m.rows[special.row * kLanes + l] = block;
    return m;
  }

 private:
  struct Row {
    std::uint32_t at;
    bool wide;
    Lanes lanes;
  };
  std::vector<Row> rows_;
};

std::vector<ExecuteWarp> executors() {
  std::vector<ExecuteWarp> all{executor_base(false), executor_base(true)};
  if (choose_executor(false) != executor_base(false))
    all.insert(all.end(), {executor_v3(false), executor_v3(true)});
  return all;
}

void run_warp(Machine& m, ExecuteWarp execute) {
  WarpState w;
  w.existing = kActive;
  w.stack = {{0, kNone, kActive}};
  ASSERT_EQ(execute(m, w), Stop::exited);
}

Lanes read(const Machine& m, Operand kind, std::uint32_t i) {
  Lanes lanes{};
  const std::uint32_t at = place(kind, i);
  for (std::size_t l = 0; l < kLanes; ++l)
    lanes[l] = kind == Operand::predicate ? m.predicates[at] >> l & 1
               : kind == Operand::row64
                   ? reinterpret_cast<const std::uint64_t*>(m.rows + at * kLanes)[l]
                   : m.rows[at * kLanes + l];
  return lanes;
}

// ---- values ----

std::mt19937_64& random_bits() {
  static std::mt19937_64 generator(12);
  return generator;
}

template <class T>
std::uint64_t bits_of(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}
template <class T>
T value_of(std::uint64_t bits) {
  if constexpr (std::is_same_v<T, bool>) return (bits & 1) != 0;
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Small numbers, powers of two and their neighbours, the ends of the type, anything.
template <class T>
T random_value() {
  const std::uint64_t random = random_bits()();
  if constexpr (std::is_same_v<T, bool>) {
    return (random & 1) != 0;
  } else if constexpr (std::is_floating_point_v<T>) {
    using Limits = std::numeric_limits<T>;
    const T special[] = {T(0),
                         T(-0.0),
                         T(0.5),
                         T(-1.5),
                         T(2.5),
                         T(65504),
                         T(65520),
                         T(6e-8),
                         T(1e20),
                         T(-1e20),
                         Limits::min(),
                         Limits::max(),
                         T(-300),
                         T(4.5e9),
                         T(-1e-30),
                         Limits::infinity(),
                         -Limits::infinity(),
                         Limits::quiet_NaN()};
    if (random % 3 == 0) return special[random / 3 % std::size(special)];
    return static_cast<T>(std::ldexp(static_cast<double>(random >> 11) - 4503599627370496.0,
                                     static_cast<int>(random % 64) - 60));
  } else {
    using Unsigned = std::make_unsigned_t<T>;
    const std::uint64_t kind = random >> 60, power = std::uint64_t{1} << (random >> 40) % 64;
    const std::uint64_t pick = kind < 4    ? random % 70
                               : kind < 8  ? power - random % 3
                               : kind < 10 ? 0 - random % 70
                                           : random_bits()();
    return static_cast<T>(static_cast<Unsigned>(pick));
  }
}

template <class T>
Lanes random_lanes() {
  Lanes lanes;
  const bool uniform = random_bits()() % 3 == 0;
  for (std::size_t l = 0; l < kLanes; ++l)
    lanes[l] = uniform && l > 0 ? lanes[0] : bits_of(random_value<T>());
  return lanes;
}

// ---- the interpreter ----

template <class T>
bool is_same(std::uint64_t a, std::uint64_t b) {
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(value_of<T>(a)) && std::isnan(value_of<T>(b))) return true;
  return a == b;
}

/// `expected` computes one lane: from its operands, whether it is active, and what was there.
template <class TO, class... X, class F>
void expect_lanes(Code code, F expected) {
  const OperationInfo& info = operation_info(code);
  SCOPED_TRACE(std::string(info.name));
  const Operand kinds[] = {info.a, info.b, info.c};
  for (int trial = 0; trial < 20; ++trial) {
    Rig rig({op_of(code)});
    const std::array<Lanes, sizeof...(X)> in{random_lanes<X>()...};
    const Lanes before = random_lanes<TO>();
    for (std::uint32_t i = 0; i < in.size(); ++i) rig.set_constant(kinds[i], i, in[i]);
    rig.set_constant(info.dst, kDestination, before);
    for (const ExecuteWarp execute : executors()) {
      Machine m = rig.machine();
      run_warp(m, execute);
      const Lanes got = read(m, info.dst, kDestination);
      for (std::size_t l = 0; l < kLanes; ++l) {
        const TO want = [&]<std::size_t... I>(std::index_sequence<I...>) {
          return expected(value_of<X>(in[I][l])..., (kActive >> l & 1) != 0,
                          value_of<TO>(before[l]));
        }
        (std::index_sequence_for<X...>());
        ASSERT_TRUE(is_same<TO>(got[l], bits_of(want)))
            << "lane " << l << ": " << std::hex << got[l] << ", not " << bits_of(want) << " from "
            << in[0][l] << " and " << in[in.size() - 1][l];
      }
    }
  }
}

TEST(Operations, TheInterpreterComputesTheirExpressions) {
  using namespace lane;
#define LANESCOPE_UNARY(NAME, TO, FROM, EXPR, RULE)                                                \
  expect_lanes<TO, FROM>(Code::NAME, [](FROM x, bool, TO) { return static_cast<TO>(EXPR); });
#define LANESCOPE_BINARY(NAME, TO, FROM, EXPR, RULE)                                               \
  expect_lanes<TO, FROM, FROM>(Code::NAME,                                                         \
                               [](FROM x, FROM y, bool, TO) { return static_cast<TO>(EXPR); });
#define LANESCOPE_TERNARY(NAME, TO, FROM, EXPR, RULE)                                              \
  expect_lanes<TO, FROM, FROM, FROM>(                                                              \
      Code::NAME, [](FROM x, FROM y, FROM z, bool, TO) { return static_cast<TO>(EXPR); });
#define LANESCOPE_COMPARE(NAME, FROM, EXPR, RULE)                                                  \
  expect_lanes<bool, FROM, FROM>(                                                                  \
      Code::NAME, [](FROM x, FROM y, bool, bool) { return static_cast<bool>(EXPR); });
#define LANESCOPE_TEST(NAME, FROM, EXPR, RULE)                                                     \
  expect_lanes<bool, FROM>(Code::NAME, [](FROM x, bool, bool) { return static_cast<bool>(EXPR); });
#define LANESCOPE_WIDEN(NAME, TO, EXPR, RULE)                                                      \
  expect_lanes<TO, bool>(Code::NAME, [](bool x, bool, TO) { return static_cast<TO>(EXPR); });
#define LANESCOPE_LOGIC1(NAME, EXPR)                                                               \
  expect_lanes<bool, bool>(Code::NAME, [](LaneMask x, bool, bool) { return ((EXPR)&1) != 0; });
#define LANESCOPE_LOGIC2(NAME, EXPR)                                                               \
  expect_lanes<bool, bool, bool>(                                                                  \
      Code::NAME, [](LaneMask x, LaneMask y, bool, bool) { return ((EXPR)&1) != 0; });
#define LANESCOPE_SELECT(NAME, T)                                                                  \
  expect_lanes<T, bool, T, T>(Code::NAME, [](bool x, T y, T z, bool, T) { return x ? y : z; });
#define LANESCOPE_MASKED(NAME, T)                                                                  \
  expect_lanes<T, T>(Code::NAME, [](T x, bool active, T old) { return active ? x : old; });
#include "lower/operations.def"
}

TEST(Operations, NamesAndOperandsStandByCode) {
  EXPECT_EQ(operation_info(Code::add32).name, "add32");
  EXPECT_EQ(operation_info(Code::assign_p).name, "assign_p");
  EXPECT_EQ(static_cast<std::size_t>(Code::assign_p) + 1, kOperations.size());
  EXPECT_EQ(operation_info(Code::oltf64).dst, Operand::predicate);
  EXPECT_EQ(operation_info(Code::oltf64).b, Operand::row64);
  EXPECT_EQ(operation_info(Code::pack64).dst, Operand::row64);
  EXPECT_EQ(operation_info(Code::pack64).a, Operand::row32);
  EXPECT_EQ(operation_info(Code::select64).a, Operand::predicate);
  EXPECT_EQ(operation_info(Code::branch).dst, Operand::pc);
  EXPECT_EQ(operation_info(Code::atomic).kind, OperationKind::access);
  EXPECT_TRUE(operation_info(Code::atomic).reads && operation_info(Code::atomic).writes);
  EXPECT_FALSE(operation_info(Code::store).reads || operation_info(Code::load).writes);
}

// ---- lowering ----

void expect_operand(const FlatCode& code, const Op& op, Operand kind, std::uint32_t index) {
  const std::size_t count = kind == Operand::row32       ? code.rows
                            : kind == Operand::row64     ? code.rows - 1
                            : kind == Operand::predicate ? code.predicates
                            : kind == Operand::reference ? code.refs.size()
                            : kind == Operand::call      ? code.calls.size()
                            : kind == Operand::product   ? code.products.size()
                            : kind == Operand::pc        ? code.ops.size()
                                                         : 0;
  EXPECT_TRUE(kind != Operand::none || index == kNone) << operation_info(op.code).name;
  EXPECT_TRUE(count == 0 || index < count) << operation_info(op.code).name;
  EXPECT_TRUE(kind != Operand::pc || code.block_of[index] != kNone) << operation_info(op.code).name;
}

TEST(Operations, LoweringGivesThemTheOperandsOfTheTable) {
  CompileRequest request;
  request.kernel = "k";
  request.text = R"(
__global__ void k(float *out, const double *in, int *count, long long n) {
  __shared__ float tile[32];
  const int t = threadIdx.x;
  float x = static_cast<float>(in[t]);
  bool odd = t % 2 != 0;
  tile[t] = x;
  __syncthreads();
  for (int i = 0; i < t % 5; ++i) x += tile[(t + i) % 32] * sinf(x), odd = !odd;
  switch (t % 4) {
    case 0: x = fmaf(x, 2.0f, 1.0f); break;
    case 1: x /= 3; break;
    default: atomicAdd(count, 1);
  }
  const unsigned votes = __ballot_sync(0xffffffffu, x > 0) & __activemask();
  x += __shfl_down_sync(0xffffffffu, x, 1);
  const long long wide = __shfl_sync(0xffffffffu, n * t, 0);
  const int all = __syncthreads_count(x > 1);
  if (t == 0) printf("%d %f\n", all, x);
  out[t] = x + votes + wide + odd + clock64();
})";
  const CompileResult compiled = compile(request);
  ASSERT_NE(compiled.program, nullptr);
  const auto& program = static_cast<const FlatProgram&>(*compiled.program);
  std::set<OperationKind> kinds;
  for (const FlatCode* code : {&program.lean, &program.recording})
    for (const Op& op : code->ops) {
      const OperationInfo& info = operation_info(op.code);
      kinds.insert(info.kind);
      if (op.code != Code::branch || op.dst != kNone) expect_operand(*code, op, info.dst, op.dst);
      expect_operand(*code, op, info.a, op.a);
      expect_operand(*code, op, info.b, op.b);
      expect_operand(*code, op, info.c, op.c);
    }
  for (const OperationKind kind :
       {OperationKind::arithmetic, OperationKind::comparison, OperationKind::masked_copy,
        OperationKind::access, OperationKind::warp, OperationKind::control,
        OperationKind::recording})
    EXPECT_TRUE(kinds.contains(kind)) << static_cast<int>(kind);
}

// ---- the proof ----

/// What is known of the result must be what the interpreter computes in each block of the box, in
/// active lanes and in others.
LaneMask expect_sound(Rig& rig, const Op& op, const Box& box) {
  const Machine machine = rig.machine();
  SymbolicValues values(machine, box);
  for (const Op& each : rig.program.lean.ops)
    if (each.code != Code::exit) values.execute(each, kActive);
  if (values.stopped()) return 0;
  const Operand kind = operation_info(op.code).dst;
  if (kind == Operand::none) return 0;
  const bool is_predicate = kind == Operand::predicate;
  const LaneMask known = is_predicate ? values.predicate(op.dst).known : values.row(op.dst).known;
  for (std::int64_t k = box.low[0]; k <= box.high[0]; ++k) {
    Machine m = rig.machine(static_cast<std::uint32_t>(box.block(0, k)));
    run_warp(m, choose_executor(false));
    const Lanes got = read(m, kind, kDestination);
    for (std::size_t l = 0; l < kLanes; ++l) {
      if ((known >> l & 1) == 0) continue;
      const AffineRow& row = values.row(is_predicate ? 0 : op.dst);
      const auto said = is_predicate
                            ? static_cast<std::int64_t>(values.predicate(op.dst).value >> l & 1)
                            : row.base[l] + row.slope[0][l] * k;
      const auto is = kind == Operand::row32 ? static_cast<std::int32_t>(got[l])
                                             : static_cast<std::int64_t>(got[l]);
      EXPECT_EQ(said, is) << operation_info(op.code).name << ", lane " << l << ", block " << k;
      if (said != is) return known;
    }
  }
  return known;
}

Lanes random_operand(Operand kind) {
  return kind == Operand::row64       ? random_lanes<std::uint64_t>()
         : kind == Operand::predicate ? random_lanes<bool>()
                                      : random_lanes<std::uint32_t>();
}

/// Results in one place; those of a matrix product are matrix_test.cpp's.
bool is_value(const OperationInfo& info) {
  return info.kind != OperationKind::access && info.kind != OperationKind::control &&
         info.a != Operand::product && info.a != Operand::group_product &&
         info.a != Operand::bulk_copy;
}

/// The operations that have a rule: something is known of them at least where all is.
std::set<Code> with_rules() {
  std::set<Code> codes{Code::lea, Code::activemask};
  const auto add = [&codes](Code code, std::string_view rule) {
    if (rule != "unknown") codes.insert(code);
  };
#define LANESCOPE_UNARY(NAME, TO, FROM, EXPR, RULE) add(Code::NAME, #RULE);
#define LANESCOPE_BINARY(NAME, TO, FROM, EXPR, RULE) add(Code::NAME, #RULE);
#define LANESCOPE_TERNARY(NAME, TO, FROM, EXPR, RULE) add(Code::NAME, #RULE);
#define LANESCOPE_COMPARE(NAME, FROM, EXPR, RULE) add(Code::NAME, #RULE);
#define LANESCOPE_TEST(NAME, FROM, EXPR, RULE) add(Code::NAME, #RULE);
#define LANESCOPE_WIDEN(NAME, TO, EXPR, RULE) add(Code::NAME, #RULE);
#define LANESCOPE_LANEWISE(NAME, KIND, TO, X, Y, Z) add(Code::NAME, #KIND);
#include "lower/operations.def"
  return codes;
}

TEST(Operations, TheProofIsTheInterpreterOnConstants) {
  const std::set<Code> rules = with_rules();
  for (std::size_t i = 0; i < kOperations.size(); ++i) {
    const auto code = static_cast<Code>(i);
    const OperationInfo& info = operation_info(code);
    if (!is_value(info)) continue;
    LaneMask known = 0;
    for (int trial = 0; trial < 60; ++trial) {
      const Op op = op_of(code);
      Rig rig({op});
      const Operand kinds[] = {info.a, info.b, info.c, info.dst};
      for (std::uint32_t j = 0; j < 4; ++j) rig.set_constant(kinds[j], j, random_operand(kinds[j]));
      if (info.a == Operand::reference || info.a == Operand::call)
        for (std::uint32_t j = 0; j < 3; ++j)
          rig.set_constant(j == 1 ? Operand::row64 : Operand::row32, j,
                           info.a == Operand::call ? Lanes{8, 8} : random_operand(Operand::row32));
      Lanes mask;
      mask.fill(kActive);
      if (info.kind == OperationKind::warp) rig.set_constant(Operand::row32, 0, mask);
      known |= expect_sound(rig, op, {{0, 0, 0}, {kBlocks - 1, 0, 0}});
    }
    EXPECT_EQ(known != 0, rules.contains(code)) << info.name;
  }
}

/// x (or y) is scale × blockIdx.x + offset, each lane with its own numbers.
void set_moving(Rig& rig, Operand kind, std::uint32_t i, std::vector<Op>& ops) {
  Lanes scale, offset;
  const auto small = [](std::uint64_t range) {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(random_bits()() % range) -
                                      static_cast<std::int32_t>(range / 4));
  };
  const bool even = random_bits()() % 2 == 0;
  for (std::size_t l = 0; l < kLanes; ++l) {
    scale[l] = small(24) * (even ? 4 : 1);
    offset[l] = random_bits()() % 8 == 0 ? random_value<std::uint32_t>() : small(400);
  }
  const std::uint32_t at = kScratchRow + 6 * i;
  rig.set_constant(Operand::row32, at / 2, scale);
  rig.set_constant(Operand::row32, at / 2 + 1, offset);
  const std::uint32_t narrow = kind == Operand::row64 ? at + 4 : place(kind, i);
  ops.push_back({Code::mul32, 0, narrow, kRows - 2, at});
  ops.push_back({Code::add32, 0, narrow, narrow, at + 2});
  if (kind == Operand::row64) ops.push_back({Code::sext64, 0, place(kind, i), narrow});
}

TEST(Operations, TheProofIsTheInterpreterInEveryBlockOfABox) {
  const std::pair<std::int64_t, std::int64_t> boxes[] = {{0, 7}, {0, 3}, {4, 7}, {6, 7}, {5, 5}};
  std::set<Code> moving;
  for (std::size_t i = 0; i < kOperations.size(); ++i) {
    const auto code = static_cast<Code>(i);
    const OperationInfo& info = operation_info(code);
    if (!is_value(info) || info.kind == OperationKind::warp || !is_row(info.a)) continue;
    for (int trial = 0; trial < 60; ++trial) {
      const Op op = op_of(code);
      std::vector<Op> ops;
      Rig rig({});
      rig.program.lean.specials = {{Special::ctaid_x, kRows - 2}};
      rig.set_constant(info.dst, kDestination, random_operand(info.dst));
      const Operand kinds[] = {info.a, info.b, info.c};
      for (std::uint32_t j = 0; j < 3; ++j)
        if (is_row(kinds[j]) && (j == 0 ? trial % 3 != 1 : j == 1 && trial % 3 != 0))
          set_moving(rig, kinds[j], j, ops);
        else
          rig.set_constant(kinds[j], j, random_operand(kinds[j]));
      ops.push_back(op);
      ops.push_back({Code::exit});
      FlatCode& lean = rig.program.lean;
      lean.blocks[0].count = static_cast<std::uint32_t>(ops.size());
      lean.block_of.resize(ops.size(), kNone);
      lean.ops = ops;
      for (const auto& [low, high] : boxes)
        if (expect_sound(rig, op, {{low, 0, 0}, {high, 0, 0}}) != 0) moving.insert(code);
    }
  }
  for (const Code code : {Code::add32, Code::sub64, Code::mul32, Code::and32, Code::shl64,
                          Code::lshr32, Code::ashr64, Code::udiv32, Code::srem64, Code::smin32,
                          Code::umax64, Code::eq32, Code::sle64, Code::ult32, Code::zext64})
    EXPECT_TRUE(moving.contains(code)) << operation_info(code).name;
}

TEST(Operations, WhatTheProofDoesNotKnowLeavesNoStaleBits) {
  for (const Code code : {Code::oltf32, Code::faddf32, Code::fmaf64, Code::high32, Code::ballot,
                          Code::shuffle64, Code::clock}) {
    const OperationInfo& info = operation_info(code);
    const Op op = op_of(code);
    Rig rig({op});
    rig.set_constant(info.dst, kDestination, random_operand(info.dst));
    const Machine machine = rig.machine();
    const Box box{{0, 0, 0}, {kBlocks - 1, 0, 0}};
    SymbolicValues values(machine, box);
    const auto known = [&] {
      return info.dst == Operand::predicate ? values.predicate(op.dst).known
                                            : values.row(op.dst).known;
    };
    EXPECT_EQ(known(), kAllLanes) << info.name;
    values.execute(op, kActive);
    EXPECT_FALSE(values.stopped()) << info.name;
    EXPECT_EQ(known(), 0u) << info.name;
  }
}

}  // namespace
}  // namespace lanescope
