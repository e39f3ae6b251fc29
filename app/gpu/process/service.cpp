#include "gpu/process/service.h"

#include <nlohmann/json.hpp>

#include "core/text/messages.h"
#include "core/text/text.h"
#include "gpu/launch/request.h"
#include "gpu/process/message_json.h"
#include "gpu/process/profiler.h"
#include "gpu/profile/trouble.h"

namespace lanescope::gpu {

namespace say = app::say;

namespace {

/// The GPU's buffers are filled by a kernel, from where their pointers point on.
std::optional<Diagnostic> only_simulated(const app::ReadyLaunch& ready) {
  for (const Buffer& buffer : ready.memory.buffers()) {
    if (buffer.spec.contents == nullptr && buffer.spec.origin == 0) continue;
    Diagnostic d;
    d.kind = DiagnosticKind::unsupported;
    d.file = ready.prepared->settings.file;
    d.message = app::say::only_simulated_buffer(buffer.spec.name);
    return d;
  }
  return std::nullopt;
}

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr double kStatusLimitS = 30;

app::GpuStatus status_from(const Json& json) {
  app::GpuStatus status;
  status.problem = message_from_json(json.value("problem", Json()));
  status.hint = message_from_json(json.value("hint", Json()));
  for (const Json& note : json.value("notes", Json::array()))
    status.notes.push_back(message_from_json(note));
  if (json.contains("device")) status.device = app::device_from_json(json["device"]);
  return status;
}

class ChildService : public app::GpuService {
 public:
  explicit ChildService(ChildCommand worker) : worker_(std::move(worker)) {}

  app::GpuStatus status() override {
    if (status_) return *status_;
    status_.emplace();
    const auto answer = ask("{}", kStatusLimitS, {}, {});
    if (answer.json.contains("status"))
      status_ = status_from(answer.json["status"]);
    else
      status_->problem = say::gpu_not_asked(answer.failure.message);
    return *status_;
  }

  app::Measurement measure(const app::ReadyLaunch& ready, const app::MeasureOptions& options,
                           const app::MeasureCallback& progress, std::stop_token stop) override {
    const Request request = request_for(ready, options);
    if (auto why = only_simulated(ready)) {
      app::Measurement result = measurement_of(request);
      result.diagnostics.push_back(std::move(*why));
      return result;
    }
    const Json line = {{"request", to_json(request)}};
    const auto answer = ask(line.dump(-1, ' ', false, Json::error_handler_t::replace),
                            options.time_limit_s, progress, stop);
    app::Measurement result = measurement_of(request);
    if (answer.json.contains("measurement")) {
      if (auto told = received(answer.json["measurement"])) result = std::move(*told);
    } else {
      result.diagnostics.push_back(answer.failure);
    }
    place(result, *ready.prepared);
    return result;
  }

  std::vector<app::Measurement> count(const std::vector<const app::ReadyLaunch*>& launches,
                                      const app::MeasureCallback& progress,
                                      std::stop_token stop) override {
    child_.end();  // the profiler wants the GPU to itself
    if (progress) progress({say::counting, 0});
    std::vector<Request> requests;
    app::MeasureOptions once;
    once.timed = false, once.baselines = false;
    for (const app::ReadyLaunch* ready : launches) {
      requests.push_back(request_for(*ready, once));
      requests.back().reference = "none";  // counted only; `measure` checks
    }
    std::vector<app::Measurement> results = profile(requests, worker_.arguments, stop);
    for (std::size_t i = 0; i < results.size(); ++i) {
      place(results[i], *launches[i]->prepared);
      if (auto why = only_simulated(*launches[i]))
        results[i].diagnostics.push_back(std::move(*why));
    }
    return results;
  }

 private:
  struct Answer {
    Json json = Json::object();
    Diagnostic failure;
  };

  // Sends a line and waits for the answer; a process that is lost is replaced with the next
  // question.
  Answer ask(const std::string& line, double limit_s, const app::MeasureCallback& progress,
             const std::stop_token& stop) {
    Answer answer;
    if (!child_.running() || !child_.lines().write(line)) {
      Message problem = child_.start(worker_);
      // It may have ended before it could be told anything.
      if (problem.empty() && !child_.lines().write(line)) problem = child_.end();
      if (!problem.empty()) {
        answer.failure = trouble(DiagnosticKind::internal, say::no_gpu_process(problem));
        return answer;
      }
    }
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                             std::chrono::duration<double>(limit_s));
    while (const auto text = child_.lines().read(deadline, stop)) {
      answer.json = Json::parse(*text, nullptr, false);
      if (answer.json.is_discarded() || !answer.json.is_object()) break;
      if (!answer.json.contains("stage")) {
        if (answer.json.value("lost", false)) child_.kill();  // the next question gets a fresh one
        return answer;
      }
      if (progress)
        progress({message_from_json(answer.json["stage"]), answer.json.value("fraction", 0.0)});
    }
    answer.json = Json::object();
    answer.failure = lost(limit_s);
    return answer;
  }

  Diagnostic lost(double limit_s) {
    const Lines::Ended why = child_.lines().ended();
    const Message how = child_.kill();
    if (why == Lines::Ended::stopped) return trouble(DiagnosticKind::cancelled, say::stopped);
    if (why == Lines::Ended::timed_out) {
      return trouble(DiagnosticKind::step_budget, say::given_up(static_cast<int>(limit_s)),
                     say::endless_loop);
    }
    return trouble(DiagnosticKind::unsupported, say::gpu_process_ended(how));
  }

  // The worker knows no more of a position than line and column.
  static void place(app::Measurement& measurement, const app::PreparedLaunch& prepared) {
    for (Diagnostic& d : measurement.diagnostics) {
      d.file = prepared.settings.file;
      if (d.line > 0 && d.source_line.empty())
        d.source_line = app::line_of(prepared.settings.text, d.line);
    }
  }

  ChildCommand worker_;
  Child child_;
  std::optional<app::GpuStatus> status_;
};

}  // namespace

std::unique_ptr<app::GpuService> make_gpu_service() { return make_gpu_service(worker_command()); }

std::unique_ptr<app::GpuService> make_gpu_service(ChildCommand worker) {
  return std::make_unique<ChildService>(std::move(worker));
}

}  // namespace lanescope::gpu
