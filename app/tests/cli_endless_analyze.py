"""A kernel that never ends: `analyze` says so, with the line, once the step budget is spent."""
from support.bad_input import analyze, tell

CASES = [
    (analyze("loop.cu", "--block", "32", "--arg", "p=int[1]:zero", "--steps", "20000000"), 1, r"loop\.cu:2:\d+: error: .*endless loop"),
]

if __name__ == "__main__":
    tell(CASES)
