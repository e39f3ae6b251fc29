"""The same input gives the same bytes, on one thread and on two, by the interpreter and by machine code, for lesser
processors too: every kernel that comes with the program, every block of its grid, counts, results and what is found;
and the whole programs that come with it. Broken kernels are the interesting ones: two blocks that race must not make
the message depend on who came first."""
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
    """What differs between the first of a case's runs and the others."""
    (first, expected), *others = [(run, report(*run)) for run in case]
    if "--json" in first[1] and not expected[1].startswith(b"{"):
        return f"no JSON of {first}: {expected[2]}"
    for run, actual in others:
        for what, a, b in zip(("exit status", "output", "messages"), expected, actual):
            if a != b:
                return f"{what} differs between {first} and {run}:\n  {a}\n  {b}"
    return None


def smaller(name):
    """A matrix of a few blocks, none of them whole at its border: a transpose comes with a million threads."""
    with open(os.path.join(ROOT, "kernels", name + ".cu"), encoding="utf-8") as file:
        text = file.read()
    return [word for extent, value in (("nx", 300), ("ny", 200)) if f'name = "{extent}"' in text
            for word in ("--arg", f"{extent}={value}")]


def cases():
    """Each a row of runs that are to say the same: engine, command, processor."""
    for i, name in enumerate(kernels()):
        size = smaller(name) if i % 8 else []
        command = ["analyze", name, "--blocks", "all", "--json", *size, "--threads"]
        one, two = [*command, "1"], [*command, "2"]
        runs = [("interpreter", one), ("compiled", two if i % 2 else one)]
        # What is found must not depend on who came first; counts alone can hardly.
        if name.startswith("broken/") or i % 3 == 0:
            runs.append(("interpreter", two))
        # Where vectors are narrower, and where there is neither gather nor fused multiplication.
        if platform.machine() in ("x86_64", "AMD64") and i % 12 == 0:
            runs += [("compiled", one, "x86-64-v3"), ("compiled", one, "x86-64")]
        yield runs
    # Compiling the host's part takes most of a program's time: every third of them.
    for text in sorted(glob.glob(os.path.join(ROOT, "kernels", "programs", "*.cu")))[::3]:
        # What a clock says, which of several threads launches first, what those that still run hold and where the
        # host's memory lies is another thing each time; and how often a flag is read before it is set depends on
        # who waits.
        if os.path.basename(text) not in ("events.cu", "host_features.cu", "pinned_memory.cu", "threads_at_exit.cu",
                                          "waiting_blocks.cu"):
            yield [("interpreter", ["run", text]), ("compiled", ["run", text])]


def main():
    all_of_them = list(cases())
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        failures = [d for d in pool.map(difference, all_of_them) if d]
    for failure in failures:
        print(failure[:2000])
    print(f"{len(all_of_them)} cases, {len(failures)} differ")
    return 1 if failures or not all_of_them else 0


if __name__ == "__main__":
    sys.exit(main())
