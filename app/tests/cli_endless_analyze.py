"""A kernel that never ends: `analyze` says so, with the line, long before the step budget is spent where its values come
back, or nothing leads out; else once it is."""
from support.bad_input import analyze, tell

FILES = {
    "wait.cu": "__global__ void k(volatile int* p) {\n  while (p[0] == 0) {\n  }\n}\n",
    "always.cu": "__global__ void k(int* p) {\n  for (int i = 0;; ++i) p[threadIdx.x] = i;\n}\n",
    "count.cu": "__global__ void k(volatile int* p) {\n  int i = 0;\n  while (p[0] == 0) ++i;\n  p[1] = i;\n}\n",
}
FLAGS = ["--block", "32", "--arg", "p=int[32]:zero"]

CASES = [
    (analyze("wait.cu", *FLAGS), 1, r"wait\.cu:2:\d+: error: an endless loop: .* come back"),
    (analyze("always.cu", *FLAGS), 1, r"always\.cu:2:\d+: error: an endless loop: nothing leads out of it"),
    (analyze("count.cu", *FLAGS), 1, r"count\.cu:3:\d+: error: an endless loop: .* come back"),
]

if __name__ == "__main__":
    tell(CASES, FILES)
