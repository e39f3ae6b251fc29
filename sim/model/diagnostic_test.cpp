#include "lanescope/diagnostic.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

TEST(Diagnostic, PutsTheCaretUnderTheColumn) {
  Diagnostic d;
  d.kind = DiagnosticKind::out_of_bounds;
  d.file = "k.cu";
  d.line = 12;
  d.column = 4;
  d.message = Message::verbatim("write past the end of 'out'");
  d.source_line = "\t  out[i] = 0;";
  d.hint = Message::verbatim("guard the access");
  d.block = Dim3{1, 2, 0};
  d.thread = Dim3{31, 0, 0};
  d.address = 0x1000;
  EXPECT_EQ(format_diagnostic(d), "k.cu:12:4: error: write past the end of 'out'\n"
                                  "\t  out[i] = 0;\n"
                                  "\t  ^\n"
                                  "  at block (1, 2, 0), thread (31, 0, 0), address 0x1000\n"
                                  "  hint: guard the access\n");
}

TEST(Diagnostic, LeavesOutWhatIsNotKnown) {
  Diagnostic d;
  d.severity = Severity::warning;
  d.file = "<launch>";
  d.message = Message::verbatim("nothing to do");
  EXPECT_EQ(format_diagnostic(d), "<launch>: warning: nothing to do\n");
  d.line = 3;
  d.column = 9;
  d.source_line = "x";  // shorter than the column says
  EXPECT_EQ(format_diagnostic(d), "<launch>:3:9: warning: nothing to do\nx\n        ^\n");
}

TEST(Diagnostic, OnlyErrorsCountAsErrors) {
  Diagnostic warning;
  warning.severity = Severity::warning;
  EXPECT_FALSE(has_errors({warning}));
  EXPECT_TRUE(has_errors({warning, Diagnostic{}}));
}

TEST(Diagnostic, KindsAreSpelledAsInJson) {
  EXPECT_EQ(diagnostic_kind_name(DiagnosticKind::out_of_bounds), "out-of-bounds");
  EXPECT_EQ(diagnostic_kind_name(DiagnosticKind::internal), "internal");
  EXPECT_EQ(severity_name(Severity::note), "note");
}

}  // namespace
}  // namespace lanescope
