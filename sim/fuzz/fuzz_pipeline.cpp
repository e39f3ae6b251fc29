// Fuzzes the whole path: a text and a launch, made from arbitrary bytes, are compiled and run.
// Whatever comes in, the answer is a result or a diagnostic: no crash, no hang beyond the step
// budget, no leak.
//
// Input: one line "block.x block.y grid.x shared", then the kernel text. A text without that line
// gets a default.
#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>

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
