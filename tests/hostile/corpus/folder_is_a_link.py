"""Hands in, as its whole folder, a link to the instructor's folder in source/."""

POINTS = 0
def place(folder, course):
    import shutil
    shutil.rmtree(folder)
    folder.symlink_to("../../source/masked_exp")
