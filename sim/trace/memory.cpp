// Buffers of the simulated device: host storage, virtual addresses, and what they hold before a
// launch.
#include "lanescope/memory.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <limits>
#include <thread>

#include <fmt/format.h>

#include "model/half.h"
#include "model/simulator_messages.h"
#include "trace/pages.h"

namespace lanescope {

struct GlobalMemory::Storage {
  explicit Storage(std::uint64_t size) : pages(size), data(pages.data()), bytes(size) {}

  void clear() const { pages.clear(); }
  /// Large pages are for buffers that are filled as a whole: of a deferred one a few rows are
  /// wanted.
  void large_pages(bool wanted) const { pages.large(wanted); }

  Pages pages;
  std::byte* data;
  std::uint64_t bytes;
  /// By chunk, for deferred buffers
  std::vector<std::uint8_t> filled;
  /// What it is filled with, instead of what its BufferSpec says; null for most
  std::shared_ptr<const std::vector<std::byte>> contents;
  /// Of measured buffers
  TouchedRange touched;
};

namespace {

/// A multiple of 512
constexpr std::uint64_t kBaseAlignment = 64 << 10;
constexpr std::uint64_t kGuard = 64 << 10;

/// A fixed mixing of 64 bits (the finalizer of splitmix64): the same values on every run and
/// machine.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

struct HalfBits {
  std::uint16_t bits;
};
struct Boolean {
  std::uint8_t bits;
};

/// Before the pointer, an element's index is negative: signed, so that real numbers are too.
template <typename T>
T indexed(std::uint64_t i) {
  return static_cast<T>(static_cast<std::int64_t>(i));
}
template <>
HalfBits indexed(std::uint64_t i) {
  return {half_from_float(static_cast<float>(static_cast<std::int64_t>(i)))};
}
template <>
Boolean indexed(std::uint64_t i) {
  return {static_cast<std::uint8_t>(i & 1)};
}

template <typename T>
T hashed(std::uint64_t i) {
  return static_cast<T>(mix(i));
}
template <>
float hashed(std::uint64_t i) {
  return static_cast<float>(mix(i) >> 40) * 0x1p-24f;
}
template <>
double hashed(std::uint64_t i) {
  return static_cast<double>(mix(i) >> 11) * 0x1p-53;
}
template <>
HalfBits hashed(std::uint64_t i) {
  return {half_from_float(static_cast<float>(mix(i) >> 53) * 0x1p-11f)};
}
template <>
Boolean hashed(std::uint64_t i) {
  return {static_cast<std::uint8_t>(mix(i) & 1)};
}

/// Runs part(first, last) over [0, count), on every core when there is much to do.
template <typename Part>
void in_parallel(std::uint64_t count, std::uint64_t element_bytes, const Part& part) {
  constexpr std::uint64_t kWorthAThread = 32 << 20;
  std::uint64_t workers = std::max<std::uint64_t>(1, count * element_bytes / kWorthAThread);
  // Asking how many cores there are reads a file: not for each of thousands of small pieces.
  if (workers > 1)
    workers = std::min<std::uint64_t>(workers, std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::jthread> threads;
  for (std::uint64_t w = 1; w < workers; ++w)
    threads.emplace_back([&, w] { part(count * w / workers, count * (w + 1) / workers); });
  part(0, count / workers);
}

/// Bytes of a buffer; chunks end where elements end.
struct Stretch {
  std::uint64_t begin = 0, end = 0;
};

template <typename T>
void fill_elements(const Buffer& buffer, Stretch part) {
  T* elements = reinterpret_cast<T*>(buffer.data);
  const bool by_index = buffer.spec.fill == Fill::index;
  const std::uint64_t begin = part.begin / sizeof(T), origin = buffer.spec.origin;
  in_parallel(part.end / sizeof(T) - begin, sizeof(T),
              [&](std::uint64_t first, std::uint64_t last) {
                first += begin;
                last += begin;
                if (by_index)
                  for (std::uint64_t i = first; i < last; ++i) elements[i] = indexed<T>(i - origin);
                else
                  for (std::uint64_t i = first; i < last; ++i) elements[i] = hashed<T>(i - origin);
              });
}

void fill_by_type(const Buffer& buffer, Stretch part) {
  switch (buffer.spec.element) {
  case ScalarType::boolean:
    return fill_elements<Boolean>(buffer, part);
  case ScalarType::i8:
  case ScalarType::u8:
    return fill_elements<std::uint8_t>(buffer, part);
  case ScalarType::i16:
  case ScalarType::u16:
    return fill_elements<std::uint16_t>(buffer, part);
  case ScalarType::i32:
  case ScalarType::u32:
    return fill_elements<std::uint32_t>(buffer, part);
  case ScalarType::i64:
  case ScalarType::u64:
  case ScalarType::pointer:
    return fill_elements<std::uint64_t>(buffer, part);
  case ScalarType::f16:
    return fill_elements<HalfBits>(buffer, part);
  case ScalarType::f32:
    return fill_elements<float>(buffer, part);
  case ScalarType::f64:
    return fill_elements<double>(buffer, part);
  case ScalarType::unknown:
    return;
  }
}

/// Fills storage that holds zeros.
void fill(const Buffer& buffer, Stretch part) {
  if (buffer.data == nullptr) return;
  if (buffer.spec.contents != nullptr) {
    std::memcpy(buffer.data + part.begin, buffer.spec.contents->data() + part.begin,
                part.end - part.begin);
    return;
  }
  if (buffer.spec.fill == Fill::zero) return;
  if (buffer.spec.fill != Fill::poison) return fill_by_type(buffer, part);
  in_parallel(part.end - part.begin, 1, [&](std::uint64_t first, std::uint64_t last) {
    std::memset(buffer.data + part.begin + first, 0xFF, last - first);
  });
}

/// A whole number in a file such as /sys/fs/cgroup/memory.max, or `otherwise`.
std::uint64_t number_in(const char* path, std::uint64_t otherwise) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  return file >> number ? number : otherwise;
}

/// Bytes this process could still get: what the machine has left, and what a container's limit
/// leaves.
std::uint64_t available_bytes() {
  constexpr auto kUnknown = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t available = kUnknown;
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("MemAvailable:")) available = std::stoull(line.substr(13)) * 1024;
  const std::uint64_t limit = number_in("/sys/fs/cgroup/memory.max", kUnknown);
  const std::uint64_t used = number_in("/sys/fs/cgroup/memory.current", 0);
  return limit == kUnknown ? available : std::min(available, limit > used ? limit - used : 0);
}

std::string human_bytes(std::uint64_t bytes) {
  constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  for (; value >= 1024 && unit < 6; ++unit) value /= 1024;
  const auto tenths = static_cast<std::uint64_t>(value * 10);
  std::string text = std::to_string(tenths / 10);
  if (unit != 0) text += fmt::format(".{}", tenths % 10);
  return text + " " + kUnits[unit];
}

Message described(const BufferSpec& spec) {
  return say::buffer_described(spec.name, spec.count, scalar_name(spec.element));
}

}  // namespace

template <typename T>
static std::uint64_t element_bits(Fill fill, std::uint64_t index) {
  const T value = fill == Fill::index ? indexed<T>(index) : hashed<T>(index);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

std::uint64_t filled_bits(ScalarType element, Fill fill, std::uint64_t index) {
  const std::size_t bytes = scalar_bytes(element);
  if (fill == Fill::zero || bytes == 0) return 0;
  if (fill == Fill::poison) return ~0ull >> (64 - 8 * bytes);
  switch (element) {
  case ScalarType::boolean:
    return element_bits<Boolean>(fill, index);
  case ScalarType::f16:
    return element_bits<HalfBits>(fill, index);
  case ScalarType::f32:
    return element_bits<float>(fill, index);
  case ScalarType::f64:
    return element_bits<double>(fill, index);
  default:
    break;
  }
  const std::uint64_t value = fill == Fill::index ? index : mix(index);
  return value & (~0ull >> (64 - 8 * bytes));
}

namespace {

/// States of a chunk; others wait while one worker fills it.
constexpr std::uint8_t kUnfilled = 0, kFilled = 1, kBeingFilled = 2;

void lower_to(std::atomic<std::uint64_t>& least, std::uint64_t value) {
  for (std::uint64_t known = least; value < known && !least.compare_exchange_weak(known, value);) {
  }
}
void raise_to(std::atomic<std::uint64_t>& most, std::uint64_t value) {
  for (std::uint64_t known = most; value > known && !most.compare_exchange_weak(known, value);) {
  }
}

void fill_chunk(const Buffer& buffer, std::uint64_t chunk) {
  const std::atomic_ref<std::uint8_t> state(buffer.filled[chunk]);
  std::uint8_t before = kUnfilled;
  if (state.load(std::memory_order_acquire) == kFilled) return;
  if (!state.compare_exchange_strong(before, kBeingFilled)) {
    while (state.load(std::memory_order_acquire) != kFilled) std::this_thread::yield();
    return;
  }
  fill(buffer, {chunk * kFillChunk, std::min((chunk + 1) * kFillChunk, buffer.bytes)});
  state.store(kFilled, std::memory_order_release);
}

}  // namespace

void fill_touched(const Buffer& buffer, std::uint64_t offset, std::uint64_t bytes) {
  if (buffer.touched != nullptr) {
    lower_to(buffer.touched->begin, offset);
    raise_to(buffer.touched->end, offset + bytes);
  }
  for (std::uint64_t chunk = offset / kFillChunk; chunk <= (offset + bytes - 1) / kFillChunk;
       ++chunk)
    fill_chunk(buffer, chunk);
}

GlobalMemory::GlobalMemory() : next_(kGlobalWindow) {}
GlobalMemory::~GlobalMemory() = default;
GlobalMemory::GlobalMemory(GlobalMemory&&) noexcept = default;
GlobalMemory& GlobalMemory::operator=(GlobalMemory&&) noexcept = default;

std::optional<Diagnostic> GlobalMemory::add(const BufferSpec& spec) {
  const std::uint64_t element = scalar_bytes(spec.element);
  if (element == 0)
    return usage_error(say::unknown_element_type(spec.name), say::use_a_scalar_type);
  if (find(spec.name) != nullptr)
    return usage_error(say::two_buffers_of_a_name(spec.name), say::rename_one);
  if (spec.count > (kSharedWindow - kGlobalWindow) / element)
    return usage_error(say::larger_than_address_space(described(spec)), say::smaller_shape);

  // Pages of a zero-filled or deferred buffer are not taken yet, so the machine still counts them
  // as free.
  const std::uint64_t bytes = spec.count * element;
  // Of a measured one little will ever be.
  std::uint64_t wanted = spec.measured ? 0 : bytes;
  for (const Buffer& buffer : buffers_)
    if (!buffer.spec.measured && (buffer.spec.fill == Fill::zero || buffer.spec.deferred))
      wanted += buffer.bytes;
  const std::uint64_t available = available_bytes(), allowed = available / 100 * 85;
  if (bytes != 0 && wanted > allowed)
    return usage_error(
        say::needs_more_memory(described(spec), human_bytes(bytes), human_bytes(available)),
        say::smaller_shape_or_type);

  Buffer buffer{spec, next_, bytes, nullptr, MemorySpace::global, nullptr, nullptr};
  auto storage = bytes == 0 ? nullptr : std::make_unique<Storage>(bytes);
  if (storage != nullptr && storage->data == nullptr)
    return usage_error(say::cannot_be_allocated(described(spec), human_bytes(bytes)),
                       say::smaller_shape_or_type);
  if (storage != nullptr) {
    buffer.data = storage->data;
    storage->large_pages(!spec.deferred);
    if (spec.deferred) storage->filled.resize((bytes + kFillChunk - 1) / kFillChunk);
    if (spec.deferred) buffer.filled = storage->filled.data();
    if (spec.measured) buffer.touched = &storage->touched;
  }
  next_ = (next_ + bytes + kGuard + kBaseAlignment - 1) / kBaseAlignment * kBaseAlignment;
  buffers_.push_back(std::move(buffer));
  storage_.push_back(std::move(storage));
  if (buffers_.back().filled == nullptr) fill(buffers_.back(), {0, bytes});
  return std::nullopt;
}

std::optional<Diagnostic>
GlobalMemory::add_copy(Buffer buffer, std::shared_ptr<const std::vector<std::byte>> contents) {
  auto storage = std::make_unique<Storage>(std::max<std::size_t>(contents->size(), 1));
  if (storage->data == nullptr)
    return usage_error(
        say::cannot_be_allocated(described(buffer.spec), human_bytes(contents->size())),
        say::smaller_shape_or_type);
  buffer.bytes = contents->size();
  buffer.data = storage->data;
  std::copy(contents->begin(), contents->end(), buffer.data);
  storage->contents = std::move(contents);
  const std::uint64_t base = buffer.base;
  adopt(std::move(buffer));
  const auto place = std::find_if(buffers_.begin(), buffers_.end(),
                                  [base](const Buffer& other) { return other.base == base; });
  storage_[static_cast<std::size_t>(place - buffers_.begin())] = std::move(storage);
  return std::nullopt;
}

void GlobalMemory::adopt(Buffer buffer) {
  const auto behind =
      std::upper_bound(buffers_.begin(), buffers_.end(), buffer.base,
                       [](std::uint64_t base, const Buffer& other) { return base < other.base; });
  storage_.insert(storage_.begin() + (behind - buffers_.begin()), nullptr);
  buffers_.insert(behind, std::move(buffer));
}

void GlobalMemory::refill() {
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    if (storage_[i] == nullptr) continue;
    Buffer& buffer = buffers_[i];
    if (storage_[i]->contents != nullptr) {
      std::copy(storage_[i]->contents->begin(), storage_[i]->contents->end(), buffer.data);
      continue;
    }
    if (buffer.spec.fill == Fill::zero || buffer.spec.deferred) storage_[i]->clear();
    if (buffer.spec.deferred) {
      storage_[i]->large_pages(false);
      std::fill(storage_[i]->filled.begin(), storage_[i]->filled.end(), 0);
      buffer.filled = storage_[i]->filled.data();
      storage_[i]->touched.begin = ~0ull;
      storage_[i]->touched.end = 0;
    } else {
      fill(buffer, {0, buffer.bytes});
    }
  }
}

void GlobalMemory::complete() {
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    Buffer& buffer = buffers_[i];
    if (buffer.filled == nullptr || buffer.spec.measured) continue;
    storage_[i]->large_pages(true);
    const std::uint64_t chunks = (buffer.bytes + kFillChunk - 1) / kFillChunk;
    if (std::find(buffer.filled, buffer.filled + chunks, 1) == buffer.filled + chunks)
      fill(buffer, {0, buffer.bytes});
    else
      fill_touched(buffer, 0, buffer.bytes);
    buffer.filled = nullptr;
  }
}

const Buffer* GlobalMemory::find(std::string_view name) const {
  const auto it = std::find_if(buffers_.begin(), buffers_.end(),
                               [&](const Buffer& b) { return b.spec.name == name; });
  return it == buffers_.end() ? nullptr : &*it;
}

const Buffer* GlobalMemory::at(std::uint64_t address) const {
  // Bases ascend: the candidate is the last buffer that does not start beyond the address.
  const auto after = std::upper_bound(buffers_.begin(), buffers_.end(), address,
                                      [](std::uint64_t a, const Buffer& b) { return a < b.base; });
  if (after == buffers_.begin()) return nullptr;
  const Buffer& buffer = *(after - 1);
  return buffer.contains(address) ? &buffer : nullptr;
}

}  // namespace lanescope
