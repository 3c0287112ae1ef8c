"""Hands in a notebook that is nested 100 000 levels deep, too deep to be read."""

POINTS = 0
def place(folder, course):
    path = folder / "masked_exp.ipynb"
    path.write_text('{"metadata": ' + '{"a":' * 100_000 + "1" + "}" * 100_000 + "," + path.read_text().strip()[1:])
