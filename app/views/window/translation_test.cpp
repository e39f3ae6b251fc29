// Chinese is complete: what views say, what kernels say of themselves, what the simulator says.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include <nlohmann/json.hpp>

#include "core/session/session.h"
#include "imgui_internal.h"
#include "platform/gui_test.h"
#include "views/diagnostics/diagnostics_view.h"
#include "views/draw/kernel_names.h"
#include "views/draw/patterns.h"
#include "views/draw/tr.h"

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
                              sources_below("/assets/templates") + sources_below("/sim/model");
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
  for (const char* folder : {"/kernels", "/assets/templates"}) {
    for (const CatalogEntry& entry : load_catalog(kSource + folder).entries) {
      const FrontMatter& matter = entry.front_matter;
      std::vector<std::string> texts = {matter.title};
      if (!matter.idea.empty()) texts.push_back(matter.idea);
      if (!entry.family.empty()) texts.push_back(entry.family);
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
  static const std::regex code("'[^']*'|\\([^)]*\\)|\\w*\\[[^\\]]*\\]|__\\w+__|\\w+\\(\\)|0x\\w+");
  static const std::set<std::string> kept = {"block", "warp", "lane", "grid",   "tile", "kernel",
                                             "float", "int",  "long", "size_t", "nan"};
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
        EXPECT_EQ(message_of(d), d.message);
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

TEST(Messages, ValuesAreToldToo) {
  const InChinese chinese;
  EXPECT_EQ(tr_message("race: write to shared byte 132 of 4224, element 33 of 'tile' (1056 "
                       "elements) and a read by thread (1, 0, 0) at line 52 are not ordered"),
            "竞争：此处的写与线程 (1, 0, 0)（第 52 行）的读没有先后顺序：共享内存第 132 字节（共 "
            "4224），'tile' 的元素 33（共 1056 个元素）");
  EXPECT_EQ(tr_message("front matter: shape of argument in = nx*: expected expression"),
            "文件头：参数 in 的 shape = nx*：expected expression");
  EXPECT_EQ(tr_message("use of undeclared identifier 'x'"), "use of undeclared identifier 'x'");
  set_language("en", "");
  EXPECT_EQ(tr_message("an empty grid"), "an empty grid");
}

// Files whose sentences no view shows: reports, the command line's own, texts for compilers.
bool is_shown(const fs::path& path) {
  const std::string name = path.filename().string();
  if (path.extension() != ".cpp" || name.ends_with("_test.cpp") || name.ends_with("_bench.cpp"))
    return false;
  for (const char* other :
       {"export.cpp", "export_html.cpp", "expectation.cpp", "clang_frontend.cpp", "launch_text.cpp",
        "launch_sites.cpp", "symbolic.cpp", "symbolic_values.cpp", "classes.cpp", "formula.cpp",
        "types.cpp", "evaluate.cpp", "index_layout.cpp"})
    if (name == other) return false;
  return true;
}

// Three words and more, of which no JSON key, option or piece of code is made. What begins with
// words that any sentence may begin with is told by a pattern of its own.
std::vector<std::string> sentences_in(const std::string& source) {
  static const std::regex literal("\"((?:[^\"\\\\\n]|\\\\.)*)\"");
  static const std::regex words("[a-z]+,? [a-z]+,? [a-z]+");
  std::vector<std::string> found;
  for (std::sregex_iterator at(source.begin(), source.end(), literal), end; at != end; ++at) {
    std::string text = std::regex_replace((*at)[1].str(), std::regex("\\\\\""), "\"");
    for (const std::string start : {"front matter: ", "--vary block: ", ": "})
      if (text.starts_with(start)) text.erase(0, start.size());
    if (std::regex_search(text, words)) found.push_back(text);
  }
  return found;
}

TEST(Messages, EverySentenceOfTheProgramHasAPattern) {
  std::vector<std::string> patterns;
  for (const auto& [english, chinese] : tables(true)) {
    EXPECT_EQ(placeholders(english), placeholders(chinese)) << english;
    patterns.push_back(english);
  }
  std::size_t sentences = 0;
  for (const char* folder :
       {"/sim/model", "/sim/simt", "/sim/trace", "/sim/frontend", "/app/session", "/app/gpu"}) {
    for (const auto& entry : fs::directory_iterator(kSource + folder)) {
      if (!is_shown(entry.path())) continue;
      for (const std::string& sentence : sentences_in(source_text(entry.path()))) {
        if (sentence.starts_with("The text is compiled by NVRTC") ||
            sentence.starts_with("CUDA C++ Programming Guide") ||
            sentence == "does not have permission")
          continue;  // of recordings' files, of papers, of the profiler
        ++sentences;
        const bool known = std::any_of(patterns.begin(), patterns.end(), [&](const std::string& p) {
          return p.find(sentence) != std::string::npos;
        });
        EXPECT_TRUE(known) << entry.path() << ": " << sentence;
      }
    }
  }
  EXPECT_GT(sentences, 150u);
}

// The other way round: a pattern whose words nobody says any more is dead.
TEST(Messages, EveryPatternIsOfSomeSentence) {
  std::string sources;
  for (const char* folder : {"/sim/model", "/sim/simt", "/sim/trace", "/sim/frontend",
                             "/app/session", "/app/gpu", "/app/views"})
    sources += sources_below(folder);
  for (const char* file : {"/app/gui.cpp", "/app/gui_files.cpp"})
    sources += source_text(kSource + file);
  static const std::regex word("[A-Za-z]{3,}");
  for (const auto& [english, chinese] : tables(true)) {
    for (std::sregex_iterator at(english.begin(), english.end(), word), end; at != end; ++at)
      EXPECT_NE(sources.find(at->str()), std::string::npos) << english << ": " << at->str();
  }
}

TEST(Patterns, MostWordsWin) {
  Patterns patterns;
  patterns.add("read of {0}", "lies {0}");
  patterns.add("read of {0} by {1}", "{1} liest {0}");
  patterns.add("thread {0}", "Faden {0}");
  EXPECT_EQ(patterns.translate("read of a by thread 5"), "Faden 5 liest a");
  EXPECT_EQ(patterns.translate("read of a"), "lies a");
  EXPECT_EQ(patterns.translate("read of "), "read of ") << "a value is something";
  EXPECT_EQ(patterns.translate("a read of b"), "a read of b");
  EXPECT_FALSE(patterns.knows("a read of b"));
  EXPECT_TRUE(patterns.knows("thread 5"));
}

TEST(Patterns, ValuesMayHoldTheWordsThatFollow) {
  Patterns patterns;
  patterns.add("'{0}' is {1} of {2}", "{2}/{1}/{0}");
  EXPECT_EQ(patterns.translate("'a' is b of c of d"), "c of d/b/a");
  patterns.add("{0}: end", "Ende von {0}");
  EXPECT_EQ(patterns.translate("x: end: end"), "Ende von Ende von x");
  patterns.add("{0}", "everything");
  EXPECT_EQ(patterns.translate("anything"), "anything");
}

}  // namespace
}  // namespace lanescope::app
