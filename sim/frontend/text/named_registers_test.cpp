// Registers of inline PTX as Clang is to read them.
#include "frontend/text/named_registers.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

TEST(NamedRegisters, HaveTheirPercentTwice) {
  EXPECT_EQ(with_named_registers(R"(asm volatile("mov.u32 %0, %smid;" : "=r"(x));)"),
            R"(asm volatile("mov.u32 %0, %%smid;" : "=r"(x));)");
  EXPECT_EQ(
      with_named_registers("__asm__(\"{ mov.u32 %0, %tid.x;\\n\"\n  \"mov.u64 %1, %clock64; }\""
                           " : \"=r\"(a), \"=l\"(b));"),
      "__asm__(\"{ mov.u32 %0, %%tid.x;\\n\"\n  \"mov.u64 %1, %%clock64; }\""
      " : \"=r\"(a), \"=l\"(b));");
}

TEST(NamedRegisters, WhatIsRightAlreadyStays) {
  for (const char* text :
       {R"(asm("mov.u32 %0, %%laneid;" : "=r"(x));)",
        R"(asm("add.s32 %0, %1, %c2;" : "=r"(x) : "r"(y), "n"(3));)",
        R"(asm("mov.u32 %[to], 3;" : [to] "=r"(x));)", R"(printf("%smid\n"); // asm)",
        R"(asm("mov.u32 %0, 3;" : "=r"(x)); printf("%lld");)", "asm volatile("})
    EXPECT_EQ(with_named_registers(text), text);
}

}  // namespace
}  // namespace lanescope
