#include "gpu/driver/nvrtc.h"

#include <algorithm>
#include <array>
#include <regex>
#include <sstream>

#include <fmt/format.h>

#include "core/text/messages.h"
#include "core/text/text.h"

namespace lanescope::gpu {

namespace say = app::say;

namespace {

Diagnostic compile_error(const std::string& file, Message message) {
  Diagnostic result;
  result.kind = DiagnosticKind::compile;
  result.file = file;
  result.message = std::move(message);
  return result;
}

// What <cuda.h> includes of the host's C library, which NVRTC has not; types as CCCL has them for it.
constexpr std::array<const char*, 2> kHeaderNames = {"stdlib.h", "stdint.h"};
constexpr std::array<const char*, 2> kHeaders = {"#pragma once\n", R"(#pragma once
using int8_t = signed char;
using int16_t = signed short;
using int32_t = signed int;
using int64_t = signed long long;
using uint8_t = unsigned char;
using uint16_t = unsigned short;
using uint32_t = unsigned int;
using uint64_t = unsigned long long;
using intptr_t = int64_t;
using uintptr_t = uint64_t;
)"};

// "sm_90a" when NVRTC knows the device (from cc 9.0 on with the instructions that only this architecture has,
// wgmma for one, which NVRTC 12 and later know), else the newest virtual architecture below it, for the driver to
// finish.
struct Architecture {
  std::string option;
  bool real = true;
};
Architecture architecture(const NvrtcApi& nvrtc, int wanted) {
  int count = 0;
  nvrtc.arch_count(&count);
  std::vector<int> known(static_cast<std::size_t>(std::max(count, 0)));
  if (count > 0) nvrtc.archs(known.data());
  int major = 0, minor = 0;
  nvrtc.version(&major, &minor);
  if (known.empty() || std::find(known.begin(), known.end(), wanted) != known.end())
    return {
        fmt::format("--gpu-architecture=sm_{}{}", wanted, wanted >= 90 && major >= 12 ? "a" : ""),
        true};
  int best = 0;
  for (const int arch : known) {
    if (arch < wanted) best = std::max(best, arch);
  }
  return {fmt::format("--gpu-architecture=compute_{}", best), false};
}

std::vector<std::string> options(const Libraries& libraries, const CompileInput& input,
                                 const Architecture& arch) {
  std::vector<std::string> result = {arch.option, "--std=c++17", "-default-device", "-lineinfo"};
  for (const auto& [name, value] : input.macros) result.push_back("-D" + name + "=" + value);
  for (const std::string& folder : libraries.include_folders) result.push_back("-I" + folder);
  return result;
}

// Owns a program of NVRTC's.
class Program {
 public:
  Program(const NvrtcApi& api, const CompileInput& input) : api_(api) {
    status = api.create(&program_, input.text.c_str(), input.file.c_str(),
                        static_cast<int>(kHeaders.size()), kHeaders.data(), kHeaderNames.data());
  }
  ~Program() {
    if (program_) api_.destroy(&program_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  [[nodiscard]] NvrtcProgram get() const { return program_; }
  [[nodiscard]] std::string log() const {
    std::size_t size = 0;
    if (api_.log_size(program_, &size) != kSuccess || size == 0) return "";
    std::string text(size, '\0');
    api_.log(program_, text.data());
    text.resize(text.find('\0') == std::string::npos ? size : text.find('\0'));
    return text;
  }
  [[nodiscard]] std::vector<char> image(bool real) const {
    std::size_t size = 0;
    const auto measure = real ? api_.cubin_size : api_.ptx_size;
    if (measure(program_, &size) != kSuccess || size == 0) return {};
    std::vector<char> bytes(size);
    if ((real ? api_.cubin : api_.ptx)(program_, bytes.data()) != kSuccess) return {};
    return bytes;
  }

  NvrtcResult status = kSuccess;

 private:
  const NvrtcApi& api_;
  NvrtcProgram program_ = nullptr;
};

}  // namespace

CompileOutput compile_for_device(const Libraries& libraries, const CompileInput& input) {
  const NvrtcApi& nvrtc = *libraries.nvrtc;
  CompileOutput result;
  const auto failed = [&](Message message) {
    result.diagnostics.push_back(compile_error(input.file, std::move(message)));
    return result;
  };
  const auto nvrtc_says = [&](NvrtcResult code) {
    return Message::verbatim(std::string("NVRTC: ") + nvrtc.error_text(code));
  };
  Program program(nvrtc, input);
  if (program.status != kSuccess) return failed(nvrtc_says(program.status));
  if (const auto code = nvrtc.add_name(program.get(), input.function.c_str()); code != kSuccess)
    return failed(say::name_not_taken(input.function, nvrtc.error_text(code)));

  const Architecture arch = architecture(nvrtc, input.compute_major * 10 + input.compute_minor);
  const std::vector<std::string> texts = options(libraries, input, arch);
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  const NvrtcResult code =
      nvrtc.compile(program.get(), static_cast<int>(pointers.size()), pointers.data());
  result.diagnostics = parse_nvrtc_log(program.log(), input.text);
  if (code != kSuccess) {
    if (!has_errors(result.diagnostics)) return failed(nvrtc_says(code));
    return result;
  }
  const char* name = nullptr;
  if (const auto found = nvrtc.lowered_name(program.get(), input.function.c_str(), &name);
      found != kSuccess || !name)
    return failed(say::no_kernel_in_code(input.function, nvrtc.error_text(found)));
  result.symbol = name;
  result.image = program.image(arch.real);
  if (result.image.empty()) return failed(say::no_code_made(nvrtc.error_text(code)));
  return result;
}

std::vector<Diagnostic> parse_nvrtc_log(const std::string& log, const std::string& text) {
  static const std::regex kMessage(
      R"(^(.*)\((\d+)\): (catastrophic error|error|warning)( #[^:]*)?: (.*)$)");
  std::vector<Diagnostic> result;
  std::istringstream stream(log);
  std::smatch match;
  for (std::string line; std::getline(stream, line);) {
    if (std::regex_match(line, match, kMessage)) {
      Diagnostic found = compile_error(match[1], Message::verbatim("NVRTC: " + match[5].str()));
      found.severity = match[3] == "warning" ? Severity::warning : Severity::error;
      found.line = static_cast<std::uint32_t>(std::stoul(match[2]));
      found.source_line = app::line_of(text, found.line);
      result.push_back(std::move(found));
      continue;
    }
    // The caret stands under the source line, which is indented by two.
    const std::size_t caret = line.find_first_not_of(' ');
    if (!result.empty() && result.back().column == 0 && caret != std::string::npos && caret >= 2 &&
        line[caret] == '^' && line.find_first_not_of(" ^") == std::string::npos)
      result.back().column = static_cast<std::uint32_t>(caret - 1);
  }
  return result;
}

}  // namespace lanescope::gpu
