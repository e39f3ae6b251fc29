// Launches inside function templates, as the text's calls make them.
#include <gmock/gmock.h>

#include <fstream>

#include "frontend/text/launch_sites.h"
#include "lanescope/compile.h"

namespace lanescope {
namespace {

std::vector<std::string> kernels_launched(const std::string& host) {
  CompileRequest request;
  request.text = "template <class T, int B> __global__ void k(T* p) { *p = B; }\n" + host;
  std::vector<std::string> names;
  for (const LaunchSite& site : find_launches(request))
    names.push_back(site.kernel + (site.block ? " " + std::to_string(site.block->x) : ""));
  return names;
}

TEST(TemplateCalls, ALauncherIsInstantiatedAsItIsCalled) {
  using testing::ElementsAre;
  const std::string launcher =
      "template <class T, int B = 64> void run(T* p) { k<T, B><<<4, 2 * B>>>(p); }\n";
  EXPECT_THAT(kernels_launched(launcher + "void f(float* p) { run<float>(p); run<int, 32>(0); }"),
              ElementsAre("k<float,64> 128", "k<int,32> 64"));
  EXPECT_THAT(kernels_launched(launcher + "template void run<double, 128>(double*);"),
              ElementsAre("k<double,128> 256"));
  EXPECT_THAT(kernels_launched(launcher + "template <int B> void outer() { run<float, B>(0); }\n"
                                          "void f() { outer<96>(); }"),
              ElementsAre("k<float,96> 192"))
      << "through another template";
  EXPECT_THAT(kernels_launched(launcher + "void f(float* p) { run(p); }"), ElementsAre("k 128"))
      << "what is deduced is not known: the block is, by default";
  EXPECT_THAT(kernels_launched("void f(float* p) { constexpr int threads = 1 << 7;"
                               " k<float, threads><<<1, threads>>>(p); }"),
              ElementsAre("k<float,(1<<7)> 128"));
  EXPECT_THAT(kernels_launched("void f() { DISPATCH([&] { k<scalar_t, 32><<<n, 32>>>(0); }); }"),
              ElementsAre("k<float,32> 32"));
}

TEST(TemplateCalls, OddTextsEnd) {
  for (const char* text :
       {"template <", "template <class T> void f(", "template <class T> void f() { k<T, 1><<<",
        "template <class T> void f() { f<T>(); k<T, 1><<<1, 1>>>(0); } void g() { f<int>(); }",
        "template <class T> void f() { g<T>(); } template <class T> void g() { f<T>();"
        " k<T, 1><<<1, 1>>>(0); }",
        "template <class... T> void f() { k<T..., 1><<<1, 1>>>(0); }"})
    EXPECT_LE(kernels_launched(text).size(), 1u) << text;
}

TEST(TemplateCalls, InstancesAreFoundWhereverTheyAreNamed) {
  const auto found = find_instances("template __global__ void k<float, 32>(float*);\n"
                                    "auto* p = &k<int,1>; bool b = k < 3; k<float, 32>(0);",
                                    {"k"});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "k<float, 32>");
  EXPECT_EQ(found[1].pos.line, 2u);
}

TEST(IncludeFolders, HeadersComeFromThoseThatAreNamed) {
  const std::string folder = ::testing::TempDir();
  std::ofstream(folder + "/lanescope_named.h")
      << "constexpr int kNamed = __cplusplus >= 202002L ? 7 : 3;\n";
  CompileRequest request;
  request.file = "/proc/self/status";  // a file of a folder that holds no headers
  request.text = "#include \"lanescope_named.h\"\n__global__ void k(int* p) { *p = kNamed; }\n";
  request.expressions = {{"named", "kNamed"}};
  EXPECT_EQ(compile(request).program, nullptr);
  EXPECT_NE(compile(request).diagnostics.front().hint.english().find("-I FOLDER adds one"),
            std::string::npos);
  request.include_folders = {folder};
  EXPECT_EQ(compile(request).values["named"], 3);
  request.standard = "c++20";
  EXPECT_EQ(compile(request).values["named"], 7);
}

}  // namespace
}  // namespace lanescope
