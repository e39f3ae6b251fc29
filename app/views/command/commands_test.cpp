// The table of commands: nothing in it contradicts anything else in it.
#include "views/command/commands.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

namespace lanescope::app {
namespace {

nlohmann::json chinese_table() {
  nlohmann::json all = nlohmann::json::object();
  for (const auto& entry : std::filesystem::directory_iterator(std::string(LANESCOPE_SOURCE_DIR) +
                                                               "/assets/translations/zh")) {
    std::ifstream file(entry.path());
    all.update(nlohmann::json::parse(file));
  }
  return all;
}

TEST(Commands, IdsAndKeysAreOfOneCommandOnly) {
  std::set<std::string> ids;
  std::map<ImGuiKeyChord, std::string> chords;
  for (const Command& command : commands()) {
    EXPECT_TRUE(ids.insert(command.id).second) << command.id;
    EXPECT_TRUE(command.run != nullptr) << command.id;
    for (const ImGuiKeyChord chord : command.keys) {
      const auto [other, fresh] = chords.emplace(chord, command.id);
      EXPECT_TRUE(fresh) << keys_text(chord) << ": " << other->second << " and " << command.id;
    }
  }
}

// A group must not come back after another one: the menu would draw a rule too many.
TEST(Commands, GroupsOfAMenuAreTogether) {
  std::map<Menu, int> last;
  for (const Command& command : commands()) {
    const auto found = last.find(command.menu);
    if (found != last.end()) {
      EXPECT_LE(found->second, command.group) << command.id;
    }
    last[command.menu] = command.group;
  }
}

TEST(Commands, HaveChineseTitles) {
  const nlohmann::json table = chinese_table();
  for (const Command& command : commands()) {
    if (command.id.starts_with("size.") || command.id.starts_with("language.")) continue;
    EXPECT_TRUE(table.contains(command.title)) << command.title;
    if (command.submenu) {
      EXPECT_TRUE(table.contains(command.submenu)) << command.submenu;
    }
  }
}

TEST(Commands, KeysAreNamedAsTheyAreWrittenOnThem) {
  EXPECT_EQ(keys_text(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_S), "Ctrl+Shift+S");
  EXPECT_EQ(keys_text(ImGuiKey_LeftBracket), "[");
  EXPECT_EQ(tooltip_text("file.save"), "Save (Ctrl+S)");
  EXPECT_EQ(tooltip_text("no such command"), "");
}

}  // namespace
}  // namespace lanescope::app
