#include "views/draw/markdown_text.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "imgui_internal.h"

namespace lanescope::app {
namespace {

constexpr float kLeading = 1.27f;        // of the type's size, from line to line
constexpr float kBetweenBlocks = 0.45f;  // of the type's size
constexpr float kIndent = 1.3f;          // of the type's size, for each list
constexpr float kCodeSize = 0.93f;       // of the type's size: this face is larger

bool is_wide(unsigned c) { return c >= 0x2e80; }  // Chinese letters and their punctuation

// "，。、；：？！）》」』】”’" and their like may not begin a line.
bool closes(unsigned c) {
  static constexpr unsigned kClosing[] = {0xff0c, 0x3002, 0x3001, 0xff1b, 0xff1a, 0xff1f,
                                          0xff01, 0xff09, 0x300b, 0x300d, 0x300f, 0x3011,
                                          0x201d, 0x2019, 0x2026, '.',    ',',    ';',
                                          ':',    '?',    '!',    ')',    ']'};
  return std::find(std::begin(kClosing), std::end(kClosing), c) != std::end(kClosing);
}

// "（《「『【“‘" may not end one.
bool opens(unsigned c) {
  static constexpr unsigned kOpening[] = {0xff08, 0x300a, 0x300c, 0x300e, 0x3010,
                                          0x201c, 0x2018, '(',    '['};
  return std::find(std::begin(kOpening), std::end(kOpening), c) != std::end(kOpening);
}

/// A piece that no line is broken within.
struct Piece {
  std::string text;
  bool strong = false, code = false;
  /// A blank stands before it, unless it begins a line
  bool blank = false;
  /// A line may begin with it
  bool may_break = false;
  float width = 0;
};

/// Cuts the runs of a block where lines may be broken.
class Cutter {
 public:
  std::vector<Piece> cut(const std::vector<MarkdownRun>& runs) {
    for (const MarkdownRun& run : runs) {
      for (std::size_t at = 0; at < run.text.size();) {
        unsigned c = 0;
        const int bytes = std::max(
            1, ImTextCharFromUtf8(&c, run.text.data() + at, run.text.data() + run.text.size()));
        add(run, run.text.substr(at, static_cast<std::size_t>(bytes)), c);
        at += static_cast<std::size_t>(bytes);
      }
    }
    return std::move(pieces_);
  }

 private:
  void add(const MarkdownRun& run, const std::string& letter, unsigned c) {
    if (c == ' ' || c == '\n') {
      blank_ = true;
      return;
    }
    const bool strong = run.strong || run.emphasis;
    const bool same = !pieces_.empty() && pieces_.back().strong == strong &&
                      pieces_.back().code == run.code && !blank_;
    const bool wide_seam = !run.code && (is_wide(c) || is_wide(last_));
    const bool may_break = pieces_.empty() ||
                           ((blank_ || wide_seam) && !closes(c) && !opens(last_)) ||
                           (blank_ && !closes(c));
    if (same && !may_break) {
      pieces_.back().text += letter;
    } else {
      pieces_.push_back({letter, strong, run.code, blank_ && !pieces_.empty(), may_break});
    }
    blank_ = false;
    last_ = c;
  }

  std::vector<Piece> pieces_;
  bool blank_ = false;
  unsigned last_ = 0;
};

/// Puts pieces into lines, and lines under each other.
class Setter {
 public:
  Setter(const ViewContext& ctx, ImVec2 at, float width, float size, ImDrawList* list)
      : ctx_(ctx), at_(at), width_(width), size_(size), list_(list), y_(at.y) {}

  void block(const MarkdownBlock& block) {
    if (y_ > at_.y)
      y_ += size_ * (block.kind == MarkdownBlock::Kind::item ? 0.15f : kBetweenBlocks);
    if (block.kind == MarkdownBlock::Kind::code) return code(block);
    left_ = at_.x;
    if (block.kind == MarkdownBlock::Kind::item) bullet(block);
    x_ = left_;
    const std::vector<Piece> pieces = measured(block.runs);
    for (std::size_t i = 0; i < pieces.size();) {
      std::size_t end = i + 1;
      while (end < pieces.size() && !pieces[end].may_break) ++end;
      word(pieces, i, end);
      i = end;
    }
    y_ += size_ * kLeading;
  }

  [[nodiscard]] float height() const { return y_ - at_.y; }

 private:
  [[nodiscard]] ImFont* font(const Piece& piece) const {
    return piece.code ? ctx_.fonts.mono : piece.strong ? ctx_.fonts.strong : ctx_.fonts.text;
  }
  [[nodiscard]] float size(const Piece& piece) const {
    return piece.code ? size_ * kCodeSize : size_;
  }

  [[nodiscard]] std::vector<Piece> measured(const std::vector<MarkdownRun>& runs) const {
    std::vector<Piece> pieces = Cutter().cut(runs);
    for (Piece& piece : pieces)
      piece.width = font(piece)->CalcTextSizeA(size(piece), FLT_MAX, 0, piece.text.c_str()).x;
    return pieces;
  }

  [[nodiscard]] float blank() const {
    return ctx_.fonts.text->CalcTextSizeA(size_, FLT_MAX, 0, " ").x;
  }

  void word(const std::vector<Piece>& pieces, std::size_t begin, std::size_t end) {
    float width = 0;
    for (std::size_t i = begin; i < end; ++i)
      width += pieces[i].width + (i > begin && pieces[i].blank ? blank() : 0);
    const float before = x_ > left_ && pieces[begin].blank ? blank() : 0;
    if (x_ > left_ && x_ + before + width > at_.x + width_) {
      x_ = left_;
      y_ += size_ * kLeading;
    } else {
      x_ += before;
    }
    for (std::size_t i = begin; i < end; ++i) {
      if (i > begin && pieces[i].blank) x_ += blank();
      draw(pieces[i]);
    }
  }

  void draw(const Piece& piece) {
    const float drop = (size_ - size(piece)) * 0.5f;
    // Code of several words is one box.
    const bool joined = piece.code && piece.blank && code_end_ > left_ && code_end_ < x_;
    if (list_ && piece.code)
      list_->AddRectFilled({joined ? code_end_ : x_ - size_ * 0.08f, y_},
                           {x_ + piece.width + size_ * 0.08f, y_ + size_ * 1.15f},
                           mixed(ctx_.theme.canvas, ctx_.theme.dim, 0.2f), size_ * 0.15f);
    if (list_)
      list_->AddText(font(piece), size(piece), {x_, y_ + drop},
                     piece.code ? ctx_.theme.text : ImGui::GetColorU32(ImGuiCol_Text),
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
                     (std::to_string(block.number) + ".").c_str());
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
  float width_, size_;
  ImDrawList* list_;
  float x_ = 0, y_, left_ = 0;
  /// Of the piece before, if it was code
  float code_end_ = 0;
};

float set(const ViewContext& ctx, const std::string& markdown, float size, ImVec2 at, float width,
          ImDrawList* list) {
  Setter setter(ctx, at, width, ImGui::GetFontSize() * size, list);
  for (const MarkdownBlock& block : parse_markdown(markdown)) setter.block(block);
  return setter.height();
}

}  // namespace

void markdown_text(const ViewContext& ctx, const std::string& markdown, float size) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = set(ctx, markdown, size, at, width, ImGui::GetWindowDrawList());
  ImGui::Dummy({width, height});
}

float markdown_height(const ViewContext& ctx, const std::string& markdown, float size,
                      float width) {
  return set(ctx, markdown, size, {0, 0}, width, nullptr);
}

}  // namespace lanescope::app
