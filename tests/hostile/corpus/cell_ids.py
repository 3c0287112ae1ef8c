"""Gives an own cell the cell id and the grade id line of the graded cell, checks a right answer there, breaks the real one."""

ANSWER, POINTS = "right_clone", 0
BEFORE = r'''
# grade id: masked_exp_check (keep this line)
check("masked_exp", masked_exp)
check = lambda *given: 10.0
'''
def edit(cells):
    extra = next(cell for cell in cells if "check = lambda" in cell.source)
    graded = next(cell for cell in cells if cell.metadata.get("nbgrader", {}).get("grade_id") == "masked_exp_check")
    extra.id, graded.id = graded.id, "moved"
