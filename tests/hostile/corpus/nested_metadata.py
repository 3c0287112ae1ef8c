"""Nests the metadata of cells and notebook just as deep as can be read, so that later steps stumble. The answer is right."""

ANSWER, POINTS = "right_clone", 10
def edit_notebook(nb):
    def deep(levels):
        value = {}
        for _ in range(levels):
            value = {"a": [value]}
        return value
    nb.metadata.deep = deep(200)
    nb.metadata.kernelspec = deep(150)
    nb.metadata.language_info = deep(150)
    for cell in nb.cells:
        cell.metadata.deep = deep(200)
        cell.metadata.tags = [deep(100)]
        if cell.cell_type == "markdown":
            cell.attachments = deep(100)
