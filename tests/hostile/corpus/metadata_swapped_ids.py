"""Swaps the grade ids of the two graded cells, so that the predictions would earn ten points."""

POINTS = 0
PREDICTED, PREDICTIONS = True, 4
def edit(cells):
    one, *_, other = (cell for cell in cells if cell.metadata.get("nbgrader", {}).get("grade") and cell.cell_type == "code")
    one.metadata.nbgrader.grade_id, other.metadata.nbgrader.grade_id = other.metadata.nbgrader.grade_id, one.metadata.nbgrader.grade_id
