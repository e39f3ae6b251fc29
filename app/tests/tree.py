"""The rules that the source tree keeps: one-way layers, short files, no hard-wired registries."""
import os
import re
import subprocess
import sys

ROOT = os.environ.get("LANESCOPE_SOURCE_DIR") or os.path.abspath(
    os.path.join(os.path.dirname(__file__), "..", ".."))
MAX_LINES = 600

# Folder -> the folders of ours that its files may include. "lanescope" is sim's public interface.
LAYERS = {
    "sim/include/lanescope": {"lanescope"},
    "sim/model": {"lanescope", "model"},
    "sim/trace": {"lanescope", "model", "trace"},
    "sim/simt": {"lanescope", "model", "trace", "simt"},
    "sim/frontend": {"lanescope", "model", "trace", "simt", "frontend"},
    "app/session": {"lanescope", "session"},
    "app/gpu": {"lanescope", "session", "gpu"},
    "app/cli": {"lanescope", "session", "gpu", "cli"},
    "app/platform": {"platform"},
    "app/views": {"lanescope", "session", "platform", "views"},
}
OURS = {"lanescope", "model", "trace", "simt", "frontend", "session", "gpu", "cli", "platform", "views"}

# Somebody else's header -> the files that may include it.
RESTRICTED = [
    (r"clang(-c)?/", r"sim/frontend/"),
    (r"llvm(-c)?/", r"sim/frontend/|sim/simt/lower"),
    (r"(imgui|implot|TextEditor)", r"app/views/|app/platform/|app/[^/]*$|third_party/"),
    (r"(GLFW|EGL|glad)/", r"app/platform/"),
    (r"(cuda|nvrtc|cublas|cupti)\w*\.h", r"app/gpu/|.*_test\.cpp$"),
    # The engine hands out values; only front-ends print.
    (r"(iostream|cstdio|stdio\.h|print)$", r"app/|sim/.*_(test|bench)\.cpp$|sim/frontend/prelude/"
     # a program of its own; and what formats a kernel's printf, into a string
     r"|sim/fuzz/mutate\.cpp$|sim/simt/print\.cpp$"),
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
    folder = next((f for f in LAYERS if file.startswith(f + "/")), None)
    if folder and top in OURS and top not in LAYERS[folder]:
        yield f"{folder} must not include {top}/"
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
    is_source = file.startswith(("sim/", "app/")) and file.endswith((".h", ".cpp", ".inc"))
    for number, line in enumerate(lines, 1):
        yield from (f"{number}: names the registry {r}" for r in REGISTRIES if r in line)
        include = is_source and re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
        if include:
            yield from (f"{number}: {include[1]}: {p}" for p in check_include(file, include[1]))


def self_test():
    """The rules can fail: each of these breaks one."""
    broken = [("sim/model/banks.cpp", "trace/recorder.h"), ("sim/simt/execute.cpp", "llvm/IR/Module.h"),
              ("sim/simt/lower.cpp", "clang/AST/Decl.h"), ("app/session/session.cpp", "imgui.h"),
              ("app/views/banks.cpp", "GLFW/glfw3.h"), ("app/views/banks.cpp", "cuda.h"),
              ("app/platform/window.cpp", "session/session.h"), ("sim/trace/record.cpp", "iostream")]
    sound = [("sim/simt/lower_types.cpp", "llvm/IR/Module.h"), ("app/views/banks.cpp", "imgui.h"),
             ("sim/model/banks_test.cpp", "cstdio"), ("app/gui.cpp", "views/banks.h")]
    return [f"self-test: {case} was let through" for case in broken if not list(check_include(*case))] + \
        [f"self-test: {case} was refused" for case in sound if list(check_include(*case))]


def main():
    problems = self_test()
    listed = files()
    for file in listed:
        problems += [f"{file}:{p}" for p in check_file(file)]
    print("\n".join(problems) or f"{len(listed)} files keep the rules")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
