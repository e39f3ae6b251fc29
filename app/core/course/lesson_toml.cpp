#include "core/course/lesson_toml.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/course/course_messages.h"
#include "core/course/scene_names.h"
#include "core/course/scene_values.h"
#include "core/text/text.h"
#include "core/text/toml_reader.h"

namespace lanescope::app {

namespace {

template <std::size_t N>
Message listed(const std::array<std::string_view, N>& names) {
  std::vector<std::string> shown;
  for (const std::string_view name : names)
    if (!name.empty()) shown.emplace_back(name);
  return say::listed(shown);
}

template <std::size_t N>
bool holds(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const toml::node& node_of(const toml::table& table, std::string_view key) {
  const toml::node* node = table.get(key);
  return node ? *node : static_cast<const toml::node&>(table);
}

/// Reads one lesson.toml.
class LessonReader {
 public:
  LessonReader(Lesson& lesson, const std::string& text)
      : lesson_(lesson), text_(text), reader_(lesson.file, text_) {}

  void read() {
    try {
      read_root(toml::parse(text_));
    } catch (const toml::parse_error& failure) {
      reader_.error(failure.source(), Message::verbatim(std::string(failure.description())));
    }
    lesson_.diagnostics.insert(lesson_.diagnostics.end(), reader_.diagnostics.begin(),
                               reader_.diagnostics.end());
  }

 private:
  void read_root(const toml::table& root) {
    reader_.only(root, say::a_lesson, {"minutes", "scene"});
    lesson_.minutes = static_cast<int>(reader_.integer(root, "minutes").value_or(lesson_.minutes));
    std::set<std::string> ids;
    for (const toml::table* table : reader_.tables(root, "scene")) {
      Scene scene = read_scene(*table);
      if (!is_identifier(scene.id))
        reader_.error(table->source(), say::scene_needs_id);
      else if (!ids.insert(scene.id).second)
        reader_.error(table->source(), say::scene_id_twice(scene.id));
      else
        lesson_.scenes.push_back(std::move(scene));
    }
    if (lesson_.scenes.empty() && reader_.diagnostics.empty())
      reader_.error(root.source(), say::lesson_without_scenes);
  }

  Scene read_scene(const toml::table& table) {
    reader_.only(table, Message::verbatim("[[scene]]"),
                 {"id",     "kernel",   "set",    "args",  "other",     "device",  "block",
                  "warp",   "line",     "access", "array", "execution", "lane",    "views",
                  "layout", "overview", "timing", "cover", "claims",    "question"});
    Scene scene;
    scene.id = reader_.string(table, "id");
    scene.kernel = reader_.string(table, "kernel");
    scene.pos = TomlReader::pos(table);
    scene.kernel_pos = TomlReader::pos(table, "kernel");
    scene.line_pos = TomlReader::pos(node_of(table, table.get("line") ? "line" : "access"));
    if (scene.kernel.empty())
      reader_.error(table.source(), say::scene_needs_kernel(scene.id), say::kernel_by_name_or_file);
    scene.parameters = texts(table, "set");
    scene.arguments = texts(table, "args");
    read_other(table, scene);
    read_selection(table, scene);
    read_look(table, scene);
    if (const toml::array* claims = table["claims"].as_array())
      for (const toml::node& claim : *claims) read_claim(claim, scene);
    std::set<std::string> ids;
    for (const toml::table* question : reader_.tables(table, "question"))
      read_question(*question, scene, ids);
    return scene;
  }

  std::map<std::string, std::string> texts(const toml::table& table, std::string_view key) {
    std::map<std::string, std::string> result;
    const toml::table* values = reader_.table(table, key);
    if (!values) return result;
    for (const auto& [name, value] : *values)
      if (auto text = reader_.text(&value, name.str())) result[std::string(name.str())] = *text;
    return result;
  }

  void read_other(const toml::table& table, Scene& scene) {
    const toml::table* other = reader_.table(table, "other");
    if (!other) return;
    reader_.only(*other, Message::verbatim("other"), {"kernel", "set", "args"});
    scene.other =
        OtherSide{reader_.string(*other, "kernel"), texts(*other, "set"), texts(*other, "args")};
  }

  void read_selection(const toml::table& table, Scene& scene) {
    scene.line = reader_.string(table, "line");
    scene.access = reader_.string(table, "access");
    scene.array = reader_.string(table, "array");
    if (!holds(kAccessKinds, scene.access))
      reader_.error(table.get("access")->source(), say::unknown_access_kind(scene.access),
                    say::access_kinds_are(listed(kAccessKinds)));
    scene.warp = static_cast<std::uint32_t>(not_negative(table, "warp"));
    scene.execution = static_cast<std::size_t>(not_negative(table, "execution"));
    scene.lane = static_cast<int>(reader_.integer(table, "lane").value_or(-1));
    if (scene.lane < -1 || scene.lane >= kLanes)
      reader_.error(table.get("lane")->source(), say::lane_within);
    if (const toml::node* block = table.get("block")) {
      const auto given = parse_dim3(joined(*block));
      if (!given) reader_.error(block->source(), say::block_of_two);
      // An axis that is not given counts from 0 here, and not from 1 as an extent does.
      const toml::array* axes = block->as_array();
      if (given)
        scene.block = Dim3{given->x, axes && axes->size() > 1 ? given->y : 0,
                           axes && axes->size() > 2 ? given->z : 0};
    }
  }

  static std::string joined(const toml::node& node) {
    std::string text;
    if (const toml::array* axes = node.as_array())
      for (const toml::node& axis : *axes)
        text += fmt::format("{}{}", text.empty() ? "" : ",", axis.value<long long>().value_or(-1));
    return text;
  }

  long long not_negative(const toml::table& table, std::string_view key) {
    const long long value = reader_.integer(table, key).value_or(0);
    if (value < 0) reader_.error(table.get(key)->source(), say::must_not_be_negative(key));
    return std::max(0LL, value);
  }

  std::vector<std::string> views(const toml::table& table, std::string_view key) {
    std::vector<std::string> ids;
    for (const std::string& view : reader_.strings(table, key)) {
      if (holds(kSceneViews, view))
        ids.emplace_back(view_id(view));
      else
        reader_.error(table.get(key)->source(), say::unknown_view(view),
                      say::views_are(listed(kSceneViews)));
    }
    return ids;
  }

  void read_look(const toml::table& table, Scene& scene) {
    scene.views = views(table, "views");
    scene.covered = views(table, "cover");
    scene.overview = reader_.flag(table, "overview");
    read_timing(table, scene);
    scene.layout = reader_.string(table, "layout");
    if (!scene.layout.empty() && !holds(kSceneLayouts, scene.layout))
      reader_.error(table.get("layout")->source(), say::unknown_layout(scene.layout),
                    say::layouts_are(listed(kSceneLayouts)));
    scene.device = reader_.string(table, "device");
    if (!holds(kSceneDevices, scene.device))
      reader_.error(table.get("device")->source(), say::unknown_device(scene.device),
                    say::devices_are(listed(kSceneDevices)));
  }

  void read_timing(const toml::table& table, Scene& scene) {
    const toml::table* timing = reader_.table(table, "timing");
    if (!timing) return;
    reader_.only(*timing, Message::verbatim("timing"), {"show", "size", "element"});
    const std::string show = reader_.string(*timing, "show");
    const auto* which = std::find(kTimingShows.begin(), kTimingShows.end(), show);
    if (which == kTimingShows.end())
      return reader_.error(timing->get("show")->source(), say::unknown_timing(show),
                           say::timings_are(listed(kTimingShows)));
    scene.timing =
        TimingQuery{.which = static_cast<TimingQuery::Which>(which - kTimingShows.begin()),
                    .kernel = scene.kernel,
                    .size = reader_.string(*timing, "size"),
                    .element = reader_.string(*timing, "element")};
    scene.timing_pos = TomlReader::pos(*timing);
  }

  void read_claim(const toml::node& node, Scene& scene) {
    const auto text = reader_.text(&node, "claims");
    if (!text) return;
    if (check_expression(*text, node.source(), Wanted::condition))
      scene.claims.push_back({*text, TomlReader::pos(node)});
  }

  void read_question(const toml::table& table, Scene& scene, std::set<std::string>& ids) {
    reader_.only(table, Message::verbatim("[[scene.question]]"),
                 {"id", "answer", "kind", "choices", "tolerance"});
    Question question;
    question.id = reader_.string(table, "id");
    question.answer = reader_.string(table, "answer");
    question.tolerance = reader_.real(table, "tolerance").value_or(0);
    question.pos = TomlReader::pos(table);
    question.answer_pos = TomlReader::pos(node_of(table, "answer"));
    const std::size_t before = reader_.diagnostics.size();
    if (!is_identifier(question.id))
      reader_.error(table.source(), say::question_needs_id);
    else if (!ids.insert(question.id).second)
      reader_.error(table.source(), say::question_id_twice(question.id));
    read_kind(table, question);
    if (question.kind == Question::Kind::choice)
      read_choices(table, question);
    else
      read_answer(table, question);
    if (reader_.diagnostics.size() == before) scene.questions.push_back(std::move(question));
  }

  void read_kind(const toml::table& table, Question& question) {
    static constexpr std::array<std::string_view, 5> kKinds = {"number", "lane", "bank", "address",
                                                               "choice"};
    const std::string kind =
        reader_.string(table, "kind", table.get("choices") ? "choice" : "number");
    const auto found = std::find(kKinds.begin(), kKinds.end(), kind);
    if (found == kKinds.end())
      reader_.error(table.get("kind")->source(), say::unknown_question_kind(kind),
                    say::question_kinds_are);
    else
      question.kind = static_cast<Question::Kind>(found - kKinds.begin());
  }

  void read_choices(const toml::table& table, Question& question) {
    const toml::table* choices = reader_.table(table, "choices");
    if (!choices || choices->empty()) {
      reader_.error(table.source(), say::question_needs_choices(question.id),
                    say::choices_for_example);
      return;
    }
    for (const auto& [id, condition] : *choices) {
      const auto text = reader_.text(&condition, id.str());
      if (text && check_expression(*text, condition.source(), Wanted::condition))
        question.choices.push_back({std::string(id.str()), *text, TomlReader::pos(condition)});
    }
  }

  void read_answer(const toml::table& table, const Question& question) {
    if (question.answer.empty()) {
      reader_.error(table.source(), say::question_needs_answer(question.id));
      return;
    }
    check_expression(question.answer, table.get("answer")->source(), Wanted::answer);
  }

  enum class Wanted { condition, answer };

  // False, and an error, if it cannot be what is wanted of it. Names are known when the scene has run.
  bool check_expression(const std::string& text, const toml::source_region& where, Wanted wanted) {
    const Expectation::Parsed parsed = Expectation::parse(text, any_scene());
    if (!parsed.expectation) {
      reader_.error(where, say::about(text, parsed.diagnostics.front().message),
                    parsed.diagnostics.front().hint);
      return false;
    }
    const Expectation& expression = *parsed.expectation;
    const auto& names = expression.names();
    const bool accepts = std::find(names.begin(), names.end(), "given") != names.end();
    const bool condition = wanted == Wanted::condition || accepts;
    if (expression.is_condition() != condition)
      reader_.error(where, condition ? say::must_be_condition(text) : say::must_be_number(text));
    else if (wanted == Wanted::answer && names.empty())
      reader_.error(where, say::answer_is_a_number(text), say::answer_names_value);
    else
      return true;
    return false;
  }

  Lesson& lesson_;
  const std::string& text_;
  TomlReader reader_;
};

}  // namespace

void read_lesson_toml(Lesson& lesson, const std::string& text) {
  LessonReader(lesson, text).read();
}

}  // namespace lanescope::app
