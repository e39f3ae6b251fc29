#include "model/simulator_messages.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace lanescope {
namespace {

TEST(Message, CarriesItsIdentityAndItsValues) {
  const Message said = say::no_value_for_parameter("1.5", std::string("n"), 'x');
  EXPECT_EQ(said.id(), "no_value_for_parameter");
  EXPECT_EQ(said.english(), "'1.5' is no value for parameter 'n' of type x");
  ASSERT_EQ(said.arguments().size(), 3u);
  EXPECT_EQ(said.arguments()[0].english(), "1.5");
  EXPECT_TRUE(said.arguments()[0].id().empty());
  EXPECT_TRUE(Message().empty());
  EXPECT_EQ(say::block_at(0u, -1, std::uint64_t{1} << 40).english(),
            "block (0, -1, 1099511627776)");
}

TEST(Message, OfSentencesInsideSentences) {
  const Message place = say::buffer_element(1024, "in", "float", say::elements(1));
  const Message said = say::out_of_bounds(say::write, say::bytes(4), place);
  EXPECT_EQ(said.english(),
            "out-of-bounds write of 4 bytes: element 1024 of 'in' (float, 1 element)");
  EXPECT_EQ(said.arguments()[2].id(), "buffer_element");
}

TEST(Message, IsToldInAnotherLanguage) {
  const std::map<std::string, std::string> german = {
      {"never_written", "{0}: noch nie geschrieben"},
      {"local_byte", "lokales Byte {0} von {1}"},
      {"no_argument", "{1} fehlt: {0}"},
      {"empty_grid", "{0}?"},
  };
  const auto format_of = [&](const std::string& id) {
    const auto found = german.find(id);
    return found == german.end() ? nullptr : &found->second;
  };
  EXPECT_EQ(say::never_written(say::local_byte(3, 8)).in(format_of),
            "lokales Byte 3 von 8: noch nie geschrieben");
  EXPECT_EQ(say::no_argument("n", "int").in(format_of), "int fehlt: n");
  EXPECT_EQ(say::its_kernels("a, b").in(format_of), "its kernels are: a, b") << "not translated";
  EXPECT_EQ(Message(say::empty_grid).in(format_of), "an empty grid") << "a place too many";
  EXPECT_EQ(Message::verbatim("never_written").in(format_of), "never_written");
}

TEST(Message, BracesInValuesAreText) {
  const Message said = say::assertion_failed("a{0} == \"{}\"");
  EXPECT_EQ(said.english(), "assertion failed: a{0} == \"{}\"");
  const std::string format = "'{0}'";
  EXPECT_EQ(said.in([&](const std::string&) { return &format; }), "'a{0} == \"{}\"'");
}

TEST(Message, SurvivesTheWayFromAnotherProcess) {
  const Message said = say::never_written(say::local_byte(3, 8));
  EXPECT_EQ(Message::received(said.id(), said.english(), said.arguments()), said);
  EXPECT_NE(Message::verbatim(said.english()), said);
}

TEST(Message, IdentitiesAreUnique) {
  std::set<std::string_view> ids, sentences;
  for (const MessageFormat& one : simulator_messages()) {
    EXPECT_TRUE(ids.insert(one.id).second) << one.id;
    EXPECT_TRUE(sentences.insert(one.english).second) << one.english;
  }
  EXPECT_GT(ids.size(), 90u);
}

}  // namespace
}  // namespace lanescope
