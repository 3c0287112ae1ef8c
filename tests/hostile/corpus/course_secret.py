"""Reads the secret from which all seeds are made, and replaces it."""

POINTS = 0
NEVER = (r"^read ",)
BEFORE = r'''
import os
for path in ("COURSE/.course_secret", "../../../.course_secret", ".course_secret", "/proc/1/cwd/.course_secret", "/proc/1/root/COURSE/.course_secret"):
    try:
        print("read", path, open(path, "rb").read().hex())
    except OSError as error:
        print(path, error)
for path in ("COURSE/.course_secret", "../../../.course_secret", ".course_secret"):
    try:
        os.chmod(os.path.dirname(path) or ".", 0o777)
        open(path, "wb").write(b"0" * 32)
    except OSError as error:
        print(path, error)
'''
