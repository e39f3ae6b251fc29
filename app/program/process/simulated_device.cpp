#include "program/process/simulated_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <optional>

#include "core/run/counters.h"
#include "core/text/messages.h"
#include "lanescope/clusters.h"
#include "lanescope/device_code.h"
#include "lanescope/occupancy.h"
#include "program/process/nested_launches.h"
#include "program/runtime/runtime.h"

namespace lanescope::app {
namespace {

/// What a GPU's driver would make of a kernel's fault.
LaunchEnd end_of(const Diagnostic& fault) {
  switch (fault.kind) {
  case DiagnosticKind::out_of_bounds:
  case DiagnosticKind::null_pointer:
    return LaunchEnd::illegal_address;
  case DiagnosticKind::misaligned:
    return LaunchEnd::misaligned_address;
  case DiagnosticKind::assertion:
    return LaunchEnd::assertion;
  case DiagnosticKind::unsupported:
  case DiagnosticKind::step_budget:
  case DiagnosticKind::internal:
  case DiagnosticKind::usage:
  case DiagnosticKind::divergent_barrier:
    return LaunchEnd::launch_failure;
  default:
    return LaunchEnd::fine;
  }
}

const char* words_for(LaunchEnd end) {
  switch (end) {
  case LaunchEnd::fine:
    return "";
  case LaunchEnd::illegal_address:
    return "illegal address";
  case LaunchEnd::misaligned_address:
    return "misaligned address";
  case LaunchEnd::illegal_instruction:
    return "illegal instruction";
  case LaunchEnd::assertion:
    return "assertion";
  case LaunchEnd::launch_failure:
    return "launch failure";
  case LaunchEnd::invalid_configuration:
    return "invalid configuration";
  case LaunchEnd::out_of_resources:
    return "too many resources";
  case LaunchEnd::invalid_kernel:
    return "no kernel";
  }
  return "";
}

/// The live allocations as the simulator's buffers, at the program's own addresses.
GlobalMemory memory_of(const DeviceMemory& device, const std::set<std::uint64_t>& constants) {
  GlobalMemory memory;
  for (const auto& [address, allocation] : device.live()) {
    Buffer buffer;
    buffer.spec.name = fmt::format("allocation {}", allocation.number);
    buffer.spec.element = ScalarType::u8;
    buffer.spec.count = allocation.bytes;
    buffer.base = allocation.address;
    buffer.bytes = allocation.bytes;
    buffer.data = allocation.data;
    if (constants.count(address) != 0) buffer.space = MemorySpace::constant;
    memory.adopt(std::move(buffer));
  }
  return memory;
}

/// What the device says to a kernel of too much shared memory, at the kernel.
std::vector<Diagnostic> refusals(const DevicePreset& device, const KernelCall& call,
                                 const KernelInfo& kernel) {
  std::vector<Diagnostic> found =
      check_launch(device, kernel, call.grid, call.block, call.dynamic_shared_bytes);
  for (Diagnostic& d : found)
    if (d.line == 0) stand_at(d, kernel.files, kernel.declared);
  return found;
}

/// Two 64-bit sums over what memory holds, so that two states are taken for one by no accident that
/// anybody will see.
struct MemoryHash {
  std::uint64_t a = 0, b = 0;
  bool operator==(const MemoryHash&) const = default;

  void add(const std::byte* data, std::size_t bytes) {
    std::uint64_t lanes[4] = {a, b, a ^ kOdd, b ^ kOther};
    std::size_t at = 0;
    for (; at + sizeof lanes <= bytes; at += sizeof lanes)
      for (std::size_t i = 0; i < 4; ++i) {
        std::uint64_t word = 0;
        std::memcpy(&word, data + at + 8 * i, 8);
        lanes[i] = std::rotl((lanes[i] ^ word) * kOdd, 29);
      }
    std::uint64_t tail[4] = {};
    if (at < bytes) std::memcpy(tail, data + at, bytes - at);
    for (std::size_t i = 0; i < 4; ++i) lanes[i] = std::rotl((lanes[i] ^ tail[i]) * kOdd, 31);
    a = ((lanes[0] ^ bytes) * kOther) ^ std::rotl(lanes[1], 17);
    b = ((lanes[2] + a) * kOdd) ^ std::rotl(lanes[3], 23);
  }

 private:
  static constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15ull, kOther = 0xC2B2AE3D27D4EB4Full;
};

MemoryHash hash_of(const DeviceMemory& memory) {
  MemoryHash hash;
  for (const auto& [address, allocation] : memory.live()) {
    hash.add(reinterpret_cast<const std::byte*>(&address), sizeof address);
    hash.add(allocation.data, allocation.bytes);
  }
  return hash;
}

}  // namespace

/// What a launch was, and whether one more of the same would be anything new.
struct SimulatedDevice::Repeat {
  const Kernel* kernel = nullptr;
  Launch launch;
  LaunchRecord record;
  LaunchEnd end = LaunchEnd::fine;
  /// Printed, asserted, failed: to be run each time
  bool must_run = false;
  /// What memory held before and after it; known from its second time on
  std::optional<MemoryHash> before, after;

  [[nodiscard]] bool same(const Kernel& other, const Launch& shape) const {
    const auto equal = [](const Argument& x, const Argument& y) { return x.bytes == y.bytes; };
    return kernel == &other && launch.grid == shape.grid && launch.block == shape.block &&
           launch.dynamic_shared_bytes == shape.dynamic_shared_bytes &&
           launch.cooperative == shape.cooperative &&
           std::equal(launch.arguments.begin(), launch.arguments.end(), shape.arguments.begin(),
                      shape.arguments.end(), equal);
  }
};

namespace {

/// Memory for what device code allocates: prelude/device/lanescope_heap.h has the head of the variable.
void give_heap(std::byte* variable) {
  // The default of cudaLimitMallocHeapSize.
  constexpr std::size_t kHeapBytes = std::size_t{8} << 20;
  const Allocation* heap = device_memory().allocate(MemoryKind::variable, kHeapBytes);
  if (heap == nullptr) return;
  const std::uint64_t ends[2] = {heap->address, heap->address + heap->bytes};
  std::memcpy(variable, ends, sizeof ends);
}

}  // namespace

SimulatedDevice::~SimulatedDevice() = default;

SimulatedDevice::SimulatedDevice(std::vector<CompiledText> texts, SimulatedDeviceOptions options)
    : options_(std::move(options)) {
  if (options_.progressed) teller_ = std::make_unique<ProgressTeller>(options_.progressed);
  for (CompiledText& text : texts) {
    text.host.clear();
    texts_.push_back(std::make_unique<Text>());
    texts_.back()->compiled = std::move(text);
    texts_.back()->index = texts_.size() - 1;
  }
}

// ---- registration ----

void** SimulatedDevice::register_text(std::size_t index) {
  if (index >= texts_.size() || !texts_[index]->compiled.device) return nullptr;
  Text& text = *texts_[index];
  for (const GlobalVariableInfo& variable : text.compiled.device->variables()) {
    if (variable.managed) {
      text.managed[variable.symbol] = variable;
      continue;
    }
    const Allocation* place = device_memory().allocate(MemoryKind::variable, variable.bytes);
    if (place == nullptr) continue;
    std::memcpy(place->data, variable.initial.data(), variable.initial.size());
    if (variable.name == "lanescope_device_heap") give_heap(place->data);
    if (variable.name == kNestedQueue) text.nested_queue = place->data;
    share(text, variable.symbol, place->address);
    if (variable.constant) constants_.insert(place->address);
  }
  return reinterpret_cast<void**>(&text);
}

/// Code of the other texts that were put together with this one uses the variable too.
void SimulatedDevice::share(Text& text, const std::string& symbol, std::uint64_t address) {
  text.addresses[symbol] = address;
  for (const auto& other : texts_)
    if (other.get() != &text) other->addresses[shared_variable(text.index, symbol)] = address;
}

void SimulatedDevice::register_kernel(void** text, const void* stub, const std::string& symbol) {
  kernels_[stub] = {reinterpret_cast<Text*>(text), symbol, nullptr, {}};
}

void SimulatedDevice::register_variable(void** text, const void* host, const std::string& symbol) {
  auto& addresses = reinterpret_cast<Text*>(text)->addresses;
  const auto& all_managed = reinterpret_cast<Text*>(text)->managed;
  if (const auto managed = all_managed.find(symbol); managed != all_managed.end()) {
    void* storage = const_cast<void*>(host);
    std::memcpy(storage, managed->second.initial.data(), managed->second.bytes);
    share(*reinterpret_cast<Text*>(text), symbol,
          device_memory().adopt(MemoryKind::managed, storage, managed->second.bytes)->address);
  }
  const auto found = addresses.find(symbol);
  if (found == addresses.end()) return;
  const Allocation* place = device_memory().at(found->second);
  variables_[host] = {found->second, place != nullptr ? place->bytes : 0};
}

// ---- kernels ----

SimulatedDevice::Kernel* SimulatedDevice::find(const void* stub) {
  const auto found = kernels_.find(stub);
  return found == kernels_.end() || found->second.text == nullptr ? nullptr : &found->second;
}

const Program* SimulatedDevice::program_of(Kernel& kernel) {
  if (kernel.program != nullptr || !kernel.problems.empty()) return kernel.program.get();
  const DeviceCode& code = *kernel.text->compiled.device;
  const auto& addresses = kernel.text->addresses;
  kernel.program = kernel.cluster ? kernel_in_clusters(code, kernel.symbol, addresses,
                                                       *kernel.cluster, kernel.problems)
                                  : code.kernel(kernel.symbol, addresses, kernel.problems);
  return kernel.program.get();
}

/// Code knows how many blocks of a cluster there are: for others it is made anew.
void SimulatedDevice::set_cluster(Kernel& kernel, std::optional<Dim3> cluster) {
  if (kernel.cluster == cluster) return;
  kernel.cluster = cluster;
  kernel.program = nullptr;
  kernel.problems.clear();
  if (last_ != nullptr && last_->kernel == &kernel) last_ = nullptr;
}

LaunchEnd SimulatedDevice::limits(const Kernel& kernel, const KernelCall& call,
                                  LaunchRecord& record) {
  const std::uint32_t most = kernel.text->compiled.device->most_threads(kernel.symbol);
  if (most != 0 && call.block.count() > most) return LaunchEnd::invalid_configuration;
  const std::uint64_t shared =
      std::uint64_t{record.static_shared_bytes} + call.dynamic_shared_bytes;
  if (record.static_shared_bytes > options_.device.static_shared_bytes ||
      shared > options_.device.optin_shared_bytes) {
    record.mistakes = refusals(options_.device, call, kernel.program->info());
    return LaunchEnd::out_of_resources;
  }
  return LaunchEnd::fine;
}

Launch SimulatedDevice::launch_of(const Kernel& kernel, const KernelCall& call) const {
  Launch launch;
  launch.grid = call.grid;
  launch.block = call.block;
  launch.dynamic_shared_bytes = static_cast<std::uint32_t>(call.dynamic_shared_bytes);
  launch.cooperative = call.cooperative;
  const auto& parameters = kernel.program->info().arguments;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    Argument argument;
    argument.name = parameters[i].name;
    const auto* bytes = static_cast<const std::byte*>(call.arguments[i]);
    argument.bytes.assign(bytes, bytes + parameters[i].bytes);
    launch.arguments.push_back(std::move(argument));
  }
  return launch;
}

RunResult SimulatedDevice::run(const Kernel& kernel, const Launch& launch,
                               const LaunchRecord& record) {
  GlobalMemory memory = memory_of(device_memory(), constants_);
  ExecuteRequest request;
  const std::uint64_t threads = launch.grid.count() * launch.block.count();
  request.checks = threads <= options_.most_threads_to_check;
  request.threads = options_.threads;
  request.control.step_budget = options_.step_budget;
  request.control.go_on = true;
  if (!teller_) return execute(*kernel.program, launch, memory, request);
  teller_->begin({.number = record.number,
                  .kernel = record.kernel,
                  .of = launch.grid.count(),
                  .stream = record.stream,
                  .begin_ms = record.begin_ms});
  request.control.progress = [this](std::uint64_t done, std::uint64_t) { teller_->reached(done); };
  RunResult result = execute(*kernel.program, launch, memory, request);
  teller_->end();
  return result;
}

/// The launch before was the same, began with what memory holds now, and left it so.
bool SimulatedDevice::is_repeat(const Kernel& kernel, const Launch& launch, LaunchRecord& record) {
  if (options_.every_launch) return false;
  const bool again = last_ != nullptr && last_->same(kernel, launch);
  if (!again) {
    last_ = std::make_unique<Repeat>();
    last_->kernel = &kernel;
    last_->launch = launch;
    return false;
  }
  if (last_->must_run) return false;
  const MemoryHash now = hash_of(device_memory());
  if (last_->before == now && last_->after == now) {
    record.totals = last_->record.totals;
    record.warp_instructions = last_->record.warp_instructions;
    record.exact = last_->record.exact;
    record.prints = last_->record.prints;
    record.reads_tables = last_->record.reads_tables;
    record.exchanges = last_->record.exchanges;
    record.mistakes = last_->record.mistakes;
    record.repeated = true;
    return true;
  }
  last_->before = now;
  return false;
}

void SimulatedDevice::remember(const LaunchRecord& record, const RunResult& result, LaunchEnd end) {
  if (last_ == nullptr) return;
  last_->record = record;
  last_->end = end;
  last_->must_run = !result.printed.empty() || end != LaunchEnd::fine;
  if (last_->before) last_->after = hash_of(device_memory());
}

LaunchEnd SimulatedDevice::launch(const KernelCall& call) {
  const std::lock_guard lock(mutex_);
  Kernel* kernel = find(call.stub);
  last_work_ = {};
  if (kernel == nullptr) return LaunchEnd::invalid_kernel;
  last_work_.counted = true;
  const LaunchEnd end = launch(*kernel, call, place(call.caller));
  if (kernel->text->nested_queue != nullptr) launch_nested(*kernel->text, call);
  return end;
}

void SimulatedDevice::launch_nested(Text& text, const KernelCall& parent) {
  for (;;) {
    const NestedLaunches taken = take_nested_launches(text.nested_queue);
    if (taken.lost != 0)
      tell(fmt::format("{} grids that device code launched found no room in the queue", taken.lost),
           true, parent.caller);
    if (taken.launches.empty()) return;
    for (const NestedLaunch& asked : taken.launches) {
      const std::string symbol = kernel_of_pointer(*text.compiled.device, asked.kernel);
      if (symbol.empty() ||
          has_errors(check_launch(options_.device, asked.grid, asked.block, 0, 0)))
        continue;
      Kernel& kernel =
          text.nested.try_emplace(symbol, Kernel{&text, symbol, nullptr, {}}).first->second;
      std::vector<void*> arguments;
      for (const auto& bytes : asked.arguments)
        arguments.push_back(const_cast<std::byte*>(bytes.data()));
      KernelCall call;
      call.grid = asked.grid, call.block = asked.block;
      call.dynamic_shared_bytes = asked.dynamic_shared_bytes;
      call.arguments = arguments.data();
      call.stream = parent.stream;
      launch(kernel, call, {text.compiled.file, asked.line});
    }
  }
}

LaunchEnd SimulatedDevice::launch(Kernel& kernel, const KernelCall& call,
                                  const HostPosition& from) {
  LaunchRecord record;
  record.number = launches_++;
  record.kernel = kernel.text->compiled.device->kernel_name(kernel.symbol);
  record.file = kernel.text->compiled.file;
  record.from = from;
  record.grid = call.grid, record.block = call.block;
  record.dynamic_shared_bytes = static_cast<std::uint32_t>(call.dynamic_shared_bytes);
  record.stream = call.stream;
  record.begin_ms = now_ms();
  LaunchEnd end = LaunchEnd::launch_failure;
  set_cluster(kernel, call.cluster);
  const Program* program = program_of(kernel);
  if (program != nullptr) {
    record.static_shared_bytes = program->info().static_shared_bytes;
    end = limits(kernel, call, record);
  } else {
    record.mistakes = kernel.problems;
  }
  if (end == LaunchEnd::fine) {
    const Launch launch = launch_of(kernel, call);
    if (options_.caught)
      options_.caught({record.number, kernel.text->index, *kernel.text->compiled.device,
                       kernel.symbol, kernel.text->addresses, constants_, *program, launch,
                       call.cluster});
    if (!is_repeat(kernel, launch, record)) end = run_and_record(kernel, launch, record);
    note_work(kernel, record, end);
  }
  record.stopped = words_for(end);
  record.end_ms = now_ms();
  if (options_.launched) options_.launched(record);
  return end;
}

namespace {

/// Shared or local memory's; the host's stack lies above them.
bool is_window(std::uint64_t address) {
  constexpr std::uint64_t kBytes = kLocalWindow - kSharedWindow;
  return address - kSharedWindow < 2 * kBytes;
}

/// What an address that no buffer has may have been.
void explain_address(Diagnostic& d) {
  if (d.kind != DiagnosticKind::out_of_bounds || !d.address) return;
  const DeviceMemory& memory = device_memory();
  if (memory.freed_at(*d.address) != nullptr)
    d.hint = say::address_was_freed;
  else if (!is_window(*d.address) && !memory.is_device_address(*d.address) &&
           memory.at(*d.address) == nullptr)
    d.hint = say::address_of_the_host;
}

}  // namespace

/// Launches by device code come on top of the one that they belong to, as if one after the other.
void SimulatedDevice::note_work(const Kernel& kernel, const LaunchRecord& record, LaunchEnd end) {
  const std::uint64_t bytes =
      std::uint64_t{kernel.program->info().static_shared_bytes} + record.dynamic_shared_bytes;
  const GlobalCounts global = global_of(record.totals);
  LaunchWork& work = last_work_;
  work.counted &= end == LaunchEnd::fine;
  work.blocks = std::max(work.blocks, record.grid.count());
  work.warps_per_block = std::max(work.warps_per_block, (record.block.count() + 31) / 32);
  work.resident_blocks = occupancy(options_.device, record.block, bytes).blocks;
  work.warp_instructions += record.warp_instructions;
  work.global_requests += global.requests;
  work.sectors += global.sectors;
  work.wavefronts += shared_of(record.totals).wavefronts;
  work.bytes_in_reach = device_memory().bytes_in_use();
}

LaunchEnd SimulatedDevice::run_and_record(const Kernel& kernel, const Launch& launch,
                                          LaunchRecord& record) {
  const RunResult result = run(kernel, launch, record);
  LaunchEnd end = LaunchEnd::fine;
  // What was tolerated ran to its end.
  if (result.coverage.blocks_executed != result.coverage.blocks)
    for (const Diagnostic& d : result.diagnostics)
      if (const LaunchEnd stopped = end_of(d); stopped != LaunchEnd::fine) end = stopped;
  record.mistakes = result.diagnostics;
  // What is said of the launch as a whole is no mistake of the program's.
  std::erase_if(record.mistakes,
                [](const Diagnostic& d) { return d.severity == Severity::note && d.line == 0; });
  for (Diagnostic& d : record.mistakes) explain_address(d);
  record.totals = totals_of(kernel.program->info(), result);
  record.warp_instructions = result.warp_instructions;
  record.exact = result.coverage.exact;
  record.prints = !result.printed.empty();
  record.reads_tables = kernel.program->info().reads_tables;
  record.exchanges = kernel.program->info().exchanges;
  for (const Printed& line : result.printed) printed_ += line.text;
  remember(record, result, end);
  return end;
}

void SimulatedDevice::synchronized() {
  const std::lock_guard lock(mutex_);
  std::fwrite(printed_.data(), 1, printed_.size(), stdout);
  printed_.clear();
}

KernelFacts SimulatedDevice::facts(const void* stub) {
  const std::lock_guard lock(mutex_);
  Kernel* kernel = find(stub);
  if (kernel == nullptr) return {};
  KernelFacts facts;
  facts.name = kernel->text->compiled.device->kernel_name(kernel->symbol);
  facts.most_threads = kernel->text->compiled.device->most_threads(kernel->symbol);
  if (const Program* program = program_of(*kernel)) {
    facts.static_shared_bytes = program->info().static_shared_bytes;
    for (const ArgumentInfo& parameter : program->info().arguments)
      facts.parameter_bytes.push_back(parameter.bytes);
  }
  return facts;
}

DeviceVariable SimulatedDevice::variable(const void* host) {
  const std::lock_guard lock(mutex_);
  const auto found = variables_.find(host);
  return found == variables_.end() ? DeviceVariable{} : found->second;
}

void SimulatedDevice::tell(const std::string& text, bool is_error, const void* caller) {
  const std::lock_guard lock(mutex_);
  HostRemark remark{text, is_error, place(caller)};
  if (!told_.insert(fmt::format("{}:{}:{}", remark.at.file, remark.at.line, text)).second) return;
  if (options_.remarked) options_.remarked(remark);
}

HostPosition SimulatedDevice::place(const void* caller) {
  if (!options_.where) return {};
  if (const auto known = places_.find(caller); known != places_.end()) return known->second;
  HostPosition at = options_.where(caller);
  // While the host code is being loaded, nothing of it is found yet.
  if (!at.file.empty()) places_[caller] = at;
  return at;
}

void SimulatedDevice::called(CallRecord call, const void* caller) {
  const std::lock_guard lock(mutex_);
  if (!options_.called) return;
  if (calls_ == kMostCalls) {
    ++calls_left_out_;
    return;
  }
  ++calls_;
  call.from = place(caller);
  options_.called(call);
}

double SimulatedDevice::now_ms() const {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_)
      .count();
}

}  // namespace lanescope::app
