"""The figures in kernels/README.md are those that the program and the recordings give now; and a
figure that is wrong is noticed."""
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(os.environ["LANESCOPE_SOURCE_DIR"])
sys.path.insert(0, str(ROOT / "assets"))
sys.dont_write_bytecode = True
import figures  # noqa: E402


def notices_a_wrong_figure():
    """One digit of one count is changed in a copy of the page."""
    text = figures.README.read_text()
    at = re.search(r"(?<=\| )1,048,576(?= \|)", text) or re.search(r"\d,\d{3}", text)
    copy = Path("figures_README.md").resolve()
    copy.write_text(text[:at.start()] + "7" + text[at.start() + 1:])
    figures.README = copy
    sys.argv = ["figures.py", "--check"]
    noticed = figures.main() == 1
    copy.unlink()
    return noticed


def main():
    done = subprocess.run([sys.executable, ROOT / "assets" / "figures.py", "--check"])
    if done.returncode != 0:
        return 1
    return 0 if notices_a_wrong_figure() else 1


if __name__ == "__main__":
    sys.exit(main())
