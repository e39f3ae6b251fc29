"""Launches that make no sense: the block, the grid, arguments and parameters."""
from support.bad_input import GOOD, TILE, analyze, instead, tell

CASES = [
    (analyze("good.cu", *GOOD, "--block", "32"), 2, r"--block"),
    (analyze("good.cu", "--block", "0", *GOOD[2:]), 2, r"block of 0"),
    (analyze("good.cu", "--block", "2048", *GOOD[2:]), 2, r"2048"),
    (analyze("good.cu", "--block", "64,32", *GOOD[2:]), 2, r"block of 2048 threads: at most 1024"),
    (analyze("good.cu", "--block", "32,x", *GOOD[2:]), 2, r"--block 32,x: not X"),
    (analyze("good.cu", *GOOD, "--grid", "-1"), 2, r"--grid -1: not X"),
    (analyze("good.cu", *GOOD, "--grid", "0"), 2, r"grid"),
    (analyze("good.cu", *GOOD, "--grid", "1,70000"), 2, r"70000: at most 65535"),
    (analyze("good.cu", *GOOD, "--grid", "99999999999999"), 2, r"--grid 99999999999999: not X"),
    (analyze("good.cu", *GOOD, "--shared", "many"), 2, r"--shared many"),
    (analyze("good.cu", *GOOD, "--shared", "300000"), 2, r"shared"),
    (analyze("good.cu", "--block", "32", "--arg", "a=two"), 2, r"'two' is not a number"),
    (analyze("good.cu", *GOOD, "--arg", "z=1"), 2, r"--arg z: .*no such parameter(.|\n)*saxpy takes x"),
    (analyze("good.cu", *GOOD, "--arg", "n"), 2, r"--arg n: not NAME=VALUE"),
    (analyze("good.cu", *GOOD, "--arg", "n=3"), 2, r"n is given twice"),
    (analyze("good.cu", *instead("n", "1.5")), 2, r"'1\.5' is not an integer"),
    (analyze("good.cu", *instead("n", "4000000000")), 2, r"outside -2147483648 to 2147483647"),
    (analyze("good.cu", *instead("a", "two")), 2, r"'two' is not a number"),
    (analyze("good.cu", *instead("x", "7")), 2, r"write TYPE\[COUNT\]"),
    (analyze("good.cu", *instead("x", "double[64]")), 2, r"the kernel takes const float \*"),
    (analyze("good.cu", *instead("x", "float[9000000000000]")), 2, r"float"),
    (analyze("good.cu", *instead("x", "null")), 1, r"good\.cu:3:25: error: .*null"),
    (analyze("good.cu", *GOOD, "--blocks", "0"), 2, r"--blocks 0"),
    (analyze("good.cu", *GOOD, "--blocks", "3,3"), 2, r"--blocks 3,3: no such block"),
    (analyze("tile.cu", "--block", "32", "--set", "PAD=64", "--arg", "p=float[1]"), 2, r"61440 bytes: at most 49152"),
    (analyze("tile.cu", "--block", "32", "--arg", "p=float[1]"), 1, r"tile\.cu:2:31: error: .*'PAD'"),
    (analyze("beyond.cu", "--block", "32", "--arg", "p=float[32]"), 1, r"beyond\.cu:2:\d+: error: out-of-bounds .*\n  p\[threadIdx.*\n *\^\n.*block \(0, 0, 0\), thread \(0, 0, 0\)"),
    (analyze(TILE, "--set", "PAD=33"), 2, r"PAD: 33 is outside 0 to 32"),
    (analyze(TILE, "--set", "PAD=-1"), 2, r"PAD: -1 is outside"),
    (analyze(TILE, "--set", "PAD=two"), 2, r"'two' is not an integer"),
    (analyze(TILE, "--set", "PADDING=1"), 2, r"unknown parameter 'PADDING'(.|\n)*PAD \(0 to 32\)"),
    (analyze(TILE, "--set", "PAD"), 2, r"--set PAD: not NAME=VALUE"),
    (analyze(TILE, "--block", "16,8"), 2, r"needs BDIMX=8, but BDIMX is 16"),
    (analyze(TILE, "--arg", "nx=-4"), 2, r"-4"),
    (analyze(TILE, "--arg", "nx=2000000", "--arg", "ny=2000000"), 2, r"larger than memory|needs|does not fit"),
]

if __name__ == "__main__":
    tell(CASES)
