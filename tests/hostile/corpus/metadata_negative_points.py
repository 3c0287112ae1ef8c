"""Writes points that are no sensible numbers into the metadata: negative, infinite, a text, a list, none at all."""

POINTS = 0
def edit(cells):
    odd = [-1, float("inf"), "10", [10], None, True]
    for cell in cells:
        if cell.metadata.get("nbgrader", {}).get("grade"):
            cell.metadata.nbgrader.points = odd.pop(0)
            cell.metadata.nbgrader.schema_version = odd.pop(0)
            cell.metadata.nbgrader.checksum = odd.pop(0)
