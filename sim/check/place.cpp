#include "check/place.h"

#include <fmt/format.h>

namespace lanescope {

std::string hex(std::uint64_t value) { return fmt::format("{:#x}", value); }

std::string plural(std::uint64_t n, const std::string& what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

std::string place_of(const FlatProgram& program, std::size_t shared_bytes,
                     const GlobalMemory& memory, std::uint64_t address) {
  const KernelInfo& info = program.info();
  if (address - kSharedWindow < kWindowBytes) {
    const auto offset = static_cast<std::int64_t>(address - kSharedWindow);
    const SharedArray* best = nullptr;
    for (const SharedArray& array : info.shared_arrays)
      if (best == nullptr || array.offset <= offset) best = &array;
    std::string text = fmt::format("shared byte {} of {}", offset, shared_bytes);
    if (best == nullptr || best->element_bytes == 0) return text;
    text += fmt::format(", element {} of '{}'", (offset - best->offset) / best->element_bytes,
                        best->name);
    if (best->bytes != 0)
      text += fmt::format(" ({})", plural(best->bytes / best->element_bytes, "element"));
    return text;
  }
  if (address - kLocalWindow < kWindowBytes)
    return fmt::format("local byte {} of {}", address - kLocalWindow, program.local_bytes);
  const Buffer* best = nullptr;
  std::int64_t best_distance = 0;
  for (const Buffer& buffer : memory.buffers()) {
    const auto before = static_cast<std::int64_t>(buffer.base - address),
               after = static_cast<std::int64_t>(address - (buffer.base + buffer.bytes));
    const std::int64_t distance = before > 0 ? before : after >= 0 ? after : 0;
    if (best == nullptr || distance < best_distance) best = &buffer, best_distance = distance;
  }
  if (best == nullptr) return "address " + hex(address);
  const auto size = static_cast<std::int64_t>(scalar_bytes(best->spec.element));
  const auto from_base = static_cast<std::int64_t>(address - best->base);
  const std::int64_t element =
      from_base >= 0 ? from_base / size : -((-from_base + size - 1) / size);
  return fmt::format("element {} of '{}' ({}, {})", element, best->spec.name,
                     scalar_name(best->spec.element), plural(best->spec.count, "element"));
}

}  // namespace lanescope
