#include "core/picture/execution.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "lanescope/memory.h"

namespace lanescope::app {

std::optional<Execution> execution_at(const Picture& picture, const WarpTrack& track,
                                      std::size_t step) {
  const int access = picture.kernel().ops[track.op[step]].access;
  const std::uint32_t row = track.rows[step];
  if (access < 0 || row == WarpTrack::kNoRows || row >= picture.trace()->rows.size() ||
      is_of_engine(picture.kernel().accesses[static_cast<std::size_t>(access)].op))
    return std::nullopt;
  Execution execution{.access = &picture.kernel().accesses[static_cast<std::size_t>(access)],
                      .step = step,
                      .mask = track.mask[step],
                      .address = picture.trace()->rows[row]};
  execution.space =
      execution.mask
          ? space_of(execution.address[static_cast<std::size_t>(std::countr_zero(execution.mask))])
          : execution.access->space;
  const std::uint32_t bytes = execution.access->bytes;
  if (execution.space == MemorySpace::shared) {
    execution.banks =
        plan_banks(execution.address, execution.mask, bytes, execution.access->service);
  } else if (execution.space == MemorySpace::global) {
    execution.sectors =
        plan_sectors(execution.address, execution.mask, bytes, execution.access->service);
  }
  return execution;
}

MemorySpace space_of(std::uint64_t address) {
  if (address - kSharedWindow < kWindowBytes) return MemorySpace::shared;
  if (address - kLocalWindow < kWindowBytes) return MemorySpace::local;
  if (address - kConstantWindow < kGlobalWindow - kConstantWindow) return MemorySpace::constant;
  return MemorySpace::global;
}

std::string Place::text() const {
  if (tensor) return tensor->name_of(at.at);
  std::string result = name;
  for (std::uint64_t subscript : subscripts) result += fmt::format("[{}]", subscript);
  return result;
}

Place locate(const Picture& picture, std::uint64_t address) {
  Place place;
  place.space = space_of(address);
  const auto split = [&](const auto& dims) {
    std::uint64_t rest = place.element;
    place.subscripts.assign(dims.size(), 0);
    for (std::size_t i = dims.size(); i-- > 1;) {
      place.subscripts[i] = dims[i] ? rest % dims[i] : 0;
      rest = dims[i] ? rest / dims[i] : rest;
    }
    place.subscripts[0] = rest;
  };
  if (place.space == MemorySpace::shared && picture.prepared->program) {
    const std::uint64_t offset = address - kSharedWindow;
    const auto& arrays = picture.kernel().shared_arrays;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      const SharedArray& array = arrays[i];
      if (offset < array.offset || (array.bytes && offset - array.offset >= array.bytes)) continue;
      place.name = array.name;
      place.array = static_cast<int>(i);
      place.offset = offset - array.offset;
      place.element = (offset - array.offset) / std::max(1u, array.element_bytes);
      split(array.dims.empty() ? std::vector<std::uint32_t>{1} : array.dims);
    }
  } else if (place.space == MemorySpace::global) {
    for (std::size_t i = 0; i < picture.prepared->buffers.size(); ++i) {
      const BufferLayout& buffer = picture.prepared->buffers[i];
      if (address - buffer.base >= buffer.bytes) continue;
      place.name = buffer.name;
      place.array = static_cast<int>(i);
      place.offset = address - buffer.base;
      place.element = (address - buffer.base) / std::max(1u, buffer.element_bytes);
      split(buffer.dims.empty() ? std::vector<std::uint64_t>{1} : buffer.dims);
    }
  }
  for (const PlacedTensorPtr& tensor : picture.tensors)
    if (const auto element = tensor->element_at(address)) {
      place.name = tensor->name;
      place.tensor = tensor;
      place.at = *element;
    }
  return place;
}

}  // namespace lanescope::app
