"""A virtual X display for tests: real windows, real key and mouse events, and the pixels that result."""
import ctypes
import mmap
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time

SKIP = 77  # what ctest takes for "skipped"
PATIENCE = 120  # seconds after which a state that does not come is a failure; no test is faster or slower for it


def need(*programs):
    """Ends the test as skipped when a program it needs is not installed."""
    missing = [p for p in programs if not shutil.which(p)]
    if missing:
        print("skipped:", ", ".join(missing), "not installed")
        sys.exit(SKIP)


class Picture:
    """The screen at one moment: pixel(x, y) -> (red, green, blue)."""

    def __init__(self, width, height, stride, data):
        self.width, self.height, self.stride, self.data = width, height, stride, data

    def pixel(self, x, y):
        at = y * self.stride + 4 * x
        blue, green, red = self.data[at:at + 3]
        return red, green, blue

    def colours(self, step=4):
        """How often each colour occurs, looking at every `step`th pixel of every `step`th row."""
        counts = {}
        for y in range(0, self.height, step):
            row = self.data[y * self.stride: y * self.stride + 4 * self.width]
            for x in range(0, 4 * self.width, 4 * step):
                bgr = row[x:x + 3]
                counts[bgr] = counts.get(bgr, 0) + 1
        return counts

    def differs(self, other):
        """Whether any pixel differs."""
        return self.data != other.data


class Display:
    """Xvfb with its frame buffer mapped from a file, which needs no screenshot program; its keys do not repeat."""

    def __init__(self, width=1280, height=800):
        need("Xvfb", "xdotool")
        self.folder = tempfile.TemporaryDirectory(prefix="lanescope_display_")
        read_end, write_end = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write_end), "-screen", "0", f"{width}x{height}x24",
             "-fbdir", self.folder.name, "-nolisten", "tcp", "-r"],
            pass_fds=[write_end], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write_end)
        with os.fdopen(read_end) as pipe:
            number = pipe.readline().strip()
        if not number:
            raise RuntimeError("Xvfb did not start")
        self.environment = dict(os.environ, DISPLAY=":" + number, HOME=self.folder.name,
                                XDG_CONFIG_HOME=self.folder.name)
        self.environment.pop("WAYLAND_DISPLAY", None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()
        self.folder.cleanup()

    def start(self, *command, tour=False, **environment):
        """Starts a program on this display, in a folder of its own. A fresh folder means a first start, whose tour
        a script does not want in its way."""
        if not tour and os.path.basename(command[0]) == "lanescope":
            command = (command[0], "--no-tour", *command[1:])
        return subprocess.Popen(command, env=dict(self.environment, **environment), cwd=self.folder.name)

    def xdotool(self, *arguments):
        """Real input: xdotool("mousemove", "100", "50", "click", "1")."""
        subprocess.run(["xdotool", *map(str, arguments)], env=self.environment, check=True)

    def ask_to_close(self, window):
        """What a window manager sends when the frame's button is pressed; there is none here."""
        x = ctypes.CDLL("libX11.so.6")
        x.XOpenDisplay.restype = ctypes.c_void_p
        x.XInternAtom.restype = ctypes.c_ulong
        server = ctypes.c_void_p(x.XOpenDisplay(self.environment["DISPLAY"].encode()))
        protocols, delete = (x.XInternAtom(server, name, False) for name in (b"WM_PROTOCOLS", b"WM_DELETE_WINDOW"))
        # XClientMessageEvent: type, serial, send_event, display, window, message_type, format, data
        message = struct.pack("@iLiPLLi5l", 33, 0, 1, 0, int(window), protocols, 32, delete, 0, 0, 0, 0)
        event = ctypes.create_string_buffer(message, 192)
        x.XSendEvent(server, ctypes.c_ulong(int(window)), False, ctypes.c_long(0), event)
        x.XCloseDisplay(server)

    def picture(self):
        """What is on the screen now (an XWD dump: a header in big-endian words, then the rows)."""
        with open(os.path.join(self.folder.name, "Xvfb_screen0"), "rb") as stream, \
                mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as dump:
            words = struct.unpack(">25I", dump[:100])
            header, width, height, stride, colours = words[0], words[4], words[5], words[12], words[19]
            start = header + 12 * colours
            return Picture(width, height, stride, dump[start:start + stride * height])

    def wait_for(self, what, condition, program=None, seconds=PATIENCE):
        """Polls until condition(picture) holds and returns that picture. Fails the test when time is
        up or `program` has left."""
        deadline = time.monotonic() + seconds
        while True:
            picture = self.picture()
            if condition(picture):
                return picture
            if program and program.poll() is not None:
                sys.exit(f"failed: the program left with status {program.returncode} before: {what}")
            if time.monotonic() > deadline:
                sys.exit(f"failed: after {seconds} s still not: {what}")
            time.sleep(0.1)
