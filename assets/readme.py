#!/usr/bin/env python3
"""Brings the README's command output, benchmark figures and screenshots up to date.

Usage: assets/readme.py [build folder] [--bench]
Each block of output stands between `<!-- run: COMMAND -->` and `<!-- end -->`. With --bench the
benchmarks are run too, between `<!-- bench -->` and `<!-- end -->`; without, they are left alone.
"""
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIGURES = [
    # (benchmark, what a person calls it, how to read the figure)
    ("BM_Interpreter/0/real_time", "interpreter, 32×32 padded transpose of 4096×4096, counters on, one core",
     lambda b: f"{b['warp_instructions'] / 1e6:.0f} million warp instructions a second"),
    ("BM_Interpreter/2/real_time", "the same, remapped 32×8 blocks",
     lambda b: f"{b['warp_instructions'] / 1e6:.0f} million warp instructions a second"),
    ("BM_MachineCodeAgainstInterpreter/0/iterations:1/real_time",
     "machine code, 64×64 block-tiled GEMM of 512³, counters on, both cores, of processor time (beside the interpreter)",
     lambda b: f"{b['machine_code_M_per_s']:.0f} million warp instructions a second ({b['times_faster']:.1f} ×)"),
    *((f"BM_MachineCodeAgainstInterpreter/{i}/iterations:1/real_time", f"the same, {what}",
       lambda b: f"{b['machine_code_M_per_s']:.0f} million ({b['times_faster']:.1f} ×)")
      for i, what in ((2, "padded transpose of 4096×4096"), (5, "histogram"), (6, "reduction"), (7, "scan"),
                      (8, "bitonic sort"))),
    ("BM_AgainstPocl/iterations:1/real_time",
     "every block of a 32768×32768 transpose counted, beside PoCL 3.1, which counts nothing (with data too)",
     lambda b: f"{b['counting_s']:.2f} s beside {b['pocl_s']:.2f} s ({b['with_data_s']:.2f} s)"),
    ("BM_AgainstOclgrind", "against Oclgrind 21.10, the same kernel in OpenCL, 512×512, one core each",
     lambda b: f"{b['times_faster']:.0f} times faster"),
    ("BM_CompileWarm/0", "compile, warm, in process", lambda b: f"{b['real_time']:.1f} ms"),
    ("BM_RecordOneBlock", "run and record one block of 1,024 threads",
     lambda b: f"{b['real_time']:.2f} ms"),
    ("BM_ParameterToPicture/4096", "from a parameter change to the new picture, 4096×4096",
     lambda b: f"{b['real_time']:.1f} ms"),
    ("BM_KeystrokeToPicture", "from a keystroke in the text to the new picture, median of all our kernels (slowest)",
     lambda b: f"{b['median_ms']:.0f} ms ({b['slowest_ms']:.0f} ms)"),
    ("BM_WholeGridByClasses/0/32768", "exact counts of a 32768×32768 transpose, proved",
     lambda b: f"{b['real_time']:.2f} ms"),
    ("BM_WholeGridByClasses/5/32768", "the same of the fastest, whose blocks come in 32 kinds",
     lambda b: f"{b['real_time']:.0f} ms"),
    ("BM_EveryBlockWithoutData/0", "the same counts by executing every block, two cores",
     lambda b: f"{b['real_time'] / 1e3:.1f} s"),
    ("BM_GemmByProof/4096", "exact counts of a 4096×4096×4096 GEMM, its loops run as a whole, one core",
     lambda b: f"{b['real_time']:.0f} ms"),
    ("frame_of_the_window/1920/1080", "a frame of the full window at 1920×1080, our CPU time",
     lambda b: f"{b['cpu_time']:.1f} ms"),
    ("frame_with_drawing/width:1920/height:1080/preset:0/steps:0", "the same with OpenGL's drawing in software, every frame different",
     lambda b: f"{b['real_time']:.0f} ms, {b['fps']:.0f} frames a second"),
    ("frame_of_the_journey/remapped", "the same in a lecture's layout while the index map plays, of processor time; only what differs is drawn",
     lambda b: f"{b['cpu_time']:.0f} ms, {b['fps']:.0f} frames a second"),
]


def command_output(build, command):
    words = shlex.split(command)
    words[0] = str(build / "lanescope")
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    text = (done.stdout + done.stderr).rstrip().replace(f"{build}/share/lanescope/", "")
    return f"```text\n$ {command}\n{text}\n```"


def peak_memory(command):
    """Of a process from start to end, libraries and all, in MB."""
    quiet = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_WRONLY, 0) for fd in (1, 2)]
    process = os.posix_spawn(str(command[0]), [str(word) for word in command], os.environ, file_actions=quiet)
    _, status, usage = os.wait4(process, 0)
    return f"{usage.ru_maxrss / 1024:.0f} MB" if status == 0 else "failed"


def memory_rows(build):
    program = build / "lanescope"
    large = [program, "analyze", "transpose/05_remapped", "--arg", "nx=32768", "--arg", "ny=32768"]
    every = [build / "lanescope_bench", "--benchmark_filter=BM_EveryBlockWithoutData/0"]
    fastest = [program, "analyze", "transpose/20_fastest", *large[3:]]
    return [f"| peak memory of the whole process: `lanescope list`, which runs nothing | {peak_memory([program, 'list'])} |",
            f"| `lanescope analyze` of that 32768×32768 transpose | {peak_memory(large)} |",
            f"| of the fastest transpose | {peak_memory(fastest)} |",
            f"| `lanescope_bench`, every block of the former executed | {peak_memory(every)} |"]


def benchmarks(build):
    done = subprocess.run([build / "lanescope_bench", "--benchmark_format=json"], cwd=ROOT,
                          capture_output=True, text=True, check=True)
    rows = {b["name"]: b for b in json.loads(done.stdout)["benchmarks"]}
    scale = {"ns": 1e-6, "us": 1e-3, "ms": 1.0, "s": 1e3}
    lines = ["| what | measured |", "|---|---|"]
    for prefix, title, figure in FIGURES:
        row = next((b for name, b in rows.items() if name.startswith(prefix)), None)
        if row is None or row.get("error_occurred"):
            lines.append(f"| {title} | not measured |")
            continue
        for key in ("real_time", "cpu_time"):
            row[key] *= scale[row["time_unit"]]
        lines.append(f"| {title} | {figure(row)} |")
    return "\n".join(lines + memory_rows(build))


def screenshots(build):
    folder = ROOT / "assets" / "screenshots"
    for name, extra in [("window-1280x800", []), ("window-1920x1080", []), ("light-1280x800", ["--theme", "light"])]:
        width, height = name.split("-")[1].split("x")
        kernel = "transpose/05_remapped" if name.startswith("light") else "transpose/03_shared_tile"
        subprocess.run([build / "lanescope", kernel, "--screenshot", folder / f"{name}.png",
                        "--width", width, "--height", height, *extra], check=True, capture_output=True)
    subprocess.run([build / "lanescope", "render", "transpose/05_remapped", "--set", "PAD=1", "--layout", "lecture",
                    "--theme", "light", "--width", "1920", "--height", "1080",
                    "--out", folder / "lecture-1920x1080.png"], check=True, capture_output=True)
    subprocess.run([build / "lanescope", "render", "--lesson", "05_padding/flat", "--answered", "--view", "window",
                    "--width", "1280", "--height", "800", "--out", folder / "lesson-1280x800.png"],
                   check=True, capture_output=True)
    subprocess.run([build / "lanescope", "render", "gemm/21_mma", "--view", "fragments", "--width", "1280",
                    "--height", "800", "--out", folder / "fragments-1280x800.png"], check=True, capture_output=True)


def main():
    with_bench = "--bench" in sys.argv
    folders = [a for a in sys.argv[1:] if not a.startswith("-")]
    build = (Path(folders[0]) if folders else ROOT / "build").resolve()
    readme = ROOT / "README.md"
    text = re.sub(r"(<!-- run: ([^\n]*?) -->\n)(?:(?!<!-- ).)*(<!-- end -->)",
                  lambda m: f"{m[1]}{command_output(build, m[2])}\n{m[3]}", readme.read_text(), flags=re.S)
    if with_bench:
        text = re.sub(r"(<!-- bench -->\n)(?:(?!<!-- ).)*(<!-- end -->)",
                      lambda m: f"{m[1]}{benchmarks(build)}\n{m[2]}", text, flags=re.S)
    readme.write_text(text)
    screenshots(build)


if __name__ == "__main__":
    main()
