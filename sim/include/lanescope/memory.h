// Global memory of a simulated device: named buffers at fixed virtual addresses with guard gaps
// between them.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lanescope/diagnostic.h"
#include "lanescope/types.h"

namespace lanescope {

/// What a buffer holds before the launch.
enum class Fill : std::uint8_t {
  /// Element i holds i (wraps for narrow types; f16 and float lose exactness past their mantissa)
  index,
  zero,
  /// Every byte 0xFF: NaN for floats, so an element nobody wrote cannot pass a check
  poison,
  /// A fixed-seed hash of the element index, in [0, 1) for floats
  random,
};

struct BufferSpec {
  std::string name;
  ScalarType element = ScalarType::f32;
  /// Elements
  std::uint64_t count = 0;
  Fill fill = Fill::index;
  /// Fill a stretch only when a single block touches it, and the whole when the grid is executed: a
  /// buffer of gigabytes costs nothing while one block of it is looked at, or while only counts are
  /// wanted.
  bool deferred = false;
  /// Where its pointer points, in elements: what lies before is for negative indices. What `fill` says
  /// of element i holds for the one that is i behind the pointer.
  std::uint64_t origin = 0;
  /// Nobody knows yet how much of it is needed: what is touched is noted, and nothing else is ever filled.
  bool measured = false;
  /// Instead of `fill`; so many bytes as `count` elements have
  std::shared_ptr<const std::vector<std::byte>> contents = nullptr;
};

/// What of a measured buffer has been touched, in bytes from its base; nothing as long as `end` is 0.
/// Several workers note what they touch.
struct TouchedRange {
  std::atomic<std::uint64_t> begin = ~0ull, end = 0;
};

/// One buffer. Its base is a multiple of 512 as cudaMalloc's are (256 at least, by the CUDA Runtime
/// API).
struct Buffer {
  BufferSpec spec;
  /// Virtual address of element 0
  std::uint64_t base = 0;
  std::uint64_t bytes = 0;
  /// Host storage, `bytes` long
  std::byte* data = nullptr;
  /// Of a program: the space its accesses count for; `constant` holds what no kernel may write
  MemorySpace space = MemorySpace::global;
  /// Deferred and not yet filled as a whole: a flag for each kFillChunk bytes. Null otherwise.
  std::uint8_t* filled = nullptr;
  /// Null unless measured
  TouchedRange* touched = nullptr;

  /// What a kernel is given
  [[nodiscard]] std::uint64_t pointer() const {
    return base + spec.origin * scalar_bytes(spec.element);
  }
  [[nodiscard]] bool contains(std::uint64_t address) const { return address - base < bytes; }
};

inline constexpr std::uint64_t kFillChunk = 4 << 10;
/// Fills what is still unfilled of [offset, offset + bytes) of a deferred buffer.
void fill_touched(const Buffer& buffer, std::uint64_t offset, std::uint64_t bytes);

/// Raw bits of element `index` as a fill makes it: what a device's buffer must hold, without a
/// buffer here.
std::uint64_t filled_bits(ScalarType element, Fill fill, std::uint64_t index);

class GlobalMemory {
 public:
  GlobalMemory();
  ~GlobalMemory();
  GlobalMemory(GlobalMemory&&) noexcept;
  GlobalMemory& operator=(GlobalMemory&&) noexcept;

  /// Adds and fills a buffer. Bases depend on the order and the sizes alone, so runs are
  /// reproducible. An error (`usage`) when it would not fit in this machine's memory.
  std::optional<Diagnostic> add(const BufferSpec& spec);

  /// Adds a buffer at an address that somebody else chose, which holds `contents` whenever it is
  /// (re)filled; its size is theirs. An error (`usage`) when it would not fit in this machine's memory.
  std::optional<Diagnostic> add_copy(Buffer buffer,
                                     std::shared_ptr<const std::vector<std::byte>> contents);

  /// Adds memory that somebody else holds, at an address that somebody else chose, as a whole
  /// program's allocations are; never filled. Buffers may come in any order of bases.
  void adopt(Buffer buffer);

  /// Fills every buffer afresh, as `add` did; deferred ones are unfilled again.
  void refill();
  /// Fills what is still unfilled of the deferred buffers, measured ones apart.
  void complete();

  [[nodiscard]] std::span<const Buffer> buffers() const { return buffers_; }
  [[nodiscard]] const Buffer* find(std::string_view name) const;
  /// The buffer an address lies in, or nullptr.
  [[nodiscard]] const Buffer* at(std::uint64_t address) const;

 private:
  struct Storage;
  std::vector<Buffer> buffers_;
  std::vector<std::unique_ptr<Storage>> storage_;
  std::uint64_t next_ = 0;
};

/// Virtual windows of the simulated device. Addresses in a trace are in this form.
/// + offset in the block's shared memory
inline constexpr std::uint64_t kSharedWindow = 0x0000'7000'0000'0000ull;
/// + offset in the thread's local memory
inline constexpr std::uint64_t kLocalWindow = 0x0000'7100'0000'0000ull;
/// The first buffer's base
inline constexpr std::uint64_t kGlobalWindow = 0x0000'0010'0000'0000ull;
/// __constant__ and __device__ variables
inline constexpr std::uint64_t kConstantWindow = 0x0000'0008'0000'0000ull;
/// Structs that are passed to a kernel by value
inline constexpr std::uint64_t kParameterWindow = 0x0000'0009'0000'0000ull;
inline constexpr std::uint64_t kWindowBytes = 0x0000'0001'0000'0000ull;

}  // namespace lanescope
