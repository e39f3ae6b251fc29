#include "core/export/export.h"

#include <sstream>

#include "core/kernel/kernel_testing.h"
#include "core/session/session.h"
#include "core/text/csv.h"
#include "core/text/text_file.h"

namespace lanescope::app {
namespace {

using namespace testing_texts;

// Rows of fields; enough of RFC 4180 for what is written here.
std::vector<std::vector<std::string>> parsed(const std::string& csv) {
  std::vector<std::vector<std::string>> rows(1, {""});
  bool quoted = false;
  for (std::size_t i = 0; i < csv.size(); ++i) {
    const char c = csv[i];
    if (quoted && c == '"' && i + 1 < csv.size() && csv[i + 1] == '"')
      rows.back().back() += csv[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && c == ',')
      rows.back().emplace_back();
    else if (!quoted && c == '\r')
      continue;
    else if (!quoted && c == '\n')
      rows.push_back({""});
    else
      rows.back().back() += c;
  }
  rows.pop_back();
  return rows;
}

std::string field(const std::vector<std::vector<std::string>>& rows, std::size_t row,
                  const std::string& name) {
  for (std::size_t i = 0; i < rows.front().size(); ++i)
    if (rows.front()[i] == name) return rows.at(row).at(i);
  ADD_FAILURE() << "no column " << name;
  return "";
}

struct Tile : testing::Test {
  Session session{Catalog{}};
  void open(const std::string& text) {
    session.apply(settings_of(text));
    session.wait(true);
    ASSERT_TRUE(session.picture()) << messages(session.diagnostics());
  }
};

TEST(Csv, IsReadBackAsItWasWritten) {
  EXPECT_EQ(parsed(csv_line({"a", "b,c", "d\"e", "x\ny"})).front(),
            (std::vector<std::string>{"a", "b,c", "d\"e", "x\ny"}));
}

TEST_F(Tile, AccessesOfTheWholeGrid) {
  open(kTranspose);
  const auto rows = parsed(csv_of_accesses(*session.picture()));
  ASSERT_EQ(rows.size(), 5u);
  for (const auto& row : rows) EXPECT_EQ(row.size(), rows.front().size());
  EXPECT_EQ(field(rows, 1, "scope"), "grid");
  EXPECT_EQ(field(rows, 4, "access"), "cell[threadIdx.x][threadIdx.y]");
  EXPECT_EQ(field(rows, 4, "wavefronts"), "6144");
  EXPECT_EQ(field(rows, 4, "ideal_wavefronts"), "192");
  EXPECT_EQ(field(rows, 4, "conflicts"), "5952");
  EXPECT_EQ(field(rows, 4, "sectors"), "");
  EXPECT_EQ(field(rows, 3, "space"), "global");
  EXPECT_EQ(field(rows, 3, "sectors"), "768");
  EXPECT_EQ(field(rows, 3, "efficiency"), "1.0000");
}

TEST_F(Tile, LinesAndLanes) {
  open(kTranspose);
  const Picture& picture = *session.picture();
  const auto lines = parsed(csv_of_lines(picture));
  EXPECT_EQ(lines.size(), picture.lines.size() + 1);
  const auto lanes = parsed(csv_of_lanes(picture, session.selection()));
  ASSERT_EQ(lanes.size(), 33u);
  EXPECT_EQ(field(lanes, 6, "lane"), "5");
  EXPECT_EQ(field(lanes, 6, "array"), "cell");
  EXPECT_EQ(field(lanes, 6, "element"), "160");  // cell[5][0], a pitch of 32
  EXPECT_EQ(field(lanes, 6, "bank"), "0");
  EXPECT_EQ(field(lanes, 6, "value"), "320");  // in[5][0], 64 a row
  Selection none;
  none.access = -1;
  EXPECT_EQ(parsed(csv_of_lanes(picture, none)).size(), 1u);
  EXPECT_EQ(csv_of(ExportTable::lines, picture, session.selection()), csv_of_lines(picture));
  EXPECT_EQ(csv_of(ExportTable::lanes, picture, session.selection()),
            csv_of_lanes(picture, session.selection()));
  EXPECT_EQ(csv_of(ExportTable::accesses, picture, session.selection()), csv_of_accesses(picture));
  EXPECT_EQ(csv_of(ExportTable::timing, picture, session.selection()), csv_of_accesses(picture));
}

TEST_F(Tile, ReportSaysEverythingInOnePage) {
  open(kTranspose);
  const std::string page = html_report(*session.picture(), session.diagnostics());
  for (const char* part : {"Result: correct", "6,144", "5,952", "cell[threadIdx.x][threadIdx.y]",
                           "Exact.", "2 × 3 × 1", "iy &lt; ny", "None."})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  // Nothing is fetched and nothing runs.
  for (const char* part : {"<script", "http:", "https:", "src=", "@import", "url("})
    EXPECT_EQ(page.find(part), std::string::npos) << part;
}

TEST_F(Tile, ReportOfWhatIsWrong) {
  open(replaced(kTranspose, "out[to] =", "out[to] = 1 +"));
  const std::string page = html_report(*session.picture(), session.diagnostics());
  EXPECT_NE(page.find("Result: wrong"), std::string::npos);
  EXPECT_NE(page.find("wrong result: out["), std::string::npos);
  EXPECT_EQ(page.find("Result: correct"), std::string::npos);
}

TEST_F(Tile, ReportOfAPartSaysSo) {
  open(kTranspose);
  Picture part = *session.picture();
  part.whole = nullptr;
  part.check = {};
  const std::string page = html_report(part, {});
  EXPECT_NE(page.find("1 of 6 blocks, not the whole grid"), std::string::npos);
  EXPECT_NE(page.find("Result: not checked"), std::string::npos);
  EXPECT_EQ(field(parsed(csv_of_accesses(part)), 1, "scope"), "blocks");
}

TEST(WriteTextFile, ADeviceIsWrittenToAndNotReplaced) {
  EXPECT_NE(write_text_file("/dev/full", "text").english().find("full"), std::string::npos);
  EXPECT_EQ(write_text_file("/dev/null", "text").english(), "");
  EXPECT_NE(write_text_file("/no/such/folder/x.csv", "text").english(), "");
}

}  // namespace
}  // namespace lanescope::app
