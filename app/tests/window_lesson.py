"""The real window through three whole lessons, by keys and clicks: right answers and wrong ones, "show me", free play
and back to the scene, left and resumed."""
import os
import sys

from support.display import Display
from support.window import Window

BINARY = os.environ["LANESCOPE_BIN"]
LESSONS = ["01_threads", "02_coalescing", "04_banks"]


def lesson(state):
    return state.get("lesson", {})


def button(window, id, label=None):
    """A widget of the lesson, scrolled to if need be."""
    def found(state):
        return next((i for i in state.get("items", []) if i["window"] == "lesson" and i["id"] == id and
                     label in (None, i["label"]) and i["box"][3] > 14), None)
    for wheel in [5] * 12 + [4] * 24:
        if window.comes(found, 0.4):
            return found(window.state())
        left, top, *_ = window.item(id="next", window="lesson")["box"]
        window.display.xdotool("mousemove", int(left) + 60, int(top) - 120, "click", wheel)
    sys.exit(f"failed: no widget {label or id} in the lesson")


def answer(window, pending, right):
    """Gives the right answer, or one that is not."""
    if pending["kind"] == "choice":
        wanted = [c for c in pending["choices"] if (c in pending["answer"].replace(" and ", ", ").split(", ")) == right]
        window.click(button(window, wanted[0]))
    elif pending["kind"] in ("lane", "bank"):
        lane = int(float(pending["answer"].split(",")[0].split(" and ")[0]))
        window.click(button(window, "cell", str(lane if right else (lane + 1) % 32)))
        window.click(button(window, "give"))
    else:
        number = float(pending["answer"].replace("\u202f", "")) + (0 if right else 1)
        window.click(button(window, "answer"))
        window.typing_in("lesson")
        window.key("ctrl+a")
        window.type(f"{number:g}")
        window.key("Return")
    window.wait(f"the answer to {pending['id']} is judged", lambda s: pending["id"] in lesson(s)["answers"])
    given = lesson(window.state())["answers"][pending["id"]]
    if given != ("right" if right else "wrong"):
        sys.exit(f"failed: {pending} was judged {given}, answered {'right' if right else 'wrong'}ly")


def scene(window, number, count):
    """Answers all that a scene asks, the first of every second scene wrongly."""
    window.settled("the scene is computed", lambda s: lesson(s)["computed"] and lesson(s)["at_scene"])
    asked = 0
    while "pending" in lesson(window.state()):
        if not lesson(window.state())["predicting"]:
            sys.exit("failed: a question waits, and nothing is hidden")
        answer(window, lesson(window.state())["pending"], right=(number + asked) % 2 == 0)
        asked += 1
    if lesson(window.state())["predicting"]:
        sys.exit("failed: everything is answered, and results are hidden")
    return asked


def through(window, name):
    """Every scene, by the key of a clicker and by the button in turns."""
    window.wait(f"{name} is open", lambda s: lesson(s)["name"] == name)
    seen, asked = [], 0
    while True:
        now = lesson(window.state())["scene"]
        asked += scene(window, len(seen), asked)
        seen.append(now)
        if len(seen) % 2 or lesson(window.state())["last"]:
            window.click(window.item(id="next", window="lesson"))  # behind the last scene: Done
        else:
            window.key("Next")
        window.wait("the next scene, or the end", lambda s: lesson(s).get("scene") != now)
        if not lesson(window.state()):
            return len(seen), asked


def play(window):
    """Another setting, and back; the answers stay what they are."""
    window.key("ctrl+z")
    window.wait("something else is looked at", lambda s: not lesson(s)["at_scene"])
    window.click(window.item(id="return", window="lesson"))
    window.settled("back at the scene", lambda s: lesson(s)["at_scene"])


def main():
    if not os.path.isdir(os.path.join(os.environ["LANESCOPE_SOURCE_DIR"], "assets", "course", "lessons")):
        return 77
    scenes = questions = 0
    with Display(1280, 800) as display:
        for name in LESSONS:
            window = Window(display, BINARY, "--lesson", name)
            try:
                window.wait("a lesson is open", lambda s: lesson(s)["computed"])
                if name == LESSONS[0]:
                    play(window)
                more, asked = through(window, name)
                scenes, questions = scenes + more, questions + asked
                window.key("ctrl+q")
                status = window.leave()
            finally:
                window.kill()
            if status != 0:
                sys.exit(f"failed: exit status {status}")
        window = Window(display, BINARY, "--lesson", LESSONS[0] + "/edge")
        try:
            window.wait("what was answered is known", lambda s: lesson(s)["scene"] == "edge" and lesson(s)["answers"])
            window.key("ctrl+q")
            window.leave()
        finally:
            window.kill()
    print(f"went through {len(LESSONS)} lessons, {scenes} scenes, {questions} questions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
