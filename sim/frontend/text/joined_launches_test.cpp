// Launches with blanks in their brackets.
#include "frontend/text/joined_launches.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

TEST(JoinedLaunches, BlanksInTheBracketsMove) {
  EXPECT_EQ(
      with_joined_launches("int main() { k << <1, 2 >> > (3); k<< <n << 1, f(a >> 1)>> >(4); }"),
      "int main() { k <<< 1, 2 >>>  (3); k<<< n << 1, f(a >> 1)>>> (4); }");
  EXPECT_EQ(with_joined_launches("k<T> <<\n  <1, 2>>>(3);\nk<<<1, 2>> >(3);"),
            "k<T> <<<  \n1, 2>>>(3);\nk<<<1, 2>>> (3);");
}

TEST(JoinedLaunches, NothingElseDoes) {
  for (const std::string text : {"friend ostream& operator<< <T>(ostream&, const A<B<C<T>> >&);",
                                 "a<b<c<int>> > d;", "k<<<1, 2>>>(f<a<b<int>> >());",
                                 "x = a << b >> c;", "k << <1, 2", "k << <1, 2; a<b<c<int>> > d;"})
    EXPECT_EQ(with_joined_launches(text), text);
}

}  // namespace
}  // namespace lanescope
