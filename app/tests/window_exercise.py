"""An exercise in the real window, solved by typing: a wrong answer, a text that does not compile, a hint, the right
answer; two more from its list; progress that outlives the window."""
import os
import sys

from support.display import Display, need
from support.window import Window

BINARY = os.environ["LANESCOPE_BIN"]
PADDING, GUARD, ROWS = "09_pad_the_square", "01_guard", "03_along_rows"


def judged(window, what, name, **wanted):
    """Once the newest text has been judged."""
    def fits(state):
        exercise = state["exercise"]
        return exercise["name"] == name and not exercise["judging"] and \
            all(exercise[key] == value for key, value in wanted.items()) and exercise
    return window.wait(what, fits)


def to_line(window, name, words):
    """Puts the cursor at the start of the first line of the kernel that holds these words of its starting text."""
    file = os.path.join(os.environ["LANESCOPE_SOURCE_DIR"], "assets/course/exercises", name, "start.cu")
    with open(file, encoding="utf-8") as stream:
        kernel = stream.read().split("---*/\n", 1)[1].split("\n")
    window.into_text()
    window.to_line(next(i for i, line in enumerate(kernel) if words in line))


def solve_padding(window):
    window.settled("the starting text is shown")
    started = judged(window, "it is judged", PADDING, solved=False)
    to_line(window, PADDING, "#define PAD 0")
    window.key("End", "BackSpace")
    window.type("2")
    window.wait("it is typed", lambda s: s["document"]["edited"])
    judged(window, "an even padding is no solution", PADDING, solved=False)
    window.key("BackSpace")
    window.type("@")
    judged(window, "what does not compile reaches nothing", PADDING, solved=False, passed=0)
    window.key("BackSpace")
    window.click(window.item(id="hint", window="exercise", scroll=True))
    window.wait("a hint is shown", lambda s: s["exercise"]["progress"]["hints"] == 1)
    to_line(window, PADDING, "#define PAD 0")
    window.key("End")
    window.type("1")
    done = judged(window, "an odd padding solves it", PADDING, solved=True)
    if not started["passed"] < done["passed"] == done["goals"]:
        sys.exit(f"failed: {started} before, {done} afterwards")
    window.wait("that is noted", lambda s: s["exercise"]["progress"]["solved"])


def open_another(window, name):
    """From the list, past the question about the text that would be lost."""
    window.click(window.item(id="all exercises", window="exercise", scroll="up"))
    window.click(window.item(id=name, window="exercise", scroll=True))
    window.wait("the text of the last one is asked about", lambda s: s["document"]["asks"])
    window.click(window.item(label="Discard"))
    judged(window, "the next one is judged", name, solved=False)


def solve_guard(window):
    open_another(window, GUARD)
    to_line(window, GUARD, "out[i] = in[i];")
    window.type("if (ix < nx && iy < ny) ")
    judged(window, "the guard solves it", GUARD, solved=True)


def solve_rows(window):
    """Two lines: with one of them put right, the threads of a block all come to its diagonal."""
    open_another(window, ROWS)
    for line, wrong, right, solved in (("int ix", "y;", "x;", False), ("int iy", "x;", "y;", True)):
        to_line(window, ROWS, line)
        window.key("End", *["BackSpace"] * len(wrong))
        window.type(right)
        window.wait(f"{line} is typed", lambda s: s["document"]["edited"])
        judged(window, f"after {line} it is {'' if solved else 'not '}solved", ROWS, solved=solved)


def main():
    need("Xvfb", "xdotool")
    with Display() as display:
        window = Window(display, BINARY, "--exercise", "pad_the_square")
        solve_padding(window)
        solve_guard(window)
        solve_rows(window)
        window.key("ctrl+q")
        window.wait("the text is asked about", lambda s: s["document"]["asks"])
        window.click(window.item(label="Discard"))
        if window.program.wait(timeout=60) != 0:
            sys.exit("failed: the window does not end well")
        window = Window(display, BINARY, "--exercise", GUARD)
        judged(window, "the starting text again", GUARD, solved=False)
        window.wait("and what was reached is remembered", lambda s: s["exercise"]["progress"]["solved"])
        window.program.terminate()


if __name__ == "__main__":
    main()
