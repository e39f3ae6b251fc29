"""The program's own window on a virtual display: found widgets are clicked with a real mouse, and what the window
shows is read from the description that it keeps (`lanescope --describe`)."""
import json
import os
import sys
import time


class Window:
    def __init__(self, display, binary, *arguments, tour=False, **environment):
        self.display = display
        self.file = os.path.join(display.folder.name, "shown.json")
        if os.path.exists(self.file):
            os.remove(self.file)
        self.program = display.start(binary, *arguments, "--describe", self.file, tour=tour, **environment)

    def state(self):
        """What the window shows now; {} before its first frame."""
        try:
            with open(self.file, encoding="utf-8") as file:
                return json.load(file)
        except (FileNotFoundError, ValueError):
            return {}

    def wait(self, what, condition, seconds=30):
        """Polls until condition(state) holds; returns what it gave."""
        deadline = time.monotonic() + seconds
        while True:
            state = self.state()
            try:
                found = state and condition(state)
            except (KeyError, IndexError, TypeError):
                found = None
            if found:
                return found
            if self.program.poll() is not None:
                sys.exit(f"failed: the program left with status {self.program.returncode} before: {what}")
            if time.monotonic() > deadline:
                shown = {key: value for key, value in state.items() if key != "items"}
                labels = sorted({f"{i['window']}: {i['label']}##{i['id']}" for i in state.get("items", []) if "lane " not in i["label"]})
                sys.exit(f"failed: after {seconds} s still not: {what}\nshown: {shown}\nitems: {'; '.join(labels)[-2500:]}")
            time.sleep(0.05)

    def settled(self, what, condition=lambda s: True, seconds=30):
        """The same once nothing is being computed."""
        return self.wait(what, lambda s: not s["busy"] and condition(s) and s, seconds)

    def item(self, label=None, window=None, id=None, starts=None, scroll=False):
        """The first visible widget with this label (or one that starts so), this id, in this window. `scroll` turns
        the wheel over the window until it is seen."""
        def found(state):
            for item in state["items"]:
                if (label is None or item["label"] == label) and (id is None or item["id"] == id) and \
                        (starts is None or item["label"].startswith(starts)) and \
                        (window is None or item["window"] == window) and (not scroll or item["box"][3] > 12):
                    return item
            if scroll:
                self.display.xdotool("click", 5)
                time.sleep(0.3)
            return None
        if scroll:
            self.point(self.item(window=window, id=window))
        return self.wait(f"a widget '{label or starts or id}' in {window or 'any window'}", found)

    def point(self, item, x=0.5, y=0.5):
        left, top, width, height = item["box"]
        self.display.xdotool("mousemove", int(left + x * width), int(top + y * height))

    def click(self, item, x=0.5, y=0.5):
        self.point(item, x, y)
        time.sleep(0.15)  # the widget must have been under the pointer for a frame
        self.display.xdotool("click", 1)
        time.sleep(0.15)

    def key(self, *keys):
        for key in keys:
            self.display.xdotool("key", key)
            time.sleep(0.1)

    def type(self, text):
        self.display.xdotool("type", "--delay", 25, text)
        time.sleep(0.2)

    def leave(self, seconds=20):
        """Waits for the program to end and returns its exit status."""
        return self.program.wait(timeout=seconds)

    def kill(self):
        self.program.kill()
        self.program.wait()
