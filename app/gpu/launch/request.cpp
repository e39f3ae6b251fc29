#include "gpu/launch/request.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/kernel/elements.h"
#include "core/text/text.h"

namespace lanescope::gpu {

using Json = nlohmann::ordered_json;

namespace {

template <class T>
std::vector<std::uint8_t> raw(T value) {
  std::vector<std::uint8_t> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

// `prepare` has checked that the text is a number of the type.
std::vector<std::uint8_t> scalar_raw(const ArgumentInfo& parameter, const std::string& text) {
  if (parameter.type == ScalarType::f32) return raw(static_cast<float>(std::stod(text)));
  if (parameter.type == ScalarType::f64) return raw(std::stod(text));
  std::uint64_t bits = text == "true" ? 1 : 0;
  if (const auto value = app::parse_integer(text)) bits = static_cast<std::uint64_t>(*value);
  if (const auto value = app::parse_unsigned(text)) bits = *value;
  std::vector<std::uint8_t> bytes = raw(bits);
  bytes.resize(parameter.bytes != 0 ? parameter.bytes : scalar_bytes(parameter.type));
  return bytes;
}

int buffer_index(const Request& request, const std::string& name) {
  const auto found = std::find_if(request.buffers.begin(), request.buffers.end(),
                                  [&](const RequestBuffer& b) { return b.name == name; });
  return found == request.buffers.end() ? -1 : static_cast<int>(found - request.buffers.begin());
}

void add_buffers(const app::ReadyLaunch& ready, Request& request) {
  for (const app::BufferLayout& layout : ready.prepared->buffers) {
    const Buffer* buffer = ready.memory.find(layout.name);
    RequestBuffer added;
    added.name = layout.name;
    added.element = layout.element;
    added.rows = layout.rows();
    const std::uint64_t count = buffer ? buffer->spec.count : layout.rows() * layout.cols();
    added.cols = added.rows > 0 ? count / added.rows : count;
    added.fill = buffer ? buffer->spec.fill : Fill::index;
    if (added.fill == Fill::index && app::is_real(added.element)) added.fill = Fill::random;
    request.buffers.push_back(std::move(added));
  }
}

void add_arguments(const app::PreparedLaunch& prepared, Request& request) {
  const auto& parameters = prepared.kernel().arguments;
  for (std::size_t i = 0; i < prepared.launch.arguments.size() && i < parameters.size(); ++i) {
    const Argument& argument = prepared.launch.arguments[i];
    RequestArgument added;
    if (!argument.bytes.empty()) {
      const auto* bytes = reinterpret_cast<const std::uint8_t*>(argument.bytes.data());
      added.scalar.assign(bytes, bytes + argument.bytes.size());
      for (const auto& [offset, name] : argument.pointers)
        added.pointers.emplace_back(offset, buffer_index(request, name));
    } else if (argument.buffer.empty()) {
      added.scalar = scalar_raw(parameters[i], argument.scalar);
      request.scalars[argument.name] = argument.scalar;
    } else {
      added.buffer = buffer_index(request, argument.buffer);
      if (added.buffer < 0) added.scalar = raw(std::uint64_t{0});
    }
    request.arguments.push_back(std::move(added));
  }
}

}  // namespace

Request request_for(const app::ReadyLaunch& ready, const app::MeasureOptions& options) {
  const app::PreparedLaunch& prepared = *ready.prepared;
  Request request;
  request.kernel = prepared.settings.name;
  request.file = prepared.settings.file;
  request.text = prepared.settings.text;
  request.function = prepared.kernel().name;
  if (request.function.empty()) request.function = prepared.kernel().display;
  request.macros = prepared.parameters;
  for (const app::CompileFlags* flags :
       {&prepared.settings.compile, &prepared.front_matter.compile})
    request.macros.insert(flags->macros.begin(), flags->macros.end());
  request.grid = prepared.launch.grid, request.block = prepared.launch.block;
  request.dynamic_shared_bytes = prepared.launch.dynamic_shared_bytes;
  add_buffers(ready, request);
  add_arguments(prepared, request);
  const app::ReferenceSpec& reference = prepared.front_matter.reference;
  if (prepared.settings.kernel.empty() && reference.kind != "none") {
    request.reference = reference.kind;
    for (const std::string& name : reference.inputs)
      request.inputs.push_back(buffer_index(request, name));
    request.output = buffer_index(request, reference.output);
  }
  request.options = options;
  return request;
}

std::optional<ProductShape> product_shape(const Request& request) {
  if (request.reference != "gemm" || request.inputs.size() != 2) return std::nullopt;
  const auto buffer = [&](int index) -> const RequestBuffer* {
    return index >= 0 && static_cast<std::size_t>(index) < request.buffers.size()
               ? &request.buffers[static_cast<std::size_t>(index)]
               : nullptr;
  };
  const RequestBuffer *a = buffer(request.inputs[0]), *b = buffer(request.inputs[1]),
                      *c = buffer(request.output);
  const bool fits = a && b && c && a->cols == b->rows && a->rows == c->rows && b->cols == c->cols;
  return fits ? std::optional(ProductShape{a->rows, b->cols, a->cols}) : std::nullopt;
}

app::Measurement measurement_of(const Request& request) {
  app::Measurement result;
  result.kernel = request.kernel;
  result.function = request.function;
  result.parameters = request.macros;
  result.arguments = request.scalars;
  result.grid = request.grid, result.block = request.block;
  result.dynamic_shared_bytes = request.dynamic_shared_bytes;
  for (const RequestBuffer& buffer : request.buffers) result.bytes += buffer.bytes();
  if (const auto shape = product_shape(request)) result.flops = 2 * shape->m * shape->n * shape->k;
  return result;
}

namespace {

Json buffer_json(const RequestBuffer& b) {
  return {{"name", b.name},
          {"element", static_cast<int>(b.element)},
          {"rows", b.rows},
          {"cols", b.cols},
          {"fill", static_cast<int>(b.fill)}};
}

Dim3 dim3_from(const Json& json) {
  return {json.at(0).get<std::uint32_t>(), json.at(1).get<std::uint32_t>(),
          json.at(2).get<std::uint32_t>()};
}

void read_lists(const Json& json, Request& r) {
  for (const Json& from : json.at("buffers")) {
    RequestBuffer b;
    b.name = from.at("name").get<std::string>();
    b.element = static_cast<ScalarType>(from.at("element").get<int>());
    b.rows = from.at("rows").get<std::uint64_t>(), b.cols = from.at("cols").get<std::uint64_t>();
    b.fill = static_cast<Fill>(from.at("fill").get<int>());
    r.buffers.push_back(std::move(b));
  }
  for (const Json& from : json.at("arguments")) {
    r.arguments.push_back({from.at("buffer").get<int>(),
                           from.at("scalar").get<std::vector<std::uint8_t>>(),
                           from.at("pointers").get<std::vector<std::pair<std::uint32_t, int>>>()});
  }
}

}  // namespace

Json to_json(const Request& r) {
  Json json = {{"kernel", r.kernel},
               {"file", r.file},
               {"text", r.text},
               {"function", r.function},
               {"macros", r.macros},
               {"scalars", r.scalars},
               {"grid", {r.grid.x, r.grid.y, r.grid.z}},
               {"block", {r.block.x, r.block.y, r.block.z}},
               {"dynamic_shared_bytes", r.dynamic_shared_bytes},
               {"buffers", Json::array()},
               {"arguments", Json::array()},
               {"reference", r.reference},
               {"inputs", r.inputs},
               {"output", r.output},
               {"repetitions", r.options.repetitions},
               {"timed", r.options.timed},
               {"baselines", r.options.baselines}};
  for (const RequestBuffer& b : r.buffers) json["buffers"].push_back(buffer_json(b));
  for (const RequestArgument& a : r.arguments)
    json["arguments"].push_back(
        {{"buffer", a.buffer}, {"scalar", a.scalar}, {"pointers", a.pointers}});
  return json;
}

std::optional<Request> request_from_json(const Json& json) {
  using Texts = std::map<std::string, std::string>;
  try {
    Request r;
    r.kernel = json.at("kernel").get<std::string>(), r.file = json.at("file").get<std::string>();
    r.text = json.at("text").get<std::string>();
    r.function = json.at("function").get<std::string>();
    r.macros = json.at("macros").get<Texts>(), r.scalars = json.at("scalars").get<Texts>();
    r.grid = dim3_from(json.at("grid")), r.block = dim3_from(json.at("block"));
    r.dynamic_shared_bytes = json.at("dynamic_shared_bytes").get<std::uint64_t>();
    read_lists(json, r);
    r.reference = json.at("reference").get<std::string>();
    r.inputs = json.at("inputs").get<std::vector<int>>(), r.output = json.at("output").get<int>();
    r.options.repetitions = json.at("repetitions").get<int>();
    r.options.timed = json.at("timed").get<bool>();
    r.options.baselines = json.at("baselines").get<bool>();
    return r;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace lanescope::gpu
