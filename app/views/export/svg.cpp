#include "views/export/svg.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "imgui_internal.h"
#include "platform/texture.h"

namespace lanescope::app {
namespace {

std::string number(float value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", static_cast<double>(value));
  std::string result = text;
  result.erase(result.find_last_not_of('0') + 1);
  if (result.back() == '.') result.pop_back();
  return result == "-0" ? "0" : result;
}

std::string fill(ImU32 color) {
  char text[64];
  std::snprintf(text, sizeof text, "fill=\"#%02x%02x%02x\"", (color >> IM_COL32_R_SHIFT) & 255,
                (color >> IM_COL32_G_SHIFT) & 255, (color >> IM_COL32_B_SHIFT) & 255);
  const unsigned alpha = (color >> IM_COL32_A_SHIFT) & 255;
  return alpha == 255 ? text
                      : std::string(text) + " fill-opacity=\"" +
                            number(static_cast<float>(alpha) / 255) + "\"";
}

std::string escaped(unsigned codepoint) {
  if (codepoint == '<') return "&lt;";
  if (codepoint == '>') return "&gt;";
  if (codepoint == '&') return "&amp;";
  char utf8[5] = {};
  ImTextCharToUtf8(utf8, codepoint);
  return utf8;
}

// How a font is named in CSS, and its em square as a share of the line height that ImGui counts
// sizes in (ascent minus descent, as the fonts' own tables have them: Inter 1.21, JetBrains
// Mono 1.32).
struct Face {
  const char* css;
  float em;
};
Face face_of(const ImFont* font, const Fonts& fonts) {
  if (font == fonts.mono)
    return {"font-family=\"JetBrains Mono, WenQuanYi Micro Hei Mono, monospace\"", 1 / 1.32f};
  if (font == fonts.strong)
    return {"font-family=\"Inter, WenQuanYi Micro Hei, sans-serif\" font-weight=\"600\"",
            1 / 1.21f};
  return {"font-family=\"Inter, WenQuanYi Micro Hei, sans-serif\"", 1 / 1.21f};
}

struct Quad {
  ImVec2 min, max, uv_min, uv_max;
  ImU32 color;
};

// Parts of a font's size: from where a gap between glyphs is a space, and from where two texts only
// happen to stand on one line.
constexpr float kGap = 0.14f, kFar = 0.9f;

// Words: the glyphs that lie on one line, in one font, size and colour.
struct Run {
  const ImFont* font = nullptr;
  float size = 0, baseline = 0;
  /// Where the last glyph ends
  float pen = 0;
  ImU32 color = 0;
  std::string xs, text;
};

class Writer {
 public:
  Writer(const ImDrawData& data, const Fonts& fonts) : data_(data), fonts_(fonts) {}

  std::string write() {
    const std::string width = number(data_.DisplaySize.x), height = number(data_.DisplaySize.y);
    out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height +
           "\" viewBox=\"0 0 " + width + " " + height +
           "\">\n<rect width=\"100%\" height=\"100%\" " +
           fill(ImGui::GetColorU32(ImGuiCol_WindowBg)) + "/>\n";
    for (const ImDrawList* list : data_.CmdLists) {
      for (const ImDrawCmd& command : list->CmdBuffer) {
        if (!command.UserCallback && command.ElemCount > 0) draw(*list, command);
      }
    }
    return out_ + "</svg>\n";
  }

 private:
  void draw(const ImDrawList& list, const ImDrawCmd& command) {
    const ImVec4 clip = command.ClipRect;
    if (clip.z <= clip.x || clip.w <= clip.y) return;
    const std::string id = fmt::format("c{}", clips_++);
    out_ += "<clipPath id=\"" + id + "\"><rect x=\"" + number(clip.x) + "\" y=\"" + number(clip.y) +
            "\" width=\"" + number(clip.z - clip.x) + "\" height=\"" + number(clip.w - clip.y) +
            "\"/></clipPath>\n<g clip-path=\"url(#" + id + ")\">\n";
    const ImDrawIdx* index = list.IdxBuffer.Data + command.IdxOffset;
    const ImDrawVert* vertex = list.VtxBuffer.Data + command.VtxOffset;
    for (unsigned i = 0; i + 2 < command.ElemCount;)
      i += piece(index + i, command.ElemCount - i, vertex);
    end_run();
    out_ += "</g>\n";
  }

  // One shape or glyph; returns how many indices it took.
  unsigned piece(const ImDrawIdx* index, unsigned left, const ImDrawVert* vertex) {
    const ImDrawVert& first = vertex[index[0]];
    const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
    if (first.uv.x != white.x || first.uv.y != white.y) {
      if (left >= 6)
        glyph(
            {vertex[index[0]].pos, vertex[index[2]].pos, first.uv, vertex[index[2]].uv, first.col});
      return left >= 6 ? 6 : 3;
    }
    // A convex shape is a fan of triangles around its first corner.
    std::vector<ImVec2> corners{first.pos, vertex[index[1]].pos, vertex[index[2]].pos};
    unsigned taken = 3;
    while (taken + 2 < left && index[taken] == index[0] && index[taken + 1] == index[taken - 1]) {
      corners.push_back(vertex[index[taken + 2]].pos);
      taken += 3;
    }
    polygon(corners, first.col);
    return taken;
  }

  void polygon(const std::vector<ImVec2>& corners, ImU32 color) {
    end_run();
    if (((color >> IM_COL32_A_SHIFT) & 255) == 0) return;
    const bool box = corners.size() == 4 && corners[0].y == corners[1].y &&
                     corners[1].x == corners[2].x && corners[2].y == corners[3].y &&
                     corners[3].x == corners[0].x;
    if (box) {
      const ImVec2 a{std::min(corners[0].x, corners[2].x), std::min(corners[0].y, corners[2].y)};
      out_ += "<rect x=\"" + number(a.x) + "\" y=\"" + number(a.y) + "\" width=\"" +
              number(std::fabs(corners[2].x - corners[0].x)) + "\" height=\"" +
              number(std::fabs(corners[2].y - corners[0].y)) +
              "\" shape-rendering=\"crispEdges\" " + fill(color) + "/>\n";
      return;
    }
    out_ += "<polygon points=\"";
    for (const ImVec2& corner : corners) out_ += number(corner.x) + "," + number(corner.y) + " ";
    out_.back() = '"';
    out_ += " " + fill(color) + "/>\n";
  }

  // The glyph whose place in the font's texture a quad shows; ImGui may have cut the quad at a clip
  // rectangle.
  void glyph(const Quad& quad) {
    const float u = (quad.uv_min.x + quad.uv_max.x) / 2, v = (quad.uv_min.y + quad.uv_max.y) / 2;
    ImStableVector<ImFontBaked, 32>& pool = ImGui::GetIO().Fonts->Builder->BakedPool;
    for (int i = 0; i < pool.Size; ++i) {
      const ImFontBaked& baked = pool[i];
      if (baked.WantDestroy) continue;
      for (const ImFontGlyph& candidate : baked.Glyphs) {
        const bool hit = candidate.Visible && u > candidate.U0 && u < candidate.U1 &&
                         v > candidate.V0 && v < candidate.V1;
        if (hit) return place(quad, baked, candidate);
      }
    }
  }

  void place(const Quad& quad, const ImFontBaked& baked, const ImFontGlyph& glyph) {
    // Pixels per unit of the glyph's box, and from it where the pen stood.
    const float share = (quad.uv_max.x - quad.uv_min.x) / (glyph.U1 - glyph.U0);
    if (share <= 0) return;
    const float scale = (quad.max.x - quad.min.x) / share / (glyph.X1 - glyph.X0);
    const float cut_x = (quad.uv_min.x - glyph.U0) / (glyph.U1 - glyph.U0) * (glyph.X1 - glyph.X0);
    const float cut_y = (quad.uv_min.y - glyph.V0) / (glyph.V1 - glyph.V0) * (glyph.Y1 - glyph.Y0);
    const float x = quad.min.x - (glyph.X0 + cut_x) * scale;
    const float baseline = quad.min.y - (glyph.Y0 + cut_y) * scale + baked.Ascent * scale;
    const float size = baked.Size * scale;
    const bool joins = run_ && run_->font == baked.OwnerFont &&
                       std::fabs(run_->size - size) < 0.6f &&
                       std::fabs(run_->baseline - baseline) < 0.6f && run_->color == quad.color &&
                       x > run_->pen - size * kGap && x < run_->pen + size * kFar;
    if (!joins) {
      end_run();
      run_ = Run{baked.OwnerFont, size, baseline, x, quad.color, "", ""};
    }
    // Spaces are not drawn. One that cannot break keeps words apart in every viewer.
    if (x > run_->pen + size * kGap) {
      run_->xs += " " + number(run_->pen);
      run_->text += "\u00a0";
    }
    run_->pen = x + glyph.AdvanceX * scale;
    run_->xs += (run_->xs.empty() ? "" : " ") + number(x);
    run_->text += escaped(glyph.Codepoint);
  }

  void end_run() {
    if (!run_) return;
    const Face face = face_of(run_->font, fonts_);
    out_ += "<text " + std::string(face.css) + " font-size=\"" + number(run_->size * face.em) +
            "\" y=\"" + number(run_->baseline) + "\" x=\"" + run_->xs + "\" " + fill(run_->color) +
            ">" + run_->text + "</text>\n";
    run_.reset();
  }

  const ImDrawData& data_;
  const Fonts& fonts_;
  std::string out_;
  std::optional<Run> run_;
  int clips_ = 0;
};

}  // namespace

void prepare_for_svg() {
  ImGuiStyle& style = ImGui::GetStyle();
  style.AntiAliasedFill = style.AntiAliasedLines = style.AntiAliasedLinesUseTex = false;
  Texture::draw_as_rectangles(true);
}

std::string to_svg(const ImDrawData& data, const Fonts& fonts) {
  return Writer(data, fonts).write();
}

}  // namespace lanescope::app
