#include "core/program/program_request.h"

#include <gtest/gtest.h>

namespace lanescope::app {
namespace {

ProgramRequest full_request() {
  ProgramRequest request;
  request.compile.files = {"main.cu", "a folder/util.cpp"};
  request.compile.texts = {{"main.cu", "int main() { return \"\\n\"[0]; }\n// höher\n"}};
  request.compile.include_folders = {"include", "/usr/local/x"};
  request.compile.macros = {{"N", "1024"}, {"NAME", "\"quoted\""}};
  request.compile.standard = "c++20";
  request.compile.cuda_headers = "/usr/local/cuda/include";
  request.compile.kept_folder = "/home/x/.cache/lanescope";
  request.arguments = {"--size", "5", ""};
  request.device = "A100";
  request.threads = 3;
  request.step_budget = 1'000'000'000'000;
  request.check_all = request.every_launch = request.stop_at_mistake = true;
  request.writable = {"/tmp/x"};
  request.memory_bytes = std::uint64_t{8} << 30;
  request.capture_file = "launch.bin";
  request.capture_launch = 12;
  return request;
}

TEST(ProgramRequest, ComesBackFromItsText) {
  const ProgramRequest request = full_request();
  const ProgramRequest back = request_from(to_text(request));
  EXPECT_EQ(to_text(back), to_text(request));
  EXPECT_EQ(back.compile.files, request.compile.files);
  EXPECT_EQ(back.compile.texts, request.compile.texts);
  EXPECT_EQ(back.compile.include_folders, request.compile.include_folders);
  ASSERT_EQ(back.compile.macros.size(), 2u);
  EXPECT_EQ(back.compile.macros[1].name, "NAME");
  EXPECT_EQ(back.compile.macros[1].value, "\"quoted\"");
  EXPECT_EQ(back.compile.standard, "c++20");
  EXPECT_EQ(back.compile.cuda_headers, request.compile.cuda_headers);
  EXPECT_EQ(back.compile.kept_folder, request.compile.kept_folder);
  EXPECT_EQ(back.arguments, request.arguments);
  EXPECT_EQ(back.device, "A100");
  EXPECT_EQ(back.threads, 3u);
  EXPECT_EQ(back.step_budget, request.step_budget);
  EXPECT_TRUE(back.check_all && back.every_launch && back.stop_at_mistake);
  EXPECT_EQ(back.writable, request.writable);
  EXPECT_EQ(back.memory_bytes, request.memory_bytes);
  EXPECT_EQ(back.capture_file, "launch.bin");
  EXPECT_EQ(back.capture_launch, 12u);
}

TEST(ProgramRequest, AnEmptyOneComesBack) {
  EXPECT_EQ(to_text(request_from(to_text({}))), to_text({}));
}

TEST(ProgramRequest, ATextThatIsNoUtf8DoesNotStopIt) {
  ProgramRequest request;
  request.arguments = {"caf\xe9"};
  EXPECT_EQ(request_from(to_text(request)).arguments.size(), 1u);
}

TEST(ProgramRequest, WhatIsNoRequestIsRefused) {
  for (const char* text : {"", "{", "[]", "{}", R"({"files": 3})"})
    EXPECT_THROW(request_from(text), std::exception) << text;
}

}  // namespace
}  // namespace lanescope::app
