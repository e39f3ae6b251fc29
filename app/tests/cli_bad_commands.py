"""Flags of the commands that make no sense."""
from support.bad_input import TILE, analyze, tell

CASES = [
    (["trace", TILE, "--warp", "32"], 2, r"--warp 32: the block has 32 warps"),
    (["trace", TILE, "--warp", "x"], 2, r"warp"),
    (["check", TILE], 2, r"--expect is required"),
    (["check", TILE, "--expect", "shared_laod.conflicts==0"], 2, r"--expect:1:1: error: 'shared_laod.conflicts'(.|\n)*shared_load.conflicts"),
    (["check", TILE, "--expect", "conflicts=0"], 2, r"--expect:1:10: error: .*\nconflicts=0\n {9}\^"),
    (["check", TILE, "--expect", "conflicts"], 2, r"is a number, not a condition"),
    (["check", "missing.cu", "--expect", "correct"], 2, r"missing\.cu: error: there is no such file"),
    (["check", "beyond.cu", "--block", "32", "--arg", "p=float[32]", "--expect", "conflicts==0"], 1, r"beyond\.cu:2:\d+: error: out-of-bounds"),
    (["check", TILE, "--csv", "--json", "--expect", "correct"], 2, r"--csv and --json exclude"),
    (["sweep", TILE, "--vary", "PAD"], 2, r"--vary PAD: not NAME=VALUES"),
    (["sweep", TILE, "--vary", "PAD="], 2, r"--vary PAD=: a value is missing"),
    (["sweep", TILE, "--vary", "PAD=3..1"], 2, r"'3\.\.1' runs downwards"),
    (["sweep", TILE, "--vary", "PAD=0..99"], 2, r"--vary PAD: 33 is outside 0 to 32"),
    (["sweep", TILE, "--vary", "PADDING=1"], 2, r"PADDING: no such parameter(.|\n)*PAD \(0 to 32\)"),
    (["sweep", TILE, "--vary", "ELEMENT=half"], 2, r"'half' is none of float and double"),
    (["sweep", TILE, "--vary", "PAD=1", "--vary", "PAD=2"], 2, r"--vary PAD is given twice"),
    (["sweep", TILE, "--vary", "nx=1..200", "--vary", "PAD=0..32"], 2, r"6600 settings: at most 4096"),
    (["sweep", TILE, "--metric", "beauty"], 2, r"beauty: no such metric(.|\n)*wavefronts"),
    (["sweep", TILE, "--csv", "--json"], 2, r"--csv and --json exclude each other"),
    (["sweep", "missing.cu"], 2, r"there is no such file"),
    (["sweep", "host.cu", "--block", "32"], 2, r"no kernel"),
    (["render", TILE, "--out", "picture.jpg"], 2, r"must end in \.png or \.svg"),
    (["render", TILE], 2, r"--out is required"),
    (["render", "--out", "picture.png"], 2, r"a kernel is needed"),
    (["render", "--lesson", "nothing", "--out", "picture.png"], 2, r"nothing: error: there is no lesson of this name"),
    (["handout"], 2, r"lesson is required"),
    (["handout", "nothing"], 2, r"nothing: error: there is no lesson of this name"),
    (["handout", "nothing", "--course", "missing"], 2, r"missing: error: there is no course here"),
    (["lesson", "--check", "missing"], 1, r"missing: error: there is no course here(.|\n)*lessons/NAME/lesson.toml"),
    (["analyze"], 2, r"kernel is required"),
    (["analyze", TILE, "--no-such-flag"], 2, r"no-such-flag"),
    (["list", "extra"], 2, r"extra"),
    (["frobnicate"], 2, r"'frobnicate' is no command, no kernel and no file"),
    (["--set", "PAD=1"], 2, r"need a kernel"),
    (["missing.cu"], 2, r"missing\.cu: error: there is no such file"),
]

if __name__ == "__main__":
    tell(CASES)
