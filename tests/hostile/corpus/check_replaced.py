"""Replaces the text of the graded cell by 10.0, under the same grade id, and deletes the other one."""

POINTS = 0
CHECK = "# grade id: masked_exp_check (keep this line)\n10.0"
def edit(cells):
    cells[:] = [cell for cell in cells if cell.metadata.get("nbgrader", {}).get("grade_id") != "masked_exp_predictions_check"]
