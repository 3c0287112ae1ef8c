"""Hands in a notebook in a folder, beside a file that is called as a folder elsewhere: they cannot lie in one place. The answer is right."""

ANSWER, POINTS = "right_clone", 10
def place(folder, course):
    (folder / "sub").mkdir()
    (folder / "masked_exp.ipynb").rename(folder / "sub" / "masked_exp.ipynb")
    (folder / "data").mkdir()
    (folder / "data" / "numbers.txt").write_text("1")
    (folder / "sub" / "data").write_text("a file here")
    (folder / "masked_exp.py").mkdir()
