// Random kernels: compiled and simulated in every way there is, and evaluated on the host.
#include <cstdlib>

#include "run/random_kernel.h"
#include "run/run_text.h"

namespace lanescope {
namespace {

/// Kernels a run, and the seed of the first: set in the environment to look further than a test run
/// does.
std::uint32_t from_environment(const char* name, std::uint32_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10)) : otherwise;
}

std::vector<std::uint32_t> inputs() {
  std::vector<std::uint32_t> values(kInputs);
  std::mt19937 random(4711);
  for (std::uint32_t& v : values) {
    const auto bits = static_cast<std::uint32_t>(random());
    v = bits % 5 == 0 ? static_cast<std::uint32_t>(random()) : bits % 300;
  }
  return values;
}

template <class Request>
Outcome run_again(const CompileResult& compiled, const RandomKernel& kernel,
                  const std::vector<std::uint32_t>& in, const Request& request) {
  Outcome outcome;
  outcome.compiled = compiled;
  outcome.launch = {kernel.grid, kernel.block, 0, {{"in", "", "in"}, {"out", "", "out"}}};
  EXPECT_FALSE(outcome.memory->add({"in", ScalarType::u32, kInputs, Fill::zero}).has_value());
  EXPECT_FALSE(
      outcome.memory
          ->add({"out", ScalarType::u32, kernel.grid.count() * kernel.block.count(), Fill::poison})
          .has_value());
  std::memcpy(outcome.memory->find("in")->data, in.data(), in.size() * 4);
  outcome.result = answer(outcome, request);
  return outcome;
}

/// Returns whether the counts were proved from classes of blocks. The kernel's text goes into every
/// message, so that a failure can be repeated from the log alone.
bool check(std::uint32_t seed, bool affine) {
  static const std::vector<std::uint32_t> in = inputs();
  RandomKernel kernel(seed, affine);
  CompileRequest request;
  request.text = kernel.text();
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + request.text);
  const CompileResult compiled = compile(request);
  EXPECT_NE(compiled.program, nullptr);
  if (!compiled.program) return false;
  const std::vector<std::uint32_t> want = kernel.evaluate(in);
  InspectRequest recording;
  for (std::uint32_t y = 0; y < kernel.grid.y; ++y)
    for (std::uint32_t x = 0; x < kernel.grid.x; ++x) recording.blocks.push_back({x, y, 0});
  recording.checks = true;
  const Outcome a = run_again(compiled, kernel, in, ExecuteRequest{.threads = 1}),
                b = run_again(compiled, kernel, in, recording),
                c = run_again(compiled, kernel, in, CountRequest{.threads = 1}),
                d = run_again(compiled, kernel, in, ExecuteRequest{.checks = true});
  for (const Outcome* run : {&a, &b, &d})
    expect_each<std::uint32_t>(*run, "out", [&](std::size_t i) { return want[i]; });
  expect_same(a.result, d.result);
  // Making machine code of kernels this size takes longer than all the rest.
  if (seed % 16 == 0 || from_environment("LANESCOPE_KERNELS", 0) != 0) {
    const Outcome e =
        run_again(compiled, kernel, in,
                  ExecuteRequest{.threads = 1, .control = {.engine = Engine::compiled}});
    expect_each<std::uint32_t>(e, "out", [&](std::size_t i) { return want[i]; });
    expect_same(a.result, e.result);
  }
  EXPECT_EQ(a.result.accesses, b.result.accesses);
  for (std::size_t i = 0; i < a.info().ops.size(); ++i) {
    if (a.info().ops[i].kind != StepKind::access) continue;  // recording computes variables too
    EXPECT_EQ(a.result.op_executions[i], b.result.op_executions[i]);
  }
  EXPECT_EQ(b.result.traces.size(), recording.blocks.size());
  for (const Diagnostic& found : b.result.diagnostics)
    ADD_FAILURE() << "a false report: " << format_diagnostic(found);
  EXPECT_EQ(a.result.accesses, c.result.accesses)
      << c.result.coverage.classes << " classes " << c.result.coverage.fallback;
  EXPECT_TRUE(a.result.coverage.exact && c.result.coverage.exact);
  return c.result.coverage.classes > 0;
}

// The first failure is enough to work on; the rest would repeat it.
TEST(Differential, RandomKernelsComputeWhatTheHostDoes) {
  const std::uint32_t first = from_environment("LANESCOPE_SEED", 1),
                      count = from_environment("LANESCOPE_KERNELS", 80);
  for (std::uint32_t i = 0; i < count && !HasFailure(); ++i) check(first + i, false);
}

TEST(Differential, RandomAffineKernelsToo) {
  const std::uint32_t first = from_environment("LANESCOPE_SEED", 1),
                      count = from_environment("LANESCOPE_KERNELS", 80);
  std::uint32_t proved = 0;
  for (std::uint32_t i = 0; i < count && !HasFailure(); ++i)
    proved += check(100'000 + first + i, true);
  EXPECT_GT(proved, count / 10) << "of " << count << " kernels: the classes are hardly tested";
  RecordProperty("proved", static_cast<int>(proved));
}

}  // namespace
}  // namespace lanescope
