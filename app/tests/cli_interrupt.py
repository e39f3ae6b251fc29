"""A long program's run on a terminal: a line says how far it is, Ctrl+C ends it, and what there is so far is printed."""
import json
import os
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time

BINARY = os.environ["LANESCOPE_BIN"]
PROGRAM = """#include <cstdio>
__global__ void quick(float* p) { p[threadIdx.x] = 1; }
__global__ void slow(float* p) {
  float x = threadIdx.x;
  for (int i = 0; i < 20000; ++i) x = x * 0.5f + 1;
  p[threadIdx.x] = x;
}
int main() {
  float* p;
  cudaMalloc(&p, 4096);
  quick<<<1, 32>>>(p);
  printf("begun\\n");
  slow<<<1000000, 1024>>>(p);
  cudaDeviceSynchronize();
  printf("never\\n");
}
"""
SKIP = 77
LINE = re.compile(r"launch 1  slow  [\d,]+ of 1,000,000 blocks")


class NoTerminal(Exception):
    """As in a bare tree whose /dev/pts is not mounted."""


def open_terminal():
    try:
        return pty.openpty()
    except OSError as why:
        raise NoTerminal(why) from why


def start(folder, *flags, terminal):
    """The process, and the terminal's end that its standard error comes out of (or None)."""
    ours, theirs = open_terminal() if terminal else (None, None)
    process = subprocess.Popen([BINARY, "run", "long.cu", *flags], cwd=folder, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=theirs if terminal else subprocess.PIPE)
    if terminal:
        os.close(theirs)
    return process, ours


def read_until(descriptor, pattern, limit=120):
    """What has come until the pattern is in it; all of it where it ends before."""
    text = ""
    end = time.monotonic() + limit
    while not (pattern and pattern.search(text)) and time.monotonic() < end:
        try:
            got = os.read(descriptor, 65536)
        except OSError:  # how a terminal's end tells that nobody writes any more
            break
        if not got:
            break
        text += got.decode("utf-8", "replace")
    return text


def expect(fits, what):
    if not fits:
        sys.exit(f"failed: {what}")


def on_a_terminal(folder):
    process, terminal = start(folder, terminal=True)
    expect(LINE.search(read_until(terminal, LINE)), "no line of progress on the terminal")
    process.send_signal(signal.SIGINT)
    said = read_until(terminal, None)
    output = process.stdout.read().decode()
    expect(process.wait(timeout=60) == 130, f"exit status {process.returncode}, not 130")
    expect("\r\x1b[K" in said and re.search(r"stopped in launch 1  slow", said), f"not told as stopped: {said!r}")
    expect(output.startswith("begun\n") and re.search(r"^ +0  quick ", output, re.M) and "never" not in output,
           f"not what there was so far: {output!r}")


def as_json(folder):
    process, terminal = start(folder, "--json", terminal=True)
    expect(LINE.search(read_until(terminal, LINE)), "no line of progress beside JSON")
    process.send_signal(signal.SIGINT)
    read_until(terminal, None)
    output = process.stdout.read()
    process.wait(timeout=60)
    report = json.loads(output)
    expect(process.returncode == 130 and report["exit"] == 130 and report["stopped"], f"not stopped: {output[-300:]}")
    expect([launch["kernel"] for launch in report["launches"]] == ["quick"], "the launch before is missing")
    expect(report["unfinished"]["kernel"] == "slow", "the launch that ran is missing")
    expect([call["function"] for call in report["calls"]] == ["cudaMalloc"], "the call before is missing")


def without_a_terminal(folder):
    process, _ = start(folder, "--limit", "3", terminal=False)
    errors = process.communicate(timeout=60)[1].decode()
    expect(errors.startswith("error: the program was ended: it ran longer than 3 s\n") and "\r" not in errors,
           f"something else is told without a terminal: {errors!r}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "long.cu"), "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        without_a_terminal(folder)
        try:
            on_a_terminal(folder)
            as_json(folder)
        except NoTerminal as why:
            print(f"skipped: what a terminal is told, since there are none to be had here ({why})")
            sys.exit(SKIP)
    print("a run is followed and stopped")


if __name__ == "__main__":
    main()
