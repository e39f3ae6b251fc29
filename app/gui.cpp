#include "gui.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/classroom/classroom.h"
#include "core/files/render_request.h"
#include "core/lab/lab.h"
#include "core/session/session.h"
#include "core/text/messages.h"
#include "core/text/text_file.h"
#include "gpu/process/service.h"
#include "gui_describe.h"
#include "gui_files.h"
#include "platform/fonts.h"
#include "platform/headless.h"
#include "platform/layout_file.h"
#include "platform/paths.h"
#include "platform/picture/png.h"
#include "platform/window.h"
#include "program/process/program_processes.h"
#include "views/draw/tr.h"
#include "views/export/svg.h"
#include "views/frame/frame.h"
#include "views/lesson/presenter_view.h"
#include "views/window/workspace.h"

namespace lanescope::app {

namespace {

constexpr int kSettleFrames = 8;                    // until sizes, docking and tabs have settled
constexpr int kMostFrames = 60;                     // that are waited for
constexpr int kSideWidth = 900, kSideHeight = 600;  // of the presenter's window
constexpr const char* kFirstKernel = "transpose/";  // the family that the program opens with

void fail(const std::string& message) {
  std::fprintf(stderr, "lanescope: error: %s\n", message.c_str());
}

// What there is to see when nobody asks for anything: a tile with its conflict, if the catalog has
// one.
std::optional<Settings> first_settings(const Catalog& catalog) {
  const CatalogEntry* chosen = nullptr;
  for (const CatalogEntry& entry : catalog.entries) {
    const bool tile =
        entry.name.starts_with(kFirstKernel) && entry.name.find("shared") != std::string::npos;
    if (!chosen || (tile && chosen->name.find("shared") == std::string::npos)) chosen = &entry;
  }
  return chosen ? open_kernel(catalog, chosen->name).settings : std::nullopt;
}

void print_all(const std::vector<Diagnostic>& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics)
    std::fputs(format_diagnostic(diagnostic).c_str(), stderr);
}

struct Gui {
  Gui(Surface& on, const std::optional<Settings>& open,
      const std::vector<std::string>& courses = {})
      : surface(on), session(
                         load_catalog(default_kernel_folder()), [&on] { on.wake(); },
                         gpu::make_gpu_service(), make_program_service()),
        classroom(session, load_course(course_folders(courses)), workspace.progress,
                  [&on] { on.wake(); }),
        frame{session, workspace, load_fonts(data_folder("fonts"))} {
    frame.classroom = &classroom;
    workspace.content_scale = surface.content_scale();
    workspace.translations = data_folder("translations");
    remember_workspace(workspace);
    session.use_lab(std::make_shared<const Lab>(load_lab(course_folders(courses))));
    const std::optional<Settings> settings = open ? open : first_settings(session.catalog());
    if (settings) session.apply(*settings);
  }
  ~Gui() { stop_remembering(); }
  Gui(const Gui&) = delete;
  Gui& operator=(const Gui&) = delete;

  void open_session(const std::optional<SessionFile>& file) {
    if (!file) return;
    if (!file->lesson.empty()) print_all(classroom.open(file->lesson));
    restore_session(session, *file);
    if (!file->look.empty()) look_of(workspace).set(file->look);
  }

  // A window has files to open and to save; a picture that is drawn into a file has none.
  void use_files(const std::optional<Settings>& open, const std::string& exercise) {
    files = std::make_unique<Files>(session,
                                    Files::Places{.user = {config_folder(), state_folder()},
                                                  .templates = data_folder("templates")},
                                    look());
    frame.files = files.get();
    if (!exercise.empty())
      frame.pending.push_back(FileAction(StartExercise{exercise}));
    else if (open)
      files->adopt(*open);
    files->look_for_recovery();
    surface.on_drop = [this](const std::vector<std::string>& dropped) {
      if (!dropped.empty()) frame.pending.push_back(FileAction(OpenFile{dropped.front()}));
    };
  }

  // How the window looks, and the lesson that is open in it.
  Files::Look look() {
    Files::Look look = look_of(workspace);
    look.lesson = [this] { return classroom.place(); };
    look.open_lesson = [this](const std::string& lesson) { classroom.open(lesson); };
    return look;
  }

  // By its name; "" opens the one that was left, or the list of all. False if there is none such.
  bool open_lesson(const std::optional<std::string>& wanted) {
    if (!wanted) return true;
    const std::string lesson = wanted->empty() ? workspace.progress.open : *wanted;
    print_all(classroom.status().course->diagnostics);
    if (lesson.empty()) {
      workspace.set_open("lesson", true);
      workspace.show_in_front = "lesson";
      return true;
    }
    const std::vector<Diagnostic> wrong = classroom.open(lesson);
    print_all(wrong);
    return !has_errors(wrong) || classroom.status().lesson;
  }

  // The presenter's clock goes on, though nothing else does.
  bool clock_moved() {
    const LessonStatus& lessons = classroom.status();
    const bool shown =
        workspace.is_open("presenter") || state_of<PresenterState>(workspace).in_window;
    if (!lessons.lesson || !shown) return false;
    const auto now = std::chrono::duration_cast<std::chrono::seconds>(
        std::chrono::steady_clock::now() - lessons.began);
    return std::exchange(clock, now) != now;
  }

  // The presenter's window comes and goes as it is asked for; one that is closed is asked for no more.
  void update_side() {
    bool& wanted = state_of<PresenterState>(workspace).in_window;
    wanted = wanted && classroom.status().lesson && !(side && side->should_close());
    if (!wanted) return side.reset();
    if (!side)
      side = surface.open_beside(
          {.width = kSideWidth, .height = kSideHeight, .title = tr("Presenter")},
          data_folder("fonts"));
    wanted = side != nullptr;
    if (!side) return;
    side->draw([&](const Fonts& fonts) {
      for (const Action& action : draw_presenter_window(workspace, session, fonts))
        frame.pending.push_back(action);
    });
  }

  void reveal_answers() {
    const Scene* scene = classroom.status().shown();
    if (!scene) return;
    for (const Question& question : scene->questions) classroom.perform(RevealAnswer{question.id});
  }

  bool draw(Image* capture = nullptr) {
    surface.begin_frame();
    const bool again = frame.draw();
    surface.end_frame(capture);
    return again;
  }

  // Until nothing moves any more. What the views have asked for is waited for before each frame: glyphs lie in
  // their texture in the order in which they were first drawn, and filtering there rounds otherwise in another place.
  void settle() {
    for (int i = 0; i < kMostFrames; ++i) {
      session.wait(true);
      if (!draw() && i >= kSettleFrames) return;
    }
  }

  Image picture() {
    session.wait(true);
    classroom.wait();
    settle();
    Image image;
    draw(&image);
    return image;
  }

  Surface& surface;
  Workspace workspace;
  Session session;
  Classroom classroom;
  Frame frame;
  std::unique_ptr<Files> files;
  /// The presenter's notes
  std::unique_ptr<SideWindow> side;
  /// Of the lesson, as it was shown last
  std::chrono::seconds clock{-1};
  Exporter exporter{[this] { surface.wake(); }};
};

void set_look(Workspace& workspace, const std::string& theme, const std::string& language,
              float scale, const std::string& layout) {
  if (const auto id = theme_id_of(theme)) workspace.theme_id = *id;
  if (!language.empty()) workspace.language = language;
  if (scale > 0) workspace.zoom = scale / workspace.content_scale;
  const auto preset = preset_of(layout);
  if (!preset) return;
  const bool projecting = workspace.layouts.before_projector.has_value();
  if (*preset != Preset::projector) {
    choose_preset(workspace, *preset);
  } else if (!projecting) {
    toggle_projector(workspace);
  }
}

int say(const Image& image, const std::string& file, const std::string& error, bool quiet = false) {
  if (!error.empty()) {
    fail(error);
    return 3;
  }
  if (quiet) return 0;
  std::printf("lanescope: wrote the picture, %dx%d, to %s\n", image.width, image.height,
              file.c_str());
  return 0;
}

// Saves under the name and says so; 3 if it cannot.
int save(const Image& image, const std::string& file) {
  return say(image, file, write_png(file, image));
}

int save_svg(Gui& gui, const std::string& file, bool quiet) {
  const Image image = gui.picture();
  // In one step: who waits for the file finds it whole.
  const Message wrong =
      write_text_file(absolute_path(file), to_svg(*ImGui::GetDrawData(), gui.frame.fonts), false);
  return say(image, file, wrong.empty() ? "" : "cannot write '" + file + "': " + wrong.english(),
             quiet);
}

void print_diagnostics(const Session& session) { print_all(session.diagnostics()); }

void print_no_picture(const Session& session) {
  print_diagnostics(session);
  const ProgramRunPtr run = session.program().run;
  if (!session.program().problem.empty()) fail(session.program().problem.english());
  if (!run) return;
  if (!run->result.end.crash.empty()) fail(run->result.end.crash);
  if (run->launches.empty() && run->result.started) fail("the program launched no kernel");
}

// The picture is written even of a kernel that fails; the exit status tells.
int write_picture(const GuiOptions& options, const std::string& file) {
  const SurfaceResult opened = open_headless({.width = options.width, .height = options.height});
  if (!opened.surface) {
    fail(opened.error);
    return 3;
  }
  Gui gui(*opened.surface, options.open, options.courses);
  gui.open_session(options.session);
  set_look(gui.workspace, options.theme, options.language, options.scale, options.layout);
  if (!gui.open_lesson(options.lesson)) return 2;
  const int status = save(gui.picture(), file);
  const bool failed = has_errors(gui.session.diagnostics());
  if (failed) print_diagnostics(gui.session);
  return status == 0 && failed ? 1 : status;
}

// F12 saves a picture of the window, for slides.
void screenshot(Gui& gui) {
  Image image;
  gui.draw(&image);
  save(image, "lanescope.png");
}

// Draws only when something happened: input, finished work, or something that moves.
int run_window(Surface& surface, Gui& gui, const std::string& describe) {
  Describer describer(describe);
  int frames_due = kSettleFrames;
  std::string title;
  while (!gui.workspace.quit) {
    bool something = surface.wait(frames_due > 0 ? 0.0 : 0.5);
    if (surface.should_close()) {
      surface.refuse_close();
      gui.frame.pending.push_back(FileAction(Quit{}));
      something = true;
    }
    something |= gui.files->tick();
    something |= gui.clock_moved();
    something |= gui.side && gui.side->take_input();
    something |= gui.exporter.update(gui.session, *gui.files);
    if (something) frames_due = 3;
    if (frames_due == 0 && !gui.session.status().whole_grid_running) continue;
    gui.update_side();
    frames_due = gui.draw() ? std::max(frames_due, 1) : std::max(0, frames_due - 1);
    // Keys that came quickly are taken in one after the other, a frame each.
    if (!ImGui::GetCurrentContext()->InputEventsQueue.empty()) frames_due = std::max(frames_due, 2);
    surface.set_full_screen(gui.workspace.full_screen);
    describer.update(gui.session, gui.workspace);
    if (ImGui::IsKeyPressed(ImGuiKey_F12, false)) screenshot(gui);
    if (std::string now = window_title_of(gui.files->status().document); now != title)
      surface.set_title(title = std::move(now));
  }
  return 0;
}

void select(Session& session, const RenderRequest& request) {
  if (request.warp) session.apply(Action(SelectWarp{*request.warp}));
  if (request.step) session.apply(Action(SelectStep{*request.step}));
  if (request.access) session.apply(Action(SelectAccess{*request.access}));
  if (request.lane) session.apply(Action(SelectLane{*request.lane}));
}

}  // namespace

int run_gui(const GuiOptions& options) {
  if (!options.screenshot.empty()) return write_picture(options, options.screenshot);

  const std::string layout_file = config_file("layout.ini");
  drop_broken_layout(layout_file);
  const SurfaceResult opened =
      open_window({.width = options.width, .height = options.height, .layout_file = layout_file});
  if (!opened.surface) {
    std::fprintf(stderr, "lanescope: %s; drawing into a file instead\n", opened.error.c_str());
    return write_picture(options, "lanescope.png");
  }
  // An exercise is opened as one would from the window, as a text without a file.
  const bool exercise = !options.exercise.empty();
  Gui gui(*opened.surface, exercise ? std::nullopt : options.open, options.courses);
  gui.open_session(options.session);
  gui.use_files(options.open, options.exercise);
  if (options.session) gui.files->kept(options.session->settings.text);
  set_look(gui.workspace, options.theme, options.language, options.scale, options.layout);
  gui.workspace.tour.allowed = !options.no_tour && !options.lesson;
  if (!gui.open_lesson(options.lesson)) return 2;
  if (!is_writable(layout_file))
    gui.workspace.status_bar.notice = layout_file.empty()
                                          ? say::about(config_folder(), say::folder_cannot_be_made)
                                          : say::about(layout_file, say::cannot_be_written);
  return run_window(*opened.surface, gui, options.describe);
}

int render_view(const RenderRequest& request) {
  if (request.view != "window" && !find_view(request.view)) {
    std::string names = "window";
    for (const View& view : views()) names += std::string(", ") + view.id;
    fail("there is no view '" + request.view + "'; there are: " + names);
    return 2;
  }
  const SurfaceResult opened = open_headless({.width = request.width, .height = request.height});
  if (!opened.surface) {
    fail(opened.error);
    return 3;
  }
  Gui gui(*opened.surface, request.lesson.empty() ? std::optional(request.settings) : std::nullopt,
          request.courses);
  gui.open_session(request.session);
  set_look(gui.workspace, request.theme, request.language, request.scale, request.layout);
  if (!request.lesson.empty() && !gui.open_lesson(request.lesson)) return 2;
  if (request.answered) gui.reveal_answers();
  gui.workspace.still = request.view != "window";
  if (gui.workspace.still) gui.workspace.only = request.view;
  // A program has nothing to show before it has run.
  gui.session.wait(true);
  const bool of_run = request.view == "program";
  if (!gui.session.program().run && (of_run || gui.session.program().waits))
    gui.session.apply(Action(ProgramAction(RunProgram{})));
  gui.session.wait(true);
  if (!gui.session.picture() && !(of_run && gui.session.program().run)) {
    print_no_picture(gui.session);
    return 1;
  }
  if (request.with) {
    gui.session.apply(Action(SetComparison{*request.with}));
    gui.session.wait(true);
  }
  select(gui.session, request);
  if (!request.out.ends_with(".svg")) return save(gui.picture(), request.out);
  gui.draw();  // the look is applied in the first frame
  prepare_for_svg();
  return save_svg(gui, request.out, request.quiet);
}

}  // namespace lanescope::app
