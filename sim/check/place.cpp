#include "check/place.h"

#include <fmt/format.h>

#include "machine/machine.h"
#include "model/simulator_messages.h"

namespace lanescope {

std::string hex(std::uint64_t value) { return fmt::format("{:#x}", value); }

namespace {

/// Rounded down, so that what lies before an array has a negative index.
std::int64_t index_at(std::int64_t offset, std::int64_t element_bytes) {
  return offset >= 0 ? offset / element_bytes : -((-offset + element_bytes - 1) / element_bytes);
}

/// From the window's start; what lies a little before it is negative.
std::int64_t offset_in(std::uint64_t window, std::uint64_t address) {
  return static_cast<std::int64_t>(address - window);
}
bool is_near(std::uint64_t window, std::uint64_t address) {
  constexpr auto kBefore = static_cast<std::int64_t>(kWindowBytes);
  const std::int64_t offset = offset_in(window, address);
  return offset >= -kBefore && offset < kBefore;
}

Message shared_place(const KernelInfo& info, std::size_t shared_bytes, std::int64_t offset) {
  const SharedArray* best = nullptr;
  for (const SharedArray& array : info.shared_arrays)
    if (best == nullptr || array.offset <= offset) best = &array;
  if (best == nullptr || best->element_bytes == 0) return say::shared_byte(offset, shared_bytes);
  const std::int64_t element = index_at(offset - best->offset, best->element_bytes);
  if (best->bytes == 0) return say::shared_element(offset, shared_bytes, element, best->name);
  return say::shared_element_of(offset, shared_bytes, element, best->name,
                                say::elements(best->bytes / best->element_bytes));
}

Message variable_place(const FlatProgram& program, std::uint64_t address) {
  const std::int64_t offset = offset_in(kConstantWindow, address);
  const ModuleVariable* best = nullptr;
  for (const ModuleVariable& variable : program.variables)
    if (best == nullptr || variable.offset <= offset) best = &variable;
  if (best == nullptr) return say::plain_address(hex(address));
  return say::variable_byte(offset - best->offset, best->name, say::bytes(best->bytes));
}

Message buffer_place(const Buffer& buffer, std::uint64_t address) {
  const auto size = static_cast<std::int64_t>(scalar_bytes(buffer.spec.element));
  const auto offset = static_cast<std::int64_t>(address - buffer.pointer());
  return say::buffer_element(index_at(offset, size), buffer.spec.name,
                             scalar_name(buffer.spec.element), say::elements(buffer.spec.count));
}

/// Null where every one is far away: then it says nothing of what the address was meant to be.
const Buffer* nearest(const GlobalMemory& memory, std::uint64_t address) {
  constexpr std::int64_t kFar = std::int64_t{1} << 36;
  const Buffer* best = nullptr;
  std::int64_t best_distance = kFar;
  for (const Buffer& buffer : memory.buffers()) {
    const auto before = static_cast<std::int64_t>(buffer.base - address),
               after = static_cast<std::int64_t>(address - (buffer.base + buffer.bytes));
    const std::int64_t distance = before > 0 ? before : after >= 0 ? after : 0;
    if (distance < best_distance) best = &buffer, best_distance = distance;
  }
  return best;
}

}  // namespace

const MemoryObject* object_at(const FlatProgram& program, std::uint64_t address) {
  const MemoryObject* best = nullptr;
  for (const MemoryObject& object : program.objects)
    if (object.begin <= address && address - object.begin < kWindowBytes &&
        (best == nullptr || object.begin >= best->begin))
      best = &object;
  return best;
}

Message place_in(const MemoryObject& object, std::uint64_t address) {
  const auto offset = static_cast<std::int64_t>(address - object.begin);
  if (object.element_bytes == 0 || object.element_bytes == object.bytes)
    return say::variable_byte(offset, object.name, say::bytes(object.bytes));
  return say::element_of_object(index_at(offset, object.element_bytes), object.name,
                                say::elements(object.bytes / object.element_bytes));
}

Message place_of(const FlatProgram& program, std::size_t shared_bytes, const GlobalMemory& memory,
                 std::uint64_t address, std::uint64_t base) {
  if (const Buffer* own = base != 0 ? memory.at(base) : nullptr) return buffer_place(*own, address);
  // As a block of a cluster sees those of the others
  const std::uint64_t block = (address - kSharedWindow) / kClusterStride;
  if (program.cluster.count() > 1 && block - 1 < program.cluster.count())
    return say::of_rank(
        shared_place(program.info(), shared_bytes,
                     static_cast<std::int64_t>((address - kSharedWindow) % kClusterStride)),
        block - 1);
  if (is_near(kSharedWindow, address))
    return shared_place(program.info(), shared_bytes, offset_in(kSharedWindow, address));
  if (is_near(kLocalWindow, address)) {
    const MemoryObject* object = object_at(program, address);
    return object != nullptr && object->begin >= kLocalWindow
               ? place_in(*object, address)
               : say::local_byte(offset_in(kLocalWindow, address), program.local_bytes);
  }
  if (address - kConstantWindow < kWindowBytes) return variable_place(program, address);
  if (is_near(kParameterWindow, address)) return say::parameter_address(hex(address));
  if (is_near(kConstantWindow, address)) return variable_place(program, address);
  const Buffer* buffer = nearest(memory, address);
  return buffer != nullptr ? buffer_place(*buffer, address) : say::plain_address(hex(address));
}

}  // namespace lanescope
