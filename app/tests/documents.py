"""What the documents say is so: every path that they name exists, every folder of the source has its row on the map,
links lead somewhere, the way of a change is as short as it is told to be and has no gap, and the commands that are
marked `sh run` run."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(os.environ.get("LANESCOPE_SOURCE_DIR") or Path(__file__).resolve().parents[2])
BINARY = os.environ.get("LANESCOPE_BIN")
TOPS = ("app", "sim", "kernels", "assets", "third_party")
DOCUMENTS = ["README.md", "ARCHITECTURE.md", "CHECKS.md", "CONTRIBUTING.md", "kernels/README.md", "assets/measurements/README.md",
             "app/core/files/README.md", "app/gpu/process/README.md"]
LONGEST_WAY = 25  # files
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def named_paths(text):
    """Yields (line, path) of what stands between backticks and looks like a path of ours: `sim/lower/flat.h`,
    `app/views/*/`, `app/core/text/csv.{h,cpp}`. Upper-case words in it stand for names: `app/views/NAME/`."""
    prose = FENCE.sub(lambda m: "\n" * m[0].count("\n"), text)
    for number, line in enumerate(prose.splitlines(), 1):
        for code in re.findall(r"`([^`\s]+)`", line):
            if code.split("/")[0] in TOPS and "/" in code and not re.search(r"[A-Z]{3,}|…|\.\.\.", code):
                yield number, code


def expanded(path):
    """`a/b.{h,cpp}` as both of its paths."""
    found = re.match(r"(.*)\{([^}]*)\}(.*)$", path)
    return [found[1] + part + found[3] for part in found[2].split(",")] if found else [path]


def wrong_paths(name, text):
    for number, code in named_paths(text):
        for path in expanded(code.split(":")[0]):
            if not any(ROOT.glob(path.rstrip("/"))):
                yield f"{name}:{number}: {path} does not exist"
    for number, line in enumerate(text.splitlines(), 1):
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", line):
            if "://" not in target and not (ROOT / os.path.dirname(name) / target).exists():
                yield f"{name}:{number}: the link to {target} leads nowhere"


def folders_without_a_row(text):
    """Every folder that holds sources stands on the map, by its own path."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", "app", "sim"],
                            capture_output=True, text=True, check=False).stdout.split()
    folders = {os.path.dirname(f) for f in listed if f.endswith((".cpp", ".h", ".def")) and os.path.isfile(ROOT / f)}
    for folder in sorted(folders):
        if f"`{folder}`" not in text:
            yield f"ARCHITECTURE.md: `{folder}` is not on the map"


def code_of(paths):
    """What their sources say, without comments."""
    found = [file for path in paths for file in expanded(path) if (ROOT / file).is_file()]
    return "\n".join(re.sub(r"//.*", "", (ROOT / file).read_text(encoding="utf-8")) for file in found)


def wrong_way(text):
    """The table of the first journey: numbered rows of a file and what it is entered by, which it has itself and one of
    the files above has, too; but for the first."""
    rows = re.findall(r"^\| (\d+) \| (`[^|]+`) \| `(\w+)` \|", text, re.MULTILINE)
    if not rows or [int(number) for number, _, _ in rows] != list(range(1, len(rows) + 1)):
        yield f"ARCHITECTURE.md: the rows of the way are not numbered from 1 on: {[number for number, _, _ in rows]}"
    if len(rows) > LONGEST_WAY:
        yield f"ARCHITECTURE.md: {len(rows)} files are on the way, {LONGEST_WAY} may be"
    above = ""
    for number, cell, entry in rows:
        paths = re.findall(r"`([^`]+)`", cell)
        sources = [file for path in paths for file in expanded(path) if file.endswith(".cpp")]
        if len(sources) > 1:
            yield f"ARCHITECTURE.md: row {number} of the way has {len(sources)} sources: {cell}"
        code = code_of(paths)
        if not re.search(rf"\b{entry}\b", code):
            yield f"ARCHITECTURE.md: row {number} of the way: {cell} has no {entry}"
        if above and not re.search(rf"\b{entry}\b", above):
            yield f"ARCHITECTURE.md: row {number} of the way: no file above it leads to {entry}"
        above += "\n" + code


def failing_commands(name, text):
    """Commands of blocks that are marked `sh run`, each block in a folder of its own."""
    for marks, block in FENCE.findall(text):
        if marks.split() != ["sh", "run"] or not BINARY:
            continue
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(ROOT, os.path.join(folder, "source"))
            path = os.path.dirname(BINARY) + os.pathsep + os.environ["PATH"]
            done = subprocess.run(["sh", "-e", "-c", block], cwd=folder, env=dict(os.environ, PATH=path), check=False,
                                  capture_output=True, text=True, timeout=250)
            if done.returncode != 0:
                yield f"{name}: this fails with status {done.returncode}:\n{block}{done.stdout}{done.stderr}"


def self_test():
    """What is wrong is noticed."""
    broken = {"a path": "see `sim/lower/no_such_file.h`", "a link": "[x](no/such.md)", "two": "`app/core/text/csv.{h,xx}`"}
    problems = [f"self-test: {what} was let through" for what, text in broken.items()
                if not list(wrong_paths("README.md", text))]
    sound = "`sim/include/lanescope/banks.h`, `app/views/NAME/`, `a/b`, [x](LICENSE)\n```sh\n`sim/no/such`\n```\n"
    problems += [f"self-test: refused: {p}" for p in wrong_paths("README.md", sound)]
    start = "| 1 | `app/core/run/prepare.{h,cpp}` | `prepare` | a |\n"
    ways = {"no table": "", "a number": start.replace("1", "2"), "a name": start.replace("`prepare`", "`unprepared`"),
            # prepare knows compile_once, and no stage of the compiler
            "a gap": start + "| 2 | `sim/frontend/clang_frontend.{h,cpp}` | `parse_kernel` | b |\n",
            "two files": start.replace("` |", "`, `app/core/run/totals.cpp` |", 1),
            "length": "".join(start.replace("1", str(n + 1)) for n in range(LONGEST_WAY + 1))}
    problems += [f"self-test: {what} was let through" for what, way in ways.items() if not list(wrong_way(way))]
    way = start + "| 2 | `app/core/kernel/compile_request.{h,cpp}` | `compile_once` | b |\n"
    problems += [f"self-test: refused: {p}" for p in wrong_way(way)]
    if BINARY and not list(failing_commands("self-test", "```sh run\nlanescope no-such-kernel --nothing\n```\n")):
        problems.append("self-test: a failing command was let through")
    return problems


def main():
    problems = self_test()
    for name in DOCUMENTS:
        text = (ROOT / name).read_text(encoding="utf-8")
        problems += wrong_paths(name, text)
        problems += failing_commands(name, text)
        if name == "ARCHITECTURE.md":
            problems += list(folders_without_a_row(text)) + list(wrong_way(text))
    print("\n".join(problems) or f"{len(DOCUMENTS)} documents are true")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
