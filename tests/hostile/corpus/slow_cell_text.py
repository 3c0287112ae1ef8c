"""Writes cells made to keep a regular expression or a comparison of texts busy for ever: long white space, long names, many brackets."""

POINTS = 0
def edit(cells):
    from nbformat.v4 import new_code_cell, new_markdown_cell
    for cell in cells:  # so that all of them are searched for what was lost
        cell.metadata.pop("nbgrader", None)
    for text in ("a" + " " * 900_000, "a" + "\n" * 900_000, "def " + " " * 900_000, "async " * 150_000, "a[" * 400_000, "a" + ".b" * 400_000,
                 "#" + " " * 900_000, "a:" + " x" * 400_000, "# grade id: " + "a" * 900_000, "(" * 900_000, "\t" * 900_000 + "x =", "a" * 900_000):
        cells.append(new_code_cell(text))
    cells += [new_markdown_cell("In your own words ab " * 240) for _ in range(300)]
    cells += [new_markdown_cell(text) for text in ("<" * 500_000, "[" * 500_000, "*_" * 200_000, "`" * 300_000, "<b" + " " * 500_000, "[a](" * 100_000)]
