"""Nothing bad: a right answer in a notebook whose set-up cell was deleted."""

ANSWER, POINTS, PREDICTED, PREDICTIONS = "right_clone", 10, True, 4
def edit(cells):
    cells[:] = [cell for cell in cells if cell.metadata.get("nbgrader", {}).get("grade_id") != "set_up"]
