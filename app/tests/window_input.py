"""The real window under real input: the pointer lights up a lane, keys step, F12 saves a picture, the look is kept."""
import os
import struct
import subprocess
import sys
import zlib

from support.display import PATIENCE, Display
from support.window import Window

BINARY = os.environ["LANESCOPE_BIN"]
KERNEL = "transpose/04_shared_tile_padded"

# Colours of the dark theme, as views/draw/colours.cpp has them (views_test.cpp holds the two together).
LANE, SELECTION, IDEAL = (0x56, 0xB4, 0xE9), (0xFF, 0x8A, 0xD0), (0x1F, 0xA1, 0x87)
FIRST_BANK, LAST_BANK = (0x59, 0x38, 0x88), (0xEB, 0xE3, 0x77)


def count(picture, colour, top=0.0, bottom=1.0):
    """Pixels of exactly this colour in a horizontal band of the screen."""
    bgr = bytes(reversed(colour))
    total = 0
    for y in range(int(picture.height * top), int(picture.height * bottom)):
        row = picture.data[y * picture.stride: y * picture.stride + 4 * picture.width]
        total += sum(row[x:x + 3] == bgr for x in range(0, len(row), 4))
    return total


def find_lane_cell(picture):
    """A point inside a cell of the active mask: the row in the lower part with most of the lane colour."""
    bgr = bytes(reversed(LANE))
    best = (0, 0)
    for y in range(int(picture.height * 0.6), picture.height):
        row = picture.data[y * picture.stride: y * picture.stride + 4 * picture.width]
        best = max(best, (sum(row[x:x + 3] == bgr for x in range(0, len(row), 4)), y))
    y = best[1]
    row = [picture.pixel(x, y) == LANE for x in range(picture.width)]
    runs = [x for x in range(3, picture.width - 3) if all(row[x - 1:x + 2])]
    return (runs[len(runs) // 3], y) if runs else None


def is_whole_png(file):
    """It is there, with its last chunk."""
    try:
        with open(file, "rb") as stream:
            return stream.read().endswith(b"IEND\xaeB`\x82")
    except OSError:
        return False


def check_png(file):
    """A picture of the right size whose pixels are not all alike."""
    with open(file, "rb") as stream:
        data = stream.read()
    width, height = struct.unpack(">II", data[16:24])
    pixels, at = b"", 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        pixels += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    if (width, height) != (1280, 800) or len(set(zlib.decompress(pixels))) < 20:
        sys.exit(f"failed: the saved picture is {width}x{height} or blank")


def main():
    with Display(1280, 800) as display:
        window = Window(display, BINARY, KERNEL)
        program = window.program
        try:
            shown = display.wait_for("the pictures are there",
                                     lambda p: find_lane_cell(p) and count(p, IDEAL) > 100, program)
            x, y = find_lane_cell(shown)
            before = count(shown, SELECTION, 0.05, 0.45)
            display.xdotool("mousemove", x, y)
            display.wait_for("a lane under the pointer lights up in the index map",
                             lambda p: count(p, SELECTION, 0.05, 0.45) > before + 60, program)

            # The first access of the kernel after its first step: the tile's, in all colours of the banks.
            display.xdotool("mousemove", 640, 200, "key", "Home")
            window.settled("the first step", lambda s: s["whole_grid"] and s["selection"]["step"] == 0)
            first = display.picture()
            for _ in range(2):
                display.xdotool("key", "Down")
            stepped = display.wait_for("stepping changes the picture", lambda p: p.differs(first), program)
            display.wait_for("the banks are drawn",
                             lambda p: count(p, FIRST_BANK, 0.4) > 20 and count(p, LAST_BANK, 0.4) > 20, program)
            display.xdotool("key", "bracketright")
            display.wait_for("another warp, another picture", lambda p: p.differs(stepped), program)

            saved = os.path.join(display.folder.name, "lanescope.png")
            display.xdotool("key", "F12")
            display.wait_for("F12 saves a picture", lambda _: is_whole_png(saved), program)
            check_png(saved)
            display.xdotool("key", "ctrl+q")
            status = program.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            sys.exit("failed: Ctrl+Q does not end the program")
        finally:
            program.kill()
            program.wait()
        if status != 0:
            sys.exit(f"failed: exit status {status}")
        with open(os.path.join(display.folder.name, "lanescope", "layout.ini"), encoding="utf-8") as layout:
            if "[Lanescope][Workspace]" not in layout.read():
                sys.exit("failed: the look is not remembered")
    print("lit, stepped, saved, left")


if __name__ == "__main__":
    main()
