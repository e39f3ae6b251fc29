"""The figures in kernels/README.md are those that the program and the recordings give now; and a
figure that is wrong is noticed."""
import os
import re
import sys
from pathlib import Path

ROOT = Path(os.environ["LANESCOPE_SOURCE_DIR"])
sys.path.insert(0, str(ROOT / "assets"))
sys.dont_write_bytecode = True
import figures  # noqa: E402


def with_a_wrong_figure(text):
    """One digit of one count is another."""
    at = re.search(r"(?<=\| )1,048,576(?= \|)", text) or re.search(r"\d,\d{3}", text)
    return text[:at.start()] + "7" + text[at.start() + 1:]


def main():
    tables, page = figures.all_tables(os.environ["LANESCOPE_BIN"]), figures.README.read_text()
    if figures.out_of_date(page, tables):
        return 1
    return 0 if figures.out_of_date(with_a_wrong_figure(page), tables) == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
