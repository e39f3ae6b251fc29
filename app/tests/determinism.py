"""The same input gives the same bytes on one thread and on two: every kernel that comes with the program,
every block of its grid, what is printed and what is found. Broken kernels are the interesting ones: two
blocks that race must not make the message depend on who came first."""
import concurrent.futures
import os
import subprocess
import sys

from corpus_test import BIN, kernels


def report(name, threads):
    done = subprocess.run(
        [BIN, "analyze", name, "--blocks", "all", "--json", "--threads", str(threads)],
        capture_output=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def difference(name):
    one, two = report(name, 1), report(name, 2)
    if not one[1].startswith(b"{"):
        return f"{name}: no JSON: {one[2].decode(errors='replace')}"
    for what, a, b in zip(("exit status", "JSON", "messages"), one, two):
        if a != b:
            return f"{name}: {what} differs between one thread and two:\n  {a}\n  {b}"
    return None


def main():
    names = kernels()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        failures = [d for d in pool.map(difference, names) if d]
    for failure in failures:
        print(failure)
    print(f"{len(names)} kernels, {len(failures)} differ")
    return 1 if failures or not names else 0


if __name__ == "__main__":
    sys.exit(main())
