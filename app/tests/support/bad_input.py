"""Bad input to the command line: texts to be wrong about, and what is checked of every answer. The cases are in
cli_bad_*.py, several files so that ctest runs them side by side."""
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

BINARY = os.environ["LANESCOPE_BIN"]
AT_ONCE = 2
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
    "struct.cu": "struct Point { short x, y; };\nstruct Params { float scale; int n; Point at; float* out; };\n"
                 "__global__ void k(Params p) {\n  p.out[threadIdx.x] = p.scale * p.at.y;\n}\n",
    "union.cu": "union Either { int i; float f; };\n__global__ void k(Either p) {}\n",
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


def run(arguments, folder):
    return subprocess.run([BINARY, *arguments], cwd=folder, capture_output=True, text=True, timeout=600)


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


def check_run_json(arguments, status, folder):
    """A program's run with --json: the same status, and what is wrong somewhere in it."""
    flags_end = arguments.index("--") if "--" in arguments else len(arguments)
    answer = run([*arguments[:flags_end], "--json", *arguments[flags_end:]], folder)
    if answer.returncode != status:
        return [f"--json: exit status {answer.returncode}"]
    if not answer.stdout:  # the flags themselves made no sense
        return [] if status == 2 else ["--json: nothing on stdout"]
    document = json.loads(answer.stdout)
    mistakes = [m for launch in document["launches"] for m in launch["mistakes"]]
    errors = [d for d in document["diagnostics"] + mistakes if d["severity"] == "error"]
    errors += [r for r in document["remarks"] if r["is_error"]] + [c for c in [document["crash"]] if c]
    return [] if document["schema"] == 1 and errors else ["--json: no error in it"]


def check_json(arguments, status, folder):
    """The same with --json: the same status, and the errors among its diagnostics."""
    if arguments[0] == "run" and "output.cu" not in arguments:
        return check_run_json(arguments, status, folder)
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


def tell(cases, files=None):
    """Runs each case: arguments, exit status, and what stderr must contain (a regular expression). `files`: other
    texts than those above."""
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        for name, content in (files or FILES).items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(content if isinstance(content, bytes) else content.encode())
        good = run(analyze("good.cu", *GOOD), folder) if files is None else None
        if good is not None and good.returncode != 0:
            problems.append("the good case fails:\n" + good.stderr)
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for found in pool.map(lambda case: check(*case, folder), cases):
                problems += found
    print("\n".join(problems) or f"{len(cases)} kinds of bad input are told as they should be")
    sys.exit(1 if problems else 0)
