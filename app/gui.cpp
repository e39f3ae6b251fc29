#include "gui.h"

#include <imgui.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "platform/fonts.h"
#include "platform/headless.h"
#include "platform/paths.h"
#include "platform/png.h"
#include "platform/window.h"

namespace lanescope::app {

namespace {

constexpr float kTextSize = 16.0f;  // pixels at content scale 1
constexpr int kSettleFrames = 4;    // ImGui needs some frames until sizes and docking have settled

struct Gui {
  Fonts fonts;
  bool quit = false;
};

void draw(Gui& gui) {
  if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_Q, ImGuiInputFlags_RouteGlobal)) gui.quit = true;
  ImGui::DockSpaceOverViewport(0, nullptr, ImGuiDockNodeFlags_PassthruCentralNode);
}

Gui set_up(const Surface& surface) {
  ImGuiStyle& style = ImGui::GetStyle();
  style.FontSizeBase = kTextSize;
  style.FontScaleDpi = surface.content_scale();
  style.ScaleAllSizes(surface.content_scale());
  return {load_fonts(data_folder("fonts"))};
}

void frame(Surface& surface, Gui& gui, Image* capture = nullptr) {
  surface.begin_frame();
  draw(gui);
  surface.end_frame(capture);
}

int write_picture(const GuiOptions& options, const std::string& file) {
  const SurfaceResult opened = open_headless({.width = options.width, .height = options.height});
  if (!opened.surface) {
    std::fprintf(stderr, "lanescope: error: %s\n", opened.error.c_str());
    return 3;
  }
  Gui gui = set_up(*opened.surface);
  Image image;
  for (int i = 0; i < kSettleFrames; ++i) frame(*opened.surface, gui);
  frame(*opened.surface, gui, &image);
  if (const std::string error = write_png(file, image); !error.empty()) {
    std::fprintf(stderr, "lanescope: error: %s\n", error.c_str());
    return 3;
  }
  std::printf("lanescope: wrote the window's picture, %dx%d, to %s\n", image.width, image.height,
              file.c_str());
  return 0;
}

// Draws only when something happened: input, finished work, or the blinking text cursor.
int run_window(Surface& surface, Gui& gui) {
  int frames_due = kSettleFrames;
  while (!surface.should_close() && !gui.quit) {
    const bool something = surface.wait(frames_due > 0 ? 0.0 : 0.25);
    frames_due = something ? kSettleFrames : std::max(0, frames_due - 1);
    frame(surface, gui);
  }
  return 0;
}

}  // namespace

int run_gui(const GuiOptions& options) {
  if (!options.screenshot.empty()) return write_picture(options, options.screenshot);

  const SurfaceResult opened = open_window({.width = options.width,
                                            .height = options.height,
                                            .layout_file = config_file("layout.ini")});
  if (!opened.surface) {
    std::fprintf(stderr, "lanescope: %s; drawing into a file instead\n", opened.error.c_str());
    return write_picture(options, "lanescope.png");
  }
  Gui gui = set_up(*opened.surface);
  return run_window(*opened.surface, gui);
}

}  // namespace lanescope::app
