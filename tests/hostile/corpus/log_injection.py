"""Puts terminal escapes, markup and forged lines into what the grader's log and table quote: names of files, first lines of cells."""

POINTS = 0
BEFORE = "# [/red] [link=file:///etc/passwd]\x1b]0;title\x07\x1b[2J\r[AutogradeApp | INFO] log_injection: 10 of 10 points\nimport os\nos._exit(0)"
LOG_NEVER = (r"\x1b", r"^\[AutogradeApp \| INFO\] log_injection: 10 of 10")
def place(folder, course):
    for name in ("a\x1b[2Jb.txt", "[bold]x.ipynb", "x\n[AutogradeApp | INFO] log_injection: 10 of 10 points.txt"):
        (folder / name).symlink_to("/etc/hostname")
        (folder / f"large {name}").write_bytes(b"")
