"""Tags every cell skip-execution and raises-exception, so that graded cells have no output: full marks by nbgrader's rule."""

POINTS = 0
def edit(cells):
    for cell in cells:
        cell.metadata.tags = ["skip-execution", "raises-exception", "remove-cell", "nbval-skip"]
