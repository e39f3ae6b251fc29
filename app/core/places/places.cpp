#include "core/places/places.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "core/picture/chain.h"
#include "core/places/race.h"
#include "core/text/text.h"
#include "lanescope/memory.h"
#include "lanescope/trace.h"

namespace lanescope::app {
namespace {

struct Named {
  std::string name;
  std::vector<std::uint64_t> subscripts;
};

std::optional<Named> parse(std::string_view text) {
  text = trim(text);
  const std::size_t bracket = text.find('[');
  if (bracket == 0 || bracket == std::string_view::npos) return std::nullopt;
  Named named{std::string(trim(text.substr(0, bracket))), {}};
  for (text.remove_prefix(bracket); !text.empty(); text = trim(text)) {
    const std::size_t end = text.find(']');
    if (text.front() != '[' || end == std::string_view::npos) return std::nullopt;
    const std::string_view digits = trim(text.substr(1, end - 1));
    std::uint64_t value = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size())
      return std::nullopt;
    named.subscripts.push_back(value);
    text.remove_prefix(end + 1);
  }
  return named;
}

// One subscript counts elements from the start, as a kernel does that knows no extents.
template <class Dims>
std::optional<std::uint64_t> element_of(const Named& named, const Dims& dims,
                                        std::uint64_t elements) {
  if (named.subscripts.size() == 1)
    return named.subscripts[0] < elements ? std::optional(named.subscripts[0]) : std::nullopt;
  if (named.subscripts.size() != dims.size()) return std::nullopt;
  std::uint64_t element = 0;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (named.subscripts[i] >= dims[i]) return std::nullopt;
    element = element * dims[i] + named.subscripts[i];
  }
  return element;
}

// "sA(5,3,0)" of a tensor.
std::optional<Cell> tensor_cell(const Picture& picture, std::string_view text) {
  text = trim(text);
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos || !text.ends_with(')')) return std::nullopt;
  std::vector<std::uint64_t> at;
  for (std::string_view rest = text.substr(open + 1); !rest.empty();) {
    const std::size_t end = rest.find_first_of(",)");
    const auto value = parse_integer(trim(rest.substr(0, end)));
    if (!value || *value < 0) return std::nullopt;
    at.push_back(static_cast<std::uint64_t>(*value));
    if (rest[end] == ')' && end + 1 < rest.size()) return std::nullopt;
    rest.remove_prefix(end + 1);
  }
  for (const PlacedTensorPtr& tensor : picture.tensors) {
    if (tensor->name != trim(text.substr(0, open)) || at.size() != tensor->rank()) continue;
    TensorCoordinates coordinates{};
    bool inside = true;
    for (std::size_t mode = 0; mode < at.size(); ++mode) {
      coordinates[mode] = at[mode];
      inside &= at[mode] < tensor->shape[mode];
    }
    if (inside) return Cell{tensor->address(coordinates), tensor->element_bytes};
  }
  return std::nullopt;
}

bool select_link(Selection& selection, const ChainLink& link) {
  const Selection before = selection;
  selection.warp = link.warp;
  selection.step = link.step;
  selection.access = link.access;
  selection.lane = -1;
  selection.cell = link.cell;
  selection.race.reset();
  return selection.warp != before.warp || selection.step != before.step ||
         selection.cell != before.cell;
}

std::vector<ChainLink> chain_of_cell(const Picture& picture, const Selection& selection,
                                     const Cell& cell) {
  Selection asked = selection;
  asked.hover_lane = asked.lane = -1;
  asked.hover_cell.reset();
  asked.cell = cell;
  return chain_of(picture, asked);
}

bool same_cell(const Cell& a, const Cell& b) {
  return a.address < b.address + std::max(1u, b.bytes) &&
         b.address < a.address + std::max(1u, a.bytes);
}

// The step of a mistake: the thread's access in that line, at that address where one is told.
struct Found {
  std::size_t step = 0;
  int access = -1, lane = -1;
  std::optional<Cell> cell;
};

std::optional<Found> find_step(const Picture& picture, const WarpTrack& track, int lane,
                               const Diagnostic& mistake) {
  std::optional<Found> best;
  int best_score = -1;
  for (std::size_t step = 0; step < track.size(); ++step) {
    const OpInfo& op = picture.kernel().ops[track.op[step]];
    if (op.pos.line != mistake.line || (track.mask[step] >> lane & 1u) == 0) continue;
    Found found{.step = step, .access = op.access, .lane = lane, .cell = {}};
    int score = op.pos.column == mistake.column;
    if (op.kind == StepKind::access && op.access >= 0 && track.rows[step] != WarpTrack::kNoRows) {
      const AccessInfo& access = picture.kernel().accesses[static_cast<std::size_t>(op.access)];
      const LaneRow row = picture.trace()->rows[track.rows[step]];
      found.cell = Cell{row[static_cast<std::size_t>(lane)], access.bytes};
      score += 1 + (access.pos.column == mistake.column);
      if (mistake.address && same_cell(*found.cell, {*mistake.address, 1})) score += 4;
    }
    if (score > best_score) best_score = score, best = found;
  }
  return best;
}

// A fault ends the run before its step is recorded: it comes after the warp's last one.
Found after_last_step(const Picture& picture, const WarpTrack& track, int lane,
                      const Diagnostic& mistake) {
  Found found{.step = track.size() ? track.size() - 1 : 0, .access = -1, .lane = lane, .cell = {}};
  for (const AccessInfo& access : picture.kernel().accesses) {
    if (access.pos.line != mistake.line || access.pos.column != mistake.column) continue;
    found.access = static_cast<int>(access.id);
    if (mistake.address) found.cell = Cell{*mistake.address, access.bytes};
  }
  return found;
}

}  // namespace

std::optional<Cell> cell_named(const Picture& picture, std::string_view text) {
  if (const auto cell = tensor_cell(picture, text)) return cell;
  const std::optional<Named> named = parse(text);
  if (!named || !picture.prepared->program) return std::nullopt;
  for (const BufferLayout& buffer : picture.prepared->buffers) {
    if (buffer.name != named->name || buffer.element_bytes == 0) continue;
    const auto element = element_of(*named, buffer.dims, buffer.bytes / buffer.element_bytes);
    if (!element) return std::nullopt;
    return Cell{buffer.base + *element * buffer.element_bytes, buffer.element_bytes};
  }
  for (const SharedArray& array : picture.kernel().shared_arrays) {
    if (array.name != named->name || array.element_bytes == 0) continue;
    const auto element = element_of(*named, array.dims, array.bytes / array.element_bytes);
    if (!element) return std::nullopt;
    return Cell{kSharedWindow + array.offset + *element * array.element_bytes, array.element_bytes};
  }
  return std::nullopt;
}

bool touches(const Picture& picture, const Cell& cell) {
  const std::vector<ChainLink> chain = chain_of_cell(picture, {}, cell);
  return std::any_of(chain.begin(), chain.end(),
                     [&](const ChainLink& link) { return same_cell(link.cell, cell); });
}

bool go_to_cell(const Picture& picture, Selection& selection, const Cell& cell) {
  const std::vector<ChainLink> chain = chain_of_cell(picture, selection, cell);
  const auto own = std::find_if(chain.begin(), chain.end(),
                                [&](const ChainLink& link) { return same_cell(link.cell, cell); });
  if (own != chain.end()) return select_link(selection, *own);
  const bool changed = selection.cell != cell || selection.lane >= 0;
  selection.lane = -1;
  selection.cell = cell;
  selection.race.reset();
  return changed;
}

bool move_link(const Picture& picture, Selection& selection, bool forward) {
  if (!selection.cell) return false;
  const std::vector<ChainLink> chain = chain_of_cell(picture, selection, *selection.cell);
  const auto here = std::find_if(chain.begin(), chain.end(), [&](const ChainLink& link) {
    return link.warp == selection.warp && link.step == selection.step;
  });
  if (here == chain.end()) {
    const auto own = std::find_if(chain.begin(), chain.end(), [&](const ChainLink& link) {
      return same_cell(link.cell, *selection.cell);
    });
    return own != chain.end() && select_link(selection, *own);
  }
  if (forward ? here + 1 == chain.end() : here == chain.begin()) return false;
  return select_link(selection, forward ? *(here + 1) : *(here - 1));
}

bool go_to_mistake(const Picture& picture, Selection& selection, const Diagnostic& mistake) {
  if (!mistake.thread || !picture.prepared->program || !picture.trace()) return false;
  const Dim3 block = picture.prepared->launch.block, thread = *mistake.thread;
  const std::uint64_t number = thread.x + static_cast<std::uint64_t>(block.x) *
                                              (thread.y + std::uint64_t{block.y} * thread.z);
  const auto warp = static_cast<std::uint32_t>(number / kLanes);
  if (warp >= picture.trace()->warps.size()) return false;
  const WarpTrack& track = picture.trace()->warps[warp];
  const int lane = static_cast<int>(number % kLanes);
  auto found = find_step(picture, track, lane, mistake);
  const Found fault = after_last_step(picture, track, lane, mistake);
  if (!found || (fault.access >= 0 && found->access != fault.access)) found = fault;
  Selection next = selection;
  next.warp = warp;
  next.step = found->step;
  if (found->access >= 0) next.access = found->access;
  // A cell lights up everybody who touches it: both sides of a race.
  next.lane = found->cell ? -1 : found->lane;
  next.cell = found->cell;
  next.race.reset();
  if (found->cell)
    next.race = race_of(picture, mistake, {found->access, warp, found->step, lane, *found->cell});
  const bool changed = next.warp != selection.warp || next.step != selection.step ||
                       next.lane != selection.lane || next.cell != selection.cell ||
                       next.race != selection.race;
  selection = next;
  return changed;
}

}  // namespace lanescope::app
