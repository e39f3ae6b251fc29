#include "views/draw/glossary.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <string_view>
#include <unordered_map>

#include "core/text/text.h"
#include "views/draw/tr.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {
namespace {

constexpr float kTooltipWidth = 360;  // units

constexpr std::array kTerms{
    Term{"lane", "One of the 32 threads of a warp, numbered 0 to 31."},
    Term{"warp", "32 threads of a block that execute each instruction together."},
    Term{"block", "Threads that share one shared memory and can wait for each other."},
    Term{"grid", "All blocks of one launch."},
    Term{"shared memory",
         "Fast memory inside a multiprocessor, seen by the threads of one block only."},
    Term{"global memory", "The GPU's large memory, seen by all threads."},
    Term{"tile", "The piece of a matrix that a block keeps in shared memory."},
    Term{"pitch", "The length of a row in elements, padding included."},
    Term{"padding",
         "Elements at the end of each row that nobody uses. They shift the next row to other "
         "banks."},
    Term{"swizzle",
         "A rule that exchanges the columns of each row differently, so that a column lies in "
         "different banks and no padding is needed."},
    Term{"stride", "How far apart two neighbouring lanes' addresses are."},
    Term{"bank",
         "One of the 32 parts of shared memory. Each serves one word per wavefront; word w is in "
         "bank w mod 32."},
    Term{"word", "4 bytes of shared memory that lie in one bank."},
    Term{"wavefront",
         "One pass through the banks of shared memory. An access that needs more than one is "
         "served piece after piece."},
    Term{"conflict",
         "Lanes want different words of one bank, which must be served one after the other. Each "
         "wavefront beyond the ideal counts as one."},
    Term{"broadcast", "Several lanes read the same word: it is fetched once and given to all."},
    Term{"request", "One memory instruction that one warp executes."},
    Term{"sector", "32 bytes of global memory: the smallest piece that is moved."},
    Term{"128-byte line", "Four sectors beside each other, which a cache keeps together."},
    Term{"efficiency", "Bytes that were asked for ÷ bytes that were moved (sectors × 32)."},
    Term{"ideal", "The fewest wavefronts or sectors that could do the same work."},
    Term{"access", "One memory operation in the source text: a line and a column."},
    Term{"step", "One operation that a whole warp executes."},
    Term{"active mask", "Which of the 32 lanes take part in a step."},
    Term{"barrier",
         "__syncthreads(): no thread of the block goes on before all of them have arrived."},
    Term{"occupancy",
         "How many warps a multiprocessor can keep at work, as a share of the most that it has "
         "room for."}};

bool marks = true;

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
}

// Chinese leaves no gaps between words: these hold a term's character and mean something else.
constexpr std::string_view kOtherWords[] = {"字节", "字符", "数字", "文字",
                                            "名字", "同步", "异步", "逐步"};

bool in_other_word(std::string_view text, std::size_t at, std::size_t length) {
  return std::any_of(std::begin(kOtherWords), std::end(kOtherWords), [&](std::string_view other) {
    for (std::size_t p = at - std::min(at, other.size() - 1); p <= at; ++p)
      if (text.substr(p).starts_with(other) && at + length <= p + other.size()) return true;
    return false;
  });
}

// How long `word` is in `text` if it stands at `at` as a word of its own, with a plural's s; else 0.
std::size_t length_at(std::string_view text, std::size_t at, std::string_view word, bool ascii) {
  if (ascii && at > 0 && is_letter(text[at - 1])) return 0;
  const std::string_view here = text.substr(at, word.size());
  if (!std::equal(word.begin(), word.end(), here.begin(), here.end(), same_letter)) return 0;
  std::size_t length = word.size();
  if (!ascii) return in_other_word(text, at, length) ? 0 : length;
  if (at + length < text.size() && text[at + length] == 's') ++length;
  const bool goes_on =
      at + length < text.size() && (is_letter(text[at + length]) || text[at + length] == '[');
  return goes_on ? 0 : length;
}

std::size_t first_letter(char c) {
  return static_cast<std::size_t>(std::tolower(static_cast<unsigned char>(c)));
}

// The terms' words, English and translated, by the byte that they begin with: a text is looked
// through for all of them at once, in every frame that shows it.
class Words {
 public:
  Words() {
    for (const Term& term : kTerms) {
      const std::string_view english = term.word, translated = tr(term.word);
      add(term, english);
      if (translated != english) add(term, translated);
    }
  }

  // The longest at a place, of equal ones the first of the list.
  [[nodiscard]] TermAt at(std::string_view text, std::size_t place) const {
    TermAt best;
    for (const Word& word : begin_with_[first_letter(text[place])]) {
      const std::size_t length = length_at(text, place, word.text, word.ascii);
      if (length > best.length) best = {word.term, place, length};
    }
    return best;
  }

 private:
  struct Word {
    const Term* term = nullptr;
    std::string text;
    bool ascii = true;
  };

  void add(const Term& term, std::string_view word) {
    if (!word.empty())
      begin_with_[first_letter(word.front())].push_back({&term, std::string(word), is_ascii(word)});
  }

  std::array<std::vector<Word>, 256> begin_with_;
};

const Words& words() {
  static Words kept;
  static unsigned of = language_serial();
  if (of != language_serial()) kept = Words(), of = language_serial();
  return kept;
}

void tell(const ViewContext& ctx, const Term& term) {
  if (!ImGui::BeginTooltip()) return;
  ImGui::PushFont(ctx.fonts.strong, 0);
  ImGui::TextUnformatted(tr(term.word));
  ImGui::PopFont();
  wrapped_text(tr(term.definition), tooltip_end(kTooltipWidth * ctx.scale));
  ImGui::EndTooltip();
}

void dots(const ViewContext& ctx, float left, float right, float y) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float size = std::max(1.0f, ctx.scale), gap = 3 * size;
  for (float x = left; x + size <= right; x += gap)
    list.AddRectFilled({x, y}, {x + size, y + size}, faded(ctx.theme.dim, 0.8f));
}

// A term in a text: in which of its lines, behind how many pixels and how wide.
struct Mark {
  const Term* term = nullptr;
  std::size_t line = 0;
  float left = 0, width = 0;
};

void draw_mark(const ViewContext& ctx, const Mark& mark, ImVec2 min) {
  const float size = ImGui::GetFontSize(), top = min.y + static_cast<float>(mark.line) * size;
  const float left = min.x + mark.left, right = left + mark.width, bottom = top + size;
  dots(ctx, left, right, bottom - ctx.scale * 0.5f);
  if (ImGui::IsMouseHoveringRect({left, top}, {right, bottom}) && ImGui::IsWindowHovered())
    tell(ctx, *mark.term);
}

bool ends_latin(std::string_view line) {
  return !line.empty() && (static_cast<unsigned char>(line.back()) & 0x80) == 0;
}

}  // namespace

std::span<const Term> terms() { return kTerms; }

const Term* find_term(std::string_view word) {
  for (const Term& term : kTerms) {
    const std::string_view text = term.word;
    if (!word.empty() && length_at(word, 0, text, is_ascii(text)) == word.size()) return &term;
  }
  return nullptr;
}

TermAt next_term(std::string_view text, std::size_t from) {
  const Words& all = words();
  for (std::size_t place = from; place < text.size(); ++place)
    if (const TermAt found = all.at(text, place); found.term) return found;
  return {};
}

std::vector<std::vector<TermAt>> terms_in_lines(const std::vector<std::string_view>& lines) {
  std::string all;
  std::vector<std::size_t> begins;
  for (const std::string_view line : lines) {
    // Between Latin words a blank stood; Chinese goes on.
    if (ends_latin(all)) all += ' ';
    begins.push_back(all.size());
    all += line;
  }
  std::vector<std::vector<TermAt>> pieces(lines.size());
  for (TermAt found = next_term(all); found.term;
       found = next_term(all, found.begin + found.length)) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::size_t from = std::max(found.begin, begins[i]);
      const std::size_t to = std::min(found.begin + found.length, begins[i] + lines[i].size());
      if (from < to) pieces[i].push_back({found.term, from - begins[i], to - from});
    }
  }
  return pieces;
}

namespace {

std::vector<std::string_view> lines_of(const std::string& text, float wrap) {
  ImFont* font = ImGui::GetFont();
  const char* at = text.data();
  const char* end = at + text.size();
  std::vector<std::string_view> lines;
  while (at < end) {
    const char* newline = std::find(at, end, '\n');
    const char* stop = newline;
    if (wrap > 0) stop = font->CalcWordWrapPosition(ImGui::GetFontSize(), at, newline, wrap);
    if (stop == at && stop < newline) ++stop;
    lines.emplace_back(at, static_cast<std::size_t>(stop - at));
    at = stop;
    while (at < newline && (*at == ' ' || *at == '\t')) ++at;
    if (at == newline && at < end) ++at;
  }
  return lines;
}

std::vector<Mark> find_marks(const std::string& text, float wrap) {
  const auto width = [](std::string_view piece) {
    return ImGui::CalcTextSize(piece.data(), piece.data() + piece.size()).x;
  };
  const std::vector<std::string_view> lines = lines_of(text, wrap);
  const auto pieces = terms_in_lines(lines);
  std::vector<Mark> found;
  for (std::size_t i = 0; i < lines.size(); ++i)
    for (const TermAt& piece : pieces[i])
      found.push_back({piece.term, i, width(lines[i].substr(0, piece.begin)),
                       width(lines[i].substr(piece.begin, piece.length))});
  return found;
}

// The marks of texts that are drawn again and again, as they were drawn last.
const std::vector<Mark>& marks_of(const std::string& text, float wrap) {
  struct Look {
    const ImGuiContext* window = nullptr;
    const ImFont* font = nullptr;
    float size = 0, wrap = 0;
    unsigned language = 0;
    bool operator==(const Look&) const = default;
  };
  struct Kept {
    Look look;
    std::vector<Mark> marks;
  };
  constexpr std::size_t kMostTexts = 512;
  static std::unordered_map<std::string, Kept> all;
  const Look look{ImGui::GetCurrentContext(), ImGui::GetFont(), ImGui::GetFontSize(), wrap,
                  language_serial()};
  if (all.size() > kMostTexts) all.clear();
  Kept& kept = all[text];
  if (kept.look != look) kept = {look, find_marks(text, wrap)};
  return kept.marks;
}

}  // namespace

void mark_terms(const ViewContext& ctx, const std::string& text, ImVec2 min, float wrap) {
  if (!marks) return;
  for (const Mark& mark : marks_of(text, wrap)) draw_mark(ctx, mark, min);
}

void term(const ViewContext& ctx, const char* english) {
  const std::string text = tr(english);
  ImGui::TextUnformatted(text.c_str());
  mark_terms(ctx, text, ImGui::GetItemRectMin());
}

void header_cell(const ViewContext& ctx, const char* name) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::TableHeader(name);
  const char* hidden = std::strstr(name, "##");
  mark_terms(ctx, hidden ? std::string(name, hidden) : std::string(name), at);
}

void header_row(const ViewContext& ctx, int columns) {
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (int i = 0; i < ImGui::TableGetColumnCount(); ++i) {
    if (!ImGui::TableSetColumnIndex(i)) continue;
    ImGui::PushID(i);
    if (i < columns) {
      header_cell(ctx, ImGui::TableGetColumnName(i));
    } else {
      ImGui::TableHeader(ImGui::TableGetColumnName(i));
    }
    ImGui::PopID();
  }
}

void show_term_marks(bool on) { marks = on; }

}  // namespace lanescope::app
