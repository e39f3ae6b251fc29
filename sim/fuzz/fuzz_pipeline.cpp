// Fuzzes the whole path: a text and a launch, made from arbitrary bytes, are compiled and run.
// Whatever comes in, the answer is a result or a diagnostic: no crash, no hang beyond the step
// budget, no leak.
//
// Input: one line "block.x block.y grid.x shared", then the kernel text. A text without that line
// gets a default.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "lanescope/compile.h"
#include "lanescope/run.h"

namespace {

using namespace lanescope;

struct Input {
  Launch launch;
  std::string text;
};

Input split(const std::uint8_t* data, std::size_t size) {
  Input input;
  input.text.assign(reinterpret_cast<const char*>(data), size);
  input.launch.block = {32, 2, 1};
  input.launch.grid = {3, 2, 1};
  const std::size_t end = input.text.find('\n');
  if (end == std::string::npos || input.text[0] == '/' || input.text[0] == '_') return input;
  std::istringstream head(input.text.substr(0, end));
  std::uint32_t x = 32, y = 1, grid = 2, shared = 0;
  if (head >> x >> y >> grid >> shared) {
    input.launch.block = {x % 1025, y % 65, 1};
    input.launch.grid = {grid % 9, 1, 1};
    input.launch.dynamic_shared_bytes = shared % 65536;
    input.text.erase(0, end + 1);
  }
  return input;
}

// Every parameter gets something: a small buffer for a pointer, 7 for a number.
void bind(const Program& program, Launch& launch, GlobalMemory& memory) {
  for (const ArgumentInfo& parameter : program.info().arguments) {
    if (!parameter.is_pointer) {
      launch.arguments.push_back({parameter.name, "7", ""});
      continue;
    }
    const ScalarType type =
        parameter.type == ScalarType::unknown || parameter.type == ScalarType::pointer
            ? ScalarType::f32
            : parameter.type;
    memory.add({parameter.name, type, 256, Fill::index});
    launch.arguments.push_back({parameter.name, "", parameter.name});
  }
}

/// Word by word; two floats that are no numbers are alike.
bool same_values(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
  for (std::size_t at = 0; at + 4 <= a.size(); at += 4) {
    float x, y;
    std::memcpy(&x, a.data() + at, sizeof x);
    std::memcpy(&y, b.data() + at, sizeof y);
    if (std::memcmp(&x, &y, sizeof x) != 0 && (x == x || y == y)) return false;
  }
  return true;
}

/// What one engine makes of the launch, on buffers of its own.
struct Made {
  RunResult result;
  std::vector<std::vector<std::byte>> memory;
};

Made made_by(Engine engine, const Program& program, Launch launch) {
  Made made;
  GlobalMemory memory;
  launch.arguments.clear();
  bind(program, launch, memory);
  RunControl control;
  control.engine = engine;
  control.step_budget = 200'000;
  made.result = execute(program, launch, memory, {.threads = 1, .control = control});
  for (const Buffer& buffer : memory.buffers())
    made.memory.emplace_back(buffer.data, buffer.data + buffer.bytes);
  return made;
}

bool has_run_out(const RunResult& result) {
  return std::any_of(result.diagnostics.begin(), result.diagnostics.end(),
                     [](const Diagnostic& d) { return d.kind == DiagnosticKind::step_budget; });
}

/// Machine code does what the interpreter does. Loops without end are found by the interpreter alone; which
/// of two NaNs comes of an operation is nobody's rule.
void compare_engines(const Program& program, const Launch& launch) {
  const Made a = made_by(Engine::interpreter, program, launch);
  if (has_run_out(a.result)) return;
  const Made b = made_by(Engine::compiled, program, launch);
  bool same = a.result.accesses == b.result.accesses &&
              a.result.op_executions == b.result.op_executions &&
              a.result.warp_instructions == b.result.warp_instructions &&
              a.result.diagnostics.size() == b.result.diagnostics.size();
  for (std::size_t i = 0; same && i < a.result.diagnostics.size(); ++i)
    same = format_diagnostic(a.result.diagnostics[i]) == format_diagnostic(b.result.diagnostics[i]);
  for (std::size_t i = 0; same && i < a.memory.size() && a.result.ok(); ++i)
    same = same_values(a.memory[i], b.memory[i]);
  // The input is kept by whoever drives the fuzzer.
  if (!same) std::abort();
}

void exercise(const Input& input) {
  CompileRequest request;
  request.text = input.text;
  CompileResult compiled = compile(request);
  if (!compiled.program && !compiled.kernels.empty() && !compiled.kernels[0].is_template) {
    request.kernel = compiled.kernels[0].name;
    compiled = compile(request);
  }
  find_launches(request);
  for (const Diagnostic& d : compiled.diagnostics) format_diagnostic(d);
  if (!compiled.program) return;
  Launch launch = input.launch;
  GlobalMemory memory;
  bind(*compiled.program, launch, memory);
  if (!check_arguments(*compiled.program, launch, memory).empty()) return;
  if (launch.block.count() == 0 || launch.grid.count() == 0) return;
  compare_engines(*compiled.program, launch);
  RunControl control;
  control.step_budget = 200'000;
  count(*compiled.program, launch, memory, {.checks = true, .threads = 1, .control = control});
  execute(*compiled.program, launch, memory, {.checks = true, .control = control});
  inspect(*compiled.program, launch, memory,
          {.blocks = {{0, 0, 0}}, .trace_bytes = 1 << 20, .checks = true, .control = control});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 16384) return 0;
  exercise(split(data, size));
  return 0;
}
