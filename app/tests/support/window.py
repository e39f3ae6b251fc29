"""The program's own window on a virtual display: found widgets are clicked with a real mouse, and what the window
shows is read from the description that it keeps (`lanescope --describe`)."""
import json
import os
import sys
import time

from support.display import PATIENCE


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

    def wait(self, what, condition, seconds=PATIENCE):
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

    def comes(self, condition, seconds):
        """Whether condition(state) comes to hold in this time: for what is then tried again."""
        deadline = time.monotonic() + seconds
        while not condition(self.state()) and self.program.poll() is None:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.05)
        return True

    def settled(self, what, condition=lambda s: True, seconds=PATIENCE):
        """The same once nothing is being computed and the views stay where they are."""
        return self.wait(what, lambda s: not s["busy"] and s["arranged"] and condition(s) and s, seconds)

    def item(self, label=None, window=None, id=None, starts=None, scroll=False):
        """The first visible widget with this label (or one that starts so), this id, in this window. `scroll` turns
        the wheel over the window, down or "up", until it is seen."""
        def found(state):
            if not state["arranged"]:
                return None  # what is seen is about to be elsewhere
            for item in state["items"]:
                if (label is None or item["label"] == label) and (id is None or item["id"] == id) and \
                        (starts is None or item["label"].startswith(starts)) and \
                        (window is None or item["window"] == window) and (not scroll or item["box"][3] > 12):
                    return item
            if scroll:
                self.display.xdotool("click", 4 if scroll == "up" else 5)
                self.comes(lambda s: s.get("items") != state["items"], 1)
            return None
        if scroll:
            self.point(self.item(window=window, id=window))
        return self.wait(f"a widget '{label or starts or id}' in {window or 'any window'}", found)

    def point(self, item, x=0.5, y=0.5):
        """Returns when a frame has seen the pointer there."""
        left, top, width, height = item["box"]
        at = [int(left + x * width), int(top + y * height)]
        self.display.xdotool("mousemove", *at)
        self.wait(f"the pointer at {at}", lambda s: s["input"]["pointer"] == at)

    def click(self, item, x=0.5, y=0.5):
        """Follows a widget that moves away while the pointer comes, where no other is called the same."""
        def same(other):
            return all(other[key] == item[key] for key in ("window", "id", "label"))

        self.point(item, x, y)
        for _ in range(20):
            now = [other for other in self.state().get("items", []) if same(other)]
            if len(now) != 1 or now[0]["box"] == item["box"]:
                break
            item = now[0]
            self.point(item, x, y)
        self.display.xdotool("click", 1)

    def key(self, *keys):
        """Presses them one after the other, each for half of the delay: a key that is pressed again within 20 ms of its
        release looks to GLFW like one that is held down."""
        self.display.xdotool("key", "--delay", 60, *keys)

    def type(self, text):
        self.display.xdotool("type", "--delay", 12, text)

    def fill_in(self, path):
        """Answers the file dialog that is open with a path."""
        self.typing_in(self.item(id="path")["window"])
        self.key("ctrl+a")
        self.type(path)
        self.key("Return")

    def find(self, words):
        """Through the palette: Ctrl+P, a few letters, Enter."""
        self.key("ctrl+p")
        self.typing_in(self.item(id="query")["window"])
        self.type(words)
        self.key("Return")

    def typing_in(self, window):
        """Waits until a text in this window has the keyboard."""
        self.wait(f"the keyboard is in {window}",
                  lambda s: s["input"]["typing"] and s["input"]["keyboard"] == window)

    def into_text(self):
        """Puts the cursor at the start of the text."""
        def typing(state):
            return state["input"]["typing"] and state["input"]["keyboard"] == "source"

        self.wait("the views stay where they are", lambda s: s["arranged"])
        for _ in range(20):  # a view may move while it settles, under the pointer too
            box = self.wait("the text is in sight",
                            lambda s: [i["box"] for i in s["items"] if i["id"].startswith("source/text")])[0]
            self.display.xdotool("mousemove", int(box[0] + 118), int(box[1] + 11), "click", 1)
            if self.comes(typing, 6):
                break
        self.wait("the text takes the keyboard", typing)
        self.key("Home")

    def to_line(self, line):
        """Puts the cursor, which is in the text, at the start of this line, from 0: a key that came too early for a
        window under load is pressed again."""
        for _ in range(20):
            self.key("ctrl+Home", *["Down"] * line, "Home")
            if self.comes(lambda s: s["input"]["line"] == line, 5):
                return
        sys.exit(f"failed: the cursor does not come to line {line}, but to {self.state()['input']['line']}")

    def leave(self, seconds=PATIENCE):
        """Waits for the program to end and returns its exit status."""
        return self.program.wait(timeout=seconds)

    def kill(self):
        self.program.kill()
        self.program.wait()
