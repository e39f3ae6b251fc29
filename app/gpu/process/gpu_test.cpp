// The GPU path without a GPU: what is missing, what fails, and that nothing of it takes the program
// down.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "core/kernel/catalog.h"
#include "core/text/messages.h"
#include "gpu/driver/fake_driver.h"
#include "gpu/launch/execute.h"
#include "gpu/launch/launch.h"
#include "gpu/process/profiler.h"
#include "gpu/process/service.h"
#include "gpu/process/worker.h"
#include "gpu/profile/raw_page.h"

namespace lanescope::gpu {
namespace {

using testing::fake;
using testing::fake_libraries;
using ::testing::HasSubstr;

// `name` decides what the fake's kernel does.
app::Settings settings_of(const std::string& name) {
  app::Settings settings;
  settings.name = settings.file = "k.cu";
  settings.text = "/*---\nkernel = \"" + name + R"cu("
[[argument]]
name = "in"
type = "float"
shape = ["ny", "nx"]
[[argument]]
name = "out"
type = "float"
shape = ["nx", "ny"]
[[argument]]
name = "nx"
value = 70
[[argument]]
name = "ny"
value = 50
[launch]
block = ["32"]
grid = ["4"]
[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
__global__ void )cu" +
                  name + "(const float* in, float* out, int nx, int ny) {}\n";
  return settings;
}

std::unique_ptr<app::ReadyLaunch> job_of(const std::string& name) {
  app::PrepareResult result = app::prepare(settings_of(name));
  for (const Diagnostic& d : result.diagnostics) ADD_FAILURE() << format_diagnostic(d);
  return std::move(result.ready);
}

class Gpu : public ::testing::Test {
 protected:
  void SetUp() override {
    fake() = {};
    libraries_ = fake_libraries();
  }

  Execution run(const std::string& name, app::MeasureOptions options = {}) {
    Device device(libraries_);
    return execute(device, request_for(*job_of(name), options), {});
  }

  static std::string first_message(const app::Measurement& measurement) {
    return measurement.diagnostics.empty() ? "" : measurement.diagnostics.front().message.english();
  }

  Libraries libraries_;
};

TEST_F(Gpu, LaunchIsCheckedAndTimed) {
  const app::Measurement m = run("fine").measurement;
  EXPECT_TRUE(m.diagnostics.empty()) << first_message(m);
  EXPECT_TRUE(m.check.checked && m.check.correct);
  ASSERT_TRUE(m.time && m.copy && m.cublas);
  EXPECT_EQ(m.time->repetitions, 25);
  EXPECT_DOUBLE_EQ(m.time->median, 0.5);
  EXPECT_EQ(m.bytes, 2u * 70 * 50 * 4);
  EXPECT_DOUBLE_EQ(m.share_of_copy(), 1.0);
  EXPECT_EQ(m.arguments.at("nx"), "70");
  EXPECT_EQ(fake().used, 0u) << "device memory is given back";
}

const char* const kProduct = R"cu(/*---
kernel = "product"
[[argument]]
name = "A"
type = "float"
shape = ["M", "K"]
fill = "random"
[[argument]]
name = "B"
type = "float"
shape = ["K", "N"]
fill = "random"
[[argument]]
name = "C"
type = "float"
shape = ["M", "N"]
[[argument]]
name = "M"
value = 7
[[argument]]
name = "N"
value = 5
[[argument]]
name = "K"
value = 3
[launch]
block = ["32"]
grid = ["4"]
[reference]
kind = "gemm"
inputs = ["A", "B"]
output = "C"
---*/
__global__ void product(const float* A, const float* B, float* C, int M, int N, int K) {}
)cu";

TEST_F(Gpu, ProductIsTimedBesideCublas) {
  app::Settings settings;
  settings.name = settings.file = "k.cu";
  settings.text = kProduct;
  const app::PrepareResult prepared = app::prepare(settings);
  ASSERT_TRUE(prepared.ready);
  app::MeasureOptions options;
  options.repetitions = 40;  // more than there are sets of buffers: the kernel has been in each
  const Request request = request_for(*prepared.ready, options);
  ASSERT_TRUE(product_shape(request));
  EXPECT_EQ(product_shape(request)->k, 3u);
  Device device(libraries_);
  const app::Measurement m = execute(device, request, {}).measurement;
  EXPECT_TRUE(m.diagnostics.empty()) << first_message(m);
  EXPECT_TRUE(m.check.correct) << m.check.message.english();
  ASSERT_TRUE(m.time && m.cublas);
  EXPECT_FALSE(m.copy);
  EXPECT_GE(fake().products, 40);
  EXPECT_EQ(fake().other_products, 0) << "cuBLAS was asked for another product than the kernel's";
  EXPECT_EQ(m.flops, 2u * 7 * 5 * 3);
  EXPECT_DOUBLE_EQ(m.gflops(), 210 / 0.5 / 1e6);
  EXPECT_DOUBLE_EQ(m.share_of_cublas(), 1.0);
  const auto read = app::measurement_from_json(app::to_json(m));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->flops, m.flops);
  EXPECT_EQ(app::to_json(m)["gflops"].get<double>(), 0.0) << "rounded to a tenth";

  fake() = {};
  fake().cublas_code = 13;
  const app::Measurement failed = execute(device, request, {}).measurement;
  EXPECT_TRUE(failed.time);
  EXPECT_FALSE(failed.cublas);
}

TEST_F(Gpu, CheckOnlyTimesNothing) {
  app::MeasureOptions options;
  options.timed = false;
  const app::Measurement m = run("fine", options).measurement;
  EXPECT_TRUE(m.check.correct);
  EXPECT_FALSE(m.time || m.copy || m.cublas);
  EXPECT_EQ(fake().launches, 2) << "the fill and the kernel";
}

TEST_F(Gpu, UnwrittenElementIsWrongAndNotTimed) {
  const app::Measurement m = run("lazy").measurement;
  EXPECT_TRUE(m.check.checked);
  EXPECT_FALSE(m.check.correct);
  EXPECT_THAT(m.check.message.english(), HasSubstr("out[69][49]"));
  EXPECT_THAT(m.check.message.english(), HasSubstr("nan"));
  EXPECT_FALSE(m.time);
  ASSERT_EQ(m.diagnostics.size(), 1u);
  EXPECT_EQ(m.diagnostics[0].kind, DiagnosticKind::wrong_result);
}

TEST_F(Gpu, NoDriver) {
  libraries_ = {};
  libraries_.driver_problem = app::say::no_driver;
  Device device(libraries_);
  EXPECT_FALSE(device.open().device);
  EXPECT_EQ(device.open().problem, libraries_.driver_problem);
  EXPECT_FALSE(device.open().hint.empty());
}

TEST_F(Gpu, NoDevice) {
  fake().init = kNoDevice;
  EXPECT_THAT(first_message(run("fine").measurement), HasSubstr("no NVIDIA GPU"));
  fake().init = kSuccess;
  fake().devices = 0;
  EXPECT_THAT(first_message(run("fine").measurement), HasSubstr("no NVIDIA GPU"));
}

TEST_F(Gpu, DriverAndLibraryDoNotFit) {
  fake().init = kDriverMismatch;
  EXPECT_THAT(first_message(run("fine").measurement), HasSubstr("updated and not restarted"));
}

TEST_F(Gpu, NoCompiler) {
  libraries_.nvrtc.reset();
  libraries_.nvrtc_problem = Message::verbatim("no NVRTC");
  EXPECT_EQ(first_message(run("fine").measurement), "no NVRTC");
}

TEST_F(Gpu, NoCublasIsNoFailure) {
  libraries_.cublas.reset();
  libraries_.cublas_problem = app::say::no_cublas;
  Device device(libraries_);
  EXPECT_TRUE(device.open().device);
  EXPECT_THAT(device.open().notes, ::testing::ElementsAre(libraries_.cublas_problem));
  const app::Measurement m = run("fine").measurement;
  EXPECT_TRUE(m.time && m.copy);
  EXPECT_FALSE(m.cublas);
}

TEST_F(Gpu, OutOfMemory) {
  fake().memory = 20'000;  // the input fits, the output does not
  const app::Measurement m = run("fine").measurement;
  EXPECT_THAT(first_message(m), HasSubstr("allocating the buffers: CUDA_ERROR_OUT_OF_MEMORY"));
  EXPECT_EQ(m.diagnostics[0].kind, DiagnosticKind::usage);
  EXPECT_FALSE(m.diagnostics[0].hint.empty());
  EXPECT_EQ(fake().used, 0u);
}

TEST_F(Gpu, LittleMemoryMeansFewerSets) {
  fake().memory = 100'000;  // three of the ten sets that would be taken
  const app::Measurement m = run("fine").measurement;
  EXPECT_TRUE(m.diagnostics.empty()) << first_message(m);
  EXPECT_TRUE(m.time);
}

TEST_F(Gpu, CompileErrorHasItsPlace) {
  fake().compile_log = "k.cu(24): error: identifier \"x\" is undefined\n    y = x;\n        ^\n\n"
                       "1 error detected in the compilation of \"k.cu\".\n";
  const app::Measurement m = run("fine").measurement;
  ASSERT_EQ(m.diagnostics.size(), 1u);
  const Diagnostic& d = m.diagnostics[0];
  EXPECT_EQ(d.kind, DiagnosticKind::compile);
  EXPECT_EQ(d.line, 24u);
  EXPECT_EQ(d.column, 7u);
  EXPECT_EQ(d.message.english(), "NVRTC: identifier \"x\" is undefined");
  EXPECT_FALSE(m.time);
}

TEST_F(Gpu, LaunchFailure) {
  const Execution refused = run("greedy");
  EXPECT_THAT(first_message(refused.measurement), HasSubstr("launching the kernel"));
  EXPECT_FALSE(refused.device_lost);
  const Execution fault = run("fault");
  EXPECT_THAT(first_message(fault.measurement), HasSubstr("running the kernel"));
  EXPECT_EQ(fault.measurement.diagnostics[0].kind, DiagnosticKind::out_of_bounds);
  EXPECT_TRUE(fault.device_lost);
}

// The worker in a process of its own, with the fake in it.
class GpuProcess : public ::testing::Test {
 protected:
  void SetUp() override {
    fake() = {};
    ChildCommand command;
    command.function = [](int descriptor) { return run_worker(fake_libraries(), descriptor); };
    service_ = make_gpu_service(command);
  }

  app::Measurement measure(const std::string& name, double limit_s = 20) {
    app::MeasureOptions options;
    options.time_limit_s = limit_s;
    return service_->measure(*job_of(name), options, {}, {});
  }
  void expect_works_again() {
    const app::Measurement m = measure("fine");
    EXPECT_TRUE(m.check.correct);
    EXPECT_TRUE(m.diagnostics.empty());
  }

  std::unique_ptr<app::GpuService> service_;
};

TEST_F(GpuProcess, StatusAndMeasurement) {
  const app::GpuStatus status = service_->status();
  ASSERT_TRUE(status.device) << status.problem.english();
  EXPECT_EQ(status.device->name, "Fake GPU");
  EXPECT_EQ(status.device->compute_major, 9);
  std::vector<std::string> stages;
  const app::Measurement m = service_->measure(
      *job_of("fine"), {},
      [&](const app::MeasureProgress& p) { stages.push_back(p.stage.english()); }, {});
  EXPECT_TRUE(m.check.correct);
  EXPECT_THAT(stages, ::testing::Contains("compiling"));
  EXPECT_THAT(stages, ::testing::Contains("timing"));
}

TEST_F(GpuProcess, TimeOutIsGivenUp) {
  const app::Measurement m = measure("hang", 0.5);
  ASSERT_EQ(m.diagnostics.size(), 1u);
  EXPECT_EQ(m.diagnostics[0].kind, DiagnosticKind::step_budget);
  EXPECT_THAT(m.diagnostics[0].message.english(), HasSubstr("given up"));
  expect_works_again();
}

TEST_F(GpuProcess, CrashOfTheProcess) {
  const app::Measurement m = measure("crash");
  ASSERT_EQ(m.diagnostics.size(), 1u);
  EXPECT_THAT(m.diagnostics[0].message.english(), HasSubstr("signal 6"));
  expect_works_again();
}

TEST_F(GpuProcess, FaultLosesTheDeviceButNotTheNextRequest) {
  EXPECT_EQ(measure("fault").diagnostics.at(0).kind, DiagnosticKind::out_of_bounds);
  expect_works_again();
}

TEST_F(GpuProcess, StopIsObeyed) {
  std::stop_source stop;
  stop.request_stop();
  const app::Measurement m = service_->measure(*job_of("hang"), {}, {}, stop.get_token());
  ASSERT_EQ(m.diagnostics.size(), 1u);
  EXPECT_EQ(m.diagnostics[0].kind, DiagnosticKind::cancelled);
  expect_works_again();
}

TEST(GpuService, WorkerThatCannotStart) {
  const auto service = make_gpu_service(ChildCommand{{"/no/such/program"}, {}});
  const app::GpuStatus status = service->status();
  EXPECT_FALSE(status.device);
  EXPECT_THAT(status.problem.english(), HasSubstr("exit status 127"));
}

TEST(GpuService, WorkerThatTalksNonsense) {
  ChildCommand command;
  command.function = [](int descriptor) { return write(descriptor, "hello\n", 6) == 6 ? 0 : 1; };
  EXPECT_FALSE(make_gpu_service(command)->status().device);
}

TEST(Profiler, RawPage) {
  const auto launches =
      parse_raw_page("==PROF== Connected to process 7\n"
                     "\"ID\",\"Kernel Name\",\"Block "
                     "Size\",\"device__attribute_x\",\"memory_l1_wavefronts_shared\"\n"
                     "\"\",\"\",\"\",\"\",\"\"\n"
                     "\"0\",\"k<float>(const float *, int)\",\"(32, 8, 1)\",\"9\",\"32,768\"\n");
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(base_name(launches[0].function), "k");
  EXPECT_EQ(launches[0].values,
            (std::map<std::string, std::uint64_t>{{"memory_l1_wavefronts_shared", 32768}}));
}

TEST(Profiler, NoPermissionSaysWhichIsNeeded) {
  const auto error = parse_profiler_error("==ERROR== ERR_NVGPUCTRPERM - The user does not have "
                                          "permission to access NVIDIA GPU Performance "
                                          "Counters on the target device 0.\n");
  ASSERT_TRUE(error);
  EXPECT_THAT(error->hint.english(), HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"));
  EXPECT_THAT(parse_profiler_error("==ERROR== No kernels were profiled.\n")->message.english(),
              HasSubstr("No kernels were profiled."));
  EXPECT_FALSE(parse_profiler_error("==PROF== Disconnected\n"));
}

TEST(Profiler, BaseNames) {
  EXPECT_EQ(base_name("void space::k<float, 32>(float *)"), "k");
  EXPECT_EQ(base_name("k_smem<float,32>"), "k_smem");
  EXPECT_EQ(base_name("copy"), "copy");
}

TEST(Request, SurvivesItsJson) {
  const Request request = request_for(*job_of("fine"), {});
  const auto read = request_from_json(to_json(request));
  ASSERT_TRUE(read);
  EXPECT_EQ(to_json(*read), to_json(request));
  EXPECT_EQ(read->buffers[0].fill, Fill::random) << "an index loses exactness in a float";
  EXPECT_FALSE(request_from_json(nlohmann::ordered_json{{"kernel", 1}}));
}

// The real compiler needs no GPU: whatever the simulator runs must compile for one too.
TEST(Nvrtc, EveryBundledKernelCompiles) {
  const Libraries libraries = load_compiler();
  if (!libraries.nvrtc) GTEST_SKIP() << libraries.nvrtc_problem.english();
  CompileInput filler = fill_kernel();
  filler.compute_major = 9;
  EXPECT_FALSE(compile_for_device(libraries, filler).image.empty());
  const app::Catalog catalog = app::load_catalog(std::string(LANESCOPE_SOURCE_DIR) + "/kernels");
  for (const app::CatalogEntry& entry : catalog.entries) {
    if (entry.family == "broken") continue;
    app::PrepareResult prepared = app::prepare(*app::open_kernel(catalog, entry.name).settings);
    ASSERT_TRUE(prepared.ready) << entry.name;
    const Request request = request_for(*prepared.ready, {});
    const CompileOutput output = compile_for_device(
        libraries, {request.file, request.text, request.function, request.macros, 9, 0});
    EXPECT_FALSE(output.image.empty()) << entry.name;
    for (const Diagnostic& d : output.diagnostics)
      EXPECT_NE(d.severity, Severity::error) << entry.name << ": " << d.message.english();
  }
}

TEST(Nvrtc, ErrorsHaveTheTextsPlace) {
  const Libraries libraries = load_compiler();
  if (!libraries.nvrtc) GTEST_SKIP() << libraries.nvrtc_problem.english();
  const CompileOutput output = compile_for_device(
      libraries, {"k.cu", "__global__ void k(float* a) {\n    a[0] = b;\n}\n", "k", {}, 9, 0});
  EXPECT_TRUE(output.image.empty());
  ASSERT_FALSE(output.diagnostics.empty());
  EXPECT_EQ(output.diagnostics[0].line, 2u);
  EXPECT_EQ(output.diagnostics[0].column, 12u);
  EXPECT_EQ(output.diagnostics[0].source_line, "    a[0] = b;");
}

}  // namespace
}  // namespace lanescope::gpu
