#include "platform/damage.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "platform/texture.h"

namespace lanescope::app {
namespace {

constexpr int kTile = 32;              // pixels
constexpr std::size_t kMostRects = 4;  // each is a pass over the frame's lists
constexpr float kReach = 1;            // pixels round a triangle that rounding may fill

std::uint64_t stirred(std::uint64_t hash, std::uint64_t more) {
  hash = (hash ^ more) * 0x9E3779B97F4A7C15u;
  return hash ^ (hash >> 29);
}

std::uint64_t hash_of(const ImDrawVert& vertex) {
  std::uint64_t words[3] = {};
  static_assert(sizeof vertex <= sizeof words);
  std::memcpy(words, &vertex, sizeof vertex);
  return stirred(stirred(stirred(1, words[0]), words[1]), words[2]);
}

// What the triangles of a command are drawn with.
std::uint64_t hash_of(const ImDrawCmd& command, std::uint64_t state) {
  const ImTextureData* data = command.TexRef._TexData;
  const std::uint64_t texture =
      data ? static_cast<std::uint64_t>(data->UniqueID) << 32
           : stirred(command.TexRef._TexID,
                     Texture::version(static_cast<unsigned>(command.TexRef._TexID)));
  std::uint64_t clip[2];
  std::memcpy(clip, &command.ClipRect, sizeof clip);
  return stirred(stirred(stirred(state, texture), clip[0]), clip[1]);
}

struct Box {
  ImVec2 min, max;
};
Box box_of(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c) {
  return {{std::min({a.pos.x, b.pos.x, c.pos.x}), std::min({a.pos.y, b.pos.y, c.pos.y})},
          {std::max({a.pos.x, b.pos.x, c.pos.x}), std::max({a.pos.y, b.pos.y, c.pos.y})}};
}

PixelRect around(const PixelRect& a, const PixelRect& b) {
  return {std::min(a.x0, b.x0), std::min(a.y0, b.y0), std::max(a.x1, b.x1), std::max(a.y1, b.y1)};
}

// The two that lose least by it become one, until there are few.
void join(std::vector<PixelRect>& rects) {
  while (rects.size() > kMostRects) {
    std::size_t first = 0, second = 1;
    long least = std::numeric_limits<long>::max();
    for (std::size_t i = 0; i < rects.size(); ++i) {
      for (std::size_t k = i + 1; k < rects.size(); ++k) {
        const long more = around(rects[i], rects[k]).area() - rects[i].area() - rects[k].area();
        if (more < least) least = more, first = i, second = k;
      }
    }
    rects[first] = around(rects[first], rects[second]);
    rects.erase(rects.begin() + static_cast<std::ptrdiff_t>(second));
  }
}

}  // namespace

std::vector<PixelRect> Damage::next(const ImDrawData& frame, int width, int height, ImU32 ground) {
  const bool comparable = width == width_ && height == height_ && ground == ground_;
  width_ = width, height_ = height, ground_ = ground;
  columns_ = (width + kTile - 1) / kTile, rows_ = (height + kTile - 1) / kTile;
  std::vector<std::uint64_t> before(static_cast<std::size_t>(columns_) *
                                    static_cast<std::size_t>(rows_));
  before.swap(tiles_);
  for (const ImDrawList* list : frame.CmdLists)
    mix_list(*list, frame.DisplayPos, frame.FramebufferScale);
  if (!comparable) return {{0, 0, width, height}};
  return changed(before);
}

void Damage::mix_list(const ImDrawList& list, ImVec2 origin, ImVec2 scale) {
  std::vector<std::uint64_t> vertices;
  vertices.reserve(static_cast<std::size_t>(list.VtxBuffer.Size));
  for (const ImDrawVert& vertex : list.VtxBuffer) vertices.push_back(hash_of(vertex));
  std::uint64_t state = 1;
  for (const ImDrawCmd& command : list.CmdBuffer) {
    if (command.UserCallback) {
      state = stirred(1, std::bit_cast<std::uint64_t>(command.UserCallback));
      continue;
    }
    const std::uint64_t with = hash_of(command, state);
    const ImVec4& clip = command.ClipRect;
    const ImDrawIdx* index = list.IdxBuffer.Data + command.IdxOffset;
    for (unsigned i = 0; i + 2 < command.ElemCount; i += 3, index += 3) {
      const unsigned a = command.VtxOffset + index[0], b = command.VtxOffset + index[1],
                     c = command.VtxOffset + index[2];
      const Box box =
          box_of(list.VtxBuffer[static_cast<int>(a)], list.VtxBuffer[static_cast<int>(b)],
                 list.VtxBuffer[static_cast<int>(c)]);
      const ImVec2 min{std::max(box.min.x, clip.x), std::max(box.min.y, clip.y)},
          max{std::min(box.max.x, clip.z), std::min(box.max.y, clip.w)};
      if (!(min.x <= max.x && min.y <= max.y)) continue;
      mix({(min.x - origin.x) * scale.x - kReach, (min.y - origin.y) * scale.y - kReach},
          {(max.x - origin.x) * scale.x + kReach, (max.y - origin.y) * scale.y + kReach},
          stirred(stirred(stirred(with, vertices[a]), vertices[b]), vertices[c]));
    }
  }
}

void Damage::mix(ImVec2 min, ImVec2 max, std::uint64_t hash) {
  const auto tile = [](float at, int count) {
    return static_cast<int>(std::clamp(at / kTile, 0.0f, static_cast<float>(count - 1)));
  };
  const int left = tile(min.x, columns_), right = tile(max.x, columns_);
  for (int row = tile(min.y, rows_); row <= tile(max.y, rows_); ++row) {
    std::uint64_t* tiles = tiles_.data() + static_cast<std::ptrdiff_t>(row) * columns_;
    for (int column = left; column <= right; ++column) tiles[column] = stirred(tiles[column], hash);
  }
}

std::vector<PixelRect> Damage::changed(const std::vector<std::uint64_t>& before) const {
  std::vector<PixelRect> rects;
  for (int row = 0; row < rows_; ++row) {
    const auto differs = [&](int column) {
      const auto at = static_cast<std::size_t>(row * columns_ + column);
      return before[at] != tiles_[at];
    };
    for (int column = 0; column < columns_; ++column) {
      const int first = column;
      while (column < columns_ && differs(column)) ++column;
      if (column == first) continue;
      const PixelRect run{first * kTile, row * kTile, std::min(column * kTile, width_),
                          std::min((row + 1) * kTile, height_)};
      const auto above = std::find_if(rects.begin(), rects.end(), [&](const PixelRect& rect) {
        return rect.y1 == run.y0 && rect.x0 < run.x1 && run.x0 < rect.x1;
      });
      if (above == rects.end())
        rects.push_back(run);
      else
        *above = around(*above, run);
    }
  }
  join(rects);
  return rects;
}

CutFrame::CutFrame(ImDrawData& frame, const PixelRect& rect) : frame_(frame) {
  const ImVec2 scale = frame.FramebufferScale, origin = frame.DisplayPos;
  const ImVec4 cut{static_cast<float>(rect.x0) / scale.x + origin.x,
                   static_cast<float>(rect.y0) / scale.y + origin.y,
                   static_cast<float>(rect.x1) / scale.x + origin.x,
                   static_cast<float>(rect.y1) / scale.y + origin.y};
  whole_.resize(static_cast<std::size_t>(frame.CmdLists.Size));
  for (int i = 0; i < frame.CmdLists.Size; ++i) {
    ImDrawList& list = *frame.CmdLists[i];
    Whole& whole = whole_[static_cast<std::size_t>(i)];
    whole.commands = list.CmdBuffer;
    whole.indices.swap(list.IdxBuffer);
    for (ImDrawCmd& command : list.CmdBuffer) {
      if (command.UserCallback) continue;
      ImVec4& clip = command.ClipRect;
      clip = {std::max(clip.x, cut.x), std::max(clip.y, cut.y), std::min(clip.z, cut.z),
              std::min(clip.w, cut.w)};
      const ImDrawIdx* index = whole.indices.Data + command.IdxOffset;
      const ImDrawVert* vertex = list.VtxBuffer.Data + command.VtxOffset;
      const unsigned count = clip.x < clip.z && clip.y < clip.w ? command.ElemCount : 0;
      command.IdxOffset = static_cast<unsigned>(list.IdxBuffer.Size);
      for (unsigned k = 0; k + 2 < count; k += 3, index += 3) {
        const Box box = box_of(vertex[index[0]], vertex[index[1]], vertex[index[2]]);
        if (box.max.x + kReach < clip.x || box.min.x - kReach > clip.z ||
            box.max.y + kReach < clip.y || box.min.y - kReach > clip.w)
          continue;
        for (int corner = 0; corner < 3; ++corner) list.IdxBuffer.push_back(index[corner]);
      }
      command.ElemCount = static_cast<unsigned>(list.IdxBuffer.Size) - command.IdxOffset;
    }
  }
}

CutFrame::~CutFrame() {
  for (int i = 0; i < frame_.CmdLists.Size; ++i) {
    frame_.CmdLists[i]->CmdBuffer.swap(whole_[static_cast<std::size_t>(i)].commands);
    frame_.CmdLists[i]->IdxBuffer.swap(whole_[static_cast<std::size_t>(i)].indices);
  }
}

}  // namespace lanescope::app
