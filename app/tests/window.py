"""The real window on a virtual display: it opens, shows something, obeys the keyboard and leaves."""
import os
import subprocess
import sys

from support.display import PATIENCE, Display

BINARY = os.environ["LANESCOPE_BIN"]


def main():
    with Display(1280, 800) as display:
        program = display.start(BINARY)
        try:
            # An empty X screen is black throughout.
            shown = display.wait_for("something is drawn", lambda p: set(p.colours()) != {b"\0\0\0"},
                                     program)
            print(f"{len(shown.colours())} colours on {shown.width}x{shown.height}")
            display.xdotool("mousemove", 640, 400, "key", "ctrl+q")
            status = program.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            sys.exit("failed: Ctrl+Q does not end the program")
        finally:
            program.kill()
            program.wait()
        if status != 0:
            sys.exit(f"failed: exit status {status}")
    print("opened, drew, left")


if __name__ == "__main__":
    main()
