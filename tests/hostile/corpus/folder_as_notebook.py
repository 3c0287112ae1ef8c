"""Hands in a named pipe under the notebook's own name: whoever opens it waits for ever."""

POINTS = 0
def place(folder, course):
    import os
    (folder / "masked_exp.ipynb").unlink()
    os.mkfifo(folder / "masked_exp.ipynb")
