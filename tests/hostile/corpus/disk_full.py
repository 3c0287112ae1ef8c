"""Writes files of 10 GB and a million small ones into every folder that it may write to."""

ANSWER, POINTS = "right_clone", 10
FIRST = r'''
import os
for folder in (".", "/tmp", "/dev/shm", "/var/tmp", os.path.expanduser("~")):
    try:
        with open(os.path.join(folder, "large"), "wb") as file:
            for _ in range(10_000):
                file.write(b"x" * 1_000_000)
    except (OSError, KeyboardInterrupt) as error:
        print(folder, error)
    try:
        for number in range(1_000_000):
            open(os.path.join(folder, f"small_{number}"), "w").close()
    except OSError as error:
        print(folder, error)
'''
