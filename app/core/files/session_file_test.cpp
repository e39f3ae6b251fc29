// Sessions on disk: the same again, and bad ones with a position.
#include "core/files/session_file.h"

#include <gmock/gmock.h>

#include "core/kernel/kernel_testing.h"

namespace lanescope::app {
namespace {

using testing::HasSubstr;

SessionFile full() {
  SessionFile session;
  session.settings = testing_texts::settings_of(testing_texts::kTranspose);
  session.settings.kernel = "tile";
  session.settings.parameters = {{"PAD", "1"}};
  session.settings.arguments = {{"in", "float[64]:zero"}};
  session.settings.block = Dim3{32, 8, 1};
  session.settings.grid = Dim3{4294967295u, 2, 3};
  session.settings.shared_bytes = 4096;
  session.settings.columns = {{"in", 64}, {"out", 1}};
  session.settings.exercise = "01_guard";
  session.settings.inspected_block = {1, 2, 0};
  session.selection.warp = 3;
  session.selection.step = 123456789012;
  session.selection.access = 2;
  session.selection.lane = 31;
  session.selection.cell = Cell{0x700000000084ull, 16};
  session.comparison = testing_texts::settings_of("__global__ void k() {}", "other.cu");
  session.look = "[Window][a]\nPos=1,2\n";
  session.lesson = "02_coalescing/stride";
  return session;
}

TEST(SessionFile, ReadsWhatItWrites) {
  const SessionFile before = full();
  const SessionFileResult read = parse_session("s.lanescope", session_text(before));
  ASSERT_TRUE(read.session.has_value()) << testing_texts::messages(read.diagnostics);
  EXPECT_EQ(read.session->settings, before.settings);
  EXPECT_EQ(read.session->comparison, before.comparison);
  EXPECT_EQ(read.session->look, before.look);
  EXPECT_EQ(read.session->lesson, before.lesson);
  EXPECT_EQ(session_text(*read.session), session_text(before));
}

TEST(SessionFile, SaysWhereItIsBroken) {
  const std::string text = session_text(full());
  for (std::size_t cut : {0u, 1u, 20u, 400u}) {
    const SessionFileResult read = parse_session("s.lanescope", text.substr(0, cut));
    EXPECT_FALSE(read.session.has_value());
    ASSERT_EQ(read.diagnostics.size(), 1u);
    EXPECT_EQ(read.diagnostics[0].kind, DiagnosticKind::usage);
    EXPECT_GT(read.diagnostics[0].line, 0u);
    EXPECT_GT(read.diagnostics[0].column, 0u);
  }
  std::string broken = "{\n \"lanescope\": 1,\n \"look\": @\n}";
  const SessionFileResult read = parse_session("s.lanescope", broken);
  ASSERT_EQ(read.diagnostics.size(), 1u);
  EXPECT_EQ(read.diagnostics[0].line, 3u);
  EXPECT_EQ(read.diagnostics[0].column, 10u);
}

TEST(SessionFile, WrongValuesAreNamed) {
  const std::string text = session_text(full());
  const auto message = [&](const std::string& from, const std::string& to) {
    const SessionFileResult read =
        parse_session("s.lanescope", testing_texts::replaced(text, from, to));
    EXPECT_FALSE(read.session.has_value()) << to;
    return read.diagnostics.empty() ? "" : format_diagnostic(read.diagnostics[0]);
  };
  EXPECT_THAT(message("\"warp\": 3", "\"warp\": -3"), HasSubstr("'warp' is not in range"));
  EXPECT_THAT(message("\"warp\": 3", "\"warp\": \"x\""), HasSubstr("'warp' is not an integer"));
  EXPECT_THAT(message("\"PAD\": \"1\"", "\"PAD\": 1"), HasSubstr("'parameters.PAD'"));
  EXPECT_THAT(message("\"in\": 64", "\"in\": 0"), HasSubstr("'columns.in' is not in range"));
  EXPECT_THAT(message("\"in\": 64", "\"in\": \"x\""), HasSubstr("'columns.in' is not an integer"));
  EXPECT_THAT(message("\"lanescope\": 1", "\"lanescope\": 99"), HasSubstr("another version"));
  EXPECT_THAT(message("\"selection\"", "\"selektion\""), HasSubstr("'selection' is missing"));
  EXPECT_THAT(message("\"shared_bytes\": 4096", "\"shared_bytes\": 99999999999"),
              HasSubstr("'shared_bytes' is not in range"));
}

}  // namespace
}  // namespace lanescope::app
