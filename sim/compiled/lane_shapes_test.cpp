// Shapes: what a rule says of a result holds for every uniform part that its operands may have.
#include "compiled/lane_shapes.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "compiled/waiting_lanes.h"
#include "lanescope/compile.h"

namespace lanescope {
namespace {

std::mt19937_64& random_bits() {
  static std::mt19937_64 generator(2026);
  return generator;
}
std::uint64_t below(std::uint64_t n) { return random_bits()() % n; }

/// An operand with one of the uniform parts that its shape allows.
struct Operand32 {
  LaneShape shape;
  std::uint32_t uniform = 0;
};

LanePattern random_pattern() {
  LanePattern lanes{};
  const std::int64_t step = 1 + static_cast<std::int64_t>(below(5)), width = 1 << below(6);
  for (std::size_t l = 0; l < kLanes; ++l) {
    const auto lane = static_cast<std::int64_t>(l);
    lanes[l] = step * (lane % width) + (step & 1) * (lane / width);
  }
  return lanes;
}

Operand32 random_operand(LanePatterns& patterns) {
  Operand32 operand;
  if (below(3) == 0) {
    const std::uint64_t kinds[] = {below(40), std::uint64_t{1} << below(32), 0xffffffffu - below(9),
                                   random_bits()() & 0xffffffffu};
    operand.uniform = static_cast<std::uint32_t>(kinds[below(4)]);
    operand.shape = LaneShape::constant(operand.uniform);
    return operand;
  }
  LaneShape& shape = operand.shape;
  shape.kind = LaneShape::Kind::affine;
  shape.aligned = static_cast<std::uint8_t>(below(9));
  const bool is_small = below(2) != 0;
  const std::uint64_t most = is_small ? 1 + below(1u << 20) : 0xffffffffu;
  shape.most = is_small ? most : ~0ull;
  operand.uniform = static_cast<std::uint32_t>(below(most + 1) >> shape.aligned << shape.aligned);
  if (below(3) != 0) shape.pattern = patterns.add(random_pattern());
  return operand;
}

std::uint32_t computed(Code code, std::uint32_t x, std::uint32_t y) {
  switch (code) {
  case Code::add32:
    return x + y;
  case Code::sub32:
    return x - y;
  case Code::mul32:
    return x * y;
  case Code::and32:
    return x & y;
  case Code::or32:
    return x | y;
  case Code::xor32:
    return x ^ y;
  case Code::shl32:
    return y < 32 ? x << y : 0;
  case Code::lshr32:
    return y < 32 ? x >> y : 0;
  case Code::ashr32:
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(x) >> (y < 32 ? y : 31));
  case Code::udiv32:
    return y == 0 ? ~0u : x / y;
  case Code::urem32:
    return y == 0 ? x : x % y;
  default:
    ADD_FAILURE() << "no expression";
    return 0;
  }
}

TEST(LaneShapes, RulesHoldForEveryUniformPart) {
  const Code codes[] = {Code::add32,  Code::sub32,  Code::mul32, Code::and32,
                        Code::or32,   Code::xor32,  Code::shl32, Code::lshr32,
                        Code::ashr32, Code::udiv32, Code::urem32};
  LanePatterns patterns;
  std::map<Code, int> patterned;
  for (int i = 0; i < 400'000 && !HasFailure(); ++i) {
    const Code code = codes[below(std::size(codes))];
    const Operand32 x = random_operand(patterns), y = random_operand(patterns);
    const ShapedResult result = shape_of(code, x.shape, y.shape, patterns);
    if (!result.shape.is_affine()) continue;
    patterned[code] += result.shape.pattern != 0;
    const std::uint32_t uniform =
        result.shape.known
            ? static_cast<std::uint32_t>(result.shape.value)
            : computed(code, x.uniform, y.uniform) + static_cast<std::uint32_t>(result.plus);
    const auto lane = [&](const LaneShape& shape, std::size_t l) {
      return static_cast<std::uint32_t>(patterns[shape.pattern][l]);
    };
    for (std::size_t l = 0; l < kLanes; ++l)
      ASSERT_EQ(uniform + lane(result.shape, l),
                computed(code, x.uniform + lane(x.shape, l), y.uniform + lane(y.shape, l)))
          << operation_info(code).name << " of " << x.uniform << " and " << y.uniform << ", lane "
          << l;
    EXPECT_LE(uniform, result.shape.most) << operation_info(code).name;
    EXPECT_EQ(uniform & ((std::uint64_t{1} << std::min<int>(result.shape.aligned, 32)) - 1), 0u)
        << operation_info(code).name;
  }
  // A rule that never says anything is no rule.
  for (const Code code : codes) EXPECT_GT(patterned[code], 50) << operation_info(code).name;
}

TEST(LaneShapes, WideningKeepsWhatDoesNotWrap) {
  LanePatterns patterns;
  int kept = 0;
  for (int i = 0; i < 100'000; ++i) {
    const Operand32 x = random_operand(patterns);
    for (const bool is_signed : {false, true}) {
      if (!keeps_pattern(x.shape, patterns, is_signed)) continue;
      kept += x.shape.pattern != 0;
      const auto wide = [&](std::uint32_t v) {
        return is_signed ? static_cast<std::uint64_t>(static_cast<std::int32_t>(v)) : v;
      };
      for (const std::int64_t lane : patterns[x.shape.pattern])
        ASSERT_EQ(wide(x.uniform) + static_cast<std::uint64_t>(lane),
                  wide(x.uniform + static_cast<std::uint32_t>(lane)));
    }
  }
  EXPECT_GT(kept, 1000);
}

const FlatProgram& flat(const CompileResult& compiled) {
  return dynamic_cast<const FlatProgram&>(*compiled.program);
}
int kept_copies(const char* text, bool parts) {
  CompileRequest request;
  request.text = text;
  const CompileResult compiled = compile(request);
  if (!compiled.program) return -1;
  const FlatCode& code = flat(compiled).lean;
  WaitingLanes waiting(code);
  for (std::uint32_t pc = 0; pc < code.ops.size(); ++pc)
    if (parts && code.ops[pc].code == Code::branch) waiting.part(pc);
  int kept = 0;
  for (std::uint32_t pc = 0; pc < code.ops.size(); ++pc) kept += waiting.keeps_others(pc);
  return kept;
}

TEST(WaitingLanes, NobodyWaitsWhereNoLanesPart) {
  EXPECT_EQ(
      kept_copies(
          "__global__ void k(int* o, int n) { int s = 0; for (int i = 0; i < n; ++i) s += o[i]; "
          "o[n] = s; }",
          false),
      0);
}
TEST(WaitingLanes, AResultThatLeavesALoopIsKeptForThoseWhoLeftEarlier) {
  EXPECT_GT(
      kept_copies(
          "__global__ void k(int* o, int n) { int s = 0; for (int i = 0; i < threadIdx.x; ++i) "
          "s += o[i]; o[n + threadIdx.x] = s; }",
          true),
      0);
}
TEST(WaitingLanes, ACounterThatNobodyNeedsAfterwardsIsNot) {
  EXPECT_EQ(kept_copies("__global__ void k(int* o, int n) { for (int i = threadIdx.x; i < n; i += "
                        "32) o[i] = 1; }",
                        true),
            0);
}

// From where the branch's sides meet all go on together: what is copied there needs no lane's own.
TEST(WaitingLanes, ACounterOfALoopWithABranchInItIsNot) {
  const char* counted =
      "__global__ void k(int* o, int n) { for (int d = 1; d < n; d *= 2) { if (threadIdx.x >= d) "
      "o[threadIdx.x] = 1; __syncthreads(); } }";
  EXPECT_EQ(kept_copies(counted, true), 0);
}

}  // namespace
}  // namespace lanescope
