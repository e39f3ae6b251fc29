"""One sitting at the real window, with real keys and a real mouse: from the first start to the 32-way
conflict, why, the padding that cures it, a sweep, the comparison with the swizzle, an SVG for the slides, and the
session saved, reopened and found identical."""
import os
import subprocess
import sys
import xml.etree.ElementTree

from support.display import Display
from support.window import Window

BINARY = os.environ["LANESCOPE_BIN"]
TILE, SWIZZLE = "transpose/03_shared_tile", "transpose/11_swizzle"
CONFLICTS = 32 * 32 * 32 * 31  # 1,024 blocks, 32 warps each, 31 too many wavefronts for a load


def conflicts(state):
    return state["totals"]["shared_load"]["conflicts"]


def first_start(window):
    window.settled("the first picture", lambda s: s["whole_grid"])
    window.item(window="tour", id="next")
    window.item(window="tour", id="skip")

    def gone(state):
        return not any(i["window"] == "tour" for i in state["items"])

    while not gone(window.state()):  # the card moves while it settles, away from under the pointer too
        skip = [i for i in window.state()["items"] if i["window"] == "tour" and i["id"] == "skip"]
        if skip:
            left, top, width, height = skip[0]["box"]
            window.display.xdotool("mousemove", int(left + width / 2), int(top + height / 2), "click", 1)
        window.comes(gone, 1)


def cure(window):
    """From the naive kernel to the shared tile, its conflicts, their cause, and the padding."""
    window.find("naive row")
    window.settled("the naive kernel", lambda s: s["kernel"] != TILE and s["totals"])
    window.find("03_shared_tile")
    window.settled("the shared tile's 32-way conflicts",
                   lambda s: s["kernel"] == TILE and s["whole_grid"] and conflicts(s) == CONFLICTS)
    window.find("why")
    window.click(window.item(window="why", starts="declare tile[BDIMY][BDIMX + 1]", scroll=True))
    return window.settled("no conflicts with the padding", lambda s: s["whole_grid"] and conflicts(s) == 0)


def sweep(window):
    window.find("sweep")
    window.wait("every cell of the sweep", lambda s: s["sweep"]["finished"] and s["sweep"]["cells"] > 1)


def compare(window):
    window.find("compare")
    window.click(window.item(window="compare", id="filter"))
    window.typing_in("compare")
    window.type("swizzle")
    window.click(window.item(window="compare", starts="XOR swizzle", scroll=True))
    window.wait("both sides", lambda s: s["comparison"]["kernel"] == SWIZZLE and s["comparison"]["drawn"])


def export(window, folder):
    file = os.path.join(folder, "banks.svg")
    window.key("ctrl+e")
    window.fill_in(file)
    window.wait("the SVG, whole", lambda _: os.path.exists(file) and os.path.getsize(file) > 0)
    root = xml.etree.ElementTree.parse(file).getroot()
    if not root.tag.endswith("svg") or len(list(root.iter())) < 50:
        sys.exit("failed: the exported file is no picture")


def save(window, folder):
    file = os.path.join(folder, "lecture.lanescope")
    window.key("ctrl+shift+s")
    window.fill_in(file)
    window.wait("the session file", lambda _: os.path.exists(file))
    return file


def kept(state):
    return {key: state[key] for key in ("kernel", "settings", "parameters", "totals", "selection")}


def leave(window):
    window.key("ctrl+q")
    try:
        status = window.leave()
    except subprocess.TimeoutExpired:
        sys.exit(f"failed: Ctrl+Q does not end the program: {window.state().get('document')}")
    if status != 0:
        sys.exit(f"failed: exit status {status}")


def main():
    with Display(1600, 1000) as display:
        window = Window(display, BINARY, "--width", "1600", "--height", "1000", tour=True)
        try:
            first_start(window)
            cure(window)
            sweep(window)
            compare(window)
            export(window, display.folder.name)
            before = window.settled("all is done")
            file = save(window, display.folder.name)
            leave(window)
            window = Window(display, BINARY, file, "--width", "1600", "--height", "1000")
            after = window.settled("the session as it was", lambda s: s["whole_grid"])
            if kept(before) != kept(after):
                sys.exit(f"failed: reopened, the session differs:\n{kept(before)}\n{kept(after)}")
            leave(window)
        finally:
            window.kill()
    print("started, found the conflict, cured it, swept, compared, exported, saved, reopened")


if __name__ == "__main__":
    main()
