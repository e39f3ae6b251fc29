"""Flags beside --launch: a program's own launch takes another block that covers the same threads, and macros; what it
cannot take is refused."""
import json
import os
import re
import subprocess
import sys
import tempfile

BINARY = os.environ["LANESCOPE_BIN"]
PROGRAM = """#ifndef STRIDE
#define STRIDE 1
#endif
__global__ void copy(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i * STRIDE % 1024];
}
int main() {
  float *in, *out;
  cudaMalloc(&in, 4096);
  cudaMalloc(&out, 4096);
  cudaMemset(in, 0, 4096);
  copy<<<4, 256>>>(in, out);
  cudaDeviceSynchronize();
}
"""
# The same in two files: kernels are launched by one, and the program begins in the other.
KERNELS = PROGRAM.replace("int main() {", "void start() {")
MAIN = "void start();\nint main() {\n  start();\n}\n"

# Flags, and what of the report they change.
TAKEN = [
    ([], [4, 1, 1], [256, 1, 1], 128),
    (["--block", "64"], [16, 1, 1], [64, 1, 1], 128),
    (["--block", "512", "--grid", "2"], [2, 1, 1], [512, 1, 1], 128),
    (["--set", "STRIDE=8"], [4, 1, 1], [256, 1, 1], 1024),
    (["-D", "STRIDE=8"], [4, 1, 1], [256, 1, 1], 1024),
    (["--set", "STRIDE=8", "--block", "32"], [32, 1, 1], [32, 1, 1], 1024),
]
# Told once the program has run up to its launch, which takes a while: every command is given the first of them.
NOT_COVERED = [
    (["--block", "96"], r"blocks of 96,1,1 threads do not cover exactly the 1024,1,1 threads"),
    (["--grid", "8"], r"do not cover exactly the 1024,1,1 threads"),
    (["--block", "2048"], r"block of 2048"),
]
REFUSED = [
    (["--block", "x"], r"--block x: not X"),
    (["--kernel", "copy"], r"--kernel copy does not go with --launch: the kernel is the program's own"),
    (["--arg", "in=float[4]"], r"--arg in=float\[4\] does not go with --launch: arguments are the program's own"),
    (["--shared", "64"], r"--shared 64 does not go with --launch"),
    (["--source", "nowhere.cu"], r"--source nowhere\.cu: no such file"),
    (["--set", "1X=3"], r"--set 1X=3: '1X' is no macro's name"),
]
COMMANDS = [["analyze", "copy.cu"], ["trace", "copy.cu"], ["check", "copy.cu", "--expect", "correct"],
            ["render", "copy.cu", "--out", "copy.png"], ["sweep", "copy.cu", "--vary", "STRIDE=1,2"]]


def run(words, folder):
    return subprocess.run([BINARY, *words], cwd=folder, capture_output=True, text=True, timeout=120)


def taken(folder):
    for flags, grid, block, sectors in TAKEN:
        answer = run(["analyze", "copy.cu", "--launch", "0", *flags, "--json"], folder)
        report = json.loads(answer.stdout) if answer.stdout else {}
        launch = report.get("launch", {})
        loads = report.get("totals", {}).get("global_load", {})
        got = (answer.returncode, launch.get("grid"), launch.get("block"), loads.get("sectors"))
        if got != (0, grid, block, sectors):
            yield f"{flags}: {got}\n{answer.stderr}"


def refused(folder):
    for command in COMMANDS:
        for flags, pattern in REFUSED + NOT_COVERED[:1 if command != COMMANDS[0] else None]:
            answer = run([*command, "--launch", "0", *flags], folder)
            # What cannot be launched cannot be drawn either, which is no matter of usage to `render`.
            known = (1, 2) if command[0] == "render" else (2,)
            if answer.returncode not in known or not re.search(pattern, answer.stderr):
                yield f"{command[0]} {flags}: {answer.returncode}\n{answer.stderr}"


def swept(folder):
    """A block that is given is the sweep's own, with a grid of as many threads."""
    answer = run(["sweep", "copy.cu", "--launch", "0", "--block", "64", "--vary", "STRIDE=1,8", "--json"], folder)
    for cell in json.loads(answer.stdout)["cells"] if answer.stdout else [{}]:
        launch = cell.get("launch", {})
        if launch.get("block") != [64, 1, 1] or launch.get("grid") != [16, 1, 1]:
            yield f"sweep: {cell} {answer.stderr}"


def of_several_files(folder):
    answer = run(["analyze", "kernels.cu", "--source", "main.cu", "--launch", "0", "--json"], folder)
    launch = json.loads(answer.stdout)["launch"] if answer.stdout else {}
    if launch.get("grid") != [4, 1, 1]:
        yield f"several files: {launch} {answer.stderr}"
    answer = run(["analyze", "copy.cu", "--source", "kernels.cu"], folder)
    if answer.returncode != 2 or "--source kernels.cu goes with --launch" not in answer.stderr:
        yield f"several files: {answer.returncode} {answer.stderr}"


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("main.cu", MAIN), ("kernels.cu", KERNELS)):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        with open(os.path.join(folder, "copy.cu"), "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        problems = [*taken(folder), *refused(folder), *swept(folder), *of_several_files(folder)]
    print("\n".join(problems) or "flags beside --launch do what they say, or are refused")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
