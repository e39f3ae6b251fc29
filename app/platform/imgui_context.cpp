#include "platform/imgui_context.h"

#include <glad/gl.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>

namespace lanescope::app {

ImGuiSetup::ImGuiSetup(const SurfaceOptions& options)
    : context_(ImGui::CreateContext()), layout_file_(options.layout_file) {
  ImGuiIO& io = ImGui::GetIO();
  io.ConfigFlags |= ImGuiConfigFlags_DockingEnable | ImGuiConfigFlags_NavEnableKeyboard;
  io.IniFilename = layout_file_.empty() ? nullptr : layout_file_.c_str();
  io.LogFilename = nullptr;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
}

ImGuiSetup::~ImGuiSetup() {
  if (renderer_started_) ImGui_ImplOpenGL3_Shutdown();
  ImGui::DestroyContext(context_);
}

bool ImGuiSetup::start_renderer() {
  renderer_started_ = ImGui_ImplOpenGL3_Init("#version 330 core");
  return renderer_started_;
}

void ImGuiSetup::end_frame() {
  ImGui::Render();
  for (ImTextureData* texture : ImGui::GetPlatformIO().Textures)
    if (texture->Status != ImTextureStatus_OK) ImGui_ImplOpenGL3_UpdateTexture(texture);
}

void ImGuiSetup::draw(int width, int height) {
  glViewport(0, 0, width, height);
  const ImVec4& background = ImGui::GetStyle().Colors[ImGuiCol_WindowBg];
  glClearColor(background.x, background.y, background.z, 1.0f);
  const ImU32 ground = ImGui::ColorConvertFloat4ToU32(background);
  ImDrawData& frame = *ImGui::GetDrawData();
  for (const PixelRect& rect : damage_.next(frame, width, height, ground)) {
    const CutFrame cut(frame, rect);
    glEnable(GL_SCISSOR_TEST);
    glScissor(rect.x0, height - rect.y1, rect.x1 - rect.x0, rect.y1 - rect.y0);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    ImGui_ImplOpenGL3_RenderDrawData(&frame);
  }
}

Image read_framebuffer(int width, int height) {
  Image image{width, height, {}};
  const auto row = 4 * static_cast<std::size_t>(width);
  image.rgba.resize(row * static_cast<std::size_t>(height));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
  // OpenGL counts rows from the bottom.
  for (int top = 0, bottom = height - 1; top < bottom; ++top, --bottom) {
    std::uint8_t* upper = image.rgba.data() + row * static_cast<std::size_t>(top);
    std::swap_ranges(upper, upper + row,
                     image.rgba.data() + row * static_cast<std::size_t>(bottom));
  }
  for (std::size_t i = 3; i < image.rgba.size(); i += 4) image.rgba[i] = 255;
  return image;
}

}  // namespace lanescope::app
