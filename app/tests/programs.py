"""Every whole program of kernels/programs, run without a GPU, against what is expected of it.

Beside NAME.cu, or a folder NAME of .cu and .cpp files, lies NAME.expect.json:
  {"arguments": ["--factor", "3"], "stdin": "1 2\\n", "flags": ["--std", "c++20"], "exit": 0,
   "output": "exact text", "output_matches": ["regular expression"],
   "launches": [{"kernel": "scale", "times": 1, "totals": {"global_load": {"requests": 1}}}],
   "libraries": ["cublasSgemm"], "remarks": ["regular expression"], "mistakes": [{"kind": "race", "file": "a.cuh", "line": 9}]}
`launches` lists every kernel that is launched, in order of first launch, with how often; `totals` are those of each of
its launches, compared key by key. `libraries` lists the work of cuBLAS and cuRAND that is told, in order. `remarks`
and `mistakes` list all that there are, in any order. What is left out: exit status 0, no output and no libraries that
matter, and no launches, remarks and mistakes."""
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from support.expectations import differences

BIN = os.environ.get("LANESCOPE_BIN", "")
ROOT = Path(os.environ.get("LANESCOPE_SOURCE_DIR") or Path(__file__).resolve().parents[2])
PROGRAMS = ROOT / "kernels" / "programs"
AT_ONCE = 2


def sources(name):
    folder = PROGRAMS / name
    if not folder.is_dir():
        return [folder.with_suffix(".cu")]
    return sorted(f for f in folder.iterdir() if f.suffix in (".cu", ".cpp"))


def run(name, expect):
    """Exit status, the parsed JSON (or None) and what went to stderr."""
    command = [BIN, "run", *map(str, sources(name)), *expect.get("flags", []), "--json", "--limit", "60", "--",
               *expect.get("arguments", [])]
    done = subprocess.run(command, input=expect.get("stdin", ""), capture_output=True, text=True, timeout=120,
                          check=False)
    try:
        return done.returncode, json.loads(done.stdout), done.stderr
    except ValueError:
        return done.returncode, None, done.stderr


def check_launches(expected, actual):
    by_kernel = {}
    for launch in actual:
        by_kernel.setdefault(launch["kernel"], []).append(launch)
    found = [(kernel, len(launches)) for kernel, launches in by_kernel.items()]
    wanted = [(e["kernel"], e["times"]) for e in expected]
    if found != wanted:
        yield f"launches: expected {wanted}, got {found}"
    for entry in expected:
        wrong = [list(differences(entry.get("totals", {}), launch["totals"], f"launch {launch['number']}"))
                 for launch in by_kernel.get(entry["kernel"], [])]
        yield from next((w for w in wrong if w), [])


def unpaired(expected, actual, same):
    """Yields what is expected and not there, and what is there and not expected."""
    left = list(actual)
    for want in expected:
        at = next((i for i, got in enumerate(left) if same(want, got)), None)
        if at is None:
            yield f"expected {want}"
        else:
            left.pop(at)
    yield from (f"did not expect {got}" for got in left)


def mistakes_of(launches):
    """Each once, as the command prints them."""
    keys = {(m["kind"], m["file"], m["line"], m["message"]): m for launch in launches for m in launch["mistakes"]}
    return [{"file": Path(m["file"]).name, **{k: m[k] for k in ("kind", "line", "message")}} for m in keys.values()]


def check(expect, status, report):
    """Yields what differs between a report and the expectation."""
    if report is None:
        yield f"no JSON, exit status {status}"
        return
    yield from (f"{d['file']}:{d['line']}: {d['message']}" for d in report["diagnostics"])
    if status != expect.get("exit", 0):
        yield f"exit status: expected {expect.get('exit', 0)}, got {status} {report['crash']}"
    if "output" in expect and report["output"] != expect["output"]:
        yield f"output: expected {expect['output']!r}, got {report['output']!r}"
    for pattern in expect.get("output_matches", []):
        if not re.search(pattern, report["output"]):
            yield f"output: {pattern!r} is not in {report['output']!r}"
    yield from check_launches(expect.get("launches", []), report["launches"])
    libraries = [c["function"] for c in report.get("calls", []) if c["kind"] == "library"]
    if libraries != expect.get("libraries", libraries):
        yield f"libraries: expected {expect['libraries']}, got {libraries}"
    remarks = [f"{r['at']['line']}: {r['text']}" for r in report["remarks"]]
    yield from (f"remarks: {p}" for p in unpaired(expect.get("remarks", []), remarks, re.search))
    yield from (f"mistakes: {p}" for p in unpaired(expect.get("mistakes", []), mistakes_of(report["launches"]),
                                                   lambda want, got: not list(differences(want, got, ""))))


def check_program(name):
    path = PROGRAMS / (name + ".expect.json")
    if not path.exists():
        return [f"{name}: {path.name} is missing: every program says what is expected of it"]
    expect = json.loads(path.read_text(encoding="utf-8"))
    status, report, errors = run(name, expect)
    wrong = [f"{name}: {d}" for d in check(expect, status, report)]
    return wrong + (["  " + errors.strip().replace("\n", "\n  ")] if wrong and errors else [])


def self_test():
    """What differs is noticed."""
    report = {"output": "x", "launches": [{"kernel": "k", "number": 0, "totals": {"a": {"b": 1}}, "mistakes": []}],
              "remarks": [], "diagnostics": [], "crash": ""}
    sound = {"output": "x", "launches": [{"kernel": "k", "times": 1, "totals": {"a": {"b": 1}}}]}
    broken = [{**sound, "output": "y"}, {**sound, "exit": 1}, {**sound, "remarks": ["z"]}, {"output": "x"},
              {**sound, "launches": [{"kernel": "k", "times": 1, "totals": {"a": {"b": 2}}}]},
              {**sound, "mistakes": [{"kind": "race"}]}, {**sound, "output_matches": ["q"]}, {**sound, "libraries": ["cublasSgemm"]}]
    return [f"self-test: {e} was let through" for e in broken if not list(check(e, 0, report))] + \
        [f"self-test: {p}" for p in check(sound, 0, report)]


def main():
    if not os.path.exists(BIN):
        print("LANESCOPE_BIN does not name the program")
        return 2
    names = sorted({f.stem for f in PROGRAMS.glob("*.cu")} | {f.name for f in PROGRAMS.iterdir() if f.is_dir()})
    names = [n for n in names if not sys.argv[1:] or any(a in n for a in sys.argv[1:])]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        problems = self_test() + [p for found in pool.map(check_program, names) for p in found]
    print("\n".join(problems) or f"{len(names)} programs do what is expected of them")
    return 1 if problems or not names else 0


if __name__ == "__main__":
    sys.exit(main())
