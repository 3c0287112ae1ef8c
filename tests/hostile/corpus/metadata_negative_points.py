"""Writes points that are no sensible numbers into the metadata: negative, infinite, a text, a list, none at all."""

from itertools import cycle

POINTS = 0
def edit(cells):
    odd = cycle([-1, float("inf"), "10", [10], None, True])
    for cell in cells:
        if cell.metadata.get("nbgrader", {}).get("grade"):
            cell.metadata.nbgrader.points = next(odd)
            cell.metadata.nbgrader.schema_version = next(odd)
            cell.metadata.nbgrader.checksum = next(odd)
