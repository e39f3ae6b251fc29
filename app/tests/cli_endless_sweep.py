"""A kernel that never ends, in every cell of a sweep."""
from support.bad_input import tell

CASES = [
    (["sweep", "loop.cu", "--vary", "block=32,64", "--arg", "p=int[1]:zero", "--steps", "20000000"], 1, r"loop\.cu:2:\d+: error: .*endless loop"),
]

if __name__ == "__main__":
    tell(CASES)
