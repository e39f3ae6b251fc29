"""Kernels by themselves, as extensions, courses and exercises have them: what is proposed for them, what they touch,
and what their files may be given.

Beside alone/NAME.cu lies NAME.expect.json:
  {"cases": [{"flags": ["--block", "64"], "status": 0, "expect": {"launch": {"block": [64, 1, 1]}},
              "says": ["block 64,1,1 "], "measured": {"in": ["float", 0, 63]}, "stderr": "a regular expression"}]}
`expect` is compared with the report key by key, `says` are beginnings of what is proposed, `measured` the first and
the last element that is touched of each buffer whose size nobody gave; `stderr` is searched in what the command
prints as text.
"""
import glob
import json
import os
import re
import subprocess
import sys

from support.expectations import differences

BIN = os.environ.get("LANESCOPE_BIN", "")
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "alone")


def run(name, flags):
    return subprocess.run([BIN, "analyze", name + ".cu", *flags], cwd=FOLDER, capture_output=True, text=True,
                          timeout=120)


def check(name, case):
    """Yields what differs between an answer and the expectation."""
    flags = case.get("flags", [])
    answer = run(name, [*flags, "--json"])
    if answer.returncode != case.get("status", 0):
        yield f"exit status {answer.returncode}, not {case.get('status', 0)}: {answer.stderr}"
    report = json.loads(answer.stdout) if answer.stdout else {}
    yield from differences(case.get("expect", {}), report, "")
    proposed = report.get("proposed", [])
    yield from (f"{text!r} is not proposed: {proposed}" for text in case.get("says", [])
                if not any(one.startswith(text) for one in proposed))
    measured = {b["name"]: [b["type"], *(b["touched"] or {}).values()] for b in report.get("measured", [])}
    yield from differences(case.get("measured", {}), measured, "measured")
    if "stderr" in case:
        text = run(name, flags).stderr
        if not re.search(case["stderr"], text):
            yield f"stderr lacks {case['stderr']!r}: {text}"


def main():
    problems = []
    files = sorted(glob.glob(os.path.join(FOLDER, "*.cu")))
    for file in files:
        name = os.path.basename(file)[:-3]
        with open(file[:-3] + ".expect.json", encoding="utf-8") as stream:
            for case in json.load(stream)["cases"]:
                problems += [f"{name} {' '.join(case.get('flags', []))}: {p}" for p in check(name, case)]
    print("\n".join(problems) or f"{len(files)} texts of kernels alone run as they should")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
