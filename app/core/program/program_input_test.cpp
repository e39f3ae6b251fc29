#include "core/program/program_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::app {
namespace {

using ::testing::ElementsAre;

TEST(ProgramInput, AMainIsADefinitionInTheText) {
  for (const char* text :
       {"int main() {}", "int main (int argc, char** argv)\n{}", "int\nmain(void) {}",
        "// it's\nint main() {}", "const char* s = \"\\\"\"; int main() {}",
        "int n = 1'000; int main() {}"})
    EXPECT_TRUE(has_main(text)) << text;
  for (const char* text : {"", "__global__ void k() {}", "// int main() {}", "/* int main() {} */",
                           "const char* s = \"int main()\";", "void domain(int) {}",
                           "int main_loop();", "R\"(int main())\"", "int mainly(); int main;"})
    EXPECT_FALSE(has_main(text)) << text;
}

TEST(ProgramInput, WordsAreAShells) {
  EXPECT_THAT(words_of("  256  'a b'  \"c \\\" d\" e\\ f ''"),
              ElementsAre("256", "a b", "c \" d", "e f", ""));
  EXPECT_THAT(words_of(""), ElementsAre());
  EXPECT_THAT(words_of("a\"b c\"d"), ElementsAre("ab cd"));
}

TEST(ProgramInput, FieldsMakeARequest) {
  const ProgramRequestResult made = make_program_request(
      "/p/main.cu", "int main() {}",
      {"1 two", "-D N=8 -DFAST -I inc -I/abs -std=c++20 --memory 2G util.cpp sub/k.cu", "text"});
  ASSERT_TRUE(made.problem.empty()) << made.problem.english();
  const WholeProgramRequest& compile = made.request.compile;
  EXPECT_THAT(compile.files, ElementsAre("/p/main.cu", "/p/util.cpp", "/p/sub/k.cu"));
  EXPECT_EQ(compile.texts.at("/p/main.cu"), "int main() {}");
  EXPECT_THAT(compile.include_folders, ElementsAre("/p/inc", "/abs"));
  ASSERT_EQ(compile.macros.size(), 2u);
  EXPECT_EQ(compile.macros[0].name + "=" + compile.macros[0].value, "N=8");
  EXPECT_EQ(compile.macros[1].name + "=" + compile.macros[1].value, "FAST=1");
  EXPECT_EQ(compile.standard, "c++20");
  EXPECT_EQ(made.request.memory_bytes, std::uint64_t{2} << 30);
  EXPECT_THAT(made.request.arguments, ElementsAre("1", "two"));
}

TEST(ProgramInput, WhatIsNoFlagIsTold) {
  for (const auto& [flags, told] : std::map<std::string, std::string>{{"-O3", "-O3"},
                                                                      {"-D", "-D"},
                                                                      {"-I", "-I"},
                                                                      {"notes.txt", "notes.txt"},
                                                                      {"--memory much", "--memory"},
                                                                      {"--memory", "--memory"}}) {
    const ProgramRequestResult made = make_program_request("a.cu", "", {"", flags, ""});
    EXPECT_THAT(made.problem.english(), ::testing::HasSubstr(told));
  }
}

TEST(CompileFlagsText, GoesThereAndBack) {
  const auto read = compile_flags_from("/texts/kernel.cu", "-I include -DN=64 -D FAST -std=c++20");
  EXPECT_TRUE(read.problem.empty());
  EXPECT_THAT(read.flags.include_folders, ElementsAre("/texts/include"));
  EXPECT_EQ(read.flags.standard, "c++20");
  EXPECT_EQ(read.flags.macros.at("FAST"), "1");
  const std::string text = flags_text(read.flags);
  EXPECT_EQ(compile_flags_from("/texts/kernel.cu", text).flags, read.flags) << text;
}

TEST(CompileFlagsText, WhatIsNoneIsTold) {
  for (const char* text : {"-O3", "-I", "-std=c++99", "other.cu", "--memory 1G"})
    EXPECT_FALSE(compile_flags_from("/texts/kernel.cu", text).problem.empty()) << text;
}

}  // namespace
}  // namespace lanescope::app
