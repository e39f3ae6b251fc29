#include "core/lab/exercise.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/lab/exercise_words.h"
#include "core/lab/lab_messages.h"
#include "core/text/text.h"
#include "core/text/text_file.h"
#include "core/text/toml_reader.h"

namespace lanescope::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* kNoErrors = "errors == 0";
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr const char* kLanguages[] = {"en", "zh"};

bool speaks_of_errors(const Goal& goal) {
  return std::any_of(goal->names().begin(), goal->names().end(), [](const std::string& name) {
    return name == "errors" || name == "diagnostics";
  });
}

// Reads exercise.toml.
class TomlOfExercise {
 public:
  TomlOfExercise(const std::string& file, const std::string& text, Exercise& into)
      : reader_(file, text), text_(text), exercise_(into) {}

  void read() {
    try {
      read(toml::parse(text_));
    } catch (const toml::parse_error& failure) {
      reader_.error(failure.source(), Message::verbatim(std::string(failure.description())));
    }
  }
  std::vector<Diagnostic> take_diagnostics() { return std::move(reader_.diagnostics); }

 private:
  void read(const toml::table& root) {
    reader_.only(root, Message::verbatim("exercise.toml"), {"lesson", "minutes", "goals", "shape"});
    exercise_.lesson = reader_.string(root, "lesson");
    if (exercise_.lesson.empty()) reader_.error(root.source(), say::exercise_needs_lesson);
    exercise_.minutes = static_cast<int>(reader_.integer(root, "minutes").value_or(0));
    if (exercise_.minutes < 1) reader_.error(root.source(), say::exercise_needs_minutes);
    const std::vector<Goal> goals = read_goals(root);
    for (const toml::table* table : reader_.tables(root, "shape"))
      exercise_.shapes.push_back(read_shape(*table, goals));
    if (exercise_.shapes.empty()) reader_.error(root.source(), say::exercise_needs_shape);
  }

  ExerciseShape read_shape(const toml::table& table, const std::vector<Goal>& goals) {
    reader_.only(table, Message::verbatim("[[shape]]"), {"args", "set", "goals"});
    ExerciseShape shape;
    std::vector<std::string> arguments, parameters;
    for (const ArgumentSpec& a : exercise_.front_matter.arguments)
      if (a.shape.empty()) arguments.push_back(a.name);
    for (const TunableParameter& p : exercise_.front_matter.parameters)
      parameters.push_back(p.name);
    shape.arguments = read_values(table, "args", arguments, say::no_argument_of_start);
    shape.parameters = read_values(table, "set", parameters, say::no_parameter_of_start);
    shape.goals = table.contains("goals") ? read_goals(table) : goals;
    if (shape.goals.empty())
      reader_.error(table.source(), say::exercise_needs_goals, say::goals_for_example);
    else if (std::none_of(shape.goals.begin(), shape.goals.end(), speaks_of_errors))
      shape.goals.push_back(Expectation::parse(kNoErrors).expectation);
    return shape;
  }

  std::map<std::string, std::string> read_values(const toml::table& shape, std::string_view key,
                                                 const std::vector<std::string>& known,
                                                 const Sentence<1>& unknown) {
    std::map<std::string, std::string> values;
    const toml::table* table = reader_.table(shape, key);
    if (!table) return values;
    for (const auto& [name, value] : *table) {
      const std::string text(name.str());
      if (std::find(known.begin(), known.end(), text) == known.end())
        reader_.error(name.source(), unknown(text), say::known_keys(say::listed(known)));
      if (const auto given = reader_.text(&value, text)) values[text] = *given;
    }
    return values;
  }

  std::vector<Goal> read_goals(const toml::table& table) {
    std::vector<Goal> goals;
    const toml::node* node = table.get("goals");
    if (!node) return goals;
    const toml::array* array = node->as_array();
    if (!array) {
      reader_.error(node->source(), say::exercise_needs_goals, say::goals_for_example);
      return goals;
    }
    for (const toml::node& item : *array) {
      const std::optional<std::string> text = reader_.text(&item, "goals");
      if (!text) continue;
      Expectation::Parsed parsed = Expectation::parse(*text);
      for (const Diagnostic& wrong : parsed.diagnostics) {
        toml::source_region where = item.source();
        where.begin.column += wrong.column;  // the text stands behind a quotation mark
        reader_.error(where, say::about(*text, wrong.message), wrong.hint);
      }
      if (parsed.expectation) goals.push_back(std::move(parsed.expectation));
    }
    return goals;
  }

  TomlReader reader_;
  const std::string& text_;
  Exercise& exercise_;
};

// A kernel text of the exercise and what its front matter says.
std::optional<FrontMatter> read_kernel(const fs::path& file, std::string& text,
                                       std::vector<Diagnostic>& diagnostics) {
  TextFile read = read_text_file(file.string());
  append(diagnostics, std::move(read.diagnostics));
  text = std::move(read.text);
  if (text.empty()) return std::nullopt;
  FrontMatterResult matter = parse_front_matter(file.string(), text);
  if (!matter.front_matter && matter.diagnostics.empty())
    matter.diagnostics.push_back(usage_error(file.string(), say::exercise_needs_front_matter));
  append(diagnostics, std::move(matter.diagnostics));
  return std::move(matter.front_matter);
}

std::uint32_t lines_in(std::string_view text) {
  return static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n'));
}

// What stands before the kernel: up to the end of the front matter's last line.
std::string_view head_of(std::string_view text, const FrontMatter& matter) {
  std::size_t end = 0;
  for (std::uint32_t line = 0; line < matter.lines && end != std::string_view::npos; ++line)
    end = text.find('\n', end == 0 && line == 0 ? 0 : end + 1);
  return end == std::string_view::npos ? text : text.substr(0, end + 1);
}

}  // namespace

std::string ExerciseShape::text() const {
  std::vector<std::string> parts;
  for (const auto* values : {&arguments, &parameters})
    for (const auto& [name, value] : *values) parts.push_back(name + " = " + value);
  return fmt::format("{}", fmt::join(parts, ", "));
}

const ExerciseWords& Exercise::words_in(const std::string& language) const {
  static const ExerciseWords none;
  const auto found = words.find(words.count(language) > 0 ? language : kLanguages[0]);
  return found == words.end() ? none : found->second;
}

Exercise::Asked Exercise::ask(const std::string& file, const std::string& text,
                              const ExerciseShape& shape) const {
  Asked asked;
  const std::string_view ours = head_of(start, front_matter);
  std::string_view theirs = text.starts_with(kByteOrderMark) ? kByteOrderMark : "";
  if (const auto own = parse_front_matter(file, text).front_matter) theirs = head_of(text, *own);
  asked.replaced = theirs.size() > kByteOrderMark.size() && trim(theirs) != trim(ours);
  asked.lines_moved = static_cast<long>(lines_in(ours)) - static_cast<long>(lines_in(theirs));
  asked.settings.name = asked.settings.file = file;
  asked.settings.text = std::string(ours) + text.substr(theirs.size());
  asked.settings.arguments = shape.arguments;
  asked.settings.parameters = shape.parameters;
  return asked;
}

Settings Exercise::settings() const {
  Settings settings;
  settings.name = settings.file = name + ".cu";
  settings.text = start;
  settings.exercise = name;
  settings.arguments = shapes.front().arguments;
  settings.parameters = shapes.front().parameters;
  return settings;
}

ExerciseResult read_exercise(const std::string& folder) {
  ExerciseResult result;
  Exercise exercise;
  const fs::path root = fs::path(absolute_path(folder));
  exercise.folder = root.string();
  exercise.name = root.filename().string();
  const auto start = read_kernel(root / "start.cu", exercise.start, result.diagnostics);
  read_kernel(root / "solution.cu", exercise.solution, result.diagnostics);
  if (start) exercise.front_matter = *start;
  const std::string file = (root / "exercise.toml").string();
  TextFile toml = read_text_file(file);
  append(result.diagnostics, std::move(toml.diagnostics));
  if (!toml.text.empty()) {
    TomlOfExercise reader(file, toml.text, exercise);
    reader.read();
    append(result.diagnostics, reader.take_diagnostics());
  }
  for (const char* language : kLanguages) {
    WordsResult words = read_exercise_words((root / language).string() + ".md");
    const bool needed = language == std::string_view(kLanguages[0]);
    for (Diagnostic& wrong : words.diagnostics)
      if (!needed) wrong.severity = Severity::warning;  // English stands for it
    if (words.words) exercise.words[language] = std::move(*words.words);
    append(result.diagnostics, std::move(words.diagnostics));
  }
  if (!has_errors(result.diagnostics)) result.exercise = std::move(exercise);
  return result;
}

}  // namespace lanescope::app
