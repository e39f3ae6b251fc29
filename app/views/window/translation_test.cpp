// Chinese is complete: what views say, what kernels say of themselves, what the simulator says.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include <nlohmann/json.hpp>

#include "core/course/course_messages.h"
#include "core/lab/lab_messages.h"
#include "core/session/session.h"
#include "core/text/messages.h"
#include "imgui_internal.h"
#include "platform/gui_test.h"
#include "views/diagnostics/diagnostics_view.h"
#include "views/draw/kernel_names.h"
#include "views/draw/tr.h"
#include "views/draw/window_words.h"

namespace lanescope::app {
namespace {

namespace fs = std::filesystem;

const std::string kSource = LANESCOPE_SOURCE_DIR;

std::multiset<std::string> placeholders(const std::string& text) {
  std::multiset<std::string> found;
  for (std::size_t i = 0; i + 2 < text.size(); ++i) {
    if (text[i] == '{' && text[i + 2] == '}') found.insert(text.substr(i, 3));
  }
  return found;
}

// A long text is written as several, on lines of their own.
std::string source_text(const fs::path& path) {
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  static const std::regex seam("\"\\s*\n\\s*\"");
  return std::regex_replace(text, seam, "");
}

std::string sources_below(const std::string& folder) {
  std::string text;
  for (const auto& entry : fs::recursive_directory_iterator(kSource + folder))
    if (entry.is_regular_file()) text += source_text(entry.path());
  return text;
}

// The tables of all areas in one; what two of them say of the same English text must agree.
using Table = std::map<std::string, std::string>;
Table tables(bool messages) {
  Table all;
  for (const auto& entry : fs::directory_iterator(kSource + "/assets/translations/zh")) {
    if (entry.path().filename().string().starts_with("messages") != messages) continue;
    std::ifstream file(entry.path());
    const nlohmann::json table = nlohmann::json::parse(file);
    for (const auto& [english, chinese] : table.items()) {
      const auto known = all.emplace(english, chinese.get<std::string>()).first;
      EXPECT_EQ(known->second, chinese.get<std::string>()) << entry.path();
    }
  }
  EXPECT_FALSE(all.empty());
  return all;
}

/// Chinese while it lives.
struct InChinese {
  InChinese() { EXPECT_TRUE(set_language("zh", kSource + "/assets/translations")); }
  ~InChinese() { set_language("en", ""); }
};

TEST(Translation, PlaceholdersMayBeReordered) {
  EXPECT_EQ(tr("{1} of {0}", {"a", "b"}), "b of a");
  EXPECT_EQ(tr("100 % {0} {2}", {"x"}), "100 % x {2}");
}

TEST(Translation, ChineseSaysWhatEnglishSays) {
  // Titles of parameters come from the kernels, names of operations from the model.
  const std::string sources = sources_below("/app/views") + sources_below("/kernels") +
                              sources_below("/assets/templates") +
                              sources_below("/assets/course/lessons") + sources_below("/sim/model");
  for (const auto& [english, chinese] : tables(false)) {
    EXPECT_EQ(placeholders(english), placeholders(chinese)) << english;
    const bool family = fs::is_directory(kSource + "/kernels/" + english);
    EXPECT_TRUE(family || sources.find("\"" + english + "\"") != std::string::npos)
        << "no view says: " << english;
  }
}

TEST(Translation, ChineseIsComplete) {
  const Table table = tables(false);
  const std::string sources = sources_below("/app/views");
  for (const char* call : {"tr(\"", "window_title(\""}) {
    for (std::size_t at = sources.find(call); at != std::string::npos;
         at = sources.find(call, at + 1)) {
      const std::size_t begin = at + std::string(call).size(), end = sources.find('"', begin);
      const std::string english = sources.substr(begin, end - begin);
      if (std::isalpha(static_cast<unsigned char>(sources[at - 1])))
        continue;  // the end of another name
      if (english == "{1} of {0}" || english == "100 % {0} {2}" || english.empty())
        continue;  // of the tests
      EXPECT_TRUE(table.contains(english)) << english;
    }
  }
}

TEST(Translation, EveryBundledKernelIsToldInChinese) {
  const Table table = tables(false);
  std::size_t kernels = 0;
  for (const std::string folder : {"/kernels", "/assets/templates", "/assets/course/lessons"}) {
    for (const CatalogEntry& entry : load_catalog(kSource + folder).entries) {
      const FrontMatter& matter = entry.front_matter;
      std::vector<std::string> texts = {matter.title};
      if (!matter.idea.empty()) texts.push_back(matter.idea);
      // Kernels of a lesson lie in its folder, which the window does not name.
      const bool in_lesson = folder.starts_with("/assets/course");
      if (!entry.family.empty() && !in_lesson) texts.push_back(entry.family);
      texts.insert(texts.end(), matter.look_at.begin(), matter.look_at.end());
      for (const auto& p : matter.parameters) texts.push_back(p.title);
      for (const auto& a : matter.arguments)
        if (a.title != a.name) texts.push_back(a.title);
      for (const std::string& text : texts)
        EXPECT_TRUE(table.contains(text)) << entry.name << ": " << text;
      ++kernels;
    }
  }
  EXPECT_GT(kernels, 90u);
}

TEST(Translation, KernelsAreFoundByBothTitles) {
  const InChinese chinese;
  const Catalog catalog = load_catalog(kSource + "/kernels");
  const CatalogEntry* entry = catalog.find("transpose/11_swizzle");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(kernel_title(*entry), "用 XOR swizzle 代替填充");
  for (const char* typed : {"", "11_swi", "instead of PADDING", "代替填充"})
    EXPECT_TRUE(kernel_matches(*entry, typed)) << typed;
  EXPECT_FALSE(kernel_matches(*entry, "异步"));
}

TEST(Translation, FontsHaveEveryCharacter) {
  GuiTest gui({.width = 64, .height = 64});
  if (!gui.error().empty()) GTEST_SKIP() << gui.error();
  std::set<unsigned> characters;
  for (const bool messages : {false, true})
    for (const auto& [english, chinese] : tables(messages)) {
      const char *at = chinese.data(), *end = at + chinese.size();
      for (unsigned c = 0; at < end; characters.insert(c)) at += ImTextCharFromUtf8(&c, at, end);
    }
  EXPECT_GT(characters.size(), 500u);
  for (const unsigned c : characters)
    EXPECT_TRUE(c < ' ' || gui.fonts().text->IsGlyphInFont(static_cast<ImWchar>(c)))
        << "code point " << c;
}

// --- messages ---

// What is left of English: words that are no code, no names and no terms that Chinese keeps.
std::string english_words(std::string text) {
  static const std::regex code(
      "'[^']*'|\\([^)]*\\)|\\w*\\[[^\\]]*\\]|__\\w+__|\\w+\\(\\)|0x\\w+|\\w+(\\.\\w+)+");
  static const std::set<std::string> kept = {"block",  "warp",    "lane",     "grid",  "tile",
                                             "kernel", "float",   "int",      "long",  "size_t",
                                             "nan",    "shuffle", "mbarrier", "wgmma", "expect_tx",
                                             "sector", "group",   "wavefront"};
  text = std::regex_replace(text, code, " ");
  static const std::regex word("[A-Za-z_][A-Za-z_0-9]*");
  std::string left;
  for (std::sregex_iterator at(text.begin(), text.end(), word), end; at != end; ++at)
    if (!kept.contains(at->str())) left += at->str() + " ";
  return left;
}

TEST(Messages, OfBrokenKernelsAreChinese) {
  const InChinese chinese;
  const Catalog catalog = load_catalog(kSource + "/kernels");
  std::set<DiagnosticKind> kinds;
  for (const CatalogEntry& entry : catalog.entries) {
    if (entry.family != "broken" || entry.name.ends_with("_fixed")) continue;
    Session session(catalog);
    session.apply(*open_kernel(session.catalog(), entry.name).settings);
    session.wait(true);
    for (const Diagnostic& d : session.diagnostics()) {
      kinds.insert(d.kind);
      if (d.kind == DiagnosticKind::compile) {
        EXPECT_EQ(message_of(d), d.message.english());
        continue;
      }
      EXPECT_EQ(english_words(message_of(d)), "") << entry.name << ": " << message_of(d);
      EXPECT_EQ(english_words(hint_of(d)), "") << entry.name << ": " << hint_of(d);
    }
  }
  for (const DiagnosticKind kind :
       {DiagnosticKind::out_of_bounds, DiagnosticKind::misaligned, DiagnosticKind::null_pointer,
        DiagnosticKind::uninitialised, DiagnosticKind::race, DiagnosticKind::divergent_barrier,
        DiagnosticKind::step_budget, DiagnosticKind::wrong_result})
    EXPECT_TRUE(kinds.contains(kind)) << diagnostic_kind_name(kind);
}

/// Every sentence there is, the simulator's and the program's.
std::vector<MessageFormat> sentences() {
  std::vector<MessageFormat> all;
  for (const auto& table :
       {simulator_messages(), program_messages(), course_messages(), lab_messages()})
    all.insert(all.end(), table.begin(), table.end());
  return all;
}

/// As the simulator makes it, from its table.
Message said(std::string_view id, std::vector<Message> arguments) {
  for (const MessageFormat& one : simulator_messages())
    if (one.id == id) return {one.id, one.english, std::move(arguments)};
  ADD_FAILURE() << "no sentence " << id;
  return {};
}

std::vector<Message> texts(const std::vector<std::string>& values) {
  std::vector<Message> result;
  for (const std::string& value : values) result.push_back(Message::verbatim(value));
  return result;
}

TEST(Messages, ValuesAreToldToo) {
  const Message number = Message::verbatim("132");
  const Message place = said(
      "shared_element_of", {number, Message::verbatim("4224"), Message::verbatim("33"),
                            Message::verbatim("tile"), said("several_elements", texts({"1056"}))});
  const Message race = said("race", {said("write_to", {}), place, said("read", {}),
                                     said("thread_at_line", texts({"1", "0", "0", "52"}))});
  const Message shape = say::front_matter_value(say::shape_of_argument("in"), "nx*",
                                                Message::verbatim("expected expression"));
  const Message compiler = Message::verbatim("use of undeclared identifier 'x'");
  EXPECT_EQ(tr_message(race),
            "race: write to shared byte 132 of 4224, element 33 of 'tile' (1056 elements) and a "
            "read by thread (1, 0, 0) at line 52 are not ordered");
  const InChinese chinese;
  EXPECT_EQ(tr_message(race),
            "竞争：此处的写与线程 (1, 0, 0)（第 52 行）的读没有先后顺序：共享内存第 132 字节（共 "
            "4224），'tile' 的元素 33（共 1056 个元素）");
  EXPECT_EQ(tr_message(shape), "文件头：参数 in 的 shape = nx*：expected expression");
  EXPECT_EQ(tr_message(compiler), compiler.english());
  EXPECT_EQ(tr_message(say::did_you_mean(say::listed({"a", "b", "c"}))), "您要的是 a, b 和 c 吗？");
}

TEST(Messages, EverySentenceIsToldInChinese) {
  const Table chinese = tables(true);
  std::set<std::string> ids;
  for (const MessageFormat& one : sentences()) {
    const std::string id(one.id), english(one.english);
    EXPECT_TRUE(ids.insert(id).second) << id << " stands for two sentences";
    const auto found = chinese.find(id);
    ASSERT_NE(found, chinese.end()) << id << ": " << english;
    const std::multiset<std::string> places = placeholders(english);
    EXPECT_EQ(places, placeholders(found->second)) << english;
    std::size_t number = 0;
    for (const std::string& place : places)
      EXPECT_EQ(place, "{" + std::to_string(number++) + "}") << english;
  }
  for (const auto& [id, text] : chinese) EXPECT_TRUE(ids.contains(id)) << "nobody says " << id;
  EXPECT_GT(ids.size(), 350u);
}

TEST(Messages, EveryFormatCanBeFilled) {
  const InChinese chinese;
  for (const MessageFormat& one : sentences()) {
    const std::string english(one.english);
    std::vector<std::string> values;
    for (std::size_t i = 0; i < placeholders(english).size(); ++i)
      values.push_back("<" + std::to_string(i) + ">");
    const Message message(one.id, one.english, texts(values));
    for (const std::string& value : values) {
      EXPECT_NE(message.english().find(value), std::string::npos) << english;
      EXPECT_NE(tr_message(message).find(value), std::string::npos) << english;
    }
  }
}

TEST(Messages, TheWindowNamesNoFlags) {
  static const std::regex flag(
      "--(kernel|set|block|grid|shared|arg|vary|launch|with|step|json)\\b|'analyze'");
  const auto look = [] {
    for (const MessageFormat& one : sentences()) {
      std::vector<std::string> values(placeholders(std::string(one.english)).size(), "x");
      const Message message(one.id, one.english, texts(values));
      EXPECT_FALSE(std::regex_search(tr_message(message), flag)) << one.id;
    }
  };
  look();
  {
    const InChinese chinese;
    look();
  }
  for (const WindowWords& words : window_words()) {
    const auto all = sentences();
    const auto said = std::find_if(all.begin(), all.end(),
                                   [&](const MessageFormat& one) { return one.id == words.id; });
    ASSERT_NE(said, all.end()) << words.id;
    EXPECT_TRUE(std::regex_search(std::string(said->english), flag)) << words.id << " names none";
    const auto places = placeholders(std::string(said->english));
    for (const std::string& place : placeholders(words.english))
      EXPECT_TRUE(places.contains(place)) << words.id;
    EXPECT_TRUE(tables(false).contains(words.english)) << words.english;
  }
}

// Three words and more are a sentence, and that belongs in a table, where it gets an identity.
TEST(Messages, NoSentenceIsVerbatim) {
  static const std::regex literal("verbatim\\(\\s*\"((?:[^\"\\\\\n]|\\\\.)*)\"");
  static const std::regex words("[A-Za-z]+,? [a-z]+,? [a-z]+");
  std::size_t files = 0;
  for (const char* folder : {"/sim", "/app"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kSource + folder)) {
      const std::string name = entry.path().filename().string();
      if (!name.ends_with(".cpp") || name.ends_with("_test.cpp")) continue;
      const std::string source = source_text(entry.path());
      for (std::sregex_iterator at(source.begin(), source.end(), literal), end; at != end; ++at) {
        const std::string text = (*at)[1].str();
        EXPECT_FALSE(std::regex_search(text, words)) << entry.path() << ": " << text;
      }
      ++files;
    }
  }
  EXPECT_GT(files, 100u);
}

}  // namespace
}  // namespace lanescope::app
