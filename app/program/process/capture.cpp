#include "program/process/capture.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/tasks/scratch.h"
#include "core/text/messages.h"
#include "core/text/text_file.h"
#include "lanescope/clusters.h"
#include "lanescope/device_code.h"
#include "program/runtime/runtime.h"

namespace lanescope::app {
namespace {

// The file: a line of JSON that says what follows, then the device code's bytes and the allocations', one
// after the other.

Json header_of(const CaughtLaunch& caught, const std::string& device) {
  Json arguments = Json::array(), buffers = Json::array();
  for (const Argument& argument : caught.launch.arguments) {
    std::vector<unsigned> bytes;
    for (const std::byte b : argument.bytes) bytes.push_back(std::to_integer<unsigned>(b));
    arguments.push_back({{"name", argument.name}, {"bytes", bytes}});
  }
  for (const auto& [address, allocation] : device_memory().live())
    buffers.push_back({{"address", address},
                       {"bytes", allocation.bytes},
                       {"number", allocation.number},
                       {"constant", caught.constants.count(address) != 0}});
  return {{"number", caught.number},
          {"text", caught.text},
          {"symbol", caught.symbol},
          {"device_bytes", device.size()},
          {"addresses", caught.addresses},
          {"grid", to_json(caught.launch.grid)},
          {"block", to_json(caught.launch.block)},
          {"dynamic_shared_bytes", caught.launch.dynamic_shared_bytes},
          {"cooperative", caught.launch.cooperative},
          {"cluster", caught.cluster ? to_json(*caught.cluster) : Json()},
          {"arguments", arguments},
          {"buffers", buffers}};
}

Diagnostic trouble(const ProgramRequest& request, Message text) {
  Diagnostic d;
  d.kind = DiagnosticKind::usage;
  d.file = request.compile.files.front();
  d.message = std::move(text);
  return d;
}

Launch launch_from(const Json& header) {
  Launch launch;
  launch.grid = shape_from(header.at("grid"));
  launch.block = shape_from(header.at("block"));
  launch.dynamic_shared_bytes = header.at("dynamic_shared_bytes");
  launch.cooperative = header.at("cooperative");
  for (const Json& json : header.at("arguments")) {
    Argument argument;
    argument.name = json.at("name");
    for (const Json& byte : json.at("bytes"))
      argument.bytes.push_back(static_cast<std::byte>(byte.get<unsigned>()));
    launch.arguments.push_back(std::move(argument));
  }
  return launch;
}

/// A buffer is known by the parameter that points to its beginning, and by that one's type.
void name_buffers(CapturedLaunch& captured) {
  for (const ArgumentInfo& parameter : captured.program->info().arguments) {
    if (!parameter.is_pointer) continue;
    const auto given =
        std::find_if(captured.launch.arguments.begin(), captured.launch.arguments.end(),
                     [&](const Argument& a) { return a.name == parameter.name; });
    std::uint64_t address = 0;
    if (given == captured.launch.arguments.end() || given->bytes.size() != sizeof address) continue;
    std::memcpy(&address, given->bytes.data(), sizeof address);
    for (CapturedBuffer& buffer : captured.buffers) {
      if (buffer.address != address || buffer.element != ScalarType::u8) continue;
      buffer.name = parameter.name;
      const std::size_t bytes = scalar_bytes(parameter.type);
      if (bytes != 0 && buffer.contents->size() % bytes == 0) buffer.element = parameter.type;
    }
  }
}

/// For the text alone whose kernel it is.
WholeProgramRequest compile_again(const WholeProgramRequest& request, std::size_t text) {
  WholeProgramRequest again = request;
  again.device_only = true;
  again.files = {request.files.at(text)};
  if (!again.texts.contains(again.files[0]))
    again.texts[again.files[0]] = read_text_file(again.files[0]).text;
  return again;
}

CaptureResult read_capture(const ProgramRequest& request, const std::string& path) {
  CaptureResult result;
  std::ifstream file(path, std::ios::binary);
  std::string line;
  std::getline(file, line);
  const Json header = Json::parse(line);
  auto captured = std::make_shared<CapturedLaunch>();
  captured->number = header.at("number");
  captured->launch = launch_from(header);
  const std::size_t text = header.at("text");
  const auto addresses = header.at("addresses").get<std::map<std::string, std::uint64_t>>();
  std::string device(header.at("device_bytes").get<std::size_t>(), '\0');
  file.read(device.data(), static_cast<std::streamsize>(device.size()));
  for (const Json& json : header.at("buffers")) {
    CapturedBuffer buffer;
    buffer.address = json.at("address");
    buffer.name = fmt::format("allocation {}", json.at("number").get<std::uint64_t>());
    if (json.at("constant")) buffer.space = MemorySpace::constant;
    for (const auto& [symbol, address] : addresses)
      if (address == buffer.address) buffer.name = symbol;
    auto contents = std::make_shared<std::vector<std::byte>>(json.at("bytes").get<std::size_t>());
    file.read(reinterpret_cast<char*>(contents->data()),
              static_cast<std::streamsize>(contents->size()));
    buffer.contents = std::move(contents);
    captured->buffers.push_back(std::move(buffer));
  }
  captured->symbol = header.at("symbol");
  const Json& cluster = header.at("cluster");
  const std::shared_ptr<const DeviceCode> code = device_code_from(device);
  captured->program = cluster.is_null()
                          ? code->kernel(captured->symbol, addresses, result.diagnostics)
                          : kernel_in_clusters(*code, captured->symbol, addresses,
                                               shape_from(cluster), result.diagnostics);
  if (captured->program == nullptr) return result;
  name_buffers(*captured);
  captured->addresses = addresses;
  captured->compile = compile_again(request.compile, text);
  result.file = captured->compile.files.front();
  result.launch = std::move(captured);
  return result;
}

}  // namespace

bool write_capture(const std::string& file, const CaughtLaunch& launch) {
  std::ofstream out(file, std::ios::binary);
  const std::string device = bytes_of(launch.device);
  out << header_of(launch, device).dump() << '\n' << device;
  for (const auto& [address, allocation] : device_memory().live())
    out.write(reinterpret_cast<const char*>(allocation.data),
              static_cast<std::streamsize>(allocation.bytes));
  return static_cast<bool>(out.flush());
}

CaptureResult capture_launch(ProgramRequest request, std::uint64_t number,
                             const ProgramWatch& watch) {
  const Scratch scratch;
  request.capture_file = scratch.file("launch");
  request.capture_launch = number;
  request.writable.push_back(scratch.path());
  CaptureResult result;
  ProgramResult run = run_program(request, watch);
  result.diagnostics = std::move(run.diagnostics);
  if (!run.started) return result;
  if (!run.captured) {
    result.diagnostics.push_back(trouble(
        request, run.end.crash.empty() ? Message(say::no_such_launch(number, run.launches.size()))
                                       : Message(say::no_such_launch_crashed(
                                             number, run.launches.size(), run.end.crash))));
    return result;
  }
  try {
    CaptureResult read = read_capture(request, request.capture_file);
    read.diagnostics.insert(read.diagnostics.begin(), result.diagnostics.begin(),
                            result.diagnostics.end());
    result = std::move(read);
  } catch (const std::exception& error) {
    result.diagnostics.push_back(trouble(request, Message::verbatim(error.what())));
  }
  return result;
}

}  // namespace lanescope::app
