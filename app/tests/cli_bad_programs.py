"""Whole programs that do not compile, crash, never end, misuse CUDA or try what they may not: told with file:line."""
from support.bad_input import tell

USE = "#include <cstdio>\n#include <cstdlib>\n#include <cuda_runtime.h>\n"
KERNEL = "__global__ void k(int* p) {\n  *p = 1;\n}\nint main() {\n  int* p = nullptr;\n"
LAUNCH = "  k<<<1, 1>>>(p);\n  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 3;\n}\n"

FILES = {
    # what does not compile
    "header.cu": '#include "no/such.h"\nint main() {}\n',
    "syntax.cu": "int main() {\n  int x = 3\n  return x;\n}\n",
    "words.cu": "just words\n",
    "empty.cu": "",
    "no_main.cu": "__global__ void k() {}\n",
    "main_1.cu": "int main() { return 0; }\n",
    "main_2.cpp": "int main() { return 1; }\n",
    "function.cu": "void elsewhere(int);\nint main() {\n  elsewhere(3);\n}\n",
    "caller.cu": "namespace lib {\ntemplate <class T>\nint helper(T, int);\n}\nint main() {\n  return lib::helper<int>(3, 4) + 1;\n}\n",
    "mentions.cpp": "// helper(int) { }\nint helper(int);\nint other() {\n  if (helper(2)) {\n  }\n  return 0;\n}\n",
    "provides.cpp": "namespace lib {\ntemplate <class T>\nint helper(T a, int b) {\n  return a + b;\n}\ntemplate int helper<int>(int, int);\n}\n",
    "variable.cu": "extern int elsewhere;\nint main() {\n  return elsewhere;\n}\n",
    "count.cu": "__global__ void k(int* p, int n) {}\nint main() {\n  k<<<1, 1>>>(nullptr);\n}\n",
    "notes.txt": "nothing to run\n",
    "three.cu": "__global__ void k() {}\nint main() {\n  for (int i = 0; i < 3; ++i) k<<<1, 1>>>();\n}\n",
    # host code that crashes
    "segv.cu": "int main() {\n  int* p = nullptr;\n  *p = 3;\n}\n",
    "divide.cu": "int main(int argc, char**) {\n  volatile int zero = 0;\n  return argc / zero;\n}\n",
    "abort.cu": USE + "void stop() {\n  abort();\n}\nint main() {\n  stop();\n}\n",
    "throw.cu": "#include <stdexcept>\nint main() {\n  throw std::runtime_error(\"no good\");\n}\n",
    "assert.cu": "#include <cassert>\nint main(int argc, char**) {\n  assert(argc == 7);\n}\n",
    "twice.cu": USE + "int main() {\n  void* volatile p = malloc(40);\n  free(p);\n  free(p);\n}\n",
    "twice_unused.cu": USE + "int main() {\n  void* p = malloc(40);\n  free(p);\n  free(p);\n}\n",
    "stack.cu": "int deep(volatile int* p) {\n  volatile int own[999];\n  own[0] = *p;\n  return deep(own) + own[0];\n}\n"
                "int main() {\n  volatile int x = 0;\n  return deep(&x);\n}\n",
    "library.cu": "#include <cstring>\nint main() {\n  char text[999];\n  char* volatile p = nullptr;\n"
                  "  memset(text, 1, 999);\n  memcpy(p, text, 999);\n}\n",
    "device.cu": USE + "int main() {\n  int* p;\n  cudaMalloc(&p, 4);\n  *p = 1;\n}\n",
    "string.cu": USE + "int main() {\n  char* p;\n  cudaMalloc(&p, 4);\n  printf(\"%s\\n\", p);\n}\n",
    # CUDA misused
    "free_twice.cu": USE + "int main() {\n  int* p;\n  cudaMalloc(&p, 40);\n  cudaFree(p);\n"
                           "  return cudaFree(p) != cudaSuccess;\n}\n",
    "freed_copy.cu": USE + "int main() {\n  int *p, h;\n  cudaMalloc(&p, 40);\n  cudaFree(p);\n"
                           "  return cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost);\n}\n",
    "past_end.cu": USE + "int main() {\n  int *p, h[20] = {};\n  cudaMalloc(&p, 40);\n"
                         "  return cudaMemcpy(p, h, 80, cudaMemcpyHostToDevice);\n}\n",
    "stream.cu": USE + "int main() {\n  return cudaStreamQuery((cudaStream_t)12345) == cudaSuccess ? 0 : 5;\n}\n",
    "freed_kernel.cu": KERNEL + "  cudaMalloc(&p, 40);\n  cudaFree(p);\n" + LAUNCH,
    "host_pointer.cu": KERNEL + "  p = (int*)malloc(40);\n" + LAUNCH,
    "stack_pointer.cu": KERNEL + "  int own[10];\n  p = own;\n" + LAUNCH,
    "undefined_device.cu": "__device__ int nowhere(int);\n__global__ void k(int* p) {\n  *p = nowhere(3);\n}\n"
                           "int main() {\n  int* p;\n  cudaMalloc(&p, 4);\n" + LAUNCH,
    "null_pointer.cu": KERNEL + LAUNCH,
    "no_blocks.cu": "__global__ void k() {}\nint main() {\n  k<<<0, 32>>>();\n  return cudaGetLastError() ? 4 : 0;\n}\n",
    "threads.cu": "__global__ void k() {}\nint main() {\n  k<<<1, 2048>>>();\n  return cudaGetLastError() ? 4 : 0;\n}\n",
    "bounds.cu": "__global__ void __launch_bounds__(64) k() {}\nint main() {\n  k<<<1, 128>>>();\n"
                 "  return cudaGetLastError() ? 4 : 0;\n}\n",
    "shared.cu": "__global__ void k() {\n  __shared__ int t[20000];\n  t[threadIdx.x] = 1;\n}\nint main() {\n"
                 "  k<<<1, 32>>>();\n  return cudaGetLastError() ? 4 : 0;\n}\n",
    "dynamic.cu": "__global__ void k() {\n  extern __shared__ int t[];\n  t[threadIdx.x] = 1;\n}\nint main() {\n"
                  "  k<<<1, 32, 300000>>>();\n  return cudaGetLastError() ? 4 : 0;\n}\n",
    "ptx.cu": "__global__ void k(int* p) {\n  asm volatile(\"frobnicate.s32 %0, 1;\" : \"=r\"(*p));\n}\nint main() {\n"
              "  int* p;\n  cudaMalloc(&p, 4);\n" + LAUNCH,
    "pointer.cu": "__global__ void k(int* p) {\n  int (*f)(int) = nullptr;\n  *p = f(3);\n}\nint main() {\n  int* p;\n"
                  "  cudaMalloc(&p, 4);\n" + LAUNCH,
    # what never ends
    "kernel_loop.cu": "__global__ void k(volatile int* p) {\n  while (*p == 0) {\n  }\n}\nint main() {\n  int* p;\n"
                      "  cudaMalloc(&p, 4);\n  cudaMemset(p, 0, 4);\n" + LAUNCH,
    "host_loop.cu": "int main() {\n  for (;;) {\n  }\n}\n",
    "output.cu": USE + "int main() {\n  for (;;) puts(\"a line of output in a program that never ends\");\n}\n",
    # what takes too much
    "host_memory.cu": USE + "int main() {\n  for (;;) {\n    volatile char* p = (char*)malloc(1 << 24);\n"
                            "    for (int i = 0; i < 1 << 24; i += 4096) p[i] = 1;\n  }\n}\n",
    "touched.cu": USE + "__global__ void k(char* p) {\n  p[(blockIdx.x * 1024ll + threadIdx.x) * 4096] = 1;\n}\n"
                        "int main() {\n  char* p;\n  cudaMalloc(&p, 64ll << 30);\n"
                        "  k<<<16384, 1024>>>(p);\n  cudaDeviceSynchronize();\n}\n",
    "device_memory.cu": USE + "int main() {\n  void* p;\n  if (cudaMalloc(&p, 100ll << 30)) return 1;\n"
                              "  return cudaMalloc(&p, 100ll << 30) == cudaErrorMemoryAllocation ? 9 : 2;\n}\n",
    # what the sandbox refuses
    "fork.cu": "#include <unistd.h>\nint main() {\n  for (;;)\n    if (fork() < 0) return 6;\n}\n",
    "system.cu": USE + "int main() {\n  return system(\"echo hello\") != 0;\n}\n",
    "socket.cu": "#include <sys/socket.h>\nint main() {\n  return socket(AF_INET, SOCK_STREAM, 0) < 0 ? 7 : 0;\n}\n",
    "write.cu": USE + "int main() {\n  FILE* file = fopen(\"result.txt\", \"w\");\n  if (file == nullptr) return 8;\n"
                      "  fputs(\"written\\n\", file);\n  fclose(file);\n  abort();\n}\n",
    "elsewhere.cu": USE + "int main() {\n  return fopen(\"/result.txt\", \"w\") == nullptr ? 8 : 0;\n}\n",
}


def run(*words):
    return ["run", *words]


CASES = [
    (run("header.cu", "-I", "nowhere"), 125, r"header\.cu:1:10: error: 'no/such\.h' file not found\n#include .*\n +\^\n"
                                             r"  hint: looked for in \., nowhere \(no such folder\).*-I FOLDER"),
    (run("syntax.cu"), 125, r"syntax\.cu:2:12: error: expected ';'.*\n  int x = 3\n {11}\^"),
    (run("words.cu"), 125, r"words\.cu:1:1: error: unknown type name 'just'\njust words\n\^"),
    (run("empty.cu"), 125, r"empty\.cu: error: no main\(\)"),
    (run("no_main.cu"), 125, r"no_main\.cu: error: no main\(\) in the program\n  hint: .*analyze"),
    (run("main_1.cu", "main_2.cpp"), 125, r"main_1\.cu: error: several main\(\) functions(.|\n)*main_2\.cpp: error: several"),
    (run("function.cu"), 127, r"function\.cu:3: error: the program calls elsewhere\(int\), which nothing here provides"),
    (run("caller.cu"), 127, r"caller\.cu:6: error: the program calls int lib::helper<int>\(int, int\), which provides\.cpp beside it defines: give"),
    (run("variable.cu"), 125, r"error: the host code uses a variable that no file defines: elsewhere"),
    (run("count.cu"), 125, r"count\.cu:3:22: error: too few arguments to function call, expected 2, have 1"),
    (run("three.cu", "--no-such-flag"), 2, r"not expected: --no-such-flag"),
    (run("no_such.cu"), 2, r"no_such\.cu: no such file"),
    (run("notes.txt"), 2, r"notes\.txt: no CUDA C\+\+ file\n  hint: .*\.cu"),
    (run("three.cu", "--device", "H9000"), 2, r"--device H9000: no such device\n  hint: devices: H200,"),
    (run("three.cu", "--limit", "-1"), 2, r"--limit: a number above 0 is wanted, not -1"),
    (run("three.cu", "--steps", "many"), 2, r"--steps = many"),
    (run("three.cu", "--std", "c++99"), 2, r"--std: c\+\+99 not in \{.*c\+\+17"),
    (run("three.cu", "--allow-write", "nowhere"), 2, r"--allow-write nowhere: no such folder"),
    (["analyze", "three.cu", "--launch", "99"], 2, r"three\.cu: error: the program has no launch 99: it made 3"),
    (run("segv.cu"), 139, r"^segv\.cu:3: error: the program ended by a crash: Segmentation fault at address 0x0"),
    (run("divide.cu"), 136, r"^divide\.cu:3: error: .*Floating point exception"),
    (run("abort.cu"), 134, r"^abort\.cu:5: error: .*Aborted"),
    (run("throw.cu"), 134, r"what\(\):  no good\nthrow\.cu:3: error: .*Aborted"),
    (run("assert.cu"), 134, r"Assertion `argc == 7' failed\.\nassert\.cu:3: error: .*Aborted"),
    (run("twice.cu"), 134, r"double free.*\ntwice\.cu:7: error: .*Aborted"),
    (run("twice_unused.cu"), 134, r"double free.*\ntwice_unused\.cu:7: error: .*Aborted"),
    (run("stack.cu"), 139, r"^stack\.cu:\d: error: .*Segmentation fault.*the stack is used up"),
    (run("library.cu"), 139, r"^library\.cu:6: error: .*Segmentation fault at address 0x0"),
    (run("device.cu"), 139, r"^device\.cu:7: error: .*: a device pointer, which host code may not use"),
    (run("string.cu"), 139, r"^string\.cu:7: error: .*: a device pointer, which host code may not use"),
    (run("free_twice.cu"), 1, r"^free_twice\.cu:8: error: cudaFree: .* was freed before"),
    (run("freed_copy.cu"), 1, r"^freed_copy\.cu:8: error: cudaMemcpy: the source .*, which has been freed"),
    (run("past_end.cu"), 1, r"^past_end\.cu:7: error: cudaMemcpy: 80 bytes .*40 bytes past the end(.|\n)*"
                            r"past_end\.cu:6: remark: an allocation of 40 bytes was not freed"),
    (run("stream.cu"), 5, r"^stream\.cu:5: error: cudaStreamQuery: 0x3039 is no stream"),
    (run("freed_kernel.cu"), 3, r"freed_kernel\.cu:2:6: error: .*\n.*\n  hint: .*memory that has been freed"),
    (run("host_pointer.cu"), 3, r"host_pointer\.cu:2:6: error: .*\n.*\n  hint: the address is the host's"),
    (run("stack_pointer.cu"), 3, r"stack_pointer\.cu:2:6: error: .*\n.*\n  hint: the address is the host's"),
    (run("undefined_device.cu"), 3, r"undefined_device\.cu:3:8: error: .*the function 'nowhere\(int\)'"),
    (run("null_pointer.cu"), 3, r"null_pointer\.cu:2:6: error: .*null pointer"),
    (run("no_blocks.cu"), 4, r"^no_blocks\.cu:3: error: cudaLaunchKernel: k: a grid of 0 x 1 x 1 blocks"),
    (run("threads.cu"), 4, r"^threads\.cu:3: error: .*k: blocks of 2048 x 1 x 1 threads; there may be 1024"),
    (run("bounds.cu"), 4, r"^bounds\.cu:3: error: .*k: blocks of 128 threads, and __launch_bounds__ promised at most 64"),
    (run("shared.cu"), 4, r"shared\.cu:2:1: error: __shared__ arrays take 80000 bytes: at most 49152.*\n  hint: "),
    (run("dynamic.cu"), 4, r"^dynamic\.cu:6: error: .*300000 bytes of dynamic shared memory.*cudaFuncSetAttribute"),
    (run("ptx.cu"), 3, r"ptx\.cu:2:3: error: the simulator cannot execute the inline PTX 'frobnicate\.s32"),
    (run("pointer.cu"), 3, r"pointer\.cu:3:8: error: the simulator cannot execute a call through a function pointer"),
    (run("kernel_loop.cu", "--steps", "1000"), 3, r"kernel_loop\.cu:2:3: error: .*budget.*endless(.|\n)*hint"),
    (run("host_loop.cu", "--limit", "2"), 137, r"^error: the program was ended: it ran longer than 2 s"),
    (run("output.cu"), 137, r"^error: the program was ended: it wrote more than 256 MiB"),
    (run("host_memory.cu", "--memory", "600M"), 137,
     r"^error: the program was ended: it took more than 600 MiB of memory; --memory allows more"),
    (run("touched.cu", "--memory", "600M"), 137,
     r"error: the program was ended: it took more than 600 MiB of memory; --memory allows more"),
    (run("device_memory.cu"), 9, r"^device_memory\.cu:7: error: cudaMalloc: 107374182400 bytes are asked for, .* are free"),
    (run("three.cu", "--memory", "much"), 2, r"--memory: a size such as 512M or 16G is wanted, not much"),
    (run("fork.cu"), 6, r"^fork\.cu:4: error: fork: a program runs here without other processes"),
    (run("system.cu"), 1, r"^system\.cu:5: error: system: a program runs here without other processes"),
    (run("socket.cu"), 7, r"^socket\.cu:3: error: socket: a program runs here without a network"),
    (run("elsewhere.cu"), 8,
     r"^elsewhere\.cu:5: error: fopen: writing to /result\.txt is not allowed; --allow-write FOLDER"),
    (run("write.cu"), 134, r"remark: the program wrote result\.txt, which is not kept; --allow-write \. keeps"),
    # What it writes is written; that it aborts then tells it apart from the case before.
    (run("write.cu", "--allow-write", "."), 134, r"^write\.cu:9: error: .*Aborted"),
]

if __name__ == "__main__":
    tell(CASES, FILES)
