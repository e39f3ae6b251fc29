#!/usr/bin/env python3
"""Draws every view, and the window, in every look, and puts thumbnails with labels into a few PNGs:

    assets/contact_sheet.py [--lanescope build/lanescope] [--out assets/screenshots] [--full FOLDER] [--view NAME]...

Full-size pictures stay in --full, to look at one by one; without it they are thrown away. Needs Pillow, which the
program itself does not: apt-get install python3-pil."""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

from outputs import view_names

try:
    from PIL import Image, ImageDraw, ImageFont
except ImportError:
    sys.exit(f"contact_sheet.py: {sys.executable} has no Pillow; on Debian: apt-get install python3-pil, "
             "and run this with /usr/bin/python3")

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), ".."))
KERNEL = "transpose/04_shared_tile_padded"
SETTINGS = ["--set", "PAD=0"]  # a conflict to look at
SIZES = [(1280, 800, 1), (1920, 1080, 1), (1920, 1080, 2)]
LANGUAGES, THEMES = ["en", "zh"], ["dark", "light"]
# What shows more than a transpose would.
OTHER_KERNEL = {"diagnostics": ("broken/01_missing_barrier", []),
                "compare": (KERNEL, SETTINGS + ["--with", "transpose/11_swizzle"])}
WINDOW_LAYOUTS = ["explore", "lecture", "compare", "projector"]
THUMBNAIL, LABEL, GAP, COLUMNS = 340, 20, 6, 6
COLOURS = 200  # of a sheet's palette
MOST_BYTES = 3 << 20


class Picture:
    """One picture to be drawn."""

    def __init__(self, view, language, theme, size, layout=""):
        self.view, self.language, self.theme, self.size, self.layout = view, language, theme, size, layout
        width, height, scale = size
        scaled = f" {100 * scale} %" if scale != 1 else ""
        self.label = f"{view} {layout} {language} {theme} {width}x{height}{scaled}".replace("  ", " ")
        self.file = re.sub(r"[^\w.-]+", "_", self.label.replace("%", "")) + ".png"

    def command(self, lanescope, folder):
        kernel, settings = OTHER_KERNEL.get(self.view, (KERNEL, SETTINGS))
        width, height, scale = self.size
        layout = ["--layout", self.layout] if self.layout else []
        return [lanescope, "render", kernel, *settings, "--view", self.view, "--out", os.path.join(folder, self.file),
                "--width", str(width), "--height", str(height), "--scale", str(scale), "--theme", self.theme,
                "--lang", self.language, *layout]


def wanted(views):
    """By sheet: its name and its pictures."""
    sheets = {}
    for size in SIZES:
        name = f"contact-{size[0]}x{size[1]}" + (f"-{100 * size[2]}" if size[2] != 1 else "")
        sheets[name] = [Picture(view, language, theme, size)
                        for view in views for language in LANGUAGES for theme in THEMES]
    if "window" in views:
        sheets["contact-layouts"] = [Picture("window", language, theme, size, layout)
                                     for layout in WINDOW_LAYOUTS
                                     for language, theme in [("en", "dark"), ("zh", "light"), ("en", "high-contrast")]
                                     for size in SIZES[:2]]
    return sheets


def draw(picture, lanescope, folder):
    """What went wrong, or "". A kernel that is wrong on purpose is drawn, and gives 1."""
    done = subprocess.run(picture.command(lanescope, folder), capture_output=True, text=True)
    drawn = os.path.exists(os.path.join(folder, picture.file))
    if done.returncode > 1 or not drawn:
        return f"{picture.label}: exit status {done.returncode}: {done.stderr.strip()}"
    return ""


def label_font():
    for name in ("Inter-Regular.otf", "DejaVuSans.ttf"):
        for folder in ("/usr/share/fonts/opentype/inter", "/usr/share/fonts/truetype/dejavu"):
            if os.path.exists(os.path.join(folder, name)):
                return ImageFont.truetype(os.path.join(folder, name), 11)
    return ImageFont.load_default()


def assemble(pictures, folder):
    """Thumbnails in rows, each over its label, in few colours."""
    font = label_font()
    width, height, _ = pictures[0].size
    tall = max(round(THUMBNAIL * p.size[1] / p.size[0]) for p in pictures)
    rows = -(-len(pictures) // COLUMNS)
    sheet = Image.new("RGB", (COLUMNS * (THUMBNAIL + GAP) + GAP, rows * (tall + LABEL + GAP) + GAP), (90, 90, 96))
    pen = ImageDraw.Draw(sheet)
    for index, picture in enumerate(pictures):
        x = GAP + index % COLUMNS * (THUMBNAIL + GAP)
        y = GAP + index // COLUMNS * (tall + LABEL + GAP)
        with Image.open(os.path.join(folder, picture.file)) as full:
            small = full.convert("RGB").resize((THUMBNAIL, round(THUMBNAIL * full.height / full.width)), Image.LANCZOS)
        sheet.paste(small, (x, y))
        pen.text((x + 2, y + tall + 3), picture.label, font=font, fill=(255, 255, 255))
    return sheet.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lanescope", default=os.path.join(ROOT, "build", "lanescope"))
    parser.add_argument("--out", default=os.path.join(ROOT, "assets", "screenshots"))
    parser.add_argument("--full", help="keep the full-size pictures in this folder")
    parser.add_argument("--view", action="append", help="only this view; may be repeated")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if not os.path.exists(options.lanescope):
        sys.exit(f"contact_sheet.py: there is no {options.lanescope}; build first, or name it with --lanescope")
    views = options.view or view_names(options.lanescope)
    sheets = wanted(views)
    scratch = tempfile.TemporaryDirectory(prefix="lanescope_sheet_")
    folder = options.full or scratch.name
    os.makedirs(folder, exist_ok=True)
    os.makedirs(options.out, exist_ok=True)
    pictures = {p.file: p for sheet in sheets.values() for p in sheet}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        problems = [p for p in pool.map(lambda p: draw(p, options.lanescope, folder), pictures.values()) if p]
    if problems:
        sys.exit("\n".join(problems))
    total = 0
    for name, sheet in sheets.items():
        file = os.path.join(options.out, name + ".png")
        assemble(sheet, folder).save(file, optimize=True)
        total += os.path.getsize(file)
        print(f"{file}: {len(sheet)} pictures, {os.path.getsize(file) // 1024} KiB")
    if not options.view and total > MOST_BYTES:
        sys.exit(f"contact_sheet.py: {total} bytes in all, more than the {MOST_BYTES} that a repository should carry")


if __name__ == "__main__":
    main()
