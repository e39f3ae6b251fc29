"""Kernels with one planted mistake are reported at its line, tricky correct ones are not reported.

Needs the folder `mistakes` beside LANESCOPE_TRUTH_DIR: index.json, bad/ and ok/, a mistaken line carries //!.
Skips without it. With --table it prints who finds what, for the documentation.
"""
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys

BIN = os.environ.get("LANESCOPE_BIN", "")
FOLDER = os.path.join(os.environ.get("LANESCOPE_TRUTH_DIR") or ".", "..", "mistakes")
SKIP = 77
TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")

# Not reported. Each with its reason; one that is reported must leave this list.
MISSED = {
    "b53_min_identity": "a wrong result, which only a reference shows",
    "c31_wrong_reduce_identity_ref": "a wrong result, which only a reference shows",
    "c34_dead_oob_read": "the compiler leaves out a load that nobody uses, as nvcc does",
}


def lines_of(file):
    with open(os.path.join(FOLDER, file), encoding="utf-8") as stream:
        return {n for n, line in enumerate(stream, 1) if "//!" in line}


def found(entry):
    """Whether the mistake is told, and what the program said; for a correct kernel whether all is quiet."""
    command = [BIN, "analyze", os.path.join(FOLDER, entry["file"]), "--json", *shlex.split(entry["flags"])]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
    try:
        told = json.loads(ran.stdout).get("diagnostics", [])
    except ValueError:
        told = []
    if entry["file"].startswith("ok/"):
        return ran.returncode == 0 and not any(d["severity"] == "error" for d in told), told
    lines = lines_of(entry["file"])
    return any(d["severity"] != "note" and d["line"] in lines for d in told), told


def print_table(entries, results):
    print("| kernel | what is wrong | Lanescope | " + " | ".join(TOOLS) + " |")
    print("|" + "---|" * (3 + len(TOOLS)))
    for entry, (right, _) in zip(entries, results):
        if entry["file"].startswith("ok/"):
            continue
        cells = ["yes" if right else ""] + ["yes" if t in entry["compute_sanitizer"] else "" for t in TOOLS]
        name = os.path.splitext(os.path.basename(entry["file"]))[0].split("_", 1)[1].replace("_", " ")
        print(f"| {name} | {entry['kinds'].replace(',', ', ')} | " + " | ".join(cells) + " |")


def main():
    index = os.path.join(FOLDER, "index.json")
    if not BIN or not os.path.isfile(index):
        print("no planted mistakes here")
        return SKIP
    with open(index, encoding="utf-8") as stream:
        entries = json.load(stream)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        results = list(pool.map(found, entries))
    if "--table" in sys.argv:
        print_table(entries, results)
        return 0
    failures = 0
    for entry, (right, told) in zip(entries, results):
        name = os.path.splitext(os.path.basename(entry["file"]))[0]
        if right == (name not in MISSED):
            continue
        failures += 1
        what = "is reported now: it must leave the list" if right else "is not right"
        print(f"{entry['file']} {what}: {told}")
    right = sum(r for r, _ in results)
    print(f"{right} of {len(entries)} right, {failures} not as expected")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
