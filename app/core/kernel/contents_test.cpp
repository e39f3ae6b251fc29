#include "core/kernel/contents.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace lanescope::app {
namespace {

// A file of the test's own.
class Contents : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = std::filesystem::temp_directory_path() /
            (std::string("lanescope_contents_") +
             ::testing::UnitTest::GetInstance()->current_test_info()->name());
  }
  void TearDown() override { std::filesystem::remove(path_); }

  std::string with(const std::string& bytes) const {
    std::ofstream(path_, std::ios::binary) << bytes;
    return path_.string();
  }
  static std::string numpy(const std::string& header, std::size_t bytes) {
    std::string file = std::string("\x93NUMPY\x01\x00", 8);
    file += static_cast<char>(header.size());
    file += '\0';
    return file + header + std::string(bytes, '\1');
  }

  std::filesystem::path path_;
};

TEST_F(Contents, RawBytesAreAsManyElementsAsTheyFill) {
  const std::string path = with(std::string(32, '\1'));
  const auto all = read_contents({path, ScalarType::f32, 4, "float4", std::nullopt});
  ASSERT_TRUE(all.bytes) << all.wrong.english();
  EXPECT_EQ(all.shape, (std::vector<std::uint64_t>{8}));
  EXPECT_FALSE(read_contents({path, ScalarType::f32, 3, "float3", std::nullopt}).bytes);
  const auto fewer = read_contents({path, ScalarType::f32, 1, "float", 7});
  EXPECT_NE(fewer.wrong.english().find("holds 32 bytes, but 7 elements of float take 28"),
            std::string::npos)
      << fewer.wrong.english();
  EXPECT_EQ(fewer.hint.english(), "give 8 elements, or another file");
}

TEST_F(Contents, NumpyKeepsItsShapeAndMustHaveTheType) {
  const std::string path =
      with(numpy("{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }", 12));
  const auto matrix = read_contents({path, ScalarType::i16, 1, "short", 6});
  ASSERT_TRUE(matrix.bytes) << matrix.wrong.english();
  EXPECT_EQ(matrix.shape, (std::vector<std::uint64_t>{2, 3}));
  EXPECT_EQ(matrix.bytes->size(), 12u);
  const auto other = read_contents({path, ScalarType::u16, 1, "unsigned short", std::nullopt});
  EXPECT_NE(other.wrong.english().find("holds <i2"), std::string::npos) << other.wrong.english();
  EXPECT_EQ(other.hint.english(), "convert it, for example in Python: x.astype('uint16')");
}

TEST_F(Contents, DamagedNumpyIsTold) {
  const char* headers[] = {"{'fortran_order': False, 'shape': (2,), }",
                           "{'descr': '<f4', 'fortran_order': False, }",
                           "{'descr': '<f4', 'fortran_order': False, 'shape': (2, }",
                           "{'descr': '<f4', 'fortran_order': False, 'shape': (99,), }",
                           "{'descr': '<f4', 'shape': (99999999999999999999,), }",
                           "",
                           "'descr'",
                           "{'descr':"};
  for (const char* header : headers) {
    const auto damaged =
        read_contents({with(numpy(header, 8)), ScalarType::f32, 1, "float", std::nullopt});
    if (std::string(header).find("(2, }") == std::string::npos) {
      EXPECT_FALSE(damaged.bytes) << header;
    }
    EXPECT_EQ(damaged.bytes == nullptr, !damaged.wrong.empty()) << header;
  }
  EXPECT_FALSE(read_contents({with("\x93NUMPY"), ScalarType::f32, 1, "float", std::nullopt}).bytes);
}

}  // namespace
}  // namespace lanescope::app
