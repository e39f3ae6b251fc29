"""The presenter's window: opened by its key, turned by a clicker's keys, closed by its frame, and open when the program
ends."""
import os
import subprocess
import sys

from support.display import Display
from support.window import Window

BINARY = os.environ["LANESCOPE_BIN"]
LESSON = "04_banks"


def presenter(display):
    """The X window's number; None if there is none."""
    found = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "^Presenter$"], env=display.environment,
                           capture_output=True, text=True, check=False).stdout.split()
    return found[0] if found else None


def shown(window, there):
    window.wait(f"the presenter's window is {'there' if there else 'gone'}",
                lambda s: s["lesson"]["presenter_window"] == there and bool(presenter(window.display)) == there)


def main():
    with Display(1280, 800) as display:
        window = Window(display, BINARY, "--lesson", LESSON, "--width", "1280", "--height", "800")
        try:
            window.settled("the lesson is open", lambda s: s["lesson"]["computed"])
            display.xdotool("mousemove", 1200, 700)
            window.key("F9")
            shown(window, True)
            number = presenter(display)
            # Beside the lesson's window, as on a second monitor: what is drawn there is seen.
            display.xdotool("windowmove", number, 0, 100)
            display.wait_for("notes are drawn", lambda p: len({p.pixel(x, y) for x in range(20, 500, 2)
                                                               for y in range(120, 400, 5)}) > 8, window.program)
            # Keys go to the window under the pointer, as there is no window manager.
            display.xdotool("mousemove", 400, 400, "key", "Next")
            window.wait("the next scene", lambda s: s["lesson"]["scene"] == "wrap")
            display.xdotool("key", "Prior")
            window.wait("and back", lambda s: s["lesson"]["scene"] == "words")
            display.ask_to_close(number)
            shown(window, False)
            display.xdotool("mousemove", 1200, 700)
            window.key("F9")
            shown(window, True)
            window.key("ctrl+q")
            status = window.leave()
        finally:
            window.kill()
        if status != 0:
            sys.exit(f"failed: exit status {status}")
    print("opened, turned, closed, left")


if __name__ == "__main__":
    main()
