"""The measured kernels, unchanged, by the command line against a GPU's counters: every fourth launch that was
measured. sim.HardwareKernels has them all.

Needs LANESCOPE_TRUTH_DIR with kernels.cu and kernels.jsonl; skips without it.
"""
import json
import os
import subprocess
import sys

BIN = os.environ.get("LANESCOPE_BIN", "")
TRUTH = os.environ.get("LANESCOPE_TRUTH_DIR", "")
ROWS = 75
EVERY = 4
SKIP = 77


def instance(row):
    """The name expression of the kernel that a row launched."""
    name, kind, (x, y), pad = row["kernel"], row["type"], row["block"], row.get("pad")
    if name in ("copy", "naive_row", "naive_col"):
        return f"k_{name}<{kind}>"
    if name in ("smem", "smem_unroll2"):
        return f"k_{name}<{kind},{x},{y},{pad}>"
    if name.endswith("_swizzle"):
        return f"k_tile_swizzle<{kind},{x},{y}>"
    if name == "tile64x2":
        return "k_64"
    if name.startswith("tile"):
        return f"k_tile<{kind},{x},{y},{pad}>"
    if name == "vec4":
        return f"k_vec4<{pad}>"
    if name == "gemm2d":
        return "k_gemm2d<" + ",".join(str(row[p]) for p in ("BM", "BN", "BK", "TM", "TN")) + ">"
    return f"k_{name}"  # x4, shared_x4, async


def arguments(row):
    """The kernel's arguments as flags."""
    if row["kernel"] == "gemm2d":
        m, n, k = row["M"], row["N"], row["K"]
        values = {"M": m, "N": n, "K": k, "A": f"float[{m * k}]:random", "B": f"float[{k * n}]:random",
                  "C": f"float[{m * n}]:poison"}
    else:
        count = row["rows"] * row["cols"]
        values = {"in": f"{row['type']}[{count}]", "out": f"{row['type']}[{count}]:poison",
                  "rows": row["rows"], "cols": row["cols"]}
    return [flag for name, value in values.items() for flag in ("--arg", f"{name}={value}")]


def analyze(row):
    command = [BIN, "analyze", os.path.join(TRUTH, "kernels.cu"), "--kernel", instance(row),
               "--block", ",".join(map(str, row["block"])), "--grid", ",".join(map(str, row["grid"])),
               "--blocks", "all", "--json", *arguments(row)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        raise RuntimeError(f"exit status {done.returncode}\n{done.stderr.strip()}")
    return json.loads(done.stdout)["totals"]


def differences(row, totals):
    """Yields the counters that are not what the hardware's were."""
    counters = row["counters"]
    pairs = {
        "shared_wavefronts_sass": sum(totals[t]["wavefronts"] for t in ("shared_load", "shared_store")),
        "global_sectors_ideal_sass": sum(totals[t]["ideal_sectors"] for t in ("global_load", "global_store")),
        "shared_wavefronts_ideal_sass":
            sum(totals[t]["ideal_wavefronts"] for t in ("shared_load", "shared_store")),
    }
    for op in ("load", "store"):
        for what in ("requests", "sectors"):
            pairs[f"global_{op}_{what}"] = totals[f"global_{op}"][what]
    for counter, got in pairs.items():
        if got != counters[counter]:
            yield f"{counter}: counted {counters[counter]}, simulated {got}"


def main():
    if not TRUTH:
        print("LANESCOPE_TRUTH_DIR is empty: no kernels.jsonl to compare with")
        return SKIP
    with open(os.path.join(TRUTH, "kernels.jsonl"), encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    failed = 0
    for row in rows[::EVERY]:
        try:
            wrong = list(differences(row, analyze(row)))
        except (RuntimeError, ValueError, subprocess.TimeoutExpired) as error:
            wrong = [str(error)]
        failed += bool(wrong)
        for line in wrong:
            print(f"{instance(row)} block {row['block']}: {line}")
    print(f"{len(rows[::EVERY])} of {len(rows)} launches, {failed} differ")
    return 1 if failed or len(rows) != ROWS else 0


if __name__ == "__main__":
    sys.exit(main())
