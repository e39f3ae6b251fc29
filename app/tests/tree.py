"""The rules that the source tree keeps: one-way layers, short files, no hard-wired registries."""
import os
import re
import subprocess
import sys

ROOT = os.environ.get("LANESCOPE_SOURCE_DIR") or os.path.abspath(
    os.path.join(os.path.dirname(__file__), "..", ".."))
MAX_LINES = 600

MAX_SOURCES = 25  # in a folder, tests apart

# Layer -> the layers below it, which its files may include. What holds within a layer is found from the includes:
# its folders must not go round in a circle. "lanescope" is sim's public interface.
LAYERS = {
    "sim/include/lanescope": set(),
    "sim/model": {"lanescope"},
    "sim/trace": {"lanescope", "model"},
    "sim/lower": {"lanescope", "model", "trace"},
    "sim/machine": {"lanescope", "model", "trace", "lower"},
    "sim/check": {"lanescope", "model", "trace", "lower", "machine"},
    "sim/execute": {"lanescope", "model", "trace", "lower", "machine", "check"},
    "sim/compiled": {"lanescope", "model", "trace", "lower", "machine", "check", "execute"},
    "sim/prove": {"lanescope", "model", "trace", "lower", "machine"},
    "sim/run": {"lanescope", "model", "trace", "lower", "machine", "check", "execute", "compiled", "prove",
                "frontend"},
    "sim/ptx": {"lanescope"},
    "sim/frontend": {"lanescope", "model", "trace", "lower", "ptx"},
    "sim/native": {"lanescope", "model"},
    "app/core": {"lanescope"},
    "app/gpu": {"lanescope", "core"},
    # And of the engine's inside the CUDA headers, as sim/run's tests: what a program calls is compiled from what it sees.
    "app/program": {"lanescope", "core", "frontend"},
    "app/cli": {"lanescope", "core", "gpu", "program"},
    "app/platform": set(),
    "app/views": {"lanescope", "core", "platform"},
}
OURS = {layer.rsplit("/", 1)[-1] for layer in LAYERS}

# Somebody else's header -> the files that may include it.
RESTRICTED = [
    (r"clang(-c)?/", r"sim/frontend/"),
    (r"llvm(-c)?/", r"sim/frontend/|sim/lower/|sim/native/|sim/compiled/"),
    (r"(imgui|implot|TextEditor)", r"app/views/|app/platform/|app/[^/]*$|third_party/"),
    (r"(GLFW|EGL|glad)/", r"app/platform/"),
    (r"(cuda|nvrtc|cublas|cupti)\w*\.h", r"app/gpu/|.*_test\.cpp$"),
    # The engine hands out values; only front-ends print.
    (r"(iostream|cstdio|stdio\.h|print)$", r"app/|sim/.*_(test|bench)\.cpp$|sim/frontend/prelude/"
     # a program of its own; and what formats a kernel's printf, into a string
     r"|sim/fuzz/mutate\.cpp$|sim/run/pocl_main\.cpp$|sim/execute/print\.cpp$"),
]

# A call -> the files that may make it, and what the others are to do.
CALLS = [
    (r"ImGui::(TextWrapped|PushTextWrapPos)\(", r"app/views/lines/|.*_test\.cpp$",
     "knows no Chinese: use views/lines/wrapped_text.h"),
    (r"ImGui::Set(Item)?Tooltip\(", r".*_test\.cpp$",
     "leaves the window where it is long: use tooltip() of views/lines/wrapped_text.h"),
    # A generated kernel's text, as tests make it, is full of braces of its own.
    (r"\+ std::to_string\(|\bstd::to_string\((?:[^()]|\([^()]*\))*(?=\) \+ )", r"sim/run/random_kernel\.h$|.*_test\.(h|cpp)$|.*_bench\.cpp$",
     "in a sum: text with numbers in it is made by fmt::format"),
]

# Written in two halves, so that this file passes its own test.
REGISTRIES = ["pypi" + ".org", "pythonhosted" + ".org", "deb.debian" + ".org", "ubuntu" + ".com",
              "crates" + ".io", "npmjs" + ".org", "docker" + ".io", "anaconda" + ".org"]


def files():
    """Files that are, or would be, committed."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"],
                            capture_output=True, text=True)
    if listed.returncode == 0:
        return [f for f in listed.stdout.splitlines() if os.path.isfile(os.path.join(ROOT, f))]
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [d for d in folders if not d.startswith(("build", ".cache", ".git"))]
        found += [os.path.relpath(os.path.join(folder, n), ROOT) for n in names]
    return found


def check_include(file, header):
    """Yields what is wrong with `file` including `header`."""
    top = header.split("/")[0] if "/" in header else None
    layer = next((f for f in LAYERS if file.startswith(f + "/")), None)
    if layer and top in OURS and top != layer.rsplit("/", 1)[-1] and top not in LAYERS[layer]:
        yield f"{layer} must not include {top}/"
    if layer in ("app/program", "sim/run") and top == "frontend" and not header.startswith("frontend/prelude/"):
        yield "of frontend, only its prelude may be included"
    for pattern, allowed in RESTRICTED:
        if re.match(pattern, header) and not re.match(allowed, file):
            yield f"only {allowed} may include this"


def check_file(file):
    """Yields 'line: message' for every broken rule."""
    with open(os.path.join(ROOT, file), "rb") as stream:
        data = stream.read()
    if b"\0" in data:
        return  # not text
    lines = data.decode("utf-8", "replace").splitlines()
    if len(lines) > MAX_LINES:
        yield f"{MAX_LINES + 1}: {len(lines)} lines, {MAX_LINES} are allowed"
    for number, line in enumerate(lines, 1):
        yield from (f"{number}: names the registry {r}" for r in REGISTRIES if r in line)
    if file.startswith(("sim/", "app/")) and file.endswith((".h", ".cpp", ".inc")):
        for number, header in includes_of(file):
            yield from (f"{number}: {header}: {problem}" for problem in check_include(file, header))
        for number, line in enumerate(lines, 1):
            yield from (f"{number}: {problem}" for problem in check_calls(file, line))


def check_calls(file, line):
    """Yields what is wrong with a line's calls."""
    for pattern, allowed, problem in CALLS:
        call = re.search(pattern, line)
        if call and not re.match(allowed, file):
            yield f"{call[0]}) {problem}"


def includes_of(file):
    """The headers that a source of ours names, with their line numbers."""
    with open(os.path.join(ROOT, file), encoding="utf-8", errors="replace") as stream:
        for number, line in enumerate(stream, 1):
            found = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
            if found:
                yield number, found[1]


def folder_graph(sources):
    """Folder -> {folder that it includes: an example}. Tests may reach anywhere below their layer."""
    graph = {}
    for file in sources:
        if re.search(r"_(test|bench)\.cpp$", file):
            continue
        root, folder = file.split("/")[0], os.path.dirname(file)
        for number, header in includes_of(file):
            for base in (root, "sim/include"):
                target = os.path.dirname(f"{base}/{header}")
                if "/" in header and os.path.isfile(os.path.join(ROOT, base, header)) and target != folder:
                    graph.setdefault(folder, {}).setdefault(target, f"{file}:{number}: {header}")
    return graph


def circles(graph):
    """Yields one message for each folder from which a way leads back to it."""
    done = set()

    def walk(folder, path):
        if folder in path:
            ring = path[path.index(folder):] + [folder]
            steps = [f"    {graph[a][b]}" for a, b in zip(ring, ring[1:])]
            yield "folders go round in a circle: " + " -> ".join(ring) + "\n" + "\n".join(steps)
            return
        if folder in done:
            return
        for target in sorted(graph.get(folder, {})):
            yield from walk(target, path + [folder])
        done.add(folder)

    for folder in sorted(graph):
        yield from walk(folder, [])


def full_folders(sources):
    counts = {}
    for file in sources:
        if not file.endswith("_test.cpp"):
            counts.setdefault(os.path.dirname(file), []).append(file)
    return [f"{folder}: {len(held)} sources, {MAX_SOURCES} are allowed"
            for folder, held in sorted(counts.items()) if len(held) > MAX_SOURCES]


def shared_names(sources):
    """Names that two files have: who opens one by its name, or reads its tab, is to know which it is."""
    places = {}
    for file in sources:
        # The prelude's are named as CUDA names them; a public header and its source are one.
        if not file.startswith("sim/frontend/prelude/") and not file.endswith("/main.cpp"):
            places.setdefault(os.path.basename(file), []).append(file)
    return [f"one name for {' and '.join(held)}" for _, held in sorted(places.items()) if len(held) > 1]


def self_test():
    """The rules can fail: each of these breaks one."""
    broken = [("sim/model/banks.cpp", "execute/recorder.h"), ("sim/execute/block.cpp", "llvm/IR/Module.h"),
              ("sim/lower/lower.cpp", "clang/AST/Decl.h"), ("app/core/session/session.cpp", "imgui.h"),
              ("app/views/banks/banks_view.cpp", "GLFW/glfw3.h"), ("app/views/why/why_view.cpp", "cuda.h"),
              ("app/platform/window.cpp", "core/session/session.h"), ("sim/trace/record.cpp", "iostream"),
              ("app/program/runtime/copy.cpp", "frontend/clang_frontend.h")]
    sound = [("sim/lower/lower_types.cpp", "llvm/IR/Module.h"), ("app/views/banks/banks_view.cpp", "imgui.h"),
             ("sim/model/banks_test.cpp", "cstdio"), ("app/gui.cpp", "views/banks/banks_view.h"),
             ("app/program/runtime/copy.cpp", "frontend/prelude/host/lanescope_runtime.h")]
    ring = {"a": {"b": "a/x.h:1: b/y.h"}, "b": {"c": "b/y.h:1: c/z.h"}, "c": {"a": "c/z.h:1: a/x.h"}}
    line = {"a": {"b": "a/x.h:1: b/y.h", "c": "a/x.h:2: c/z.h"}, "b": {"c": "b/y.h:1: c/z.h"}}
    wrap = "  ImGui::TextWrapped(text);"
    sums = ['"line " + std::to_string(n)', 'std::to_string(f(n)) + ":"']
    return [f"self-test: {case} was let through" for case in broken if not list(check_include(*case))] + \
        [f"self-test: {case} was refused" for case in sound if list(check_include(*case))] + \
        ([] if list(check_calls("app/views/why/why_view.cpp", wrap)) else ["self-test: a call was let through"]) + \
        ([] if not list(check_calls("app/views/lines/wrapped_text.cpp", wrap)) else ["self-test: a call was refused"]) + \
        [f"self-test: {text} was let through" for text in sums if not list(check_calls("app/views/why/why_view.cpp", text))] + \
        ([] if not list(check_calls("app/views/why/why_view.cpp", "f(std::to_string(n));")) else ["self-test: one number was refused"]) + \
        ([] if shared_names(["app/cli/a.h", "app/core/a.h"]) else ["self-test: one name for two was let through"]) + \
        ([] if list(circles(ring)) else ["self-test: a circle was let through"]) + \
        ([] if not list(circles(line)) else ["self-test: a straight line was refused"])


def main():
    problems = self_test()
    listed = files()
    for file in listed:
        problems += [f"{file}:{p}" for p in check_file(file)]
    sources = [f for f in listed if f.startswith(("sim/", "app/")) and f.endswith((".h", ".cpp", ".def", ".inc"))]
    problems += full_folders(sources) + shared_names(sources) + list(circles(folder_graph(sources)))
    print("\n".join(problems) or f"{len(listed)} files keep the rules")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
