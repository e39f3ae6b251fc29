// Launches in device code as Clang is to read them.
#include "frontend/text/launch_syntax.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

TEST(NestedLaunches, BecomeCallsInDeviceCodeAlone) {
  EXPECT_EQ(with_nested_launches("__global__ void k(int n) {\n  k<<<1, n>>>(n - 1);\n}\n"
                                 "int main() { k<<<1, 2>>>(3); }\n"),
            "__global__ void k(int n) {\n  lanescope_nested<k>(1, n)(n - 1);\n}\n"
            "int main() { k<<<1, 2>>>(3); }\n");
}

TEST(NestedLaunches, NamesMayHaveArgumentsAndNamespaces) {
  EXPECT_EQ(with_nested_launches("template <class T> __device__ void f(T* p) {\n"
                                 "  if (p) a::k<T, b<2>, 3> <<<dim3(1), 2, 0, s>>> (p);\n"
                                 "  else return k <<< 1, 2 >>> (p); }"),
            "template <class T> __device__ void f(T* p) {\n"
            "  if (p) lanescope_nested<a::k<T, b<2>, 3> >(dim3(1), 2, 0, s) (p);\n"
            "  else return lanescope_nested<k >( 1, 2 ) (p); }");
}

TEST(NestedLaunches, DeclarationsAndVariablesHaveNoBody) {
  const std::string text =
      "__device__ int a = 3;\n__global__ void k(int* p);\n__device__ int table[] = {1, 2};\n"
      "void run(int* p) { k<<<1, 32>>>(p); }\n";
  EXPECT_EQ(with_nested_launches(text), text);
}

}  // namespace
}  // namespace lanescope
