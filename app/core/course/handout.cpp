#include "core/course/handout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/course/course_messages.h"
#include "core/course/markdown.h"
#include "core/picture/blackboard.h"
#include "core/text/html_escapes.h"

namespace lanescope::app {

namespace {

constexpr const char* kStyle = R"css(
:root { color-scheme: light; }
@page { size: A4; margin: 16mm; }
body { font: 11.5pt/1.5 Inter, "Noto Sans CJK SC", "WenQuanYi Micro Hei", "DejaVu Sans", sans-serif;
  color: #16191d; background: #fff; max-width: 178mm; margin: 1.5em auto; padding: 0 1em; }
h1 { font-size: 1.7em; margin: 0; } h2 { font-size: 1.2em; margin: 1.6em 0 .3em; }
.dim { color: #5c6670; } .head { border-bottom: 1px solid #16191d; padding-bottom: .4em; }
.scene { break-inside: avoid; } .key { break-before: page; }
img { width: 100%; border: 1px solid #cfd5db; border-radius: 3px; }
.question { border: 1px solid #16191d; border-radius: 4px; padding: .4em .9em; margin: .7em 0; }
.question p:first-child { font-weight: 600; }
.blank { display: inline-block; min-width: 9em; border-bottom: 1px solid #16191d; }
.choices { list-style: none; padding: 0; } .choices li { margin: .35em 0; }
.box { display: inline-block; width: .8em; height: .8em; border: 1.2px solid #16191d;
  margin-right: .5em; vertical-align: -.05em; }
code, pre { font-family: "JetBrains Mono", "DejaVu Sans Mono", monospace; font-size: .92em; }
pre { background: #f3f5f7; padding: .5em .8em; } .answer { font-weight: 600; }
@media print { body { margin: 0; max-width: none; padding: 0; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
)css";

std::string run_html(const MarkdownRun& run) {
  std::string text = escaped_html(run.text);
  if (run.code) text = "<code>" + text + "</code>";
  if (run.strong) text = "<strong>" + text + "</strong>";
  if (run.emphasis) text = "<em>" + text + "</em>";
  return text;
}

std::string inline_html(const std::string& markdown) {
  std::string html;
  for (const MarkdownBlock& block : parse_markdown(markdown))
    for (const MarkdownRun& run : block.runs) html += run_html(run);
  return html;
}

std::string markdown_html(const std::string& markdown) {
  std::string html, list;
  for (const MarkdownBlock& block : parse_markdown(markdown)) {
    const bool item = block.kind == MarkdownBlock::Kind::item;
    const std::string wanted = item ? (block.number > 0 ? "ol" : "ul") : "";
    if (list != wanted && !list.empty()) html += "</" + list + ">\n";
    if (list != wanted && item) html += "<" + wanted + ">\n";
    list = wanted;
    std::string text;
    for (const MarkdownRun& run : block.runs) text += run_html(run);
    const char* tag = item ? "li" : block.kind == MarkdownBlock::Kind::code ? "pre" : "p";
    html += fmt::format("<{0}>{1}</{0}>\n", tag, text);
  }
  return list.empty() ? html : html + "</" + list + ">\n";
}

/// Writes one lesson down.
class Page {
 public:
  explicit Page(const HandoutInput& input)
      : input_(input), words_(*input.lesson.text(input.language)) {}

  std::string write() {
    const std::string title = escaped_html(plain_text(words_.title.text));
    std::string html = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head><meta charset=\"utf-8\"><title>{}</title>\n"
        "<style>{}</style></head>\n<body>\n<div class=\"head\"><h1>{}</h1>\n<p>{}</p>"
        "<p class=\"dim\">{} <span class=\"blank\"></span></p></div>\n",
        input_.language, title, kStyle, title, inline_html(words_.summary.text),
        escaped_html(input_.words(say::handout_name)));
    for (std::size_t i = 0; i < input_.lesson.scenes.size(); ++i) html += scene(i);
    html += fmt::format("<div class=\"key\"><h1>{}</h1>\n<p class=\"dim\">{}</p>\n",
                        escaped_html(input_.words(say::handout_key)), title);
    for (std::size_t i = 0; i < input_.lesson.scenes.size(); ++i) html += answers(i);
    return html + "</div>\n</body>\n</html>\n";
  }

 private:
  [[nodiscard]] const SceneText* text(std::size_t i) const {
    const auto found = words_.scenes.find(input_.lesson.scenes[i].id);
    return found == words_.scenes.end() ? nullptr : &found->second;
  }

  [[nodiscard]] std::string filled(std::size_t i, const TextPart& part) const {
    return filled_in(part, [&](const std::string& expression) {
      return input_.runs[i].values.text(expression);
    });
  }

  static std::string picture(const std::string& svg) {
    return svg.empty()
               ? ""
               : fmt::format("<img alt=\"\" src=\"data:image/svg+xml,{}\">\n", escaped_url(svg));
  }

  [[nodiscard]] std::string title(std::size_t i) const {
    return fmt::format("<h2>{} {}</h2>\n", i + 1, inline_html(filled(i, text(i)->title)));
  }

  [[nodiscard]] std::string scene(std::size_t i) const {
    if (!text(i)) return "";
    std::string html = "<div class=\"scene\">" + title(i) + toy_mark(i) +
                       markdown_html(filled(i, text(i)->text)) + picture(input_.asked[i]);
    for (const Question& question : input_.lesson.scenes[i].questions) {
      const auto asked = text(i)->questions.find(question.id);
      if (asked != text(i)->questions.end()) html += blank(i, question, asked->second);
    }
    return html + "</div>\n";
  }

  [[nodiscard]] std::string toy_mark(std::size_t i) const {
    if (input_.lesson.scenes[i].device.empty()) return "";
    return fmt::format("<p class=\"dim\">{}</p>\n",
                       escaped_html(input_.words(say::toy_device(kToyLanes, kToyBanks))));
  }

  [[nodiscard]] std::string blank(std::size_t i, const Question& question,
                                  const QuestionText& asked) const {
    std::string html = "<div class=\"question\">" + markdown_html(filled(i, asked.question));
    if (question.kind != Question::Kind::choice)
      return html + fmt::format("<p>{} <span class=\"blank\"></span></p></div>\n",
                                escaped_html(input_.words(say::handout_answer)));
    html += "<ul class=\"choices\">\n";
    for (const Choice& choice : question.choices)
      html += fmt::format("<li><span class=\"box\"></span>{}</li>\n", label(i, choice, asked));
    return html + "</ul></div>\n";
  }

  [[nodiscard]] std::string label(std::size_t i, const Choice& choice,
                                  const QuestionText& asked) const {
    const auto found = asked.labels.find(choice.id);
    return found == asked.labels.end() ? escaped_html(choice.id)
                                       : inline_html(filled(i, found->second));
  }

  [[nodiscard]] std::string answers(std::size_t i) const {
    const Scene& scene = input_.lesson.scenes[i];
    if (scene.questions.empty() || !text(i)) return "";
    std::string html = "<div class=\"scene\">" + title(i);
    for (const Question& question : scene.questions) {
      const auto asked = text(i)->questions.find(question.id);
      if (asked == text(i)->questions.end()) continue;
      html += fmt::format("<p class=\"answer\">{}</p>\n", answer(i, question, asked->second)) +
              markdown_html(filled(i, asked->second.explanation));
    }
    return html + picture(input_.answered[i]) + "</div>\n";
  }

  [[nodiscard]] std::string answer(std::size_t i, const Question& question,
                                   const QuestionText& asked) const {
    const SceneValues& values = input_.runs[i].values;
    if (question.kind != Question::Kind::choice) return answer_text(values, question);
    std::string html;
    for (const Choice& choice : question.choices)
      if (values.holds(choice.condition))
        html += (html.empty() ? "" : "; ") + label(i, choice, asked);
    return html;
  }

  const HandoutInput& input_;
  const LessonText& words_;
};

constexpr std::array<std::string_view, 2> kOpenViews = {"index_map", "source"};
// What tells the answer, and where none does, what shows how it comes about.
constexpr std::array<std::string_view, 8> kTellingViews = {
    "blackboard", "banks", "sectors", "lanes", "why", "sweep", "compare", "diagnostics"};
constexpr std::array<std::string_view, 2> kExplainingViews = {"index_map", "timeline"};

template <std::size_t N>
std::string first_of(const Scene& scene, const std::array<std::string_view, N>& wanted) {
  const auto found =
      std::find_if(scene.views.begin(), scene.views.end(), [&](const std::string& view) {
        return std::find(wanted.begin(), wanted.end(), view) != wanted.end();
      });
  return found == scene.views.end() ? "" : *found;
}

}  // namespace

std::string handout_html(const HandoutInput& input) { return Page(input).write(); }

std::string asking_view(const Scene& scene) {
  // Without a question nothing is told too early.
  if (scene.questions.empty() && !scene.views.empty()) return scene.views.front();
  const std::string view = first_of(scene, kOpenViews);
  // A toy is drawn on the board by hand.
  return view.empty() && scene.device.empty() ? "index_map" : view;
}

std::string answering_view(const Scene& scene) {
  if (scene.questions.empty() || scene.views.empty()) return "";
  if (const std::string view = first_of(scene, kTellingViews); !view.empty()) return view;
  const std::string view = first_of(scene, kExplainingViews);
  return view.empty() ? scene.views.front() : view;
}

}  // namespace lanescope::app
