#include "platform/items.h"

#include <unordered_map>

#include "imgui.h"
#include "imgui_internal.h"

namespace lanescope {
// Defined beside the hooks, in third_party/imgui_test_hooks.cpp.
extern void (*imgui_item_added)(ImGuiID id, const ImRect& box);
extern void (*imgui_item_labelled)(ImGuiID id, const char* label);
}  // namespace lanescope

namespace lanescope::app {
namespace {

struct Place {
  std::string window;
  ImRect box;
};

struct Collected {
  std::unordered_map<ImGuiID, Place> places;
  std::vector<ShownItem> items;
};
Collected& collected() {
  static Collected all;
  return all;
}

std::string after_hashes(const std::string& name) {
  const std::size_t at = name.rfind("##");
  return at == std::string::npos ? "" : name.substr(at + 2);
}

std::string stable_name(const ImGuiWindow& window) {
  const std::string name = window.RootWindow->Name;
  const std::string stable = after_hashes(name);
  return stable.empty() ? name : stable;
}

void added(ImGuiID id, const ImRect& box) {
  const ImGuiWindow* window = ImGui::GetCurrentContext()->CurrentWindow;
  if (id == 0 || !window || window->Hidden) return;
  ImRect visible = box;
  visible.ClipWith(window->ClipRect);
  if (visible.GetWidth() <= 1 || visible.GetHeight() <= 1) return;
  collected().places[id] = {stable_name(*window), visible};
}

void labelled(ImGuiID id, const char* label) {
  const auto place = collected().places.find(id);
  if (!label || place == collected().places.end()) return;
  const std::string text = label;
  const ImRect& box = place->second.box;
  collected().items.push_back({place->second.window, text.substr(0, text.find("##")),
                               after_hashes(text), box.Min.x, box.Min.y, box.GetWidth(),
                               box.GetHeight()});
}

}  // namespace

void collect_items() {
  ImGui::GetCurrentContext()->TestEngineHookItems = true;
  imgui_item_added = added;
  imgui_item_labelled = labelled;
}

std::vector<ShownItem> take_items() {
  std::vector<ShownItem> items = std::move(collected().items);
  collected() = {};
  return items;
}

ShownInput shown_input() {
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  return {.pointer_x = context.IO.MousePos.x,
          .pointer_y = context.IO.MousePos.y,
          .keyboard = context.NavWindow != nullptr ? stable_name(*context.NavWindow) : "",
          .typing = context.IO.WantTextInput};
}

}  // namespace lanescope::app
