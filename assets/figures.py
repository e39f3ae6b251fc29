#!/usr/bin/env python3
"""Writes the figures into kernels/README.md: what the simulator counts, what a GPU measured.

Usage: assets/figures.py [build folder] [--check]
Tables stand between `<!-- figures: NAME -->` and `<!-- end -->`. Counts come from
`lanescope analyze --json`, times from assets/measurements. With --check nothing is written; exit
status 1 says that the committed tables are not what would be written.
"""
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "kernels" / "README.md"
COUNTED, MEASURED, LARGE = 1024, 4096, 32768  # rows and columns
PRODUCTS = (1024, 4096)


def names(family):
    return sorted(f"{family}/{f.stem}" for f in (ROOT / "kernels" / family).glob("*.cu"))


def analyze(binary, name, arguments):
    command = [str(binary), "analyze", name, "--json"]
    for key, value in arguments.items():
        command += ["--arg", f"{key}={value}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr}")
    result = json.loads(done.stdout)
    if not result["coverage"]["exact"]:
        sys.exit(f"{name}: the counts are not of the whole grid")
    return result


def counts(result):
    """All parts together."""
    total = {}
    for space in result["totals"].values():
        for key, value in space.items():
            total[key] = total.get(key, 0) + value
    return total


class Recordings:
    """Each launch's newest measurement, then the first by file, as the window shows it."""

    def __init__(self):
        self.all = [json.loads(f.read_text()) for f in sorted((ROOT / "assets/measurements").glob("*.json"))]
        self.used = []

    def find(self, name, arguments, parameters):
        best = None
        for recording in self.all:
            for m in recording["measurements"]:
                same = m["kernel"] == name and "milliseconds" in m and m["parameters"] == parameters and \
                    m["arguments"] == {k: str(v) for k, v in arguments.items()}
                if same and (best is None or recording["date"] > best[0]["date"]):
                    best = (recording, m)
                    break
        if best is None:
            return None
        source = (best[0]["device"]["name"], best[0]["device"]["driver"], best[0]["date"])
        if source not in self.used:
            self.used.append(source)
        return best[1]

    def sources(self):
        return "; ".join(f"{device}, driver {driver}, {date}" for device, driver, date in self.used)


def defaults(name):
    """Every macro as the text has it: the front matter's defaults."""
    text = (ROOT / "kernels" / f"{name}.cu").read_text()
    front = text[text.index("/*---") + 5:text.index("---*/")]
    result = {}
    for table in re.findall(r"^\[\[parameter\]\]\n((?:(?!^\[).*\n)*)", front, flags=re.M):
        key = re.search(r'^name = "(\w+)"', table, flags=re.M)[1]
        choices = re.search(r'^choices = \["([^"]+)"', table, flags=re.M)
        number = re.search(r"^default = (-?\d+)", table, flags=re.M)
        result[key] = choices[1] if choices else number[1]
    return result


def number(value):
    return f"{value:,}"


def shared_cells(total, *keys):
    """Wavefronts and the like, or nothing where no shared memory is touched."""
    return [number(total[key]) if total.get("wavefronts") else "–" for key in keys]


def share(measurement, key):
    return f"{100 * measurement[key]:.0f} %" if measurement and key in measurement else "–"


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + "|".join(["---"] + ["---:"] * (len(heads) - 1)) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def transposes(analyzed, recordings):
    rows = []
    for name in names("copy") + names("transpose"):
        total = counts(analyzed[name])
        row = [f"`{name}`", *shared_cells(total, "wavefronts", "conflicts"),
               number(total["sectors"]), number(total["ideal_sectors"])]
        for size in (MEASURED, LARGE):
            m = recordings.find(name, {"nx": size, "ny": size}, defaults(name))
            row += [f"{m['gbps']:,.0f}" if m else "–", share(m, "share_of_copy"), share(m, "share_of_cublas")]
        rows.append(row)
    heads = ["kernel", "wavefronts", "conflicts", "sectors", "ideal"]
    for size in (MEASURED, LARGE):
        heads += [f"GB/s, {size}²", "of copy", "of cuBLAS"]
    words = f"Simulated: every wavefront and sector of {COUNTED} x {COUNTED} floats, or halves where a kernel " \
            f"moves those. Measured: {recordings.sources()}; every parameter as it comes."
    return words + "\n\n" + table(heads, rows)


def products(analyzed, recordings):
    rows = []
    for name in names("gemm"):
        total = counts(analyzed[name])
        row = [f"`{name}`", *shared_cells(total, "wavefronts", "conflicts"),
               number(total["sectors"]), number(total["ideal_sectors"])]
        for size in PRODUCTS:
            m = recordings.find(name, {"M": size, "N": size, "K": size}, defaults(name))
            row += [f"{m['gflops']:,.0f}" if m else "–", share(m, "share_of_cublas")]
        rows.append(row)
    heads = ["kernel", "wavefronts", "conflicts", "sectors", "ideal"]
    for size in PRODUCTS:
        heads += [f"GFLOP/s, {size}³", "of cuBLAS"]
    words = f"Simulated: M = N = K = {PRODUCTS[1]}. Measured: {recordings.sources()}."
    return words + "\n\n" + table(heads, rows)


def patterns(analyzed):
    rows = []
    for name in names("patterns"):
        total = counts(analyzed[name])
        rows.append([f"`{name}`", *shared_cells(total, "wavefronts", "ideal_wavefronts", "conflicts"),
                     number(total["sectors"]), number(total["ideal_sectors"])])
    return "Simulated, as they come.\n\n" + table(
        ["kernel", "wavefronts", "ideal", "conflicts", "sectors", "ideal"], rows)


def wanted(binary):
    """The launches that are counted, several at a time."""
    launches = {n: {"nx": COUNTED, "ny": COUNTED} for n in names("copy") + names("transpose")}
    launches.update({n: {k: PRODUCTS[1] for k in "MNK"} for n in names("gemm")})
    launches.update({n: {} for n in names("patterns")})
    with ThreadPoolExecutor(max_workers=2) as pool:
        return dict(zip(launches, pool.map(lambda item: analyze(binary, *item), launches.items())))


def all_tables(binary):
    analyzed = wanted(binary)
    return {"transpose": transposes(analyzed, Recordings()), "gemm": products(analyzed, Recordings()),
            "patterns": patterns(analyzed)}


def with_tables(old, tables):
    """The page with these tables in their places."""
    missing = [name for name in tables if f"<!-- figures: {name} -->" not in old]
    if missing:
        sys.exit(f"kernels/README.md has no place for: {', '.join(missing)}")
    return re.sub(r"(<!-- figures: (\w+) -->\n)(?:(?!<!-- ).)*(<!-- end -->)",
                  lambda m: f"{m[1]}{tables[m[2]]}\n{m[3]}", old, flags=re.S)


def out_of_date(old, tables):
    """1, and what differs, if the page's tables are not these."""
    new = with_tables(old, tables)
    if new == old:
        print("kernels/README.md has the figures of today")
        return 0
    pairs = zip(old.splitlines(), new.splitlines())
    print("kernels/README.md is out of date: run assets/figures.py BUILD")
    print("\n".join(f"- {a}\n+ {b}" for a, b in pairs if a != b))
    return 1


def main():
    folders = [a for a in sys.argv[1:] if not a.startswith("-")]
    tables = all_tables((Path(folders[0]) if folders else ROOT / "build").resolve() / "lanescope")
    if "--check" in sys.argv:
        return out_of_date(README.read_text(), tables)
    README.write_text(with_tables(README.read_text(), tables))
    return 0


if __name__ == "__main__":
    sys.exit(main())
