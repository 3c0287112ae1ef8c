"""Hands in no notebook, but links to folders that hold some: the instructor's and another student's."""

POINTS = 0
def place(folder, course):
    (folder / "masked_exp.ipynb").unlink()
    (folder / "mine").symlink_to("../../../source/masked_exp")
    (folder / "a").symlink_to("../../a_first/masked_exp")
