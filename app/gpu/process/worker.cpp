#include "gpu/process/worker.h"

#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "gpu/launch/execute.h"
#include "gpu/process/lines.h"
#include "gpu/process/message_json.h"

namespace lanescope::gpu {

namespace {

using Json = nlohmann::ordered_json;

Json status_json(const app::GpuStatus& status) {
  Json notes = Json::array();
  for (const Message& note : status.notes) notes.push_back(to_json(note));
  Json json = {{"problem", to_json(status.problem)},
               {"hint", to_json(status.hint)},
               {"notes", std::move(notes)}};
  if (status.device) json["device"] = app::to_json(*status.device);
  return {{"status", std::move(json)}};
}

}  // namespace

int run_worker(const Libraries& libraries, int descriptor) {
  Device device(libraries);
  Lines lines(descriptor);
  const auto send = [&](const Json& json) {
    return lines.write(json.dump(-1, ' ', false, Json::error_handler_t::replace));
  };
  while (const auto line = lines.read()) {
    const Json json = Json::parse(*line, nullptr, false);
    if (json.is_discarded() || !json.is_object()) return 2;
    if (!json.contains("request")) {
      if (!send(status_json(device.open()))) return 1;
      continue;
    }
    const auto request = request_from_json(json["request"]);
    if (!request) return 2;
    const Execution done = execute(device, *request, [&](const app::MeasureProgress& p) {
      send({{"stage", to_json(p.stage)}, {"fraction", p.fraction}});
    });
    if (!send({{"measurement", sent(done.measurement)}, {"lost", done.device_lost}})) return 1;
  }
  return 0;
}

int run_worker_on_file(const Libraries& libraries, const std::string& file) {
  std::ifstream stream(file);
  const Json requests = Json::parse(stream, nullptr, false);
  if (!requests.is_array()) return 2;
  std::ofstream done(file + ".done");
  Device device(libraries);
  for (const Json& json : requests) {
    const auto request = request_from_json(json);
    if (!request) return 2;
    const Execution execution = execute(device, *request, {});
    done << sent(execution.measurement).dump() << '\n' << std::flush;
    if (execution.device_lost) return 1;
  }
  return 0;
}

int worker_main(int argc, const char* const* argv) {
  const Libraries libraries = load_libraries();
  const int status =
      argc > 2 ? run_worker_on_file(libraries, argv[2]) : run_worker(libraries, kWorkerDescriptor);
  // Not through the driver's own clean-up, which can hang after a fault.
  if (status != 0) _exit(status);
  return status;
}

}  // namespace lanescope::gpu
