#include "core/lab/lab.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/lab/lab_messages.h"
#include "core/text/text.h"
#include "core/text/text_file.h"
#include "core/text/toml_reader.h"

namespace lanescope::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* kToml = "course.toml";

struct Listed {
  std::string name;
  toml::source_region where;
};

// The order that course.toml gives; its lessons are somebody else's.
std::vector<Listed> listed_exercises(const std::string& text, TomlReader& reader) {
  std::vector<Listed> names;
  try {
    const toml::table root = toml::parse(text);
    const toml::node* node = root.get("exercises");
    for (const std::string& name : reader.strings(root, "exercises"))
      names.push_back({name, node->source()});
  } catch (const toml::parse_error& failure) {
    reader.error(failure.source(), Message::verbatim(std::string(failure.description())));
  }
  return names;
}

// What lies among the exercises and is in no list would never be seen.
void look_for_unlisted(const fs::path& folder, const std::vector<Listed>& listed,
                       const std::string& file, std::vector<Diagnostic>& diagnostics) {
  std::vector<std::string> unlisted;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    const bool known = std::any_of(listed.begin(), listed.end(),
                                   [&](const Listed& one) { return one.name == name; });
    if (!known && fs::exists(it->path() / "exercise.toml", error)) unlisted.push_back(name);
  }
  std::sort(unlisted.begin(), unlisted.end());
  for (const std::string& name : unlisted) {
    Diagnostic warning = usage_error(file, say::exercise_not_listed(name), say::list_exercises);
    warning.severity = Severity::warning;
    diagnostics.push_back(std::move(warning));
  }
}

void load(const std::string& folder, Lab& lab) {
  const fs::path root = fs::path(absolute_path(folder));
  const std::string file = (root / kToml).string();
  TextFile toml = read_text_file(file);
  if (!toml.diagnostics.empty()) {
    for (Diagnostic& wrong : toml.diagnostics) wrong.hint = say::course_needs_toml;
    return append(lab.diagnostics, std::move(toml.diagnostics));
  }
  TomlReader reader(file, toml.text);
  const std::vector<Listed> listed = listed_exercises(toml.text, reader);
  const bool readable = !has_errors(reader.diagnostics);
  for (const auto& [name, where] : listed) {
    const bool plain = !name.empty() && fs::path(name).filename() == name && name != "..";
    const bool known = std::any_of(lab.exercises.begin(), lab.exercises.end(),
                                   [&](const Exercise& e) { return e.name == name; });
    if (!plain || known) {
      reader.error(where, plain ? say::declared_twice(name) : Message(say::no_such_exercise(name)));
      continue;
    }
    ExerciseResult read = read_exercise((root / "exercises" / name).string());
    append(lab.diagnostics, std::move(read.diagnostics));
    if (read.exercise) lab.exercises.push_back(std::move(*read.exercise));
  }
  if (readable) look_for_unlisted(root / "exercises", listed, file, reader.diagnostics);
  append(lab.diagnostics, std::move(reader.diagnostics));
}

std::string without_number(const std::string& name) {
  const std::size_t begin = name.find_first_not_of("0123456789_");
  return begin == std::string::npos ? name : name.substr(begin);
}

}  // namespace

const Exercise* Lab::find(const std::string& name) const {
  const Exercise* found = nullptr;
  for (const Exercise& exercise : exercises) {
    if (exercise.name == name) return &exercise;
    if (without_number(exercise.name) != name) continue;
    if (found) return nullptr;
    found = &exercise;
  }
  return found;
}

Lab load_lab(const std::vector<std::string>& folders) {
  Lab lab;
  for (const std::string& folder : folders)
    if (!folder.empty()) load(folder, lab);
  return lab;
}

bool is_course(const std::string& folder) {
  std::error_code error;
  return fs::is_regular_file(fs::path(folder) / kToml, error);
}

Diagnostic no_such_exercise(const Lab& lab, const std::string& name) {
  std::vector<std::string> names;
  for (const Exercise& exercise : lab.exercises) names.push_back(exercise.name);
  return launch_error(say::no_such_exercise(name), say::exercises_are(say::listed(names)));
}

}  // namespace lanescope::app
