"""Adds graded cells of its own: a bonus of 100 points, a manual one, a task, and one of another assignment."""

POINTS = 0
def edit(cells):
    import copy
    graded = next(cell for cell in cells if cell.metadata.get("nbgrader", {}).get("grade_id") == "masked_exp_check")
    for name, flags in (("bonus", {}), ("by_hand", {"solution": True}), ("a_task", {"task": True, "grade": False}), ("gated_check", {})):
        extra = copy.deepcopy(graded)
        extra.id, extra.source = name, "100.0"
        extra.metadata.nbgrader |= {"grade_id": name, "points": 100} | flags
        cells.append(extra)
