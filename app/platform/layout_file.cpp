#include "platform/layout_file.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace lanescope::app {

namespace {

constexpr std::size_t kLargest = 1 << 20;  // bytes; ours are a few thousand

std::string_view without_indent(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(' ');
  return begin == std::string_view::npos ? std::string_view() : line.substr(begin);
}

// The number behind "NAME=0x", 0 if there is none.
std::uint32_t hexadecimal(std::string_view line, std::string_view name) {
  const std::size_t at = line.find(name);
  if (at == std::string_view::npos) return 0;
  std::uint32_t value = 0;
  const char* begin = line.data() + at + name.size();
  std::from_chars(begin, line.data() + line.size(), value, 16);
  return value;
}

// A node has an id of its own, and a parent that came before it and has room for two.
bool is_sound_node(std::string_view line, std::map<std::uint32_t, int>& children) {
  const std::uint32_t id = hexadecimal(line, " ID=0x"), parent = hexadecimal(line, "Parent=0x");
  if (id == 0 || !children.emplace(id, 0).second) return false;
  if (line.find("Parent=") == std::string_view::npos) return true;
  const auto above = children.find(parent);
  return above != children.end() && parent != id && ++above->second <= 2;
}

}  // namespace

bool is_sound_layout(std::string_view text) {
  if (text.size() > kLargest) return false;
  std::map<std::uint32_t, int> children;
  bool docking = false, section = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view raw = text.substr(at, end - at), line = without_indent(raw);
    at = end + 1;
    if (std::any_of(raw.begin(), raw.end(), [](unsigned char c) { return c < ' ' || c == 127; }))
      return false;
    if (line.empty()) continue;
    if (line.front() == '[') {
      if (line.back() != ']' || line.find("][") == std::string_view::npos) return false;
      docking = line.starts_with("[Docking]");
      section = true;
    } else if (!section) {
      return false;
    } else if (docking && (line.starts_with("DockNode") || line.starts_with("DockSpace"))) {
      if (!is_sound_node(line, children)) return false;
    }
  }
  // A node that is split has two halves.
  return std::all_of(children.begin(), children.end(),
                     [](const auto& node) { return node.second != 1; });
}

void drop_broken_layout(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return;
  std::stringstream text;
  text << in.rdbuf();
  if (is_sound_layout(text.str())) return;
  in.close();
  std::error_code ignored;
  std::filesystem::rename(file, file + ".broken", ignored);
}

}  // namespace lanescope::app
