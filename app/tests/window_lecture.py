"""The real window in a lecture: the index map large, its journey stepped and played by keys, a drawing on it that
leaves no trace."""
import os
import sys

from support.display import Display
from support.window import Window

BINARY = os.environ["LANESCOPE_BIN"]


def at(access):
    """Whether the selected warp is at an access whose text begins so."""
    return lambda s: s["selection"].get("access", "").startswith(access) and s["selection"]["step"] > 0


def lecture(window, display):
    window.settled("the picture is there", lambda s: s["whole_grid"])
    bar = window.item(id="journey")["box"]
    window.key("ctrl+2")
    window.wait("the index map is larger", lambda s: next(
        i for i in s["items"] if i["id"] == "journey")["box"] != bar)
    display.xdotool("mousemove", 640, 790)
    window.key("Home")
    window.wait("the first step", lambda s: s["selection"]["step"] == 0)

    # One move at a time, there and back; then stage by stage, as other views see it.
    window.key("period")
    window.wait("the first warp loads", at("in["))
    window.key("comma")
    window.wait("and has not yet", lambda s: s["selection"]["step"] == 0)
    window.key("shift+period", "shift+period")
    window.wait("the first warp has stored to the tile", at("tile[threadIdx.y]"))
    window.key("shift+period", "shift+period")
    window.wait("past the barrier, it has read from the tile", at("tile[threadIdx.x]"))
    window.key("shift+comma", "shift+comma", "shift+comma", "shift+comma")
    window.wait("back at the start", lambda s: s["selection"]["step"] == 0)
    window.key("m")
    window.wait("it plays", lambda s: s["selection"]["step"] > 0)
    window.key("m")


def drawing(window, display):
    document = window.state()["document"]
    left, top, _, height = window.item(id="journey")["box"]
    x, y = int(left) + 40, int(top + height) + 120
    window.key("Home", "d")
    window.wait("the pen is out", lambda s: any(i["id"] == "pen" for i in s["items"]))
    clean = display.picture()
    pink = (0xFF, 0x8A, 0xD0)
    count = lambda p: sum(p.pixel(x + 15 * i, y + 4 * i) == pink for i in range(1, 11))
    before = count(clean)
    # Again until the pen has been taken: what moves before that moves the picture.
    for _ in range(20):
        display.xdotool("mousemove", x, y, "mousedown", 1)
        for i in range(1, 12):
            display.xdotool("mousemove", x + 15 * i, y + 4 * i)
        display.xdotool("mouseup", 1)
        if count(display.picture()) >= before + 6:
            break
    display.wait_for("a stroke is seen", lambda p: count(p) >= before + 6, window.program, 20)
    if window.state()["document"] != document:
        sys.exit("failed: drawing changes the document")
    window.key("shift+e")
    display.wait_for("it is wiped", lambda p: count(p) <= before + 1, window.program)
    window.key("d")


def main():
    with Display(1280, 800) as display:
        window = Window(display, BINARY, "transpose/03_shared_tile")
        try:
            lecture(window, display)
            drawing(window, display)
            window.key("ctrl+q")
            status = window.leave()
        finally:
            window.kill()
        if status != 0:
            sys.exit(f"failed: exit status {status}; a drawing is nothing to be saved")
    print("stepped, played, drew, wiped, left")


if __name__ == "__main__":
    main()
