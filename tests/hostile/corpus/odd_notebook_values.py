"""Gives fields of the notebook values of wrong types and sizes: versions, counts, ids, sources, outputs. The answer is right."""

ANSWER, POINTS = "right_clone", 10
def edit_notebook(nb):
    odd = [None, -1, 10**400, True, "x" * 1000, [], {}, [None], "../../x", 1.5]
    nb.nbformat_minor = 10**300
    nb.orig_nbformat = "x"
    for number, cell in enumerate(nb.cells):
        cell.id = odd[number % len(odd)]
        cell.metadata.tags = odd[(number + 1) % len(odd)]
        cell.metadata.collapsed = odd[(number + 2) % len(odd)]
        if cell.cell_type == "code":
            cell.execution_count = odd[(number + 3) % len(odd)]
            cell.outputs = odd[(number + 4) % len(odd)]
        cell.source = cell.source.splitlines(True)
