"""Output that cannot be written is an error of every command, with a message and status 3."""
import os
import subprocess
import sys

BIN = os.environ["LANESCOPE_BIN"]
KERNEL = "transpose/01_naive_row"
COMMANDS = [["list"], ["list", "--json"], ["analyze", KERNEL], ["analyze", KERNEL, "--json"], ["analyze", KERNEL, "--csv"],
            ["trace", KERNEL, "--blocks", "1"], ["sweep", KERNEL, "--vary", "BDIMX=16,32"],
            ["check", KERNEL, "--expect", "correct"], ["--help"]]


def main():
    failures = 0
    with open("/dev/full", "w") as full:
        for command in COMMANDS:
            ran = subprocess.run([BIN, *command], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
            if ran.returncode == 3 and "cannot be written" in ran.stderr:
                continue
            failures += 1
            print(f"{command} into a full disk: exit status {ran.returncode}: {ran.stderr}")
    read, write = os.pipe()
    os.close(read)
    ran = subprocess.run([BIN, "list"], stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    if ran.returncode != 3 or "cannot be written" not in ran.stderr:
        failures += 1
        print(f"into a closed pipe: exit status {ran.returncode}: {ran.stderr}")
    print(f"{len(COMMANDS) + 1} commands, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
