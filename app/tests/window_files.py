"""Files in the real window, under real keys: open, type, save, the questions before a text is lost, broken and
endless kernels while one types, a crash, settings that cannot be written, sessions whole and corrupt, export."""
import json
import os
import signal
import subprocess
import sys

from support.display import PATIENCE, Display
from support.window import Window

BINARY = os.environ["LANESCOPE_BIN"]

KERNEL = """// A kernel of somebody's own.
__global__ void mine(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}
"""
ENDLESS = KERNEL.replace("  if (i", "  for (volatile int k = 0; k >= 0;) k = 0;\n  if (i")


class FilesWindow(Window):
    """With a folder for what is recovered, and what this script asks of it."""

    def __init__(self, display, *arguments, **environment):
        super().__init__(display, BINARY, *arguments, tour=True, XDG_STATE_HOME=display.folder.name + "/state",
                         **environment)

    def document(self, what, **wanted):
        return self.wait(what, lambda s: all(s.get("document", {}).get(k) == v for k, v in wanted.items()))

    def path(self, keys, path, open_=True):
        """Opens a dialog and answers it with a path."""
        self.key(keys)
        self.document("a dialog", dialog=True)
        self.fill_in(path)
        if open_:
            self.document("the dialog closes", dialog=False)

    def leave(self):
        self.key("ctrl+q")
        try:
            if self.program.wait(timeout=PATIENCE) != 0:
                sys.exit(f"failed: exit status {self.program.returncode}")
        except subprocess.TimeoutExpired:
            sys.exit("failed: Ctrl+Q does not end the program")


def content(path):
    with open(path, encoding="utf-8") as stream:
        return stream.read()


def edit(window, file):
    """Runs at once, is edited, saved, broken and mended."""
    window.wait("a file without front matter runs", lambda s: s.get("whole_grid") and not s["stale"])
    window.into_text()
    window.type("// typed ")
    window.document("typing is noticed", unsaved=True)
    window.key("ctrl+s")
    window.document("saved", unsaved=False)
    if content(file) != "// typed " + KERNEL:
        sys.exit(f"failed: the file is not what was typed: {content(file)!r}")
    window.into_text()
    window.type("@")
    window.wait("a broken text is said", lambda s: s["stale"] and s["diagnostics"])
    window.key("BackSpace")
    window.wait("mended", lambda s: not s["stale"] and not s["busy"])
    window.document("as it was saved", unsaved=False)


def endless(window, file):
    """Another program writes a kernel that never ends; one goes on typing."""
    with open(file, "w", encoding="utf-8") as stream:
        stream.write(ENDLESS)
    window.wait("the endless kernel runs", lambda s: s["busy"])
    for _ in range(2):
        window.into_text()
        window.type("// still alive ")
        noticed = window.wait("typing goes on", lambda s: s["document"]["unsaved"] and s)
        # Had the window waited for the kernel, it would have waited until the step budget was spent, which is told.
        if not noticed["busy"] or noticed["diagnostics"]:
            sys.exit("failed: the window does not keep up while an endless kernel runs")
        window.key(*["BackSpace"] * 15)
        window.document("and back", unsaved=False)
    with open(file, "w", encoding="utf-8") as stream:
        stream.write(KERNEL)
    window.wait("the sound kernel is back", lambda s: not s["busy"] and not s["stale"] and not s["diagnostics"])


def guard(window):
    """An unsaved text is not lost unasked."""
    window.into_text()
    window.type("// precious ")
    window.key("ctrl+q")
    window.document("quitting asks", asks=True)
    window.key("Escape")
    window.document("and may be called off", asks=False, unsaved=True)


def crash(display, window, file):
    """A killed program's text is there again, once it has been put by."""
    kept = os.path.join(display.folder.name, "state", "lanescope", f"recovery-{window.program.pid}.lanescope")
    window.wait("the text is put by", lambda _: os.path.exists(kept) and "// precious " in content(kept))
    window.program.send_signal(signal.SIGKILL)
    window.program.wait()
    again = FilesWindow(display, file)
    again.document("what was not saved is offered", asks=True)
    again.key("Return")
    again.document("and taken up again", asks=False, unsaved=True)
    again.key("ctrl+s")
    again.document("saved at last", unsaved=False)
    if not content(file).startswith("// precious "):
        sys.exit(f"failed: the text of the crash is not what was typed: {content(file)[:80]!r}")
    return again


def render(session, out, *flags):
    return subprocess.run([BINARY, "render", session, "--out", out, *flags], capture_output=True, text=True, check=False)


def sessions(window, folder):
    """Saved, opened, drawn: the same every time. A corrupt one is refused, here and on the command line."""
    first, second, bad = (os.path.join(folder, n) for n in ("a.lanescope", "b.lanescope", "bad.lanescope"))
    window.path("ctrl+shift+s", first)
    window.wait("the session is saved", lambda s: s["document"]["notice"] == first)
    with open(bad, "w", encoding="utf-8") as stream:
        stream.write(content(first)[:200] + "@")
    window.path("ctrl+o", bad)
    before = window.wait("a corrupt session is refused", lambda s: "bad.lanescope:" in s["document"]["notice"] and s)
    if before["document"]["name"] != "f.cu":
        sys.exit("failed: a corrupt session has changed what is shown")
    refused = render(bad, os.path.join(folder, "bad.png"))
    if refused.returncode != 2 or "error: not a session" not in refused.stderr:
        sys.exit(f"failed: a corrupt session on the command line: {refused.returncode} {refused.stderr}")
    window.key("F1")  # something else in between
    window.key("F1")
    window.path("ctrl+o", first)
    window.wait("the session is open", lambda s: s["document"]["notice"] == first and not s["busy"])
    window.path("ctrl+shift+s", second)
    window.wait("saved again", lambda s: s["document"]["notice"] == second)
    one, two = json.loads(content(first)), json.loads(content(second))
    if one["settings"] != two["settings"] or one["selection"] != two["selection"]:
        sys.exit("failed: the session that was opened is not the one that was saved")
    # One view after the other: the window's status bar says how long things took, which is never the same.
    for view in ("index_map", "sectors", "timeline"):
        pictures = []
        for session in (first, second):
            out = os.path.join(folder, "view.png")
            done = render(session, out, "--view", view)
            if done.returncode != 0:
                sys.exit(f"failed: render {done.returncode} {done.stderr}")
            with open(out, "rb") as stream:
                pictures.append(stream.read())
        if pictures[0] != pictures[1]:
            sys.exit(f"failed: the same session draws two pictures of {view}")


def export(window, folder):
    """The dialog writes a picture of a size that is one."""
    out = os.path.join(folder, "window.png")
    window.path("ctrl+e", out)
    window.wait("exported", lambda s: s["document"]["notice"] == out)
    if os.path.getsize(out) < 10_000:
        sys.exit("failed: the exported picture is empty")


def main():
    with Display(1280, 800) as display:
        folder = display.folder.name
        file = os.path.join(folder, "f.cu")
        with open(file, "w", encoding="utf-8") as stream:
            stream.write(KERNEL)
        window = FilesWindow(display, file)
        try:
            edit(window, file)
            endless(window, file)
            guard(window)
            window = crash(display, window, file)
            sessions(window, folder)
            export(window, folder)
            window.leave()
            # Settings that cannot be kept are no reason not to work.
            window = FilesWindow(display, file, XDG_CONFIG_HOME="/dev/null")
            window.wait("it runs without a settings folder", lambda s: s.get("whole_grid"))
            window.document("and says so", notice=window.state()["document"]["notice"])
            window.leave()
        finally:
            if window.program.poll() is None:
                window.program.kill()
                window.program.wait()
    print("edited, saved, survived, came back the same")


if __name__ == "__main__":
    main()
