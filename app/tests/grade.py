"""`lanescope grade`: forty submissions, many of them hostile, each of which gets its own mark and spoils nobody else's;
and exercises that are broken, of which the others know nothing."""
import csv
import io
import os
import subprocess
import sys
import tempfile
import time

BINARY = os.environ["LANESCOPE_BIN"]
COURSE = os.path.join(os.environ["LANESCOPE_SOURCE_DIR"], "assets", "course")
EXERCISE = "09_pad_the_square"


def exercise_text(name):
    with open(os.path.join(COURSE, "exercises", EXERCISE, name), encoding="utf-8") as stream:
        return stream.read()


START, SOLUTION = exercise_text("start.cu"), exercise_text("solution.cu")
KERNEL = SOLUTION.split("---*/\n", 1)[1]
HEAD = SOLUTION[:len(SOLUTION) - len(KERNEL)]
GUARDED = "if (jx + j < nx && jy < ny) "


def body(*changes):
    text = KERNEL
    for old, new in changes:
        if old not in text:
            sys.exit(f"failed: the solution no longer has {old!r}")
        text = text.replace(old, new)
    return text


ENDLESS = body(("  __syncthreads();", "  while (nx > 0) __syncthreads();"))
SLOW = body(("  __syncthreads();",
             "  for (volatile unsigned long long k = 0; k < (1ull << 60); ++k) tile[0][0] = k;\n  __syncthreads();"))
TEMPLATES = ("template <int A, int B> struct T { static const int v = T<A - 1, B>::v + T<A - 1, B + 1>::v; };\n"
             "template <int B> struct T<0, B> { static const int v = B; };\n" + body(("PAD 1", "PAD T<800, 1>::v")))
CONSTEXPR = ("constexpr int spin(int n) { int s = 0; for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) s ^= i * j; "
             "return s; }\nconstexpr int spun = spin(100000);\n" + KERNEL)

# Name -> text, what solves it, and a word of the first mistake (None: there is none).
SUBMISSIONS = {
    "right": (SOLUTION, True, None),
    "right_without_head": (KERNEL, True, None),
    "right_windows": ("\ufeff" + KERNEL.replace("\n", "\r\n"), True, None),
    "right_pad_odd_row": (body(("PAD 1", "PAD (1)")), True, None),
    "start": (START, False, None),
    "too_large": (body(("PAD 1", "PAD 3")), False, None),
    "wrong": (body(("out[(jx + j) * ny + jy] =", "out[(jx + j) * ny + jy] = 1 +")), False, "wrong result"),
    "nan": (body(("out[(jx + j) * ny + jy] =", "out[(jx + j) * ny + jy] = 0.0f / 0.0f *")), False, "wrong result"),
    "nothing": (body((GUARDED, "if (false) ")), False, "wrong result"),
    "no_barrier": (body(("  __syncthreads();\n", "")), False, "line"),
    "out_of_bounds": (body(("out[(jx + j)", "out[(jx + j + 1000)")), False, "out-of-bounds"),
    "null": (body(("  __syncthreads();", "  *(volatile int*)nullptr = ix;\n  __syncthreads();")), False, "null"),
    "endless": (ENDLESS, False, "endless loop"),
    "slow": (SLOW, False, ""),
    "does_not_parse": (KERNEL + "\n}}}\n", False, "line"),
    "hash_error": ("#error no\n" + KERNEL, False, "line 1"),
    "another_kernel": (body(("transpose_square", "mine")), False, "transpose_square"),
    "template_bomb": (TEMPLATES, False, ""),
    "constexpr_bomb": (CONSTEXPR, False, ""),
    "nested": ("int x = " + "(" * 200000 + "1" + ")" * 200000 + ";\n" + KERNEL, False, ""),
    "macro_bomb": ("#define A0 x x x x x x x x x x\n" + "".join(
        f"#define A{i + 1} " + f"A{i} " * 10 + "\n" for i in range(9)) + "int A9;\n" + KERNEL, False, ""),
    "includes_itself": ('#include __FILE__\n' + KERNEL, False, ""),
    "reads_passwd": ('#include "/etc/passwd"\n' + KERNEL, False, "/etc/passwd"),
    "reads_neighbour": ('#include "right.cu"\n', False, "right.cu"),
    "reads_device": ('#include "/dev/zero"\n' + KERNEL, False, "/dev/zero"),
    "assembler": ('asm(".incbin \\"/etc/passwd\\"");\n' + KERNEL, None, None),
    "huge_array": ("__device__ char heap[1ull << 40];\n" + KERNEL, None, None),
    "huge_shared": (body(("tile[32]", "tile[32000000]")), False, ""),
    "recursion": (body(("__global__ void", "__device__ int deep(int n) { return n + deep(n + 1) + deep(n + 2); }\n"
                        "__global__ void"), (GUARDED, "if (deep(jx) == 0) " + GUARDED)), False, ""),
    "printing": (body((GUARDED, "for (int k = 0; k < 1000; ++k) printf(\"%d %d\\n\", jx, k); " + GUARDED)), None, None),
    "easier_goals": (HEAD.replace('kind = "transpose"', 'kind = "none"').replace('block = ["32", "8"]',
                                                                                 'block = ["1", "1"]')
                     + START.split("---*/\n", 1)[1], False, None),
    "broken_head": ("/*---\nkernel = \n---*/\n" + KERNEL, None, None),
    "empty": ("", False, "empty"),
    "blank": (" \n\n", False, "empty"),
    "binary": (b"\x7fELF\0\0\1\2", False, "binary"),
    "latin": (KERNEL.replace("PAD 1", "PAD 1 // für").encode("latin-1"), False, "UTF-8"),
    "huge": ("// " + "x" * (17 << 20), False, "large"),
    "=HYPERLINK(\"http:\\\\x\")": (KERNEL, True, None),
    "+1-2, \"quoted\" <b>名字": (KERNEL, True, None),
    "@sum": (START, False, None),
}


def write(path, text):
    with open(path, "wb") as stream:
        stream.write(text if isinstance(text, bytes) else text.encode())


def hand_in(folder):
    for name, (text, _, _) in SUBMISSIONS.items():
        write(os.path.join(folder, name + ".cu"), text)
    expected = {name: rest for name, (_, *rest) in SUBMISSIONS.items()}

    def student(name, solved, mistake, **files):
        os.mkdir(os.path.join(folder, name))
        for file, text in files.items():
            write(os.path.join(folder, name, file.replace("_dot_", ".")), text)
        expected[name] = (solved, mistake)

    student("folder_right", True, None, answer_dot_cu=KERNEL.replace("PAD 1", "PAD pad"),)
    write(os.path.join(folder, "folder_right", "answer.cu"), '#include "pad.h"\n' + KERNEL.replace("#define PAD 1\n", ""))
    write(os.path.join(folder, "folder_right", "pad.h"), "#define PAD 1\n")
    student("folder_empty", False, "no .cu file")
    student("folder_several", False, "several", a_dot_cu=KERNEL, b_dot_cu=KERNEL)
    student("folder_named", True, None, a_dot_cu="@", **{EXERCISE + "_dot_cu": KERNEL})
    student("folder_links_out", False, "leads out")
    os.symlink("/etc/passwd", os.path.join(folder, "folder_links_out", "a.cu"))
    student("folder_copies", False, "leads out")
    os.symlink("../right.cu", os.path.join(folder, "folder_copies", "a.cu"))
    os.symlink("/etc", os.path.join(folder, "etc"))
    expected["etc"] = (False, "leads out")
    os.symlink("/etc/passwd", os.path.join(folder, "passwd.cu"))
    expected["passwd"] = (False, "leads out")
    os.mkfifo(os.path.join(folder, "pipe.cu"))
    expected["pipe"] = (False, "regular")
    write(os.path.join(folder, "notes.txt"), "not a submission")
    return expected


def run(*arguments, status=0, timeout=600):
    done = subprocess.run([BINARY, "grade", *arguments], capture_output=True, timeout=timeout)
    if done.returncode != status:
        sys.exit(f"failed: grade {arguments} ends with {done.returncode}, not {status}:\n"
                 f"{done.stdout.decode(errors='replace')}\n{done.stderr.decode(errors='replace')}")
    return done.stdout.decode("utf-8"), done.stderr.decode("utf-8")


def check_marks(folder, out):
    expected = hand_in(folder)
    table, page = os.path.join(out, "marks.csv"), os.path.join(out, "marks.html")
    began = time.monotonic()
    told, complaints = run(folder, "--exercise", "pad_the_square", "--csv", table, "--html", page, "--seconds", "5")
    seconds = time.monotonic() - began
    if complaints:
        sys.exit(f"failed: complaints: {complaints}")
    with open(table, encoding="utf-8", newline="") as stream:
        rows = {row["student"].removeprefix("'"): row for row in csv.DictReader(stream)}
    problems = [f"no row for {name}" for name in expected if name not in rows]
    problems += [f"a row too many: {name}" for name in rows if name not in expected]
    for name, (solved, mistake) in expected.items():
        row = rows.get(name, {})
        if solved is not None and row.get("solved") != str(solved).lower():
            problems.append(f"{name}: solved is {row.get('solved')}, {solved} was expected: {row}")
        if mistake is not None and mistake not in row.get("first mistake", ""):
            problems.append(f"{name}: the first mistake is {row.get('first mistake')!r}, which says nothing of {mistake!r}")
        if solved is False and mistake == "" and not row.get("first mistake"):
            problems.append(f"{name}: no mistake is told")
    if "did not count" not in rows["easier_goals"]["remark"] or rows["right"]["remark"]:
        problems.append("that another front matter does not count is told where it differs, and only there")
    with open(table, encoding="utf-8", newline="") as stream:
        text = stream.read()
    problems += [f"a field that a spreadsheet would run: {field!r}" for line in csv.reader(io.StringIO(text))
                 for field in line if field[:1] in ("=", "+", "-", "@")]
    with open(page, encoding="utf-8") as stream:
        html = stream.read()
    if "<b>" in html or "&lt;b&gt;名字" not in html or html.count("<tr>") != len(expected) + 1:
        problems.append("the page has not one row for each, or takes a name for HTML")
    if "http" in html.replace("http:\\\\x", "") or "<script" in html:
        problems.append("the page needs something else")
    solved = sum(s is True for s, _ in expected.values())
    if not told.endswith(" submissions solve 09_pad_the_square\n") or told.count("\n") != len(expected) + 1:
        problems.append(f"the summary is another: {told[-200:]!r}")
    if problems:
        sys.exit("failed:\n" + "\n".join(problems))
    print(f"{len(expected)} submissions, at least {solved} right, marked in {seconds:.1f} s")


def check_order(folder):
    """The same table with any number of processes."""
    for name in list(SUBMISSIONS)[8:]:
        os.unlink(os.path.join(folder, name + ".cu"))
    tables = [run(folder, "--exercise", EXERCISE, "--csv", "-", "--jobs", jobs)[0] for jobs in ("1", "4")]
    if tables[0] != tables[1] or "right" not in tables[0]:
        sys.exit("failed: the marks depend on how many are judged at a time")


def check_usage(folder, out):
    empty = os.path.join(out, "empty")
    os.mkdir(empty)
    for arguments, word in ((("--exercise", EXERCISE), "which folder"), ((folder,), "no exercise"),
                            ((folder, "--exercise", "nonsense"), "01_guard"),
                            ((empty, "--exercise", EXERCISE), "no submissions"),
                            ((out + "/none", "--exercise", EXERCISE), "No such file"),
                            ((folder, "--exercise", EXERCISE, "--jobs", "0"), "jobs"),
                            ((folder, "--exercise", EXERCISE, "--course", out + "/none", "--bad"), "bad")):
        complaint = run(*arguments, status=2)[1]
        if word not in complaint:
            sys.exit(f"failed: {arguments} is told as {complaint!r}, without {word!r}")
    complaint = run(folder, "--exercise", EXERCISE, "--csv", "/nonexistent/marks.csv", status=3)[1]
    if "nonexistent" not in complaint:
        sys.exit(f"failed: a table that cannot be written is told as {complaint!r}")


TOML = 'lesson = "01_threads"\nminutes = 5\ngoals = ["correct"]\n\n[[shape]]\nargs = { nx = 100, ny = 70 }\n'
WORDS = "# Title\n\nTask.\n\n## Hint\n\nLook.\n\n## Solved\n\nSeen.\n"


# What is broken -> the file, what is put there (None: nothing), and what the complaint must say, with line and column.
BROKEN = {
    "toml": ("exercise.toml", TOML.replace("= 5", "= = 5"), "exercise.toml:2:11"),
    "goal": ("exercise.toml", TOML.replace('["correct"]', '["correct", "conflicts = 0"]'), "exercise.toml:3:32"),
    "goal_name": ("exercise.toml", TOML.replace('["correct"]', '["bananas == 0"]'), "exercise.toml:3:11"),
    "goal_number": ("exercise.toml", TOML.replace('["correct"]', '["conflicts"]'), "not a condition"),
    "no_goals": ("exercise.toml", TOML.replace('goals = ["correct"]\n', ""), "needs goals"),
    "no_shape": ("exercise.toml", TOML[:TOML.index("[[")], "[[shape]]"),
    "argument": ("exercise.toml", TOML.replace("nx =", "mx ="), "exercise.toml:6:10"),
    "parameter": ("exercise.toml", TOML + "set = { PAD = 1 }\n", "exercise.toml:7:9"),
    "key": ("exercise.toml", TOML.replace("minutes", "hours"), "unknown key 'hours'"),
    "no_lesson": ("exercise.toml", TOML.replace('lesson = "01_threads"\n', ""), "lesson"),
    "no_toml": ("exercise.toml", None, "exercise.toml: error: there is no such file"),
    "no_solution": ("solution.cu", None, "solution.cu: error: there is no such file"),
    "no_start": ("start.cu", None, "start.cu: error: there is no such file"),
    "no_head": ("start.cu", KERNEL, "front matter"),
    "no_chinese": ("zh.md", None, "zh.md"),
    "no_hint": ("en.md", WORDS.replace("## Hint", "## Hints"), "en.md:5:1"),
    "no_title": ("en.md", WORDS.replace("# Title", "Title"), "title"),
    "number": ("en.md", WORDS.replace("Task.", "Takes 32 wavefronts."), "en.md:3:7"),
    "unsolved": ("solution.cu", START, "the solution fails: conflicts == 0"),
    "solved": ("start.cu", SOLUTION, "solves the exercise already"),
}


def check_broken(out):
    """A course of broken exercises and a sound one, which goes on as if it were alone."""
    course = os.path.join(out, "course")
    names = ["sound", *BROKEN]
    for name in names:
        folder = os.path.join(course, "exercises", name)
        os.makedirs(folder)
        goals = TOML.replace('["correct"]', '["correct", "conflicts == 0"]') if name in ("sound", "unsolved", "solved") else TOML
        files = {"exercise.toml": goals, "start.cu": START, "solution.cu": SOLUTION, "en.md": WORDS, "zh.md": WORDS}
        if name in BROKEN:
            file, text, _ = BROKEN[name]
            files[file] = text
        for file, text in files.items():
            if text is not None:
                write(os.path.join(folder, file), text)
    os.makedirs(os.path.join(course, "exercises", "unlisted"))
    write(os.path.join(course, "exercises", "unlisted", "exercise.toml"), TOML)
    listed = ", ".join(f'"{name}"' for name in [*names, "missing", "sound", "../sound"])
    write(os.path.join(course, "course.toml"), f"exercises = [{listed}]\n")
    told, complaints = run("--check", course, status=1)
    problems = [] if "pass  sound" in told else ["the sound exercise is not sound among broken ones"]
    for name, (file, _, word) in BROKEN.items():
        about = [b for b in complaints.split("\n") if f"/{name}/" in b]
        if not any(word in line for line in about):
            problems.append(f"{name}: nothing of {word!r} in {about}")
    problems += [f"nothing is said of {word!r}" for word in ("missing", "declared twice", "'../sound'", "unlisted")
                 if word not in complaints]
    if problems:
        sys.exit("failed:\n" + "\n".join(problems) + "\n" + complaints)
    work = os.path.join(out, "work")
    os.mkdir(work)
    write(os.path.join(work, "ann.cu"), SOLUTION)
    if "1 of 1" not in run(work, "--exercise", "sound", "--course", course)[0]:
        sys.exit("failed: a sound exercise is not graded beside broken ones")
    write(os.path.join(course, "course.toml"), "exercises = [\n")
    if "course.toml:" not in run("--check", course, status=1)[1]:
        sys.exit("failed: a broken course.toml is not told with its line")


def main():
    told, complaints = run("--check")
    if complaints or "28 of 28" not in told:
        sys.exit(f"failed: the exercises that come along are not sound:\n{told}{complaints}")
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as out:
        check_marks(folder, out)
        check_order(folder)
        check_usage(folder, out)
        check_broken(out)


if __name__ == "__main__":
    main()
