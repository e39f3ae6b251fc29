#include "platform/headless.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <glad/gl.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

#include "platform/imgui_context.h"
#include "platform/kept_frame.h"

namespace lanescope::app {

namespace {

std::string egl_error() {
  static constexpr char kDigits[] = "0123456789abcdef";
  const auto code = static_cast<unsigned>(eglGetError());
  std::string text = "EGL error 0x";
  for (int shift = 12; shift >= 0; shift -= 4) text += kDigits[code >> shift & 15u];
  return text;
}

// Mesa without any window system; then the first device a driver names; then whatever is the
// default.
EGLDisplay open_egl_display() {
  const auto get_platform_display = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(
      eglGetProcAddress("eglGetPlatformDisplayEXT"));
  const auto query_devices =
      reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
  const auto usable = [](EGLDisplay display) {
    return display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr);
  };
  if (get_platform_display) {
    const EGLDisplay mesa =
        get_platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (usable(mesa)) return mesa;
    EGLDeviceEXT device = nullptr;
    EGLint count = 0;
    if (query_devices && query_devices(1, &device, &count) && count > 0) {
      const EGLDisplay first = get_platform_display(EGL_PLATFORM_DEVICE_EXT, device, nullptr);
      if (usable(first)) return first;
    }
  }
  const EGLDisplay fallback = eglGetDisplay(EGL_DEFAULT_DISPLAY);
  return usable(fallback) ? fallback : EGL_NO_DISPLAY;
}

/// An OpenGL 3.3 core context that is current and has no window: frames go to a framebuffer object.
class EglContext {
 public:
  EglContext() = default;
  EglContext(const EglContext&) = delete;
  EglContext& operator=(const EglContext&) = delete;
  ~EglContext() {
    if (display_ == EGL_NO_DISPLAY) return;
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context_ != EGL_NO_CONTEXT) eglDestroyContext(display_, context_);
    if (pbuffer_ != EGL_NO_SURFACE) eglDestroySurface(display_, pbuffer_);
    eglTerminate(display_);
  }

  /// Returns what went wrong, or "".
  std::string open() {
    display_ = open_egl_display();
    if (display_ == EGL_NO_DISPLAY)
      return "cannot draw without a display: no EGL driver (" + egl_error() + ")";
    if (!eglBindAPI(EGL_OPENGL_API)) return "EGL cannot make desktop OpenGL contexts";
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                             EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (!eglChooseConfig(display_, wanted, &config, 1, &count) || count == 0)
      return "EGL has no configuration for OpenGL: " + egl_error();
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                 3,
                                 EGL_CONTEXT_MINOR_VERSION,
                                 3,
                                 EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                 EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                 EGL_NONE};
    context_ = eglCreateContext(display_, config, EGL_NO_CONTEXT, attributes);
    if (context_ == EGL_NO_CONTEXT) return "no OpenGL 3.3: " + egl_error();
    if (!make_current(config)) return "cannot use the OpenGL context: " + egl_error();
    if (!gladLoadGL(reinterpret_cast<GLADloadfunc>(eglGetProcAddress)))
      return "cannot load OpenGL 3.3 functions";
    return "";
  }

 private:
  bool make_current(EGLConfig config) {
    if (eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_)) return true;
    const EGLint size[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
    pbuffer_ = eglCreatePbufferSurface(display_, config, size);
    return pbuffer_ != EGL_NO_SURFACE && eglMakeCurrent(display_, pbuffer_, pbuffer_, context_);
  }

  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLContext context_ = EGL_NO_CONTEXT;
  EGLSurface pbuffer_ = EGL_NO_SURFACE;
};

class Headless final : public Surface {
 public:
  ~Headless() override;
  /// Returns what went wrong, or "".
  std::string open(const SurfaceOptions& options);

  void begin_frame() override;
  void end_frame(Image* capture) override;
  void finish() override;
  float content_scale() const override { return 1; }
  bool should_close() const override { return false; }
  bool wait(double seconds) override;
  void wake() override;

 private:
  void draw();

  int width_ = 0, height_ = 0;
  EglContext context_;
  std::optional<ImGuiSetup> imgui_;
  std::optional<KeptFrame> frame_;
  std::mutex mutex_;
  std::condition_variable wakeup_;
  bool woken_ = false;
};

Headless::~Headless() {
  imgui_.reset();
  frame_.reset();
}

std::string Headless::open(const SurfaceOptions& options) {
  if (options.width <= 0 || options.height <= 0) return "the picture's size must be positive";
  width_ = options.width, height_ = options.height;
  if (std::string error = context_.open(); !error.empty()) return error;
  if (!frame_.emplace().bind(width_, height_)) return "OpenGL cannot draw a picture of this size";
  imgui_.emplace(options);
  ImGuiIO& io = ImGui::GetIO();
  io.BackendPlatformName = "lanescope_headless";
  io.DisplaySize = {static_cast<float>(width_), static_cast<float>(height_)};
  return imgui_->start_renderer() ? "" : "cannot start drawing with OpenGL 3.3";
}

void Headless::begin_frame() {
  // A fixed step: the same input gives the same pictures, however slow the machine.
  ImGui::GetIO().DeltaTime = 1.0f / 60.0f;
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
}

// Who does not take the picture does not look at it: most frames here only let something settle.
void Headless::end_frame(Image* capture) {
  imgui_->end_frame();
  if (!capture) return;
  draw();
  *capture = read_framebuffer(width_, height_);
}

void Headless::draw() {
  frame_->bind(width_, height_);
  imgui_->draw(width_, height_);
}

void Headless::finish() {
  draw();
  glFinish();
}

bool Headless::wait(double seconds) {
  std::unique_lock lock(mutex_);
  wakeup_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return woken_; });
  return std::exchange(woken_, false);
}

void Headless::wake() {
  {
    const std::lock_guard lock(mutex_);
    woken_ = true;
  }
  wakeup_.notify_all();
}

}  // namespace

SurfaceResult open_headless(const SurfaceOptions& options) {
  auto headless = std::make_unique<Headless>();
  if (std::string error = headless->open(options); !error.empty())
    return {nullptr, std::move(error)};
  return {std::move(headless), ""};
}

}  // namespace lanescope::app
