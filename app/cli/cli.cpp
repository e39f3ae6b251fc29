#include <CLI/CLI.hpp>
#include <csignal>

#include "cli/course/handout_command.h"
#include "cli/course/lesson_command.h"
#include "cli/kernel/list_command.h"
#include "cli/kernel/proposal_notes.h"
#include "cli/lab/grade_command.h"
#include "cli/lab/judge_child.h"
#include "cli/picture/trace_command.h"
#include "cli/program/run_command.h"
#include "cli/run/analyze_command.h"
#include "cli/run/check_command.h"
#include "cli/sweep/sweep_command.h"
#include "cli/timing/bench_command.h"
#include "core/course/course.h"
#include "core/lab/lab.h"
#include "gpu/process/service.h"
#include "gpu/process/worker.h"
#include "program/process/program_child.h"

namespace lanescope::cli {

namespace {

constexpr const char* kAbout =
    "Lanescope shows what every lane of a CUDA warp does to memory.\n"
    "Without a command it opens the window: lanescope [FILE|KERNEL] [--set NAME=VALUE]...";

constexpr const char* kExamples =
    "Examples:\n"
    "  lanescope                                              the window\n"
    "  lanescope transpose/04_shared_tile_padded --set PAD=0  the window, with this kernel\n"
    "  lanescope list                                         the kernels that come along\n"
    "  lanescope COMMAND --help                               a command's flags\n"
    "Exit status: 0 fine, 1 the kernel failed, 2 bad usage, 3 an internal error.";

constexpr const char* kAnalyzeExamples =
    "Examples:\n"
    "  lanescope analyze transpose/04_shared_tile_padded --set PAD=0 --json\n"
    "  lanescope analyze transpose/11_swizzle --html report.html\n"
    "  lanescope analyze mine.cu --kernel 'k_smem<float,32>' --block 32,32 --grid 32,32 \\\n"
    "      --arg 'in=float[1048576]' --arg 'out=float[1048576]:poison' --arg nx=1024 --arg ny=1024";

constexpr const char* kTraceExamples =
    "Examples:\n"
    "  lanescope trace transpose/04_shared_tile_padded --warp 0\n"
    "  lanescope trace copy/01_copy --blocks 3,0 --json";

constexpr const char* kRenderExamples =
    "Examples:\n"
    "  lanescope render transpose/04_shared_tile_padded --view banks --out banks.svg\n"
    "  lanescope render transpose/04_shared_tile_padded --out window.png --width 1920 --height "
    "1080 "
    "--theme light";

// Everything that the arguments can say.
struct Parsed {
  LaunchFlags flags;
  bool list_json = false;
  std::optional<std::uint32_t> warp;
  app::GuiOptions gui;
  app::RenderRequest render;
  /// Of render: the kernel to compare with
  std::string with;
  /// And its parameters
  std::vector<std::string> with_sets;
  GpuFlags bench, verify;
  SweepFlags sweep;
  CheckFlags check;
  GradeFlags grade;
  RunFlags run;
  LessonFlags lesson;
  HandoutFlags handout;
  /// Of the window: to open
  std::vector<std::string> lesson_name;
  bool lesson_given = false;
  /// Of the window and of render
  std::vector<std::string> courses;
};

void add_list(CLI::App& app, Parsed& parsed) {
  app.add_subcommand("list", "The kernels that come with the program")
      ->add_flag("--json", parsed.list_json, "Print JSON");
}

void add_analyze(CLI::App& app, Parsed& parsed) {
  CLI::App* command = app.add_subcommand(
      "analyze", "Run a kernel and count its wavefronts and sectors, access by access");
  add_launch_flags(*command, parsed.flags, true);
  add_blocks_flag(*command, parsed.flags, "all");
  add_json_flag(*command, parsed.flags);
  command->add_flag("--csv", parsed.flags.csv, "Print the accesses as comma-separated values")
      ->excludes("--json");
  command->add_option("--html", parsed.flags.html, "Write a report, one page without scripts")
      ->type_name("FILE");
  command->footer(kAnalyzeExamples);
}

void add_trace(CLI::App& app, Parsed& parsed) {
  CLI::App* command = app.add_subcommand("trace", "Every access, lane by lane");
  add_launch_flags(*command, parsed.flags, true);
  add_blocks_flag(*command, parsed.flags, "the first");
  command->add_option("--warp", parsed.warp, "Only this warp of the block")->type_name("N");
  add_json_flag(*command, parsed.flags);
  command->footer(kTraceExamples);
}

void add_picture_flags(CLI::App& app, int& width, int& height, float& scale, std::string& theme,
                       std::string& language) {
  app.add_option("--width", width, "Pixels")->check(CLI::Range(320, 16384))->type_name("N");
  app.add_option("--height", height, "Pixels")->check(CLI::Range(200, 16384))->type_name("N");
  app.add_option("--scale", scale, "Of text and lengths, for a projector")
      ->check(CLI::Range(0.5, 8.0))
      ->type_name("FACTOR");
  app.add_option("--theme", theme, "Colours")
      ->check(CLI::IsMember({"light", "dark", "high-contrast"}))
      ->type_name("light|dark|high-contrast");
  app.add_option("--lang", language, "Language")
      ->check(CLI::IsMember({"en", "zh"}))
      ->type_name("en|zh");
}

void add_layout_flag(CLI::App& app, std::string& layout) {
  app.add_option("--layout", layout, "Arrangement of the window's views")
      ->check(CLI::IsMember({"explore", "lecture", "compare", "projector", "lesson", "exercise"}))
      ->type_name("NAME");
}

void add_render(CLI::App& app, Parsed& parsed) {
  CLI::App* command =
      app.add_subcommand("render", "Draw one view, or the whole window, into a picture");
  app::RenderRequest& render = parsed.render;
  add_launch_flags(*command, parsed.flags, false);
  command->add_option("--view", render.view, "A view, or window")
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--out", render.out, "Where to: FILE.png or FILE.svg")
      ->required()
      ->type_name("FILE");
  add_picture_flags(*command, render.width, render.height, render.scale, render.theme,
                    render.language);
  add_layout_flag(*command, render.layout);
  command->add_option("--lesson", render.lesson, "A lesson and its scene, in the whole window")
      ->type_name("NAME[/SCENE]");
  command->add_flag("--answered", render.answered, "Of a lesson: its questions are answered");
  add_course_flag(*command, parsed.courses);
  command->add_option("--warp", render.warp, "The warp to select")->type_name("N");
  command->add_option("--step", render.step, "The step of the warp to select")->type_name("N");
  command->add_option("--access", render.access, "The access to select, counted from 0")
      ->check(CLI::NonNegativeNumber)
      ->type_name("N");
  command->add_option("--lane", render.lane, "The lane to pin")
      ->check(CLI::Range(0, 31))
      ->type_name("N");
  command->add_option("--with", parsed.with, "What the compare view sets beside it")
      ->type_name("KERNEL|FILE");
  command
      ->add_option("--with-set", parsed.with_sets,
                   "A parameter of that side; without --with, of the same kernel (repeatable)")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  command->footer(kRenderExamples);
}

void add_window(CLI::App& app, Parsed& parsed) {
  app.add_option("--describe", parsed.gui.describe,
                 "Keep a description of what the window shows in this file, for scripts")
      ->type_name("FILE.json");
  app.add_option("--exercise", parsed.gui.exercise, "Begin with this exercise of the lab")
      ->type_name("NAME");
  add_launch_flags(app, parsed.flags, false);
  add_picture_flags(app, parsed.gui.width, parsed.gui.height, parsed.gui.scale, parsed.gui.theme,
                    parsed.gui.language);
  add_layout_flag(app, parsed.gui.layout);
  app.add_option("--lesson", parsed.lesson_name,
                 "Open this lesson, as 02_coalescing/stride; without a name, the list of them")
      ->expected(0, 1)
      ->type_name("NAME[/SCENE]");
  add_course_flag(app, parsed.courses);
  app.add_flag("--no-tour", parsed.gui.no_tour, "Show no tour, not even the first time");
  app.add_option("--screenshot", parsed.gui.screenshot,
                 "Write the window's picture to this PNG and leave; needs no display")
      ->type_name("FILE.png");
}

int failed(const std::vector<Diagnostic>& diagnostics, const Fronts& fronts) {
  print_diagnostics(diagnostics, fronts);
  return status_of(diagnostics);
}

int render_command(const app::Catalog& catalog, Parsed& parsed, const Fronts& fronts) {
  const std::string& out = parsed.render.out;
  if (!out.ends_with(".png") && !out.ends_with(".svg"))
    return usage(fronts, "--out " + out + ": must end in .png or .svg", "");
  parsed.render.courses = parsed.courses;
  if (!parsed.render.lesson.empty()) return fronts.render(parsed.render);
  if (parsed.flags.kernel.empty())
    return usage(fronts, "a kernel is needed, a file, or a lesson's scene",
                 "lanescope render KERNEL --out FILE, or --lesson NAME/SCENE");
  SettingsResult wanted = settings_from(catalog, parsed.flags);
  if (!wanted.settings) return failed(wanted.diagnostics, fronts);
  take_proposal(*wanted.settings, parsed.flags.steps, fronts);
  parsed.render.session = std::move(wanted.session);
  parsed.render.settings = std::move(*wanted.settings);
  if (!parsed.with.empty() || !parsed.with_sets.empty()) {
    LaunchFlags flags = parsed.with.empty() ? parsed.flags : LaunchFlags{.kernel = parsed.with};
    for (const std::string& set : parsed.with_sets) {
      const std::string name = set.substr(0, set.find('='));
      std::erase_if(flags.sets,
                    [&](const std::string& own) { return own.substr(0, own.find('=')) == name; });
      flags.sets.push_back(set);
    }
    SettingsResult other = settings_from(catalog, flags);
    if (!other.settings) return failed(other.diagnostics, fronts);
    take_proposal(*other.settings, parsed.flags.steps, fronts);
    parsed.render.with = std::move(other.settings);
  }
  return fronts.render(parsed.render);
}

int exercise_command(app::GuiOptions& gui, const Fronts& fronts) {
  const app::Lab lab = app::load_lab(app::course_folders(gui.courses));
  const app::Exercise* exercise = lab.find(gui.exercise);
  if (!exercise) {
    print_diagnostics(lab.diagnostics, fronts);
    print_diagnostics({app::no_such_exercise(lab, gui.exercise)}, fronts);
    return kUsage;
  }
  gui.exercise = exercise->name;
  gui.open = exercise->settings();
  return fronts.gui(gui);
}

int window_command(const app::Catalog& catalog, Parsed& parsed, const Fronts& fronts) {
  const LaunchFlags& flags = parsed.flags;
  parsed.gui.courses = parsed.courses;
  const bool about_a_kernel = !flags.function.empty() || !flags.sets.empty() ||
                              !flags.arguments.empty() || !flags.block.empty() ||
                              !flags.grid.empty() || !flags.shared.empty();
  if (!parsed.gui.exercise.empty()) {
    if (!flags.kernel.empty() || about_a_kernel)
      return usage(fronts, "--exercise: an exercise has its own text and launch", "");
    return exercise_command(parsed.gui, fronts);
  }
  if (!flags.kernel.empty()) {
    SettingsResult wanted = settings_from(catalog, flags);
    if (!wanted.settings) return failed(wanted.diagnostics, fronts);
    parsed.gui.session = std::move(wanted.session);
    parsed.gui.open = std::move(wanted.settings);
  } else if (about_a_kernel) {
    return usage(fronts, "these flags need a kernel or a file to be about",
                 "lanescope KERNEL --set NAME=VALUE");
  }
  if (parsed.lesson_given)
    parsed.gui.lesson = parsed.lesson_name.empty() ? "" : parsed.lesson_name.front();
  return fronts.gui(parsed.gui);
}

app::Catalog catalog_for(const CLI::App& app, const std::string& kernel) {
  if (app.got_subcommand("grade") || app.got_subcommand("run")) return {};
  const std::string folder = app::default_kernel_folder();
  const bool one = app.got_subcommand("analyze") || app.got_subcommand("trace");
  return one ? app::load_catalog_of(folder, kernel) : app::load_catalog(folder);
}

int dispatch(const CLI::App& app, Parsed& parsed, const Fronts& fronts) {
  const app::Catalog catalog = catalog_for(app, parsed.flags.kernel);
  const std::string& first = parsed.flags.kernel;
  const bool command = !app.get_subcommands().empty();
  parsed.lesson_given = app.count("--lesson") > 0;
  if (!command && !first.empty() && !app::is_session_file(first) &&
      !app::open_kernel(catalog, first).settings &&
      first.find_first_of("./") == std::string::npos) {
    return usage(fronts, "'" + first + "' is no command, no kernel and no file",
                 "lanescope --help, lanescope list");
  }
  if (!app.remaining().empty()) {
    return usage(fronts, "'" + app.remaining().front() + "' was not expected", "lanescope --help");
  }
  if (app.got_subcommand("list")) return list_command(catalog, parsed.list_json, fronts);
  if (app.got_subcommand("analyze")) return analyze_command(catalog, parsed.flags, fronts);
  if (app.got_subcommand("trace")) return trace_command(catalog, parsed.flags, parsed.warp, fronts);
  if (app.got_subcommand("render")) return render_command(catalog, parsed, fronts);
  if (app.got_subcommand("lesson")) return lesson_command(catalog, parsed.lesson, fronts);
  if (app.got_subcommand("handout")) return handout_command(catalog, parsed.handout, fronts);
  if (app.got_subcommand("check")) return check_command(catalog, parsed.check, fronts);
  if (app.got_subcommand("grade")) return grade_command(parsed.grade, fronts);
  if (app.got_subcommand("run")) return run_command(parsed.run, fronts, *gpu::make_gpu_service());
  if (app.got_subcommand("sweep")) return sweep_command(catalog, parsed.sweep, fronts);
  if (app.got_subcommand("bench"))
    return bench_command(catalog, parsed.bench, fronts, *gpu::make_gpu_service());
  if (app.got_subcommand("verify"))
    return verify_command(catalog, parsed.verify, fronts, *gpu::make_gpu_service());
  return window_command(catalog, parsed, fronts);
}

int run_words(int argc, const char* const* argv, const Fronts& fronts) {
  CLI::App app(kAbout, "lanescope");
  Parsed parsed;
  app.footer(kExamples);
  app.require_subcommand(0, 1);
  app.set_version_flag("--version", "lanescope " LANESCOPE_VERSION);
  add_window(app, parsed);
  add_list(app, parsed);
  add_run_command(app, parsed.run);
  add_analyze(app, parsed);
  add_trace(app, parsed);
  add_render(app, parsed);
  add_sweep_command(app, parsed.sweep);
  add_check_command(app, parsed.check);
  add_grade_command(app, parsed.grade);
  add_lesson_command(app, parsed.lesson);
  add_handout_command(app, parsed.handout);
  add_bench_command(app, parsed.bench);
  add_verify_command(app, parsed.verify);
  app.allow_extras();  // after the commands, which would inherit it; `dispatch` words the error
  try {
    std::vector<std::string> words(argv, argv + argc);
    parsed.flags.program.arguments = take_program_arguments(words);
    parsed.run.program.arguments = parsed.flags.program.arguments;
    std::reverse(words.begin() + 1, words.end());  // as CLI11 wants them
    words.erase(words.begin());
    app.parse(std::move(words));
  } catch (const CLI::CallForHelp&) {
    fronts.out << app.help();
    return kFine;
  } catch (const CLI::CallForVersion& version) {
    fronts.out << version.what() << '\n';
    return kFine;
  } catch (const CLI::ParseError& error) {
    return usage(fronts, error.what(), "lanescope --help");
  }
  try {
    return dispatch(app, parsed, fronts);
  } catch (const std::exception& error) {
    fronts.err << "lanescope: internal error: " << error.what() << '\n';
    return kInternal;
  }
}

}  // namespace

int run(int argc, const char* const* argv, const Fronts& fronts) {
  if (argc > 1 && std::string_view(argv[1]) == gpu::kWorkerCommand)
    return gpu::worker_main(argc, argv);
  if (argc > 2 && std::string_view(argv[1]) == kJudgeCommand) return judge_child_main(argv[2]);
  // Programs have the signal as they expect it; to us a pipe that nobody reads is output that cannot be
  // written.
  const bool is_child = argc > 1 && std::string_view(argv[1]) == app::kProgramCommand;
  std::signal(SIGPIPE, is_child ? SIG_DFL : SIG_IGN);
  if (is_child) return app::program_child_main(argc > 2 ? argv[2] : "");
  const int status = run_words(argc, argv, fronts);
  fronts.out.flush();
  if (fronts.out) return status;
  fronts.err << "lanescope: error: the output cannot be written\n"
                "  hint: is the disk full, or the pipe closed?\n";
  return kInternal;
}

}  // namespace lanescope::cli
