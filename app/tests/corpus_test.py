"""Every kernel that comes with the program, against what is expected of it.

Beside kernels/FAMILY/NAME.cu lies NAME.expect.json:
  {"cases": [{"from": "where the numbers come from", "parameters": {"PAD": 1}, "arguments": {"nx": 700},
              "expect": {"correct": true,
                         "totals": {"global_load": {"requests": 1, "sectors": 4}},
                         "sums": {"wavefronts": 2},
                         "includes": [{"kind": "race", "line": 12}]}}]}
`totals` are compared key by key, `sums` add a counter over all totals (a profiler's counters often come
for loads and stores together). `correct` is what the comparison with the reference says; leave it out
for kernels that have none. A broken kernel lists in `includes` what must be found, by the keys given
(there may be more: a race also spoils the result) and ends with exit status 1; any other kernel has no
diagnostics but notes and ends with 0.
"""
import glob
import json
import os
import subprocess
import sys

from support.expectations import differences

BIN = os.environ.get("LANESCOPE_BIN", "")
ROOT = os.environ.get("LANESCOPE_SOURCE_DIR") or os.path.abspath(
    os.path.join(os.path.dirname(__file__), "..", ".."))
KERNELS = os.path.join(ROOT, "kernels")


def analyze(name, case):
    """Runs one case; returns exit status, the parsed JSON (or None) and what went to stderr."""
    command = [BIN, "analyze", name, "--blocks", "all", "--json"]
    for flag, key in (("--set", "parameters"), ("--arg", "arguments")):
        for macro, value in case.get(key, {}).items():
            command += [flag, f"{macro}={value}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    try:
        return done.returncode, json.loads(done.stdout), done.stderr
    except ValueError:
        return done.returncode, None, done.stderr


def check_diagnostics(includes, actual):
    listed = [{k: d.get(k) for k in ("kind", "line", "block", "thread", "message")} for d in actual]
    if not includes and any(d.get("severity") != "note" for d in actual):
        yield f"expected no diagnostics, got {listed}"
    for want in includes:
        if not any(not list(differences(want, got, "")) for got in actual):
            yield f"expected {want} among {listed}"


def check(case, status, report):
    """Yields what differs between a report and the expectation."""
    if report is None:
        yield f"no JSON, exit status {status}"
        return
    expect = case["expect"]
    yield from differences(expect.get("totals", {}), report.get("totals"), "totals")
    for counter, total in expect.get("sums", {}).items():
        got = sum(t.get(counter, 0) for t in report.get("totals", {}).values())
        if got != total:
            yield f"sum of {counter}: expected {total}, got {got}"
    yield from check_diagnostics(expect.get("includes", []), report.get("diagnostics", []))
    result = report.get("result", {})
    if "correct" in expect:
        if not result.get("checked"):
            yield "the result was not checked"
        elif result.get("correct") != expect["correct"]:
            yield f"correct: expected {expect['correct']}, got {result.get('correct')}"
    wanted = 1 if expect.get("includes") else 0
    if status != wanted:
        yield f"exit status: expected {wanted}, got {status}"


def kernels():
    found = glob.glob(os.path.join(KERNELS, "**", "*.cu"), recursive=True)
    names = sorted(os.path.relpath(f, KERNELS)[:-3] for f in found)
    return [n for n in names if not n.startswith("programs" + os.sep)]  # programs.py runs those


def check_kernel(name):
    """Runs every case of one kernel; returns (cases run, what failed)."""
    path = os.path.join(KERNELS, name + ".expect.json")
    if not os.path.exists(path):
        return 0, [f"{name}: {os.path.basename(path)} is missing: every kernel says what is expected of it"]
    with open(path, encoding="utf-8") as file:
        cases = json.load(file)["cases"]
    failures = [] if cases else [f"{name}: no cases"]
    for case in cases:
        status, report, errors = analyze(name, case)
        shown = {**case.get("parameters", {}), **case.get("arguments", {})}
        where = f"{name} {' '.join(f'{k}={v}' for k, v in shown.items())}"
        wrong = [f"{where}: {d}" for d in check(case, status, report)]
        if wrong and errors:
            wrong.append("  " + errors.strip().replace("\n", "\n  "))
        failures += wrong
    return len(cases), failures


def main():
    if not os.path.exists(BIN):
        print("LANESCOPE_BIN does not name the program")
        return 2
    names = [n for n in kernels() if not sys.argv[1:] or any(a in n for a in sys.argv[1:])]
    total, failures = 0, []
    for name in names:
        cases, wrong = check_kernel(name)
        total += cases
        failures += wrong
    for line in failures:
        print(line)
    print(f"{len(names)} kernels, {total} cases, {len(failures)} failures")
    return 1 if failures or not total else 0


if __name__ == "__main__":
    sys.exit(main())
