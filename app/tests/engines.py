"""Machine code does what the interpreter does: every kernel that comes with the program, every block of its
grid, counts, results and what is found, on one thread and on two; and the whole programs that come with it."""
import concurrent.futures
import glob
import os
import subprocess
import sys

from corpus_test import BIN, kernels

ROOT = os.environ.get("LANESCOPE_SOURCE_DIR") or os.path.join(os.path.dirname(__file__), "..", "..")


def report(engine, *command):
    done = subprocess.run([BIN, *command], capture_output=True, timeout=240,
                          env={**os.environ, "LANESCOPE_ENGINE": engine})
    return done.returncode, done.stdout, done.stderr


def difference(command):
    one, two = report("interpreter", *command), report("compiled", *command)
    for what, a, b in zip(("exit status", "output", "messages"), one, two):
        if a != b:
            return f"{' '.join(command)}: {what} differs between interpreter and machine code:\n  {a}\n  {b}"
    return None


def commands():
    for i, name in enumerate(kernels()):
        yield "analyze", name, "--blocks", "all", "--json", "--threads", str(1 + i % 2)
    for text in sorted(glob.glob(os.path.join(ROOT, "kernels", "programs", "*.cu"))):
        # What a clock says, and which of several threads launches first, is another thing each time.
        if os.path.basename(text) not in ("events.cu", "host_features.cu"):
            yield "run", text


def main():
    all_of_them = list(commands())
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        failures = [d for d in pool.map(difference, all_of_them) if d]
    for failure in failures:
        print(failure[:2000])
    print(f"{len(all_of_them)} commands, {len(failures)} differ")
    return 1 if failures or not all_of_them else 0


if __name__ == "__main__":
    sys.exit(main())
