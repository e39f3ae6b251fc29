"""Idle costs nothing: once the picture is there and nobody touches anything, the program takes no CPU time."""
import os
import sys
import time

from support.display import Display
from support.window import Window

BINARY = os.environ["LANESCOPE_BIN"]
KERNEL = "transpose/04_shared_tile_padded"
SECONDS, MOST = 2.0, 0.05  # how long one looks; the share of a core that idling may take
LOOKS = 60  # until it has come to rest


def cpu_seconds(process):
    """User and system time of all its threads so far."""
    with open(f"/proc/{process.pid}/stat", encoding="utf-8") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def idle_share(process):
    before = cpu_seconds(process)
    time.sleep(SECONDS)
    return (cpu_seconds(process) - before) / SECONDS


def check(process, what):
    # Work that was started just before may still be going on.
    for _ in range(LOOKS):
        share = idle_share(process)
        if share < MOST:
            print(f"{what}: {100 * share:.1f} % of a core")
            return
    sys.exit(f"failed: {what}: {100 * share:.1f} % of a core, at most {100 * MOST:.0f} % is allowed")


def main():
    with Display(1280, 800) as display:
        window = Window(display, BINARY, KERNEL)
        program = window.program
        try:
            window.settled("the kernel has run", lambda s: s.get("whole_grid"))
            check(program, "nothing happens")
            # A pointer that rests on a lane lights it up, once.
            display.xdotool("mousemove", 300, 687)
            window.wait("the pointer is there", lambda s: s["input"]["pointer"] == [300, 687])
            check(program, "the pointer rests")
            # What is busy is seen: this test can fail.
            display.xdotool("key", "Home")
            display.xdotool("key", "space")
            busy = max(idle_share(program) for _ in range(3))
            print(f"playing: {100 * busy:.1f} % of a core")
            if not busy > MOST:
                sys.exit("failed: playing is not seen to cost anything, so this test measures nothing")
        finally:
            program.kill()
            program.wait()


if __name__ == "__main__":
    main()
