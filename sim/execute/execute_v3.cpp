// The executor compiled for AVX2 machines (x86-64-v3): the same text, eight lanes an instruction.
#define LANESCOPE_EXECUTOR executor_v3
#include "execute/execute.inc"
