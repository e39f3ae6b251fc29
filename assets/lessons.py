#!/usr/bin/env python3
"""Draws every scene of every lesson into a folder, in both languages, for a projector and for a desk, before its
questions are answered and after; to be looked at.

Usage: assets/lessons.py BUILD FOLDER [LESSON…]
"""
import os
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOOKS = {"1280x720": (1280, 720, 1.35), "1920x1080": (1920, 1080, 1.25)}


def pictures(folder, lessons):
    for lesson in lessons:
        with open(ROOT / "assets/course/lessons" / lesson / "lesson.toml", "rb") as file:
            scenes = tomllib.load(file)["scene"]
        for number, scene in enumerate(scenes, 1):
            for language in ("en", "zh"):
                for look, (width, height, scale) in LOOKS.items():
                    for answered in (False, True) if scene.get("question") else (True,):
                        name = f"{lesson}-{number}-{scene['id']}{'' if answered else '-asked'}.png"
                        yield ["--lesson", f"{lesson}/{scene['id']}", "--lang", language, "--width", str(width),
                               "--height", str(height), "--scale", str(scale),
                               "--out", str(folder / look / language / name)] + (["--answered"] if answered else [])


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    binary, folder = Path(sys.argv[1]) / "lanescope", Path(sys.argv[2])
    lessons = sys.argv[3:] or sorted(os.listdir(ROOT / "assets/course/lessons"))
    for look in LOOKS:
        for language in ("en", "zh"):
            (folder / look / language).mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        failed = [p for p in workers.map(lambda words: subprocess.run([binary, "render", *words], capture_output=True,
                                                                      text=True), pictures(folder, lessons))
                  if p.returncode != 0]
    for process in failed:
        print(" ".join(map(str, process.args)), process.stderr, file=sys.stderr)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
