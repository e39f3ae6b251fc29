"""CuTe programs, with CUTLASS's own headers: some of ours, and its tutorials unchanged.

LANESCOPE_CUTLASS_DIR names a copy of NVIDIA/cutlass; without it the test is skipped."""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

BIN = os.environ.get("LANESCOPE_BIN", "")
ROOT = Path(os.environ.get("LANESCOPE_SOURCE_DIR") or Path(__file__).resolve().parents[2])
CUTLASS = Path(os.environ.get("LANESCOPE_CUTLASS_DIR") or "/nowhere")
OURS = ROOT / "app" / "tests" / "cute"
TUTORIAL = CUTLASS / "examples" / "cute" / "tutorial"
INCLUDE = ["-I", str(CUTLASS / "include"), "-I", str(CUTLASS / "tools" / "util" / "include")]
SKIP = 77

# File, arguments, what is printed, and shared conflicts of its launches in order, equal ones once (None: any).
PROGRAMS = [
    (OURS / "simple_layout.cu", [], r"plain: right\npadded: right\n", [992, 0]),
    (OURS / "ldsm_trans.cu", [], r"plain: right\nswizzled: right\n", [896, 0]),
    (OURS / "layouts.cu", [], r"no error\n", None),
    (TUTORIAL / "sgemm_1.cu", ["128", "128", "16"], r"CUTE_GEMM: +\[", [0]),
    (TUTORIAL / "sgemm_2.cu", ["128", "128", "16"], r"CUTE_GEMM: +\[", [0]),
    (TUTORIAL / "sgemm_sm70.cu", ["128", "128", "16"], r"CUTE_GEMM: +\[", None),
    (TUTORIAL / "sgemm_sm80.cu", ["128", "128", "128", "T", "N"], r"CUTE_GEMM: +\[", [0]),
    (TUTORIAL / "hopper" / "wgmma_tma_sm90.cu", ["256", "128", "64"], r"CUTE_GEMM: +\[", [0]),
    (TUTORIAL / "tiled_copy.cu", [], r"Success", [0]),
    (TUTORIAL / "tiled_copy_if.cu", [], r"Success", [0]),
]


def lanescope(command, file, *flags, arguments=()):
    return subprocess.run([BIN, command, str(file), *INCLUDE, *flags, "--", *arguments], capture_output=True,
                          text=True, timeout=800, check=False)


def conflicts(launch):
    return sum(launch["totals"].get(key, {}).get("conflicts", 0)
               for key in ("shared_load", "shared_store", "shared_atomic", "shared_async"))


def check(file, arguments, printed, wanted):
    done = lanescope("run", file, "--json", arguments=arguments)
    if done.returncode != 0:
        yield f"{file.name}: exit status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
        return
    report = json.loads(done.stdout)
    if not re.search(printed, report["output"]):
        yield f"{file.name}: printed {report['output']!r}"
    found = []
    for launch in report["launches"]:
        if launch["mistakes"]:
            yield f"{file.name}: mistakes {launch['mistakes']}"
        if not found or found[-1] != conflicts(launch):
            found.append(conflicts(launch))
    if not found or (wanted is not None and found != wanted):
        yield f"{file.name}: conflicts of launches are {found}, not {wanted}"


def check_lines():
    """What a library's code does stands at the line of the text that calls it."""
    file = OURS / "simple_layout.cu"
    done = lanescope("analyze", file, "--launch", "0", "--json")
    if done.returncode != 0:
        return [f"analyze: exit status {done.returncode}\n{done.stderr[-2000:]}"]
    call = 1 + next(i for i, line in enumerate(file.read_text().splitlines()) if "copy(local_partition(turned" in line)
    worst = max(json.loads(done.stdout)["accesses"], key=lambda a: a.get("conflicts") or 0)
    told = (worst["line"], worst.get("conflicts"))
    return [] if told == (call, 992) else [f"analyze: the worst access is {worst}, not line {call} with 992 conflicts"]


# File, arguments, and its tensors: where each begins in which memory, and its layout as CuTe would print it.
SW80 = "Sw<3,3,3> o _0 o ((_8,_16),((_8,_8),_1),(_1,_3)):((_8,_512),((_1,_64),_0),(_0,_8192))"
TENSORS = [
    (TUTORIAL / "sgemm_1.cu", ["256", "128", "16"],
     {"mA": ("A", 0, "(256,16):(_1,256)"), "gA": ("A", 0, "(_128,_8,2):(_1,256,2048)"),
      "mC": ("C", 0, "(256,128):(_1,256)"), "sA": ("smemA", 0, "(_128,_8):(_1,_128)"),
      "sB": ("smemB", 0, "(_128,_8):(_1,_128)")}),
    (TUTORIAL / "sgemm_sm80.cu", ["128", "128", "128", "T", "N"],
     {"mA": ("A", 0, "(128,128):(128,_1)"), "sA": ("shared_memory", 0, SW80),
      "sB": ("shared_memory", 49152, SW80)}),
]


def tensors_of(file, arguments):
    done = lanescope("analyze", file, "--launch", "0", "--json", arguments=arguments)
    if done.returncode != 0:
        raise AssertionError(f"{file.name}: analyze: exit status {done.returncode}\n{done.stderr[-2000:]}")
    return {t["name"]: t for t in json.loads(done.stdout).get("tensors", [])}


def check_tensors(file, arguments, wanted):
    found = tensors_of(file, arguments)
    for name, place in wanted.items():
        t = found.get(name, {})
        if (told := (t.get("array"), t.get("offset"), t.get("layout"))) != place:
            yield f"{file.name}: {name} is {told}, not {place}"


def check_printed():
    """What CuTe prints of its tensors is what is told of them."""
    file = OURS / "layouts.cu"
    output = json.loads(lanescope("run", file, "--json").stdout)["output"]
    # Where a pointer is swizzled, CuTe prints it with the layout.
    lines = [re.sub(r"_smem_ptr\[16b\]\(0x\w+\)", "_ptr", line).split(" ", 1) for line in output.splitlines()]
    printed = {words[0]: words[1] for words in lines if len(words) == 2 and ":" in words[1]}
    told = {name: tensor["layout"] for name, tensor in tensors_of(file, []).items()}
    if len(printed) != 7 or told != printed:
        yield f"{file.name}: tensors are told as {told}, CuTe prints {printed}"


def main():
    if not os.path.exists(BIN):
        print("LANESCOPE_BIN does not name the program")
        return 2
    if not (CUTLASS / "include" / "cute" / "tensor.hpp").exists():
        print("LANESCOPE_CUTLASS_DIR does not name a copy of NVIDIA/cutlass: skipped")
        return SKIP
    programs = [p for p in PROGRAMS if not sys.argv[1:] or any(a in p[0].name for a in sys.argv[1:])]
    problems = [found for program in programs for found in check(*program)] + check_lines() + list(check_printed())
    problems += [found for program in TENSORS for found in check_tensors(*program)]
    print("\n".join(problems) or f"{len(programs)} CuTe programs do what is expected of them")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
