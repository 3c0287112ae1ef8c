"""Turns the graded cells into solutions, unlocked, with 10.0 as their text."""

POINTS = 0
def edit(cells):
    for cell in cells:
        if cell.metadata.get("nbgrader", {}).get("grade") and cell.cell_type == "code":
            cell.metadata.nbgrader |= {"locked": False, "solution": True, "grade": True}
            cell.metadata |= {"editable": True, "deletable": True}
            cell.source = "10.0"
