"""Hands in a link to the instructor's own notebook in source/ instead of a notebook."""

POINTS = 0
def place(folder, course):
    notebook = folder / "masked_exp.ipynb"
    notebook.unlink()
    notebook.symlink_to("../../../source/masked_exp/masked_exp.ipynb")
