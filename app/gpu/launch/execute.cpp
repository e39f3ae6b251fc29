#include "gpu/launch/execute.h"

#include <algorithm>
#include <limits>

#include "core/text/messages.h"
#include "gpu/launch/launch.h"
#include "gpu/launch/launch_timing.h"
#include "gpu/launch/result_check.h"

namespace lanescope::gpu {

namespace say = app::say;

namespace {

constexpr std::uint64_t kStagingBytes = 64ull << 20;
constexpr int kMostSets = 32;
/// Dynamic shared memory beyond it must be asked for
constexpr std::uint64_t kStaticLimit = 48 << 10;

// The steps of a request; each returns false when the next one makes no sense.
class Run {
 public:
  Run(Device& device, const Request& request, const app::MeasureCallback& progress)
      : device_(device), request_(request), progress_(progress), buffers_(device, request) {
    result_.measurement = measurement_of(request);
  }

  Execution go() {
    const bool done = open() && compile() && describe() && allocate() && check();
    if (done && request_.options.timed) time();
    return std::move(result_);
  }

 private:
  app::Measurement& measurement() { return result_.measurement; }

  void tell(const Message& stage, double fraction = 0) {
    if (progress_) progress_({stage, fraction});
  }

  bool fail(Diagnostic diagnostic) {
    measurement().diagnostics.push_back(std::move(diagnostic));
    return false;
  }

  bool ok(CuResult code, const Message& doing) {
    if (code == kSuccess) return true;
    result_.device_lost = result_.device_lost || loses_device(code);
    return fail(driver_error(device_, code, doing));
  }

  bool open() {
    const app::GpuStatus& status = device_.open();
    if (status.device) return true;
    Diagnostic missing;
    missing.kind = DiagnosticKind::unsupported;
    missing.message = status.problem, missing.hint = status.hint;
    return fail(std::move(missing));
  }

  bool compile() {
    tell(say::compiling);
    CompileInput input{request_.file,
                       request_.text,
                       request_.function,
                       request_.macros,
                       device_.open().device->compute_major,
                       device_.open().device->compute_minor};
    std::vector<Diagnostic> found = kernel_.load(device_, input);
    const bool failed = has_errors(found);
    // The simulator's compiler has told about warnings already.
    std::erase_if(found, [](const Diagnostic& d) { return d.severity != Severity::error; });
    for (Diagnostic& d : found) measurement().diagnostics.push_back(std::move(d));
    if (failed) return false;
    CompileInput filler = fill_kernel();
    filler.compute_major = input.compute_major, filler.compute_minor = input.compute_minor;
    found = filler_.load(device_, filler);
    if (has_errors(found)) return fail(found.front());
    return true;
  }

  bool describe() {
    app::Measurement& m = measurement();
    m.registers = kernel_.attribute(kRegisters);
    m.static_shared_bytes = static_cast<std::uint64_t>(kernel_.attribute(kStaticShared));
    m.local_bytes = static_cast<std::uint64_t>(kernel_.attribute(kLocalBytes));
    const std::uint64_t dynamic = request_.dynamic_shared_bytes;
    if (dynamic + m.static_shared_bytes > kStaticLimit &&
        !ok(device_.driver().set_function_attribute(kernel_.function(), kMaxDynamicShared,
                                                    static_cast<int>(dynamic)),
            say::asking_for_shared))
      return false;
    device_.driver().resident_blocks(&m.blocks_per_sm, kernel_.function(),
                                     static_cast<int>(request_.block.count()), dynamic);
    return true;
  }

  bool allocate() {
    const std::uint64_t l2 = device_.open().device->l2_bytes;
    if (!ok(buffers_.allocate(request_.options.timed ? 4 * l2 : 0, kMostSets),
            say::allocating_buffers))
      return false;
    for (int set = 0; set < buffers_.count(); ++set) {
      if (!ok(buffers_.fill(filler_, set), say::filling_buffers)) return false;
    }
    return ok(device_.driver().context_synchronize(), say::filling_buffers);
  }

  // The first launch is the one that is checked, at the very shape that is timed.
  bool check() {
    tell(say::checking);
    if (!ok(launch_request(device_, kernel_, request_, buffers_, 0), say::launching_kernel))
      return false;
    if (!ok(device_.driver().context_synchronize(), say::running_kernel)) return false;
    if (request_.reference == "none") return true;
    void* staging = nullptr;
    if (!ok(device_.driver().host_allocate(&staging, kStagingBytes), say::checking_result))
      return false;
    CuResult fetched = kSuccess;
    const CheckResult outcome =
        check_output(request_, static_cast<std::byte*>(staging), kStagingBytes,
                     [&](std::byte* to, std::uint64_t offset, std::uint64_t bytes) {
                       fetched = device_.driver().copy_to_host(
                           to, buffers_.pointer(0, request_.output) + offset, bytes);
                       return fetched == kSuccess;
                     });
    device_.driver().host_free(staging);
    return ok(fetched, say::reading_result) && judge(outcome);
  }

  // A wrong result is not worth timing.
  bool judge(const CheckResult& outcome) {
    measurement().check = outcome.check;
    if (!outcome.unfit.empty()) {
      Diagnostic unfit;
      unfit.severity = Severity::warning;
      unfit.kind = DiagnosticKind::usage;
      unfit.message = say::gpu_cannot_check(request_.reference, outcome.unfit);
      fail(std::move(unfit));
      return true;
    }
    if (outcome.check.correct) return true;
    Diagnostic wrong;
    wrong.kind = DiagnosticKind::wrong_result;
    wrong.message = outcome.check.message;
    return fail(std::move(wrong));
  }

  void time() {
    Stopwatch stopwatch(device_, buffers_, request_.options.repetitions);
    const auto timed = [&](const Message& stage, const Stopwatch::LaunchOn& launch) {
      return stopwatch.time(launch, [&](double part) { tell(stage, part); });
    };
    measurement().time = timed(say::timing, [&](int set) {
      return launch_request(device_, kernel_, request_, buffers_, set);
    });
    if (!ok(stopwatch.failure, say::timing_kernel) || !request_.options.baselines) return;
    if (request_.reference == "gemm") return time_product(timed);
    if (request_.reference != "copy" && request_.reference != "transpose") return;
    const int in = request_.inputs.front(), out = request_.output;
    const RequestBuffer& from = request_.buffers[static_cast<std::size_t>(in)];
    measurement().copy = timed(say::timing_copy, [&](int set) {
      return device_.driver().copy_on_device(buffers_.pointer(set, out), buffers_.pointer(set, in),
                                             from.bytes(), nullptr);
    });
    if (!ok(stopwatch.failure, say::timing_copy)) return;
    if (request_.reference == "transpose") time_cublas(timed, from);
  }

  // Row-major rows x cols is column-major cols x rows.
  template <class Timed>
  void time_cublas(const Timed& timed, const RequestBuffer& from) {
    const bool is_double = from.element == ScalarType::f64;
    if (!device_.cublas() || (!is_double && from.element != ScalarType::f32)) return;
    const int rows = static_cast<int>(from.rows), cols = static_cast<int>(from.cols);
    const auto geam = [&](auto function, auto one, int set) {
      using T = decltype(one);
      const T zero = 0;
      const auto* a = reinterpret_cast<const T*>(buffers_.pointer(set, request_.inputs.front()));
      auto* c = reinterpret_cast<T*>(buffers_.pointer(set, request_.output));
      const int code = function(device_.cublas(), kTransposed, kNotTransposed, rows, cols, &one, a,
                                cols, &zero, c, rows, c, rows);
      return code == 0 ? kSuccess : kInvalidValue;
    };
    const CublasApi& api = *device_.libraries().cublas;
    measurement().cublas = timed(say::timing_cublas, [&](int set) {
      return is_double ? geam(api.geam_double, 1.0, set) : geam(api.geam_float, 1.0f, set);
    });
  }

  // Row-major C = A B is column-major C' = B' A'.
  template <class Timed>
  void time_product(const Timed& timed) {
    const auto shape = product_shape(request_);
    const RequestBuffer& c = request_.buffers[static_cast<std::size_t>(request_.output)];
    const auto is_like_c = [&](int input) {
      return request_.buffers[static_cast<std::size_t>(input)].element == c.element;
    };
    const bool known = c.element == ScalarType::f16 || c.element == ScalarType::f32 ||
                       c.element == ScalarType::f64;
    if (!shape || !device_.cublas() || !known || !std::ranges::all_of(request_.inputs, is_like_c))
      return;
    constexpr std::uint64_t kMost = std::numeric_limits<int>::max();
    if (shape->m > kMost || shape->n > kMost || shape->k > kMost) return;
    const int m = static_cast<int>(shape->m), n = static_cast<int>(shape->n),
              k = static_cast<int>(shape->k);
    const auto gemm = [&](auto function, auto one, int set) {
      using T = decltype(one);
      const T zero = 0;
      const auto* a = reinterpret_cast<const T*>(buffers_.pointer(set, request_.inputs[0]));
      const auto* b = reinterpret_cast<const T*>(buffers_.pointer(set, request_.inputs[1]));
      auto* to = reinterpret_cast<T*>(buffers_.pointer(set, request_.output));
      const int code = function(device_.cublas(), kNotTransposed, kNotTransposed, n, m, k, &one, b,
                                n, a, k, &zero, to, n);
      return code == 0 ? kSuccess : kInvalidValue;
    };
    const CublasApi& api = *device_.libraries().cublas;
    // Halves are summed in float, as kernels for tensor cores do.
    const auto half = [&](int set) {
      const float one = 1, zero = 0;
      const auto at = [&](int buffer) {
        return reinterpret_cast<void*>(buffers_.pointer(set, buffer));
      };
      const int code = api.gemm_ex(device_.cublas(), kNotTransposed, kNotTransposed, n, m, k, &one,
                                   at(request_.inputs[1]), kHalfType, n, at(request_.inputs[0]),
                                   kHalfType, k, &zero, at(request_.output), kHalfType, n,
                                   kFloatAccumulator, kDefaultAlgorithm);
      return code == 0 ? kSuccess : kInvalidValue;
    };
    measurement().cublas = timed(say::timing_cublas, [&](int set) {
      if (c.element == ScalarType::f64) return gemm(api.gemm_double, 1.0, set);
      if (c.element == ScalarType::f32) return gemm(api.gemm_float, 1.0f, set);
      return half(set);
    });
  }

  Device& device_;
  const Request& request_;
  const app::MeasureCallback& progress_;
  BufferSets buffers_;
  Kernel kernel_, filler_;
  Execution result_;
};

}  // namespace

Execution execute(Device& device, const Request& request, const app::MeasureCallback& progress) {
  return Run(device, request, progress).go();
}

std::string method_text() {
  return "The text is compiled by NVRTC for the device. One launch is checked against the CPU's "
         "result, "
         "every element, at the shape that is timed; outputs start as NaN, inputs as random "
         "values. Then "
         "3 launches warm up, and each repetition times, by CUDA events, one launch, or several "
         "back to "
         "back where one takes less than 0.2 ms. Buffers take turns so that a launch finds nothing "
         "of its "
         "own in the L2 (where they are too small for that, the L2 is overwritten before each "
         "launch). "
         "Quartiles are over repetitions. Bytes are those of every buffer, once. The copy is "
         "cuMemcpyDtoD "
         "and cuBLAS is geam (gemm for matrix products; halves are summed in float), on the same "
         "buffers right after.";
}

}  // namespace lanescope::gpu
