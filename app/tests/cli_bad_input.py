"""Bad input to the command line: each case's exit status and message, with file:line:column where a text is at fault."""
import json
import os
import re
import subprocess
import sys
import tempfile

BINARY = os.environ["LANESCOPE_BIN"]
SAXPY = """__global__ void saxpy(const float* x, float* y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
"""
GOOD = ["--block", "32", "--arg", "x=float[64]", "--arg", "y=float[64]", "--arg", "a=2", "--arg", "n=64"]
TILE = "transpose/04_shared_tile_padded"

FILES = {
    "good.cu": SAXPY,
    "empty.cu": "",
    "binary.cu": b"\x7fELF\x02\x01\x01\0\0\0\0\0",
    "latin1.cu": b"// caf\xe9\n__global__ void k() {}\n",
    "prose.cu": "This is not C++.\n",
    "semicolon.cu": SAXPY.replace("+ y[i];", "+ y[i]"),
    "host.cu": "int main() { return 0; }\n",
    "two.cu": "__global__ void a(int* p) { *p = 1; }\n__global__ void b(int* p) { *p = 2; }\n",
    "tile.cu": "__global__ void k(float* p) {\n  __shared__ float t[96][96 + PAD];\n  t[threadIdx.x][0] = 1;\n  p[0] = t[0][0];\n}\n",
    "loop.cu": "__global__ void k(volatile int* p) {\n  while (p[0] == 0) {\n  }\n}\n",
    "beyond.cu": "__global__ void k(float* p) {\n  p[threadIdx.x + 1000] = 1.0f;\n}\n",
    "matter.cu": "/*---\ntitle = \"x\"\ncolour = \"red\"\n---*/\n__global__ void k() {}\n",
}


def analyze(file, *flags):
    return ["analyze", file, *flags]


def without(name):
    flags = list(GOOD)
    at = next(i for i, f in enumerate(flags) if f.startswith(name + "="))
    return flags[:at - 1] + flags[at + 1:]


def instead(name, value):
    return without(name) + ["--arg", f"{name}={value}"]


# Arguments, exit status, and what stderr must contain (a regular expression).
CASES = [
    (analyze("missing.cu"), 2, r"missing\.cu: error: there is no such file"),
    (analyze("empty.cu"), 2, r"empty\.cu: error: the file is empty"),
    (analyze("binary.cu"), 2, r"binary\.cu: error: .*binary"),
    (analyze("latin1.cu"), 2, r"latin1\.cu: error: .*UTF-8"),
    (analyze("."), 2, r"\.: error: .*directory"),
    (analyze("prose.cu", "--block", "32"), 1, r"prose\.cu:1:1: error: .*\nThis is not C\+\+\.\n\^"),
    (analyze("semicolon.cu", *GOOD), 1, r"semicolon\.cu:3:36: error: expected ';'.*\n  if \(i < n\) .*\n {35}\^"),
    (analyze("matter.cu"), 2, r"matter\.cu:3:1: error: front matter: unknown key 'colour'"),
    (analyze("host.cu", "--block", "32"), 2, r"host\.cu: error: no kernel"),
    (analyze("two.cu", "--block", "32"), 2, r"several kernels and none named(.|\n)*--kernel: a, b"),
    (analyze("two.cu", "--kernel", "c", "--block", "32"), 2, r"no kernel 'c'(.|\n)*a, b"),
    (analyze("no_such_kernel"), 2, r"no_such_kernel: error: there is no kernel"),
    (analyze("good.cu", *GOOD[2:]), 2, r"error: no block shape given(.|\n)*--block"),
    (analyze("good.cu", *GOOD, "--block", "32"), 2, r"--block"),
    (analyze("good.cu", "--block", "0", *GOOD[2:]), 2, r"block of 0"),
    (analyze("good.cu", "--block", "2048", *GOOD[2:]), 2, r"2048"),
    (analyze("good.cu", "--block", "64,32", *GOOD[2:]), 2, r"block of 2048 threads: at most 1024"),
    (analyze("good.cu", "--block", "32,x", *GOOD[2:]), 2, r"--block 32,x: not X"),
    (analyze("good.cu", *GOOD, "--grid", "-1"), 2, r"--grid -1: not X"),
    (analyze("good.cu", *GOOD, "--grid", "0"), 2, r"grid"),
    (analyze("good.cu", *GOOD, "--grid", "1,70000"), 2, r"70000: at most 65535"),
    (analyze("good.cu", *GOOD, "--grid", "99999999999999"), 2, r"--grid 99999999999999: not X"),
    (analyze("good.cu", *GOOD, "--shared", "many"), 2, r"--shared many"),
    (analyze("good.cu", *GOOD, "--shared", "300000"), 2, r"shared"),
    (analyze("good.cu", *without("x")), 2, r"argument x \(const float \*\) not given(.|\n)*--arg x=float\[1024\]"),
    (analyze("good.cu", "--block", "32"), 2, r"arguments x .* and n \(int\) not given"),
    (analyze("good.cu", *GOOD, "--arg", "z=1"), 2, r"--arg z: .*no such parameter(.|\n)*saxpy takes x"),
    (analyze("good.cu", *GOOD, "--arg", "n"), 2, r"--arg n: not NAME=VALUE"),
    (analyze("good.cu", *GOOD, "--arg", "n=3"), 2, r"n is given twice"),
    (analyze("good.cu", *instead("n", "1.5")), 2, r"'1\.5' is not an integer"),
    (analyze("good.cu", *instead("n", "4000000000")), 2, r"outside -2147483648 to 2147483647"),
    (analyze("good.cu", *instead("a", "two")), 2, r"'two' is not a number"),
    (analyze("good.cu", *instead("x", "7")), 2, r"write TYPE\[COUNT\]"),
    (analyze("good.cu", *instead("x", "double[64]")), 2, r"the kernel takes const float \*"),
    (analyze("good.cu", *instead("x", "float[9000000000000]")), 2, r"float"),
    (analyze("good.cu", *instead("x", "null")), 1, r"good\.cu:3:25: error: .*null"),
    (analyze("good.cu", *GOOD, "--blocks", "0"), 2, r"--blocks 0"),
    (analyze("good.cu", *GOOD, "--blocks", "3,3"), 2, r"--blocks 3,3: no such block"),
    (analyze("tile.cu", "--block", "32", "--set", "PAD=64", "--arg", "p=float[1]"), 2, r"61440 bytes: at most 49152"),
    (analyze("tile.cu", "--block", "32", "--arg", "p=float[1]"), 1, r"tile\.cu:2:31: error: .*'PAD'"),
    (analyze("beyond.cu", "--block", "32", "--arg", "p=float[32]"), 1, r"beyond\.cu:2:\d+: error: out-of-bounds .*\n  p\[threadIdx.*\n *\^\n.*block \(0, 0, 0\), thread \(0, 0, 0\)"),
    (analyze("loop.cu", "--block", "32", "--arg", "p=int[1]:zero"), 1, r"loop\.cu:2:\d+: error: .*endless loop"),
    (analyze(TILE, "--set", "PAD=33"), 2, r"PAD: 33 is outside 0 to 32"),
    (analyze(TILE, "--set", "PAD=-1"), 2, r"PAD: -1 is outside"),
    (analyze(TILE, "--set", "PAD=two"), 2, r"'two' is not an integer"),
    (analyze(TILE, "--set", "PADDING=1"), 2, r"unknown parameter 'PADDING'(.|\n)*PAD \(0 to 32\)"),
    (analyze(TILE, "--set", "PAD"), 2, r"--set PAD: not NAME=VALUE"),
    (analyze(TILE, "--block", "16,8"), 2, r"needs BDIMX=8, but BDIMX is 16"),
    (analyze(TILE, "--arg", "nx=-4"), 2, r"-4"),
    (analyze(TILE, "--arg", "nx=2000000", "--arg", "ny=2000000"), 2, r"larger than memory|needs|does not fit"),
    (["trace", TILE, "--warp", "32"], 2, r"--warp 32: the block has 32 warps"),
    (["trace", TILE, "--warp", "x"], 2, r"warp"),
    (["check", TILE], 2, r"--expect is required"),
    (["check", TILE, "--expect", "shared_laod.conflicts==0"], 2, r"--expect:1:1: error: 'shared_laod.conflicts'(.|\n)*shared_load.conflicts"),
    (["check", TILE, "--expect", "conflicts=0"], 2, r"--expect:1:10: error: .*\nconflicts=0\n {9}\^"),
    (["check", TILE, "--expect", "conflicts"], 2, r"is a number, not a condition"),
    (["check", "missing.cu", "--expect", "correct"], 2, r"missing\.cu: error: there is no such file"),
    (["check", "beyond.cu", "--block", "32", "--arg", "p=float[32]", "--expect", "conflicts==0"], 1, r"beyond\.cu:2:\d+: error: out-of-bounds"),
    (["check", TILE, "--csv", "--json", "--expect", "correct"], 2, r"--csv and --json exclude"),
    (["sweep", TILE, "--vary", "PAD"], 2, r"--vary PAD: not NAME=VALUES"),
    (["sweep", TILE, "--vary", "PAD="], 2, r"--vary PAD=: a value is missing"),
    (["sweep", TILE, "--vary", "PAD=3..1"], 2, r"'3\.\.1' runs downwards"),
    (["sweep", TILE, "--vary", "PAD=0..99"], 2, r"--vary PAD: 33 is outside 0 to 32"),
    (["sweep", TILE, "--vary", "PADDING=1"], 2, r"PADDING: no such parameter(.|\n)*PAD \(0 to 32\)"),
    (["sweep", TILE, "--vary", "ELEMENT=half"], 2, r"'half' is none of float and double"),
    (["sweep", TILE, "--vary", "PAD=1", "--vary", "PAD=2"], 2, r"--vary PAD is given twice"),
    (["sweep", TILE, "--vary", "nx=1..200", "--vary", "PAD=0..32"], 2, r"6600 settings: at most 4096"),
    (["sweep", TILE, "--metric", "beauty"], 2, r"beauty: no such metric(.|\n)*wavefronts"),
    (["sweep", TILE, "--csv", "--json"], 2, r"--csv and --json exclude each other"),
    (["sweep", "missing.cu"], 2, r"there is no such file"),
    (["sweep", "host.cu", "--block", "32"], 2, r"no kernel"),
    (["sweep", "loop.cu", "--vary", "block=32,64", "--arg", "p=int[1]:zero"], 1, r"loop\.cu:2:\d+: error: .*endless loop"),
    (["render", TILE, "--out", "picture.jpg"], 2, r"must end in \.png or \.svg"),
    (["render", TILE], 2, r"--out is required"),
    (["analyze"], 2, r"kernel is required"),
    (["analyze", TILE, "--no-such-flag"], 2, r"no-such-flag"),
    (["list", "extra"], 2, r"extra"),
    (["frobnicate"], 2, r"'frobnicate' is no command, no kernel and no file"),
    (["--set", "PAD=1"], 2, r"need a kernel"),
    (["missing.cu"], 2, r"missing\.cu: error: there is no such file"),
]


def run(arguments, folder):
    return subprocess.run([BINARY, *arguments], cwd=folder, capture_output=True, text=True, timeout=120)


def check(arguments, status, pattern, folder):
    """What is wrong with the program's answer; empty if nothing is."""
    answer = run(arguments, folder)
    problems = []
    if answer.returncode != status:
        problems.append(f"exit status {answer.returncode}, not {status}")
    if not re.search(pattern, answer.stderr):
        problems.append(f"stderr lacks {pattern!r}")
    problems += check_json(arguments, status, folder)
    return [f"lanescope {' '.join(arguments)}: {p}\n{answer.stderr}" for p in problems]


def check_json(arguments, status, folder):
    """The same with --json: the same status, and the errors among its diagnostics."""
    if arguments[0] != "analyze" or len(arguments) < 2 or "--no-such-flag" in arguments:
        return []
    answer = run([*arguments, "--json"], folder)
    if answer.returncode != status:
        return [f"--json: exit status {answer.returncode}"]
    if not answer.stdout:  # the flags themselves made no sense
        return [] if status == 2 else ["--json: nothing on stdout"]
    document = json.loads(answer.stdout)
    errors = [d for d in document["diagnostics"] if d["severity"] == "error"]
    return [] if document["schema"] == 1 and errors else ["--json: no error among the diagnostics"]


def main():
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        for name, content in FILES.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(content if isinstance(content, bytes) else content.encode())
        good = run(analyze("good.cu", *GOOD), folder)
        if good.returncode != 0:
            problems.append("the good case fails:\n" + good.stderr)
        for arguments, status, pattern in CASES:
            problems += check(arguments, status, pattern, folder)
    print("\n".join(problems) or f"{len(CASES)} kinds of bad input are told as they should be")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
