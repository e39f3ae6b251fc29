#include "core/lab/grade_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/export/html_page.h"
#include "core/lab/lab_messages.h"
#include "core/text/csv.h"
#include "core/text/html_escapes.h"

namespace lanescope::app {

namespace {

std::string column_of(const std::string& what, const ShapeVerdict& shape) {
  return shape.shape.empty() ? what : what + " at " + shape.shape;
}

// What every mark has a column for, also where nothing could be judged: the goals of all shapes, and
// once for each shape the names that they speak of.
std::vector<ShapeVerdict> columns_of(const Exercise& exercise) {
  std::vector<ShapeVerdict> columns;
  for (const ExerciseShape& shape : exercise.shapes) {
    ShapeVerdict& column = columns.emplace_back(ShapeVerdict{shape.text(), {}, {}});
    for (const Goal& goal : shape.goals) {
      GoalVerdict& verdict = column.goals.emplace_back(GoalVerdict{goal->text(), false, {}});
      for (const std::string& name : goal->names()) verdict.values.emplace_back(name, std::nan(""));
    }
  }
  return columns;
}

const std::vector<ShapeVerdict>& verdicts_of(const Mark& mark,
                                             const std::vector<ShapeVerdict>& columns) {
  return mark.verdict.shapes.size() == columns.size() ? mark.verdict.shapes : columns;
}

using Names = std::vector<std::pair<std::string, double>>;

// Each name once.
Names values_of(const ShapeVerdict& column, const ShapeVerdict& shape) {
  Names values;
  for (const GoalVerdict& goal : column.goals)
    for (const auto& [name, none] : goal.values)
      if (std::none_of(values.begin(), values.end(),
                       [&](const auto& v) { return v.first == name; }))
        values.emplace_back(name, none);
  for (const GoalVerdict& goal : shape.goals)
    for (const auto& [name, value] : goal.values)
      for (auto& [known, slot] : values)
        if (known == name) slot = value;
  return values;
}

std::size_t goals_of(const std::vector<ShapeVerdict>& columns) {
  std::size_t count = 0;
  for (const ShapeVerdict& shape : columns) count += shape.goals.size();
  return count;
}

std::string bool_text(bool value) { return value ? "true" : "false"; }

std::string remark_of(const Mark& mark) {
  return mark.verdict.replaced ? Message(say::own_front_matter).english() : "";
}

std::string goal_cell(const GoalVerdict& goal) {
  const std::string mark = goal.holds ? "✓" : "✗";
  return fmt::format("<td class=\"{}\" title=\"{}\">{}</td>", goal.holds ? "yes" : "no",
                     escaped_html(goal.text), mark + " " + escaped_html(values_text(goal)));
}

constexpr const char* kColours =
    "<style>td.yes { color: #0b6e5b; } td.no { color: #b23c00; }\n"
    "td.yes, td.no { font-size: .92em; } td.mistake { white-space: normal; min-width: 22em; }\n"
    "body { max-width: none; }</style>\n";

}  // namespace

std::string mark_line(const Mark& mark, const Exercise& exercise) {
  std::string line =
      fmt::format("{}  {}  {} of {}", mark.solved() ? "pass" : "FAIL", mark.submission.student,
                  mark.verdict.passed(), goals_of(columns_of(exercise)));
  const char* between = ": ";
  for (const ShapeVerdict& shape : mark.verdict.shapes)
    for (const GoalVerdict& goal : shape.goals) {
      if (goal.holds || goal.values.empty()) continue;
      line += between + column_of(goal.text, shape) + " (" + values_text(goal) + ")";
      between = "; ";
    }
  if (const Message mistake = mark.first_mistake(); !mistake.empty())
    line += between + mistake.english();
  return line;
}

std::string grade_csv(const std::vector<Mark>& marks, const Exercise& exercise) {
  const std::vector<ShapeVerdict> columns = columns_of(exercise);
  std::vector<std::string> head = {"student", "solved", "passed", "of"};
  for (const ShapeVerdict& shape : columns)
    for (const GoalVerdict& goal : shape.goals) head.push_back(column_of(goal.text, shape));
  for (const ShapeVerdict& shape : columns)
    for (const auto& [name, none] : values_of(shape, shape)) head.push_back(column_of(name, shape));
  head.insert(head.end(), {"first mistake", "remark"});
  std::string csv = csv_line(head);
  for (const Mark& mark : marks) {
    std::vector<std::string> row = {mark.submission.student, bool_text(mark.solved()),
                                    std::to_string(mark.verdict.passed()),
                                    std::to_string(goals_of(columns))};
    const std::vector<ShapeVerdict>& shapes = verdicts_of(mark, columns);
    for (const ShapeVerdict& shape : shapes)
      for (const GoalVerdict& goal : shape.goals) row.push_back(bool_text(goal.holds));
    for (std::size_t i = 0; i < columns.size(); ++i)
      for (const auto& [name, value] : values_of(columns[i], shapes[i]))
        row.push_back(std::isnan(value)    ? ""
                      : is_condition(name) ? bool_text(value == 1)
                                           : number_text(value));
    row.push_back(mark.first_mistake().english());
    row.push_back(remark_of(mark));
    for (std::string& field : row) field = no_formula(field);
    csv += csv_line(row);
  }
  return csv;
}

std::string grade_html(const std::vector<Mark>& marks, const Exercise& exercise) {
  const std::vector<ShapeVerdict> columns = columns_of(exercise);
  const auto solved =
      std::count_if(marks.begin(), marks.end(), [](const Mark& mark) { return mark.solved(); });
  const std::string& title = exercise.words_in("en").title;
  std::string page = html_begin(title.empty() ? exercise.name : title) + kColours;
  page += fmt::format("<p class=\"dim\">{}</p>\n<p>{} of {} submissions solve it.</p>\n",
                      escaped_html(exercise.name), solved, marks.size());
  std::vector<std::string> titles = {"<student", "mark"};
  for (const ShapeVerdict& shape : columns)
    for (const GoalVerdict& goal : shape.goals) titles.push_back("<" + column_of(goal.text, shape));
  titles.emplace_back("<first mistake");
  page += "<div class=\"scroll\"><table>\n" + head(titles);
  for (const Mark& mark : marks) {
    page += "<tr>" + cell(escaped_html(mark.submission.student), "l") +
            fmt::format("<td class=\"{}\">{} / {}</td>", mark.solved() ? "yes" : "no",
                        mark.verdict.passed(), goals_of(columns));
    for (const ShapeVerdict& shape : verdicts_of(mark, columns))
      for (const GoalVerdict& goal : shape.goals) page += goal_cell(goal);
    std::string words = escaped_html(mark.first_mistake().english());
    if (const std::string remark = remark_of(mark); !remark.empty())
      words += "<br><span class=\"dim\">" + escaped_html(remark) + "</span>";
    page += cell(words, "l mistake") + "</tr>\n";
  }
  return page + "</table></div>\n" + kHtmlEnd;
}

}  // namespace lanescope::app
