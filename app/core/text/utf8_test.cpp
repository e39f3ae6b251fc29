#include "core/text/utf8.h"

#include <gtest/gtest.h>

#include "core/text/text.h"

namespace lanescope::app {
namespace {

TEST(Utf8, KnowsWhatItIs) {
  for (const char* text : {"", "lane", "µs", "通道", "\xf0\x9f\x99\x82"})
    EXPECT_TRUE(is_utf8(text)) << text;
  // Cut off, a continuation alone, too long a form, half of a surrogate pair, beyond Unicode.
  for (const char* text :
       {"a\xe9", "\x80", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff"})
    EXPECT_FALSE(is_utf8(text));
}

TEST(Utf8, CountsCharactersAndWhatIsNoneByteByByte) {
  EXPECT_EQ(code_points("aµ通"), U"aµ通");
  EXPECT_EQ(code_points("a\xff通\xe9"), U"a\u00ff通\u00e9");
  for (const char* text : {"", "lane 3", "aµ通", "a\xff通\xe9", "\xed\xa0\x80"})
    EXPECT_EQ(count_code_points(text), code_points(text).size());
}

}  // namespace
}  // namespace lanescope::app
