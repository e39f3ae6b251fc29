// A small course for the tests of this folder, written into a folder of its own.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "core/kernel/kernel_testing.h"

namespace lanescope::app::testing_course {

inline const std::string kLesson = R"(minutes = 5
[[scene]]
id = "turn"
kernel = "tile.cu"
set = { PAD = 0 }
args = { nx = 64, ny = 64 }
line = "out[to] ="
access = "shared load"
lane = 5
views = ["map", "banks"]
claims = ["conflicts > 0", "access.wavefronts == 32"]
other = { set = { PAD = 1 } }

  [[scene.question]]
  id = "how_many"
  answer = "access.wavefronts"

  [[scene.question]]
  id = "who"
  kind = "lane"
  answer = "bank(given) == bank(5) && given != 5"

  [[scene.question]]
  id = "better"
  choices = { a = "other.access.wavefronts < access.wavefronts", b = "other.conflicts > 0" }

[[scene]]
id = "edge"
kernel = "tile.cu"
)";

inline const std::string kWords = R"(# Turning a tile
One sentence.

## turn
### A column of `tile[32][32]`
Lanes meet in bank {{bank(5)}}, `{{nx}}` columns.
### ? how_many
How many wavefronts?
### ! how_many
{{access.wavefronts}}, and with padding {{other.access.wavefronts}}.
### ? who
Who else?
### ! who
All.
### ? better
Is padding better?
- a: yes
- b: no
### ! better
Yes.
### Notes
Wait.

## edge
### The edge
1. Nothing.
)";

/// Files of a course, gone when it goes.
class CourseFolder {
 public:
  explicit CourseFolder(const std::string& name)
      : root_(std::filesystem::path(::testing::TempDir()) / ("course_" + name)) {
    std::filesystem::remove_all(root_);
  }
  ~CourseFolder() { std::filesystem::remove_all(root_); }
  CourseFolder(const CourseFolder&) = delete;
  CourseFolder& operator=(const CourseFolder&) = delete;

  void write(const std::string& file, const std::string& text) const {
    const std::filesystem::path path = root_ / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  /// lessons/NAME with its kernel.
  void add_lesson(const std::string& name, const std::string& toml = kLesson,
                  const std::string& english = kWords, const std::string& chinese = kWords) const {
    const std::string folder = "lessons/" + name + "/";
    write(folder + "lesson.toml", toml);
    write(folder + "en.md", english);
    write(folder + "zh.md", chinese);
    write(folder + "tile.cu", testing_texts::kTranspose);
  }
  [[nodiscard]] std::string path(const std::string& below = "") const {
    return (root_ / below).string();
  }

 private:
  std::filesystem::path root_;
};

}  // namespace lanescope::app::testing_course
