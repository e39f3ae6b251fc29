"""An installed tree may be moved: it is installed below DESTDIR, moved, and runs a kernel and draws a picture from
where it then is, with its own kernels and fonts and nothing of the build tree."""
import os
import shutil
import subprocess
import sys
import tempfile

BUILD = os.path.dirname(os.environ["LANESCOPE_BIN"])
WANTED = ["bin/lanescope", "share/lanescope/kernels/transpose", "share/lanescope/fonts", "share/lanescope/translations",
          "share/lanescope/measurements", "share/lanescope/templates", "share/applications/lanescope.desktop",
          "share/icons/hicolor/scalable/apps/lanescope.svg", "share/mime/packages/lanescope.xml",
          "share/doc/lanescope/copyright"]


def run(*command, **environment):
    done = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ, **environment), check=False)
    if done.returncode != 0:
        sys.exit(f"failed: {' '.join(command)}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def main():
    with tempfile.TemporaryDirectory(prefix="lanescope_install_") as folder:
        run("cmake", "--install", BUILD, "--prefix", "/opt/lanescope", DESTDIR=os.path.join(folder, "staged"))
        tree = os.path.join(folder, "somewhere else")
        shutil.move(os.path.join(folder, "staged", "opt", "lanescope"), tree)
        missing = [name for name in WANTED if not os.path.exists(os.path.join(tree, name))]
        if missing:
            sys.exit(f"failed: not installed: {', '.join(missing)}")
        lanescope = os.path.join(tree, "bin", "lanescope")
        if "result  correct" not in run(lanescope, "analyze", "transpose/05_remapped"):
            sys.exit("failed: the moved program does not find the kernel correct")
        # The catalog's own path tells which tree the kernels came from.
        if os.path.realpath(tree) not in run(lanescope, "analyze", "transpose/05_remapped", "--json"):
            sys.exit("failed: the kernels are not those of the moved tree")
        picture = os.path.join(folder, "window.png")
        run(lanescope, "render", "transpose/05_remapped", "--view", "window", "--out", picture)
        with open(picture, "rb") as moved:
            drawn = moved.read()
        run(os.environ["LANESCOPE_BIN"], "render", "transpose/05_remapped", "--view", "banks", "--out", picture)
        with open(picture, "rb") as built:
            there = built.read()
        run(lanescope, "render", "transpose/05_remapped", "--view", "banks", "--out", picture)
        with open(picture, "rb") as moved:
            if moved.read() != there or len(drawn) < 10_000:
                sys.exit("failed: the moved program draws another picture, as it would without its fonts")
    print("installed, moved, ran, drew the same")


if __name__ == "__main__":
    main()
