"""Hands in 300 MB in files beside the notebook, more than its sandbox can hold. The answer is right."""

ANSWER, POINTS = "right_clone", 10
def place(folder, course):
    import os
    for name, size in (("a.bin", 250 << 20), ("b.bin", 60 << 20), ("c.bin", 3 << 20), ("d.bin", 100 << 20)):
        with open(folder / name, "wb") as file:
            os.truncate(file.fileno(), size)
