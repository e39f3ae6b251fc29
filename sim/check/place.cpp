#include "check/place.h"

#include <fmt/format.h>

#include "model/messages.h"

namespace lanescope {

std::string hex(std::uint64_t value) { return fmt::format("{:#x}", value); }

namespace {

Message shared_place(const KernelInfo& info, std::size_t shared_bytes, std::int64_t offset) {
  const SharedArray* best = nullptr;
  for (const SharedArray& array : info.shared_arrays)
    if (best == nullptr || array.offset <= offset) best = &array;
  if (best == nullptr || best->element_bytes == 0) return say::shared_byte(offset, shared_bytes);
  const std::int64_t element = (offset - best->offset) / best->element_bytes;
  if (best->bytes == 0) return say::shared_element(offset, shared_bytes, element, best->name);
  return say::shared_element_of(offset, shared_bytes, element, best->name,
                                say::elements(best->bytes / best->element_bytes));
}

}  // namespace

Message place_of(const FlatProgram& program, std::size_t shared_bytes, const GlobalMemory& memory,
                 std::uint64_t address) {
  if (address - kSharedWindow < kWindowBytes)
    return shared_place(program.info(), shared_bytes,
                        static_cast<std::int64_t>(address - kSharedWindow));
  if (address - kLocalWindow < kWindowBytes)
    return say::local_byte(address - kLocalWindow, program.local_bytes);
  const Buffer* best = nullptr;
  std::int64_t best_distance = 0;
  for (const Buffer& buffer : memory.buffers()) {
    const auto before = static_cast<std::int64_t>(buffer.base - address),
               after = static_cast<std::int64_t>(address - (buffer.base + buffer.bytes));
    const std::int64_t distance = before > 0 ? before : after >= 0 ? after : 0;
    if (best == nullptr || distance < best_distance) best = &buffer, best_distance = distance;
  }
  // So far away, a buffer says nothing of what the address was meant to be.
  constexpr std::int64_t kFar = std::int64_t{1} << 36;
  if (best == nullptr || best_distance > kFar) return say::plain_address(hex(address));
  const auto size = static_cast<std::int64_t>(scalar_bytes(best->spec.element));
  const auto from_base = static_cast<std::int64_t>(address - best->pointer());
  const std::int64_t element =
      from_base >= 0 ? from_base / size : -((-from_base + size - 1) / size);
  return say::buffer_element(element, best->spec.name, scalar_name(best->spec.element),
                             say::elements(best->spec.count));
}

}  // namespace lanescope
