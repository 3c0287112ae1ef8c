"""Writes 1000 points into the metadata of each graded cell."""

POINTS = 0
def edit(cells):
    for cell in cells:
        if cell.metadata.get("nbgrader", {}).get("grade"):
            cell.metadata.nbgrader.points = 1000
