"""Every bundled lesson holds: scenes run, questions are computed, claims and numbers are true, in both languages; and
bad lessons are told with file and line while the rest opens."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

BINARY, SOURCE = os.environ["LANESCOPE_BIN"], os.environ["LANESCOPE_SOURCE_DIR"]
COURSE = os.path.join(SOURCE, "assets", "course")

# What is done to a lesson's file, and what must be said of it: file and line, and what is wrong.
BROKEN = [
    ("lesson.toml", lambda t: re.sub(r'kernel = "[^"]*"', 'kernel = "transpose/99_nothing"', t, count=1), r"lesson\.toml:\d+:\d+: error: transpose/99_nothing"),
    ("lesson.toml", lambda t: t.replace("[[scene]]", "[[scene]", 1), r"lesson\.toml:\d+:\d+: error"),
    ("lesson.toml", lambda t: re.sub(r'views = \["[^"]*"', 'views = ["bankz"', t, count=1), r"lesson\.toml:\d+:\d+: error: there is no view 'bankz'(.|\n)*views: map"),
    ("lesson.toml", lambda t: re.sub(r'answer = "[^"]*"', 'answer = "access.sectors +"', t, count=1), r"lesson\.toml:\d+:\d+: error: access\.sectors \+"),
    ("lesson.toml", lambda t: re.sub(r'claims = \["[^"]*"', 'claims = ["warps == 77"', t, count=1), r"lesson\.toml:\d+:\d+: error: it does not hold: warps == 77"),
    ("en.md", lambda t: t.replace("### Notes", "77 lanes\n### Notes", 1), r"en\.md:\d+:1: error: a number in the text"),
    ("zh.md", None, r"zh\.md: error: there is no such file"),
]


def run(*words):
    done = subprocess.run([BINARY, *words], capture_output=True, text=True, timeout=600)
    return done.returncode, done.stdout, done.stderr


def broken(name, folder):
    """Each mistake, in a course of a sound lesson beside it."""
    problems = []
    for file, change, said in BROKEN:
        course = os.path.join(folder, "course")
        shutil.rmtree(course, ignore_errors=True)
        for lesson in ("01_broken", "02_sound"):
            shutil.copytree(os.path.join(COURSE, "lessons", name), os.path.join(course, "lessons", lesson))
        path = os.path.join(course, "lessons", "01_broken", file)
        if change is None:
            os.remove(path)
        else:
            with open(path, encoding="utf-8") as stream:
                text = stream.read()
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(change(text))
        status, out, err = run("lesson", "--check", course)
        if status != 1 or not re.search(said, err) or "pass  02_sound" not in out:
            problems.append(f"{file}: {said}: status {status}\n{out}{err}")
    return problems


def main():
    lessons = os.path.join(COURSE, "lessons")
    if not os.path.isdir(lessons):
        return 77
    status, out, err = run("lesson", "--check", COURSE)
    print(out)
    problems = [] if status == 0 else [err]
    with tempfile.TemporaryDirectory() as folder:
        problems += broken(sorted(os.listdir(lessons))[1], folder)
        for words, said in ((["handout", "nothing"], "lessons: "), (["--lesson", "nothing", "--screenshot", os.path.join(folder, "x.png")], "lessons: "),
                            (["lesson", "--check", folder], "there is no course here")):
            status, _, err = run(*words)
            if status not in (1, 2) or said not in err:
                problems.append(f"{words}: status {status}: {err}")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
