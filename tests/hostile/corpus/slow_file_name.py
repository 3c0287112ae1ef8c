"""Hands in notebooks whose names are made to keep a regular expression busy for ever. The answer is right."""

ANSWER, POINTS = "right_clone", 10
def place(folder, course):
    nb = (folder / "masked_exp.ipynb").read_text()
    for name in ("1" * 60 + "x", "copy 1" * 30 + "x", "-copy" * 40 + "!", " (1)" * 50 + "x", "_" * 200 + "x", "final1" * 30 + "x"):
        (folder / f"{name}.ipynb").write_text(nb.replace("masked_exp_check", "another"))
