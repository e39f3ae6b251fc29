"""A whole program in the real window: opened, run with what is typed into its fields, a launch clicked, the text edited
so that it runs again, a crash, an endless one stopped."""
import os
import sys

from support.display import Display, need
from support.window import Window

BINARY = os.environ["LANESCOPE_BIN"]

PROGRAM = r"""#include <cstdio>
#include <cstdlib>
__global__ void column(float* out, int by) {
  __shared__ float tile[1024];
  tile[threadIdx.x * by] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x * by];
}
__global__ void twice(float* out) { out[threadIdx.x] *= 2; }
int main(int argc, char** argv) {
  float* out;
  cudaMalloc(&out, 32 * sizeof(float));
  char word[32] = "nothing";
  if (argc > 2) std::abort();
  if (scanf("%31s", word) == 1) printf("read %s\n", word);
  column<<<1, 32>>>(out, 1);
  column<<<1, 32>>>(out, argc > 1 ? atoi(argv[1]) : 1);
  twice<<<1, 32>>>(out);
  float result[32];
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  printf("result %g\n", result[31]);
  cudaFree(out);
}
"""


def conflicts(state):
    shared = state["totals"]
    return shared["shared_load"]["conflicts"] + shared["shared_store"]["conflicts"]


def ended(window, what, **wanted):
    def fits(state):
        program = state["program"]
        return program.get("ended") and not program["running"] and \
            all(program.get(k) == v for k, v in wanted.items()) and program
    return window.wait(what, fits)


def type_into(window, field, text):
    window.click(window.item(id=field, window="program"))
    window.typing_in("program")
    window.key("ctrl+a")
    window.type(text)


def run_it(window):
    window.wait("the program is offered", lambda s: s["program"]["file"].endswith("program.cu"))
    type_into(window, "arguments", "32")
    window.click(window.item(label="standard input", window="program"))
    type_into(window, "input", "word")
    window.click(window.item(id="run", window="program"))
    program = ended(window, "it has run", launches=3, status=0, crash="")
    if program["output"] != "read word\nresult 62\n":
        sys.exit(f"failed: wrong output {program['output']!r}")
    window.click(window.item(label="standard input", window="program"))


def show_launch(window):
    window.click(window.item(id="launch 1", window="program"), x=0.02)
    window.settled("the launch is in all views", lambda s: s["kernel"].endswith("#1 column") and conflicts(s) == 62)
    window.click(window.item(id="launch 0", window="program"), x=0.02)
    window.settled("the other one", lambda s: s["kernel"].endswith("#0 column") and conflicts(s) == 0)
    window.key("ctrl+z")
    window.settled("undo leads back", lambda s: s["kernel"].endswith("#1 column") and conflicts(s) == 62)


def wrong_ends(window):
    type_into(window, "arguments", "1 2")
    window.key("Return")
    ended(window, "abort is told", status=134, launches=0)


def main():
    need("Xvfb", "xdotool")
    with Display() as display:
        path = os.path.join(display.folder.name, "program.cu")
        with open(path, "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        window = Window(display, BINARY, path)
        run_it(window)
        show_launch(window)
        wrong_ends(window)
        window.kill()
    print("a program runs in the window")


if __name__ == "__main__":
    main()
