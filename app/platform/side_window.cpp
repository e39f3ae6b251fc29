#include <glad/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <utility>

#include "platform/fonts.h"
#include "platform/window.h"

namespace lanescope::app {

namespace {

// While it lives, its window's OpenGL and ImGui contexts are current.
class Current {
 public:
  Current(GLFWwindow* window, ImGuiContext* imgui)
      : window_(glfwGetCurrentContext()), imgui_(ImGui::GetCurrentContext()) {
    glfwMakeContextCurrent(window);
    ImGui::SetCurrentContext(imgui);
  }
  ~Current() {
    glfwMakeContextCurrent(window_);
    ImGui::SetCurrentContext(imgui_);
  }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  GLFWwindow* window_;
  ImGuiContext* imgui_;
};

// The monitor that a window is not on; null where there is only one.
GLFWmonitor* other_monitor(GLFWwindow* window) {
  int count = 0, x = 0, y = 0;
  GLFWmonitor** all = glfwGetMonitors(&count);
  glfwGetWindowPos(window, &x, &y);
  for (int i = 0; i < count; ++i) {
    int left = 0, top = 0, width = 0, height = 0;
    glfwGetMonitorWorkarea(all[i], &left, &top, &width, &height);
    if (x < left || x >= left + width || y < top || y >= top + height) return all[i];
  }
  return nullptr;
}

class GlfwSideWindow final : public SideWindow {
 public:
  ~GlfwSideWindow() override {
    if (!window_) return;
    {
      const Current current(window_, imgui_);
      if (rendering_) ImGui_ImplOpenGL3_Shutdown();
      if (input_started_) ImGui_ImplGlfw_Shutdown();
    }
    ImGui::DestroyContext(imgui_);
    glfwDestroyWindow(window_);
  }

  bool open(GLFWwindow* beside, const SurfaceOptions& options, const std::string& fonts) {
    glfwWindowHint(GLFW_FOCUSED, GLFW_FALSE);  // keys go where they went
    window_ =
        glfwCreateWindow(options.width, options.height, options.title.c_str(), nullptr, nullptr);
    glfwWindowHint(GLFW_FOCUSED, GLFW_TRUE);
    if (!window_) return false;
    if (GLFWmonitor* monitor = other_monitor(beside)) {
      int x = 0, y = 0, width = 0, height = 0;
      glfwGetMonitorWorkarea(monitor, &x, &y, &width, &height);
      glfwSetWindowPos(window_, x + (width - options.width) / 2, y + (height - options.height) / 2);
    }
    ImGuiContext* before = ImGui::GetCurrentContext();
    imgui_ = ImGui::CreateContext();
    ImGui::SetCurrentContext(before);
    const Current current(window_, imgui_);
    glfwSwapInterval(0);  // it must not make the other one wait
    ImGui::GetIO().IniFilename = ImGui::GetIO().LogFilename = nullptr;
    watch_input();
    input_started_ = ImGui_ImplGlfw_InitForOpenGL(window_, true);
    rendering_ = input_started_ && ImGui_ImplOpenGL3_Init("#version 330 core");
    fonts_ = load_fonts(fonts);
    return rendering_;
  }

  void draw(const std::function<void(const Fonts&)>& content) override {
    const ImGuiStyle style = ImGui::GetStyle();
    const Current current(window_, imgui_);
    ImGui::GetStyle() = style;
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    content(fonts_);
    ImGui::Render();
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    glViewport(0, 0, width, height);
    const ImVec4& ground = style.Colors[ImGuiCol_WindowBg];
    glClearColor(ground.x, ground.y, ground.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    glfwSwapBuffers(window_);
  }

  [[nodiscard]] bool should_close() const override { return glfwWindowShouldClose(window_) != 0; }
  bool take_input() override { return std::exchange(input_, false); }

 private:
  // ImGui's back-end chains to callbacks that were there before it.
  void watch_input() {
    glfwSetWindowUserPointer(window_, this);
    static const auto note = [](GLFWwindow* w) {
      static_cast<GlfwSideWindow*>(glfwGetWindowUserPointer(w))->input_ = true;
    };
    glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int, int, int) { note(w); });
    glfwSetScrollCallback(window_, [](GLFWwindow* w, double, double) { note(w); });
    glfwSetKeyCallback(window_, [](GLFWwindow* w, int, int, int, int) { note(w); });
    glfwSetWindowRefreshCallback(window_, [](GLFWwindow* w) { note(w); });
    glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* w, int, int) { note(w); });
    glfwSetWindowCloseCallback(window_, [](GLFWwindow* w) { note(w); });
  }

  GLFWwindow* window_ = nullptr;
  ImGuiContext* imgui_ = nullptr;
  Fonts fonts_;
  bool input_started_ = false, rendering_ = false, input_ = false;
};

}  // namespace

std::unique_ptr<SideWindow> open_side_window(GLFWwindow* beside, const SurfaceOptions& options,
                                             const std::string& fonts) {
  auto window = std::make_unique<GlfwSideWindow>();
  if (!window->open(beside, options, fonts)) return nullptr;
  return window;
}

}  // namespace lanescope::app
