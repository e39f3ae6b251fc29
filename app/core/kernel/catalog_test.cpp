#include "core/kernel/catalog.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/kernel/kernel_testing.h"

namespace lanescope::app {
namespace {

using namespace testing_texts;
namespace fs = std::filesystem;

class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() /
              (std::string("lanescope_") + test->name() + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& content) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return (folder_ / name).string();
  }
  fs::path folder_;
};

TEST_F(Files, FindsKernelsByNameAndBySuffix) {
  write("transpose/02_tile.cu", kTranspose);
  write("copy/01_copy.cu", kTranspose);
  write("copy/readme.txt", "no kernel");
  const Catalog catalog = load_catalog(folder_.string());
  EXPECT_TRUE(catalog.diagnostics.empty()) << messages(catalog.diagnostics);
  ASSERT_EQ(catalog.entries.size(), 2u);
  EXPECT_EQ(catalog.entries[0].name, "copy/01_copy");
  EXPECT_EQ(catalog.entries[1].family, "transpose");
  for (const char* name : {"transpose/02_tile", "02_tile", "tile"}) {
    const OpenResult opened = open_kernel(catalog, name);
    ASSERT_TRUE(opened.settings) << name;
    EXPECT_EQ(opened.settings->name, "transpose/02_tile");
    EXPECT_EQ(opened.settings->text, kTranspose);
  }
}

TEST_F(Files, BrokenKernelsAreNamedAndLeftOut) {
  write("a/01_good.cu", kTranspose);
  write("a/02_bad.cu", replaced(kTranspose, "title =", "titel ="));
  write("a/03_none.cu", "__global__ void k() {}");
  const Catalog catalog = load_catalog(folder_.string());
  EXPECT_EQ(catalog.entries.size(), 1u);
  EXPECT_EQ(catalog.diagnostics.size(), 2u);
}

TEST_F(Files, WhatIsNoKernelTextIsAUsageError) {
  const std::pair<std::string, std::string> cases[] = {
      {(folder_ / "missing.cu").string(), "no such file"},
      {write("empty.cu", ""), "empty"},
      {write("blank.cu", " \n\t\n"), "empty"},
      {write("binary.cu", std::string("\x7f"
                                      "ELF\0\0",
                                      6)),
       "binary"},
      {write("latin1.cu", "// caf\xe9\n"), "UTF-8"},
      {folder_.string(), "directory"},
      {"/dev/null", "regular"},
      {"no_such_kernel", "no kernel and no file"},
  };
  for (const auto& [name, message] : cases) {
    const OpenResult opened = open_kernel({}, name);
    EXPECT_FALSE(opened.settings) << name;
    ASSERT_EQ(opened.diagnostics.size(), 1u) << name;
    EXPECT_EQ(opened.diagnostics[0].kind, DiagnosticKind::usage);
    EXPECT_NE(opened.diagnostics[0].message.english().find(message), std::string::npos)
        << opened.diagnostics[0].message.english();
  }
}

TEST_F(Files, SeveralAnswersAreAllNamed) {
  write("a/01_tile.cu", kTranspose);
  write("b/01_tile.cu", kTranspose);
  const OpenResult opened = open_kernel(load_catalog(folder_.string()), "tile");
  ASSERT_FALSE(opened.settings);
  EXPECT_NE(opened.diagnostics[0].hint.english().find("a/01_tile and b/01_tile"), std::string::npos)
      << opened.diagnostics[0].hint.english();
}

TEST_F(Files, WhoOpensOneKernelReadsNoOther) {
  write("a/01_tile.cu", kTranspose);
  write("b/02_other.cu", kTranspose);
  const std::string file = write("own.cu", kTranspose);
  const auto read = [&](const std::string& name) {
    return load_catalog_of(folder_.string(), name).entries.size();
  };
  EXPECT_EQ(read("a/01_tile"), 1u);
  EXPECT_EQ(read(file), 0u);
  EXPECT_EQ(read("tile"), 3u) << "an ending may be that of several";
  EXPECT_EQ(read("a/../b/02_other"), 3u);
  EXPECT_EQ(read("nothing"), 3u);
  EXPECT_EQ(read(""), 3u);
}

TEST(Catalog, BundledKernelsAllRead) {
  const Catalog catalog = load_catalog(LANESCOPE_SOURCE_DIR "/kernels");
  EXPECT_TRUE(catalog.diagnostics.empty()) << messages(catalog.diagnostics);
  EXPECT_GE(catalog.entries.size(), 6u);
}

}  // namespace
}  // namespace lanescope::app
