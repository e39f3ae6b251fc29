"""Machine code does what the interpreter does: every kernel that comes with the program, every block of its
grid, counts, results and what is found, on one thread and on two, for lesser processors too; and the whole
programs that come with it."""
import concurrent.futures
import glob
import os
import platform
import subprocess
import sys

from corpus_test import BIN, kernels

ROOT = os.environ.get("LANESCOPE_SOURCE_DIR") or os.path.join(os.path.dirname(__file__), "..", "..")


def report(engine, command, processor=None):
    chosen = {"LANESCOPE_ENGINE": engine, **({"LANESCOPE_PROCESSOR": processor} if processor else {})}
    done = subprocess.run([BIN, *command], capture_output=True, timeout=240, env={**os.environ, **chosen})
    return done.returncode, done.stdout, done.stderr


def difference(case):
    command, processor = case
    one, two = report("interpreter", command), report("compiled", command, processor)
    for what, a, b in zip(("exit status", "output", "messages"), one, two):
        if a != b:
            return f"{' '.join(command)}: {what} differs between interpreter and machine code:\n  {a}\n  {b}"
    return None


def commands():
    for i, name in enumerate(kernels()):
        command = "analyze", name, "--blocks", "all", "--json", "--threads", str(1 + i % 2)
        yield command, None
        # Where vectors are narrower, and where there is neither gather nor fused multiplication.
        if platform.machine() in ("x86_64", "AMD64") and i % 12 == 0:
            yield command, "x86-64-v3"
            yield command, "x86-64"
    # Compiling the host's part takes most of a program's time: every third of them.
    for text in sorted(glob.glob(os.path.join(ROOT, "kernels", "programs", "*.cu")))[::3]:
        # What a clock says, which of several threads launches first and where the host's memory lies is another
        # thing each time.
        if os.path.basename(text) not in ("events.cu", "host_features.cu", "pinned_memory.cu"):
            yield ("run", text), None


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
