#include "platform/window.h"

#include <glad/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <atomic>
#include <cstdlib>
#include <optional>
#include <utility>

#include "platform/imgui_context.h"
#include "platform/kept_frame.h"

namespace lanescope::app {

namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value;
}

std::string last_glfw_error() {
  const char* text = nullptr;
  return glfwGetError(&text) != GLFW_NO_ERROR && text ? text : "unknown error";
}

class Window final : public Surface {
 public:
  ~Window() override;
  /// Returns what went wrong, or "".
  std::string open(const SurfaceOptions& options);

  void begin_frame() override;
  void end_frame(Image* capture) override;
  void finish() override { glFinish(); }
  float content_scale() const override;
  bool should_close() const override { return glfwWindowShouldClose(window_) != 0; }
  void refuse_close() override { glfwSetWindowShouldClose(window_, GLFW_FALSE); }
  void set_title(const std::string& title) override { glfwSetWindowTitle(window_, title.c_str()); }
  bool wait(double seconds) override;
  void wake() override;
  void set_full_screen(bool on) override;
  std::unique_ptr<SideWindow> open_beside(const SurfaceOptions& options,
                                          const std::string& fonts) override {
    return open_side_window(window_, options, fonts);
  }

 private:
  void watch_input();

  GLFWwindow* window_ = nullptr;
  struct Place {
    int x = 0, y = 0, width = 0, height = 0;
  } before_;  // where the window was before it filled the monitor
  std::optional<ImGuiSetup> imgui_;
  std::optional<KeptFrame> frame_;
  bool glfw_started_ = false, input_started_ = false;
  bool input_ = false;              // an event callback ran since the last wait()
  std::atomic<bool> woken_{false};  // wake() was called since the last wait()
};

Window::~Window() {
  if (input_started_) ImGui_ImplGlfw_Shutdown();
  imgui_.reset();
  frame_.reset();
  if (window_) glfwDestroyWindow(window_);
  if (glfw_started_) glfwTerminate();
}

std::string Window::open(const SurfaceOptions& options) {
  if (!glfwInit()) return "cannot reach a display: " + last_glfw_error();
  glfw_started_ = true;
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "lanescope");
  window_ =
      glfwCreateWindow(options.width, options.height, options.title.c_str(), nullptr, nullptr);
  if (!window_) return "cannot open a window with OpenGL 3.3: " + last_glfw_error();
  glfwMakeContextCurrent(window_);
  if (!gladLoadGL(glfwGetProcAddress)) return "cannot load OpenGL 3.3 functions";
  glfwSwapInterval(1);

  imgui_.emplace(options);
  frame_.emplace();
  watch_input();
  input_started_ = ImGui_ImplGlfw_InitForOpenGL(window_, true);
  if (!input_started_ || !imgui_->start_renderer()) return "cannot start drawing with OpenGL 3.3";
  return "";
}

// ImGui's back-end chains to callbacks that were there before it; these only note that something
// came.
void Window::watch_input() {
  glfwSetWindowUserPointer(window_, this);
  const auto self = [](GLFWwindow* w) { return static_cast<Window*>(glfwGetWindowUserPointer(w)); };
  static const auto note = [self](GLFWwindow* w) { self(w)->input_ = true; };
  glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double, double) { note(w); });
  glfwSetCursorEnterCallback(window_, [](GLFWwindow* w, int) { note(w); });
  glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int, int, int) { note(w); });
  glfwSetScrollCallback(window_, [](GLFWwindow* w, double, double) { note(w); });
  glfwSetKeyCallback(window_, [](GLFWwindow* w, int, int, int, int) { note(w); });
  glfwSetCharCallback(window_, [](GLFWwindow* w, unsigned) { note(w); });
  glfwSetWindowFocusCallback(window_, [](GLFWwindow* w, int) { note(w); });
  glfwSetWindowRefreshCallback(window_, [](GLFWwindow* w) { note(w); });
  glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* w, int, int) { note(w); });
  glfwSetWindowCloseCallback(window_, [](GLFWwindow* w) { note(w); });
  glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** paths) {
    note(w);
    auto* window = static_cast<Window*>(glfwGetWindowUserPointer(w));
    if (window->on_drop) window->on_drop({paths, paths + count});
  });
}

void Window::begin_frame() {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGui::NewFrame();
}

void Window::end_frame(Image* capture) {
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  // Without any area, as while it is iconified, there is nothing to draw on.
  const bool there = width > 0 && height > 0 && frame_->bind(width, height);
  imgui_->end_frame();
  if (there) imgui_->draw(width, height);
  // Before the swap: afterwards the back buffer's content is undefined.
  if (capture && there) *capture = read_framebuffer(width, height);
  if (there) frame_->show();
  glfwSwapBuffers(window_);
}

void Window::set_full_screen(bool on) {
  if (on == (glfwGetWindowMonitor(window_) != nullptr)) return;
  if (!on) {
    glfwSetWindowMonitor(window_, nullptr, before_.x, before_.y, before_.width, before_.height,
                         GLFW_DONT_CARE);
    return;
  }
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
  if (!mode) return;
  glfwGetWindowPos(window_, &before_.x, &before_.y);
  glfwGetWindowSize(window_, &before_.width, &before_.height);
  glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

float Window::content_scale() const {
  float x = 1, y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  return x > 0 ? x : 1;
}

bool Window::wait(double seconds) {
  input_ = false;
  if (seconds > 0 && !woken_) {
    glfwWaitEventsTimeout(seconds);
  } else {
    glfwPollEvents();
  }
  const bool woken = woken_.exchange(false);
  return input_ || woken;
}

void Window::wake() {
  woken_ = true;
  glfwPostEmptyEvent();
}

}  // namespace

bool has_display() { return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY"); }

SurfaceResult open_window(const SurfaceOptions& options) {
  if (!has_display())
    return {nullptr, "there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set"};
  auto window = std::make_unique<Window>();
  if (std::string error = window->open(options); !error.empty()) return {nullptr, std::move(error)};
  return {std::move(window), ""};
}

}  // namespace lanescope::app
