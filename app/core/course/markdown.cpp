#include "core/course/markdown.h"

#include <md4c.h>

namespace lanescope::app {

namespace {

/// What md4c tells, put together.
class Blocks {
 public:
  std::vector<MarkdownBlock> take(const std::string& text) {
    MD_PARSER parser{};
    parser.flags = MD_FLAG_COLLAPSEWHITESPACE | MD_FLAG_NOHTML;
    parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* self) {
      return static_cast<Blocks*>(self)->enter(type, detail), 0;
    };
    parser.leave_block = [](MD_BLOCKTYPE type, void*, void* self) {
      return static_cast<Blocks*>(self)->leave(type), 0;
    };
    parser.enter_span = [](MD_SPANTYPE type, void*, void* self) {
      return static_cast<Blocks*>(self)->span(type, true), 0;
    };
    parser.leave_span = [](MD_SPANTYPE type, void*, void* self) {
      return static_cast<Blocks*>(self)->span(type, false), 0;
    };
    parser.text = [](MD_TEXTTYPE type, const MD_CHAR* part, MD_SIZE size, void* self) {
      return static_cast<Blocks*>(self)->add(type, {part, size}), 0;
    };
    md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, this);
    return std::move(blocks_);
  }

 private:
  void enter(MD_BLOCKTYPE type, void* detail) {
    if (type == MD_BLOCK_UL) {
      lists_.push_back(0);
    } else if (type == MD_BLOCK_OL) {
      lists_.push_back(static_cast<int>(static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start));
    } else if (type == MD_BLOCK_LI) {
      int& number = lists_.back();
      blocks_.push_back({.kind = MarkdownBlock::Kind::item,
                         .number = number,
                         .depth = static_cast<int>(lists_.size())});
      if (number > 0) ++number;
      fresh_item_ = true;
    } else if (type == MD_BLOCK_P || type == MD_BLOCK_H) {
      if (!fresh_item_) blocks_.emplace_back();
      fresh_item_ = false;
    } else if (type == MD_BLOCK_CODE) {
      blocks_.push_back({.kind = MarkdownBlock::Kind::code});
    }
  }

  void leave(MD_BLOCKTYPE type) {
    if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) lists_.pop_back();
    if (type == MD_BLOCK_LI) fresh_item_ = false;
  }

  void span(MD_SPANTYPE type, bool on) {
    if (type == MD_SPAN_STRONG) look_.strong = on;
    if (type == MD_SPAN_EM) look_.emphasis = on;
    if (type == MD_SPAN_CODE) look_.code = on;
  }

  void add(MD_TEXTTYPE type, std::string text) {
    if (type == MD_TEXT_SOFTBR) text = " ";
    if (type == MD_TEXT_BR) text = "\n";
    if (blocks_.empty()) blocks_.emplace_back();
    auto& runs = blocks_.back().runs;
    MarkdownRun run = look_;
    const bool same = !runs.empty() && runs.back().strong == run.strong &&
                      runs.back().emphasis == run.emphasis && runs.back().code == run.code;
    if (same) {
      runs.back().text += text;
      return;
    }
    run.text = std::move(text);
    runs.push_back(std::move(run));
  }

  std::vector<MarkdownBlock> blocks_;
  /// The next number of each list that is open; 0: it does not count
  std::vector<int> lists_;
  MarkdownRun look_;
  /// An item whose first paragraph is its own text
  bool fresh_item_ = false;
};

}  // namespace

std::vector<MarkdownBlock> parse_markdown(const std::string& text) { return Blocks().take(text); }

std::string plain_text(const std::string& markdown) {
  std::string plain;
  for (const MarkdownBlock& block : parse_markdown(markdown)) {
    if (!plain.empty()) plain += ' ';
    for (const MarkdownRun& run : block.runs) plain += run.text;
  }
  return plain;
}

}  // namespace lanescope::app
