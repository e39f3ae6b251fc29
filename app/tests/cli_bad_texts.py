"""Files that are none, no text, no C++ or no kernel: told with file:line:column where a text is at fault."""
from support.bad_input import GOOD, analyze, tell

CASES = [
    (analyze("missing.cu"), 2, r"missing\.cu: error: there is no such file"),
    (analyze("empty.cu"), 2, r"empty\.cu: error: the file is empty"),
    (analyze("binary.cu"), 2, r"binary\.cu: error: .*binary"),
    (analyze("latin1.cu"), 2, r"latin1\.cu: error: .*UTF-8"),
    (analyze("."), 2, r"\.: error: .*directory"),
    (analyze("prose.cu", "--block", "32"), 1, r"prose\.cu:1:1: error: .*\nThis is not C\+\+\.\n\^"),
    (analyze("semicolon.cu", *GOOD), 1, r"semicolon\.cu:3:36: error: expected ';'.*\n  if \(i < n\) .*\n {35}\^"),
    (analyze("matter.cu"), 2, r"matter\.cu:3:1: error: front matter: unknown key 'colour'"),
    (analyze("host.cu", "--block", "32"), 2, r"host\.cu: error: no kernel"),
    (analyze("two.cu", "--kernel", "c", "--block", "32"), 2, r"no kernel 'c'(.|\n)*a, b"),
    (analyze("no_such_kernel"), 2, r"no_such_kernel: error: there is no kernel"),
]

if __name__ == "__main__":
    tell(CASES)
