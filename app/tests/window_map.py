"""A lecture's way through the index map by real keys and clicks: a conflict, the equation of its banks, the padding
that cures it, the journey played to the barrier, an element followed through both of its warps, and a barrier taken
away: the race that this makes is clicked and seen with both its sides."""
import os
import subprocess
import sys
import xml.etree.ElementTree

from support.display import Display
from support.window import Window

BINARY = os.environ["LANESCOPE_BIN"]
KERNEL = "transpose/05_remapped"  # 32 × 8 threads, PAD 1
PLAYED = ("barrier", "tile_load", "store")


def conflict(window):
    """What one sees first: the load whose lanes wait for each other."""
    state = window.settled("the picture is there", lambda s: s["whole_grid"] and s["map"]["wavefronts"] > 1)
    if state["parameters"]["PAD"] != "1" or not state["totals"]["shared_load"]["conflicts"] or \
            state["map"]["leg"] != "tile_load":
        sys.exit(f"failed: no conflict to begin with: {state['parameters']}, {state['map']}")
    bar = window.item(id="journey")["box"]
    window.key("ctrl+2")
    window.wait("the lecture's map is larger", lambda s: next(
        i for i in s["items"] if i["id"] == "journey")["box"] != bar)


def cure(window):
    """The equation's second side is moved to the padding that is tried, and a click applies it."""
    window.click(window.item(id="equation", window="banks"))
    cured = lambda s: any(i["id"] == "apply pitch" and i["label"] == "PAD = 4" for i in s["items"])
    for _ in range(8):
        if window.comes(cured, 0.5):
            break
        window.click(window.item(label="+", id="pitch", window="banks"))
    window.click(window.item(label="PAD = 4", window="banks"))
    window.settled("no conflict is left", lambda s: s["parameters"]["PAD"] == "4" and s["whole_grid"] and
                   not s["totals"]["shared_load"]["conflicts"])


def to_the_barrier(window):
    """The element is named in the palette, and the journey is played until it waits in the tile."""
    window.display.xdotool("mousemove", 640, 795)  # where it lights up nothing
    window.find("in[5][3]")
    way = window.wait("the element is pinned", lambda s: s["map"]["pinned"] == "in[5][3]" and s["map"]["way"])
    if way != [[5, 3, "in[5][3]"], [5, 3, "tile[5][3]"], [0, 29, "tile[5][3]"], [0, 29, "out[3][5]"]]:
        sys.exit(f"failed: the element's way is {way}")
    window.key("Home")
    window.wait("back at the start", lambda s: s["map"]["leg"] == "start")
    window.key("m")
    window.wait("it has played to the barrier", lambda s: s["map"]["leg"] in PLAYED)
    window.key("m")
    window.wait("it stands", lambda s: not s["map"]["playing"])
    while window.state()["map"]["leg"] in PLAYED:
        before = window.state()["map"]["position"]
        window.key("shift+comma")
        window.wait("a stage back", lambda s: s["map"]["position"] < before)
    window.key("shift+period")
    window.wait("at the barrier, the element waits in the tile",
                lambda s: s["map"]["leg"] == "barrier" and s["map"]["in_cells"] == ["tile[5][3]"] and
                "in_lane" not in s["map"])


def drawing(session, file):
    """The map of a session as an SVG: its texts in one, and the whole file."""
    done = subprocess.run([BINARY, "render", session, "--view", "index_map", "--out", file], capture_output=True,
                          text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"failed: render: {done.stderr}")
    root = xml.etree.ElementTree.parse(file).getroot()
    with open(file, encoding="utf-8") as stream:
        return [t.text for t in root.iter("{http://www.w3.org/2000/svg}text")], stream.read()


def export(window, folder):
    """A picture for the slides is of this moment, in the colours that were chosen, and has nothing to press."""
    drawn = []
    for name, key in (("elements", None), ("banks", "c")):
        if key:
            window.key(key)
        session = os.path.join(folder, name + ".lanescope")
        window.key("ctrl+shift+s")
        window.fill_in(session)
        window.wait("the session is saved", lambda s, session=session: s["document"]["notice"] == session)
        drawn.append(drawing(session, os.path.join(folder, name + ".svg")))
    window.key("c")
    if drawn[0][1] == drawn[1][1]:
        sys.exit("failed: the SVG is the same in colours of elements and of banks")
    for texts, _ in drawn:
        if not {"barrier", "load", "in[5][3]"} <= set(texts) or {"pen", "overview", "banks"} & set(texts):
            sys.exit(f"failed: the SVG says {texts}")
        # A space that no viewer drops.
        if not any("barrier:\u00a0every\u00a0warp" in text for text in texts):
            sys.exit(f"failed: words run together: {texts}")


def follow(window):
    """From access to access of this element: the lane that stored it is another than that which picks it up."""
    for place, warp, lane, access in (("in[5][3]", 5, 3, "in["), ("tile[5][3]", 5, None, "tile[threadIdx.y]"),
                                      ("tile[5][3]", 0, 29, "tile[icol]"), ("out[3][5]", 0, None, "out[")):
        window.key("Down")
        window.wait(f"warp {warp} at {access}", lambda s: s["selection"]["warp"] == warp and
                    s["selection"]["access"].startswith(access) and s["map"]["pinned"] == place and
                    s["map"].get("in_lane") == (None if lane is None else [warp, lane]))


def plant(window):
    """The line with the barrier is taken out of the text."""
    file = os.path.join(os.environ["LANESCOPE_SOURCE_DIR"], "kernels", KERNEL + ".cu")
    with open(file, encoding="utf-8") as stream:
        lines = stream.read().split("---*/\n", 1)[1].split("\n")
    window.into_text()
    window.to_line(next(i for i, line in enumerate(lines) if "__syncthreads" in line))
    window.key("shift+End", "Delete")
    return window.settled("the race is found", lambda s: any(d["kind"] == "race" for d in s["diagnostics"]))


def see_race(window, display):
    red = (0xFF, 0x7A, 0x66)

    def message(state):
        number = [i for i, d in enumerate(state["diagnostics"]) if d["kind"] == "race"][0]
        listed = [i for i in state["items"] if i["window"] == "diagnostics" and i["label"] == "message"]
        return listed[number]

    def shown(state):
        told = state.get("map", {})
        return told.get("race") and told.get("pinned", "").startswith("tile[")

    for _ in range(5):  # what the grid's checks find comes into the list, under the pointer too
        window.click(message(window.settled("what is wrong is listed", message)))
        if window.comes(shown, 10):
            break
    window.wait("both sides are shown", shown)
    _, top, _, height = window.item(id="journey")["box"]
    display.wait_for("the map marks them", lambda p: sum(
        p.pixel(x, y) == red for x in range(0, 900, 4) for y in range(int(top + height), 640, 6)) > 40, window.program)


def main():
    with Display(1280, 800) as display:
        window = Window(display, BINARY, KERNEL)
        try:
            conflict(window)
            cure(window)
            to_the_barrier(window)
            export(window, display.folder.name)
            follow(window)
            plant(window)
            see_race(window, display)
            window.key("ctrl+q")
            window.wait("the text is asked about", lambda s: s["document"]["asks"])
            window.click(window.item(label="Discard"))
            status = window.leave()
        finally:
            window.kill()
        if status != 0:
            sys.exit(f"failed: exit status {status}")
    print("saw the conflict, cured it, played to the barrier, followed an element, saw a race")


if __name__ == "__main__":
    main()
