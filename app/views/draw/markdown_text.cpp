#include "views/draw/markdown_text.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "views/draw/markdown_pieces.h"

namespace lanescope::app {
namespace {

// Of the type's size: from line to line, and between blocks; by Leading.
constexpr float kLeading[] = {1.27f, 1.17f}, kBetweenBlocks[] = {0.45f, 0.3f};
constexpr float kIndent = 1.3f;     // of the type's size, for each list
constexpr float kCodeSize = 0.93f;  // of the type's size: this face is larger

/// Puts pieces into lines, and lines under each other.
class Setter {
 public:
  Setter(const ViewContext& ctx, ImVec2 at, float width, float size, Leading leading,
         ImDrawList* list)
      : ctx_(ctx), at_(at), width_(width), size_(size),
        line_(size * kLeading[static_cast<std::size_t>(leading)]),
        between_(size * kBetweenBlocks[static_cast<std::size_t>(leading)]), list_(list), y_(at.y) {}

  void block(const MarkdownBlock& block) {
    if (y_ > at_.y) y_ += block.kind == MarkdownBlock::Kind::item ? between_ / 3 : between_;
    if (block.kind == MarkdownBlock::Kind::code) return code(block);
    left_ = at_.x;
    if (block.kind == MarkdownBlock::Kind::item) bullet(block);
    x_ = left_;
    const std::vector<MarkdownPiece> pieces = measured(block.runs);
    for (std::size_t i = 0; i < pieces.size();) {
      std::size_t end = i + 1;
      while (end < pieces.size() && !pieces[end].may_break) ++end;
      if (width_of(pieces, i, end) > at_.x + width_ - left_) {
        end = i + 1;
        while (end < pieces.size() && !pieces[end].may_break && !pieces[end].may_split) ++end;
      }
      word(pieces, i, end);
      i = end;
    }
    y_ += line_;
  }

  [[nodiscard]] float height() const { return y_ - at_.y; }

 private:
  [[nodiscard]] static bool is_ascii(const std::string& text) {
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  }
  [[nodiscard]] ImFont* font(const MarkdownPiece& piece) const {
    return piece.code ? ctx_.fonts.mono : piece.strong ? ctx_.fonts.strong : ctx_.fonts.text;
  }
  [[nodiscard]] float size(const MarkdownPiece& piece) const {
    return piece.code ? size_ * kCodeSize : size_;
  }

  [[nodiscard]] std::vector<MarkdownPiece> measured(const std::vector<MarkdownRun>& runs) const {
    std::vector<MarkdownPiece> pieces = markdown_pieces(runs);
    for (MarkdownPiece& piece : pieces)
      piece.width = font(piece)->CalcTextSizeA(size(piece), FLT_MAX, 0, piece.text.c_str()).x;
    return pieces;
  }

  [[nodiscard]] float blank() const {
    return ctx_.fonts.text->CalcTextSizeA(size_, FLT_MAX, 0, " ").x;
  }

  [[nodiscard]] float width_of(const std::vector<MarkdownPiece>& pieces, std::size_t begin,
                               std::size_t end) const {
    float width = 0;
    for (std::size_t i = begin; i < end; ++i)
      width += pieces[i].width + (i > begin && pieces[i].blank ? blank() : 0);
    return width;
  }

  void word(const std::vector<MarkdownPiece>& pieces, std::size_t begin, std::size_t end) {
    const float width = width_of(pieces, begin, end);
    const float before = x_ > left_ && pieces[begin].blank ? blank() : 0;
    if (x_ > left_ && x_ + before + width > at_.x + width_) {
      x_ = left_;
      y_ += line_;
    } else {
      x_ += before;
    }
    for (std::size_t i = begin; i < end; ++i) {
      if (i > begin && pieces[i].blank) x_ += blank();
      draw(pieces[i]);
    }
  }

  void draw(const MarkdownPiece& piece) {
    const float drop = (size_ - size(piece)) * 0.5f;
    // Code of several words is one box.
    const bool joined = piece.code && piece.blank && code_end_ > left_ && code_end_ < x_;
    if (list_ && piece.code)
      list_->AddRectFilled({joined ? code_end_ : x_ - size_ * 0.08f, y_},
                           {x_ + piece.width + size_ * 0.08f, y_ + size_ * 1.15f},
                           mixed(ctx_.theme.canvas, ctx_.theme.dim, 0.2f), size_ * 0.15f);
    const ImU32 ink = piece.code ? ctx_.theme.text : ImGui::GetColorU32(ImGuiCol_Text);
    if (list_) list_->AddText(font(piece), size(piece), {x_, y_ + drop}, ink, piece.text.c_str());
    if (list_ && piece.strong && !is_ascii(piece.text))  // our Chinese has one weight
      list_->AddText(font(piece), size(piece), {x_ + size_ * 0.045f, y_ + drop}, ink,
                     piece.text.c_str());
    x_ += piece.width;
    code_end_ = piece.code ? x_ : 0;
  }

  void bullet(const MarkdownBlock& block) {
    const float indent = size_ * kIndent * static_cast<float>(block.depth);
    left_ = at_.x + indent;
    if (!list_) return;
    const float x = left_ - size_ * kIndent * 0.75f;
    if (block.number > 0)
      list_->AddText(ctx_.fonts.text, size_, {x, y_}, ctx_.theme.dim,
                     fmt::format("{}.", block.number).c_str());
    else
      list_->AddCircleFilled({x + size_ * 0.2f, y_ + size_ * 0.62f}, size_ * 0.14f, ctx_.theme.dim);
  }

  void code(const MarkdownBlock& block) {
    std::string text;
    for (const MarkdownRun& run : block.runs) text += run.text;
    while (text.ends_with('\n')) text.pop_back();
    const float type = size_ * kCodeSize;
    const ImVec2 drawn = ctx_.fonts.mono->CalcTextSizeA(type, FLT_MAX, 0, text.c_str());
    const float pad = size_ * 0.4f;
    if (list_) {
      list_->AddRectFilled({at_.x, y_}, {at_.x + width_, y_ + drawn.y + 2 * pad},
                           mixed(ctx_.theme.canvas, ctx_.theme.dim, 0.15f), size_ * 0.2f);
      list_->AddText(ctx_.fonts.mono, type, {at_.x + pad, y_ + pad}, ctx_.theme.text, text.c_str());
    }
    y_ += drawn.y + 2 * pad;
  }

  const ViewContext& ctx_;
  ImVec2 at_;
  float width_, size_, line_, between_;
  ImDrawList* list_;
  float x_ = 0, y_, left_ = 0;
  /// Of the piece before, if it was code
  float code_end_ = 0;
};

float set(const ViewContext& ctx, const std::string& markdown, float size, ImVec2 at, float width,
          Leading leading, ImDrawList* list) {
  Setter setter(ctx, at, width, ImGui::GetFontSize() * size, leading, list);
  for (const MarkdownBlock& block : parse_markdown(markdown)) setter.block(block);
  return setter.height();
}

}  // namespace

void markdown_text(const ViewContext& ctx, const std::string& markdown, float size, Leading leading,
                   float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (width <= 0) width = ImGui::GetContentRegionAvail().x;
  const float height = set(ctx, markdown, size, at, width, leading, ImGui::GetWindowDrawList());
  ImGui::Dummy({width, height});
}

float markdown_height(const ViewContext& ctx, const std::string& markdown, float size, float width,
                      Leading leading) {
  return set(ctx, markdown, size, {0, 0}, width, leading, nullptr);
}

}  // namespace lanescope::app
