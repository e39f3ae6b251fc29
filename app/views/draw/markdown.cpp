#include "views/draw/markdown.h"

#include <utf8.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/course/markdown.h"
#include "imgui.h"

namespace lanescope::app {
namespace {

constexpr float kIndent = 1.3f;      // em, of a list
constexpr float kParagraph = 0.45f;  // em, between blocks
constexpr float kCodeSize = 0.92f;   // of the letters around it

/// What stays together at the end of a line, in one look.
struct Piece {
  std::string text = {};
  ImFont* font = nullptr;
  float size = 0;
  bool code = false;
  /// A line may not begin with it
  bool follows = false;
};

bool is_wide(char32_t letter) { return letter > 0x2e7f; }  // Chinese: broken between any two

bool closes(char32_t letter) {
  static constexpr std::u32string_view kMarks = U".,;:!?)”’，。；：！？、）》";
  return kMarks.find(letter) != std::u32string_view::npos;
}

/// Takes a block apart into pieces.
class Pieces {
 public:
  Pieces(const ViewContext& ctx, const MarkdownBlock& block, float size) {
    for (const MarkdownRun& run : block.runs) {
      const bool code = run.code || block.kind == MarkdownBlock::Kind::code;
      ImFont* font = code                         ? ctx.fonts.mono
                     : run.strong || run.emphasis ? ctx.fonts.strong
                                                  : ctx.fonts.text;
      look_ = {.font = font, .size = code ? size * kCodeSize : size, .code = code};
      last_ = 0;
      for (auto at = run.text.begin(); at != run.text.end();) {
        const auto begin = at;
        const char32_t letter = utf8::next(at, run.text.end());
        add(letter, {begin, at});
      }
    }
  }
  std::vector<Piece> all;

 private:
  // Blanks belong to the piece before them.
  void add(char32_t letter, const std::string& text) {
    const bool blank = letter == ' ', was_blank = last_ == ' ' || last_ == '\n';
    const bool word = !is_wide(letter) && !is_wide(last_) && !was_blank;
    const bool joins = last_ != 0 && letter != '\n' && last_ != '\n' &&
                       (blank || word || (look_.code && !was_blank) || closes(letter));
    if (!joins) {
      all.push_back(look_);
      all.back().follows = closes(letter);
    }
    all.back().text += text;
    last_ = letter;
  }

  Piece look_;
  char32_t last_ = 0;
};

/// Sets pieces from the left to the right and from the top to the bottom.
class Setter {
 public:
  Setter(const ViewContext& ctx, ImVec2 at, float width)
      : ctx_(ctx), list_(*ImGui::GetWindowDrawList()), left_(at.x), right_(at.x + width), x_(at.x),
        y_(at.y) {}

  void block(const MarkdownBlock& block, float size) {
    const float em = ImGui::GetFontSize();
    if (y_ > 0 && begun_)
      y_ += block.kind == MarkdownBlock::Kind::item ? 0.15f * em : kParagraph * em;
    begun_ = true;
    const float indent = block.kind == MarkdownBlock::Kind::item
                             ? kIndent * em * static_cast<float>(block.depth)
                             : 0;
    const float left = left_;
    left_ += indent, x_ = left_;
    if (indent > 0) mark(block, size, kIndent * em);
    for (const Piece& piece : Pieces(ctx_, block, size).all) set(piece);
    y_ += line_, line_ = 0;
    left_ = left, x_ = left;
  }

  [[nodiscard]] float bottom() const { return y_; }

 private:
  void mark(const MarkdownBlock& block, float size, float room) {
    const std::string text = block.number > 0 ? std::to_string(block.number) + "." : "•";
    list_.AddText(ctx_.fonts.text, size, {left_ - room * 0.8f, y_}, ctx_.theme.dim, text.c_str());
  }

  void set(const Piece& piece) {
    const float height = ImGui::GetTextLineHeightWithSpacing();
    if (piece.text == "\n") {
      y_ += std::max(line_, height), x_ = left_;
      return;
    }
    if (piece.text == " " && x_ == left_) return;
    const float width = piece.font->CalcTextSizeA(piece.size, FLT_MAX, 0, piece.text.c_str()).x;
    if (x_ > left_ && x_ + width > right_ && !piece.follows) y_ += line_, x_ = left_, line_ = 0;
    line_ = std::max(line_, height);
    if (piece.code)
      list_.AddRectFilled({x_ - 1, y_}, {x_ + width + 1, y_ + ImGui::GetFontSize() * 1.12f},
                          faded(ctx_.theme.text, 0.09f), 2);
    list_.AddText(piece.font, piece.size, {x_, y_ + (ImGui::GetFontSize() - piece.size) * 0.5f},
                  ImGui::GetColorU32(ImGuiCol_Text), piece.text.c_str());
    x_ += width;
  }

  const ViewContext& ctx_;
  ImDrawList& list_;
  float left_, right_, x_, y_, line_ = 0;
  bool begun_ = false;
};

}  // namespace

void draw_markdown(const ViewContext& ctx, const std::string& text, float size) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = std::max(ImGui::GetContentRegionAvail().x, 8 * ImGui::GetFontSize());
  ImGui::PushFont(nullptr, ImGui::GetStyle().FontSizeBase * size);
  Setter setter(ctx, at, width);
  for (const MarkdownBlock& block : parse_markdown(text)) setter.block(block, ImGui::GetFontSize());
  ImGui::PopFont();
  ImGui::Dummy({width, setter.bottom() - at.y});
}

}  // namespace lanescope::app
