#!/usr/bin/env python3
"""Writes what a binary says and draws of the whole corpus into a folder, so that two versions can be compared:

    assets/outputs.py --lanescope old/build/lanescope /tmp/old
    assets/outputs.py --lanescope build/lanescope /tmp/new
    diff -r /tmp/old /tmp/new

A change that is meant to change nothing shows no difference. `--against DIR` compares at once.
"""
import argparse
import concurrent.futures
import filecmp
import json
import os
import re
import subprocess
import sys

DRAWN = ["transpose/04_shared_tile_padded", "transpose/05_remapped", "transpose/11_swizzle", "gemm/01_block_tiled",
         "copy/01_copy", "broken/07_race"]

ENDLESS = ["broken/20_endless_loop"]


def view_names(binary):
    """The views, and "window": asks the program, which names them when it is given one that is none."""
    said = subprocess.run([binary, "render", DRAWN[0], "--view", "?", "--out", os.devnull + ".png"],
                          capture_output=True, text=True, check=False).stderr
    match = re.search(r"there are: (.*)", said)
    if not match:
        sys.exit(f"{binary} does not name its views: {said}")
    return [name.strip() for name in match[1].split(",")]


def commands(kernels, views):
    """Yields (name of the output, arguments). `{out}` stands for the output's own file."""
    yield "list.json", ["list", "--json"]
    yield "list.txt", ["list"]
    yield "verify.txt", ["verify"]
    yield "verify.json", ["verify", "--json"]
    yield "bench.txt", ["bench"]
    yield "bench.json", ["bench", "--json"]
    for kernel in kernels:
        file = kernel.replace("/", ".")
        yield f"{file}.analyze.json", ["analyze", kernel, "--json"]
        yield f"{file}.analyze.txt", ["analyze", kernel]
        yield f"{file}.analyze.csv", ["analyze", kernel, "--csv"]
        yield f"{file}.report.html", ["analyze", kernel, "--html", "{out}"]
        yield f"{file}.trace.json", ["trace", kernel, "--warp", "1", "--json"]
        yield f"{file}.trace.txt", ["trace", kernel, "--warp", "0"]
        yield f"{file}.check.json", ["check", kernel, "--expect", "correct", "--expect", "conflicts == 0", "--json"]
        if kernel in ENDLESS:  # minutes until the budget of steps is spent
            continue
        yield f"{file}.zh.svg", ["render", kernel, "--lang", "zh", "--out", "{out}"]
    for kernel in [k for k in DRAWN if k in kernels]:
        file = kernel.replace("/", ".")
        for view in views:
            for language in ("en", "zh"):
                for theme in ("dark", "light"):
                    name = f"{file}.{view}.{language}.{theme}"
                    flags = ["render", kernel, "--view", view, "--lang", language, "--theme", theme]
                    yield name + ".svg", flags + ["--out", "{out}"]
                    if view != "window":  # its status bar says how long compiling took
                        yield name + ".png", flags + ["--width", "1920", "--height", "1080", "--out", "{out}"]
    tile = "transpose/04_shared_tile_padded"
    for ending, flag in (("txt", []), ("csv", ["--csv"]), ("json", ["--json"])):
        yield f"sweep.{ending}", ["sweep", tile, "--vary", "PAD=0..4", "--vary", "BDIMX=8,16,32"] + flag
        yield f"sweep.time.{ending}", ["sweep", tile, "--vary", "PAD=0..2", "--metric", "time"] + flag


def run(binary, folder, name, arguments):
    out = os.path.join(folder, name)
    arguments = [a.replace("{out}", out) for a in arguments]
    done = subprocess.run([binary, *arguments], capture_output=True, timeout=900, check=False, stdin=subprocess.DEVNULL)
    said = done.stdout + b"\n--- stderr ---\n" + done.stderr + b"\n--- status %d ---\n" % done.returncode
    with open(out + (".said" if out in arguments else ""), "wb") as stream:
        stream.write(said)
    for path in (out, out + ".said"):
        if os.path.exists(path) and not path.endswith(".png"):
            without_places(path, {folder: b"OUT", os.path.dirname(binary): b"BUILD"})


def without_places(path, places):
    """Where the binary lies, where it writes and how long it took is not what is compared."""
    with open(path, "rb") as stream:
        text = stream.read()
    for place, name in places.items():
        text = text.replace(os.fsencode(place), name)
    if path.endswith(".svg"):
        text = re.sub("<text [^>]*>[^<]*(compile|编译)[^0-9<]{0,3}[0-9.]+[^<]*</text>".encode(), b"compile and run", text)
    with open(path, "wb") as stream:
        stream.write(text)


def compare(one, other, only):
    """Prints what differs between two folders; True if nothing does."""
    names = sorted(name for name in set(os.listdir(one)) | set(os.listdir(other)) if only in name)
    _, different, missing = filecmp.cmpfiles(one, other, names, shallow=False)
    for name in different + missing:
        print(("differs: " if name in different else "missing: ") + name)
    print(f"{len(names)} outputs compared, {len(different) + len(missing)} differ")
    return not different and not missing


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--lanescope", default="build/lanescope")
    parser.add_argument("--against", metavar="DIR", help="a folder written before; exit status 1 if anything differs")
    parser.add_argument("--only", default="", help="outputs whose name contains this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    binary, folder = os.path.abspath(options.lanescope), os.path.abspath(options.folder)
    os.makedirs(folder, exist_ok=True)
    listed = json.loads(subprocess.run([binary, "list", "--json"], capture_output=True, check=True).stdout)
    wanted = [c for c in commands([k["name"] for k in listed["kernels"]], view_names(binary)) if options.only in c[0]]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done in [pool.submit(run, binary, folder, *command) for command in wanted]:
            done.result()
    print(f"{len(wanted)} outputs in {folder}")
    return 0 if not options.against or compare(os.path.abspath(options.against), folder, options.only) else 1


if __name__ == "__main__":
    sys.exit(main())
