// For tests: a CUDA text compiled and run in one call, with everything that came of it.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "lanescope/compile.h"
#include "lanescope/run.h"

namespace lanescope {

template <class T>
constexpr ScalarType scalar_type_of() {
  if (std::is_same_v<T, bool>) return ScalarType::boolean;
  if (std::is_same_v<T, float>) return ScalarType::f32;
  if (std::is_same_v<T, double>) return ScalarType::f64;
  constexpr bool is_signed = std::is_signed_v<T>;
  if (sizeof(T) == 1) return is_signed ? ScalarType::i8 : ScalarType::u8;
  if (sizeof(T) == 2) return is_signed ? ScalarType::i16 : ScalarType::u16;
  if (sizeof(T) == 4) return is_signed ? ScalarType::i32 : ScalarType::u32;
  return is_signed ? ScalarType::i64 : ScalarType::u64;
}

/// One kernel argument with, for a pointer, the buffer behind it (named as the parameter).
struct TextArgument {
  Argument argument;
  /// Count 0: no buffer
  BufferSpec spec;
  /// Initial content, if not that of `spec.fill`
  std::vector<std::byte> bytes;
};

template <class T>
TextArgument scalar(const std::string& name, T value) {
  return {{name, std::to_string(value), ""}, {}, {}};
}
template <class T>
TextArgument buffer(const std::string& name, std::uint64_t count, Fill fill = Fill::poison) {
  return {{name, "", name}, {name, scalar_type_of<T>(), count, fill}, {}};
}
template <class T>
TextArgument data(const std::string& name, const std::vector<T>& values) {
  TextArgument argument = buffer<T>(name, values.size(), Fill::zero);
  argument.bytes.resize(values.size() * sizeof(T));
  std::memcpy(argument.bytes.data(), values.data(), argument.bytes.size());
  return argument;
}
/// Of kernels k(const float* in, float* out, int n)
inline std::vector<TextArgument> usual_arguments() {
  return {buffer<float>("in", 100, Fill::index), buffer<float>("out", 128, Fill::zero),
          scalar("n", 100)};
}
inline TextArgument null_pointer(const std::string& name) { return {{name, "", "null"}, {}, {}}; }

/// `text` with `to` wherever it says `from`
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

struct Outcome {
  CompileResult compiled;
  std::shared_ptr<GlobalMemory> memory = std::make_shared<GlobalMemory>();
  Launch launch;
  RunResult result;

  [[nodiscard]] const KernelInfo& info() const { return compiled.program->info(); }
  [[nodiscard]] bool ok() const { return compiled.program != nullptr && result.ok(); }
  /// The only or first error of compilation or run; an empty one if there is none.
  [[nodiscard]] Diagnostic error() const {
    for (const auto* list : {&compiled.diagnostics, &result.diagnostics})
      for (const Diagnostic& d : *list)
        if (d.severity == Severity::error) return d;
    return {};
  }
  [[nodiscard]] std::string report() const {
    std::string text;
    for (const auto* list : {&compiled.diagnostics, &result.diagnostics})
      for (const Diagnostic& d : *list) text += format_diagnostic(d);
    return text;
  }
  template <class T>
  [[nodiscard]] std::span<T> values(const std::string& name) const {
    const Buffer* found = memory->find(name);
    if (found == nullptr) return {};
    return {reinterpret_cast<T*>(found->data), found->bytes / sizeof(T)};
  }
};

/// Which of the engine's functions answers a request.
inline RunResult answer(const Outcome& o, const ExecuteRequest& request) {
  return execute(*o.compiled.program, o.launch, *o.memory, request);
}
inline RunResult answer(const Outcome& o, const InspectRequest& request) {
  return inspect(*o.compiled.program, o.launch, *o.memory, request);
}
inline RunResult answer(const Outcome& o, const CountRequest& request) {
  return count(*o.compiled.program, o.launch, *o.memory, request);
}

/// Two runs of the same launch must not differ in anything that is reported.
inline void expect_same(const RunResult& a, const RunResult& b) {
  EXPECT_EQ(a.accesses, b.accesses);
  EXPECT_EQ(a.op_executions, b.op_executions);
  EXPECT_EQ(a.warp_instructions, b.warp_instructions);
  EXPECT_EQ(a.coverage.blocks_executed, b.coverage.blocks_executed);
  EXPECT_EQ(a.coverage.exact, b.coverage.exact);
  ASSERT_EQ(a.diagnostics.size(), b.diagnostics.size());
  for (std::size_t i = 0; i < a.diagnostics.size(); ++i)
    EXPECT_EQ(format_diagnostic(a.diagnostics[i]), format_diagnostic(b.diagnostics[i]));
}

/// The launch's arguments, and its buffers afresh.
inline void set_up(Outcome& outcome, const std::vector<TextArgument>& arguments) {
  for (const TextArgument& argument : arguments) {
    outcome.launch.arguments.push_back(argument.argument);
    if (argument.spec.count == 0) continue;
    EXPECT_FALSE(outcome.memory->add(argument.spec).has_value());
    if (!argument.bytes.empty())
      std::memcpy(outcome.memory->find(argument.spec.name)->data, argument.bytes.data(),
                  argument.bytes.size());
  }
}

/// Of longer texts code takes longer to make than all the rest of their test.
inline constexpr std::size_t kMostComparedOps = 500;

/// Machine code does what the interpreter did: results, counts, reports, prints.
inline void expect_compiled_alike(const Outcome& outcome,
                                  const std::vector<TextArgument>& arguments,
                                  ExecuteRequest request) {
  if (request.checks || request.control.engine != Engine::automatic ||
      request.control.stop.stop_possible() || outcome.info().ops.size() > kMostComparedOps)
    return;
  // Loops without end are found by the interpreter; machine code spends its budget in them.
  for (const Diagnostic& d : outcome.result.diagnostics)
    if (d.kind == DiagnosticKind::step_budget) return;
  Outcome again;
  again.compiled = outcome.compiled;
  again.launch = outcome.launch;
  again.launch.arguments.clear();
  set_up(again, arguments);
  request.control.engine = Engine::compiled;
  again.result = answer(again, request);
  expect_same(outcome.result, again.result);
  EXPECT_EQ(outcome.result.printed, again.result.printed);
  if (!outcome.ok()) return;
  for (const Buffer& buffer : outcome.memory->buffers()) {
    const Buffer& other = *again.memory->find(buffer.spec.name);
    EXPECT_EQ(std::memcmp(buffer.data, other.data, buffer.bytes), 0)
        << buffer.spec.name << " differs when compiled";
  }
}
template <class Request>
void expect_compiled_alike(const Outcome&, const std::vector<TextArgument>&, const Request&) {}

template <class Request = ExecuteRequest>
Outcome run_text(const std::string& text, const std::string& kernel, Dim3 grid, Dim3 block,
                 const std::vector<TextArgument>& arguments, const Request& request = {},
                 std::uint32_t dynamic_shared_bytes = 0) {
  Outcome outcome;
  CompileRequest compile_request;
  compile_request.text = text;
  compile_request.kernel = kernel;
  outcome.compiled = compile(compile_request);
  outcome.launch = {grid, block, dynamic_shared_bytes, {}};
  set_up(outcome, arguments);
  if (!outcome.compiled.program) return outcome;
  outcome.result = answer(outcome, request);
  expect_compiled_alike(outcome, arguments, request);
  return outcome;
}

/// Every element must equal `expected(i)`; the first few that do not are shown. Floats within
/// `tolerance` relative to the value; a NaN equals only a NaN.
template <class T, class F>
void expect_each(const Outcome& outcome, const std::string& name, F expected,
                 double tolerance = 0) {
  ASSERT_TRUE(outcome.ok()) << outcome.report();
  const std::span<T> got = outcome.values<T>(name);
  ASSERT_FALSE(got.empty());
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const T want = static_cast<T>(expected(i));
    bool same = got[i] == want;
    if constexpr (std::is_floating_point_v<T>) {
      same = same || (got[i] != got[i] && want != want);
      const double gap = static_cast<double>(got[i]) - static_cast<double>(want);
      const double size = want < 0 ? -static_cast<double>(want) : static_cast<double>(want);
      same = same || (gap <= tolerance * size && -gap <= tolerance * size);
    }
    if (same || ++wrong > 5) continue;
    ADD_FAILURE() << name << "[" << i << "]: got " << +got[i] << ", expected " << +want;
  }
  EXPECT_EQ(wrong, 0u) << "wrong elements of " << got.size() << " in " << name;
}

}  // namespace lanescope
