#include "program/process/work_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/tasks/scratch.h"

namespace lanescope::app {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const char* text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

std::string read(const fs::path& path) {
  std::string text;
  std::ifstream(path) >> text;
  return text;
}

struct WorkFolder : testing::Test {
  WorkFolder() {
    write(from.file("program/input.txt"), "beside");
    write(from.file("data/more.txt"), "above");
  }
  [[nodiscard]] std::string make(const std::vector<std::string>& writable = {},
                                 bool above = true) const {
    return make_work_folder(from.file("program"), scratch.path(), writable, above);
  }
  const Scratch from, scratch;
};

TEST_F(WorkFolder, FindsWhatIsBesideAndAboveTheOther) {
  const fs::path made = make();
  ASSERT_FALSE(made.empty());
  EXPECT_EQ(read(made / "input.txt"), "beside");
  EXPECT_EQ(read(made / "../data/more.txt"), "above");
}

TEST_F(WorkFolder, LinksNothingAboveWhereNothingLeadsThere) {
  const fs::path made = make({}, false);
  ASSERT_FALSE(made.empty());
  EXPECT_EQ(read(made / "input.txt"), "beside");
  EXPECT_FALSE(fs::exists(made / "../data/more.txt"));
}

TEST_F(WorkFolder, TellsWhatIsNewInIt) {
  const fs::path made = make();
  EXPECT_TRUE(new_files(made).empty());
  write(made / "results/b.txt", "b");
  write(made / "a.txt", "a");
  EXPECT_EQ(new_files(made), (std::vector<std::string>{"a.txt", "results/b.txt"}));
  EXPECT_FALSE(fs::exists(from.file("program/a.txt")));
}

TEST_F(WorkFolder, AFileThatIsWrittenAnewIsNoLinkAnyMore) {
  const fs::path made = make();
  make_way(made / "input.txt", made);
  write(made / "input.txt", "anew");
  EXPECT_EQ(read(from.file("program/input.txt")), "beside");
  // Of other folders no link is touched.
  fs::create_symlink(from.file("data/more.txt"), from.file("link"));
  make_way(from.file("link"), made);
  EXPECT_TRUE(fs::is_symlink(from.file("link")));
}

TEST_F(WorkFolder, AFolderThatIsWrittenToIsNoLinkAnyMore) {
  write(from.file("program/data/old.txt"), "old");
  const fs::path made = make();
  ASSERT_TRUE(fs::is_symlink(made / "data"));
  make_way(made / "data/new.txt", made);
  write(made / "data/new.txt", "new");
  EXPECT_EQ(read(made / "data/old.txt"), "old");
  EXPECT_EQ(new_files(made), (std::vector<std::string>{"data/new.txt"}));
  EXPECT_FALSE(fs::exists(from.file("program/data/new.txt")));
}

TEST_F(WorkFolder, IsNotNeededWhereOneMayWrite) {
  EXPECT_EQ(make({from.path()}), "");
  EXPECT_EQ(make({from.file("program")}), "");
  EXPECT_NE(make({from.file("data")}), "");
}

}  // namespace
}  // namespace lanescope::app
