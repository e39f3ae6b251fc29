#include "cli/course/handout_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/kernel/settings_flags.h"
#include "core/course/course_messages.h"
#include "core/course/handout.h"
#include "core/text/text.h"
#include "core/text/text_file.h"

namespace lanescope::cli {

namespace {

constexpr int kWidth = 1000, kHeight = 520;  // pixels of a picture, as wide as the page

// A sentence in that language; in English where it is not told.
std::function<std::string(const Message&)> words_in(const std::string& language) {
  const std::string folder = app::bundled_folder("translations", "assets/translations");
  std::ifstream file(folder + "/" + language + "/messages_course.json");
  auto table = std::make_shared<std::map<std::string, std::string>>();
  const nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
  if (json.is_object()) json.get_to(*table);
  return [table](const Message& message) {
    return message.in([&](const std::string& id) {
      const auto found = table->find(id);
      return found == table->end() ? nullptr : &found->second;
    });
  };
}

// One view of a scene, as `render` draws it; "" if it cannot.
std::string picture(const HandoutFlags& flags, const std::string& scene, const std::string& view,
                    bool answered, const Fronts& fronts) {
  if (view.empty()) return "";
  const std::string file =
      (std::filesystem::temp_directory_path() / fmt::format("lanescope-handout-{}.svg", ::getpid()))
          .string();
  app::RenderRequest request;
  request.lesson = scene;
  request.answered = answered;
  request.courses = flags.courses;
  request.view = view;
  request.out = file;
  request.quiet = true;
  request.width = kWidth, request.height = kHeight;
  request.scale = 1;
  request.theme = "light";
  request.language = flags.language;
  const bool drawn = fronts.render(request) == 0;
  std::string svg = drawn ? app::read_text_file(file).text : "";
  std::error_code none;
  std::filesystem::remove(file, none);
  return svg;
}

}  // namespace

void add_handout_command(CLI::App& app, HandoutFlags& flags) {
  CLI::App* command = app.add_subcommand(
      "handout", "A lesson as a page to be printed: pictures, blanks, and a key on its own page");
  command->add_option("lesson", flags.lesson, "A lesson's name")->required()->type_name("LESSON");
  command->add_option("--lang", flags.language, "Language")
      ->check(CLI::IsMember({"en", "zh"}))
      ->type_name("en|zh");
  command->add_option("-o,--out", flags.out, "Where to; else LESSON.html")->type_name("FILE.html");
  command->add_option("--course", flags.courses, "A folder of lessons of one's own (repeatable)")
      ->allow_extra_args(false)
      ->type_name("DIR");
}

int handout_command(const app::Catalog& catalog, const HandoutFlags& flags, const Fronts& fronts) {
  const app::Course course = app::load_course(app::course_folders(flags.courses));
  print_diagnostics(course.diagnostics, fronts);
  const app::Lesson* lesson = course.find(flags.lesson);
  if (!lesson) {
    print_diagnostics({app::unknown_lesson(course, flags.lesson)}, fronts);
    return kUsage;
  }
  print_diagnostics(lesson->diagnostics, fronts);
  if (!lesson->opens()) return kFailed;
  app::HandoutInput input{*lesson, flags.language, {}, {}, {}, words_in(flags.language)};
  for (const app::Scene& scene : lesson->scenes) {
    input.runs.push_back(app::run_scene(catalog, *lesson, scene));
    const std::string place = lesson->name + "/" + scene.id;
    input.asked.push_back(picture(flags, place, app::asking_view(scene), false, fronts));
    input.answered.push_back(picture(flags, place, app::answering_view(scene), true, fronts));
  }
  const std::string out = flags.out.empty() ? lesson->name + ".html" : flags.out;
  const Message wrong = app::write_text_file(app::absolute_path(out), app::handout_html(input));
  if (!wrong.empty()) {
    print_diagnostics({app::usage_error(out, wrong)}, fronts);
    return kInternal;
  }
  fronts.out << "lanescope: wrote the handout to " << out << '\n';
  return has_errors(lesson->diagnostics) ? kFailed : kFine;
}

}  // namespace lanescope::cli
