"""Nothing bad: a right answer in a notebook that lost nbgrader's metadata, its ids and the set-up cell's first line."""

ANSWER, POINTS, PREDICTED, PREDICTIONS = "right_clone", 10, True, 4
def edit(cells):
    for number, cell in enumerate(cells):
        cell.metadata.clear()
        cell.id = f"lost-{number}"
        cell.source = cell.source.replace("# Set-up: run this cell first.\n", "")
