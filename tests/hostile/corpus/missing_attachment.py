"""Refers to pictures that are not there, or of kinds that hold scripts, so that no page with its text can be made. The answer is right."""

ANSWER, POINTS = "right_clone", 10
def edit(cells):
    for cell in cells:
        if cell.cell_type == "markdown" and "answer" in cell.metadata.get("tags", []):
            cell.source = "![a](attachment:none.png) ![b](attachment:script.svg) ![c](attachment:odd.webp)"
            cell.attachments = {"script.svg": {"image/svg+xml": "<svg onload='alert(1)'/>"}, "odd.webp": {"image/webp": "AAAA"},
                                "wrong.png": {"image/png": ["no", 1, None]}, "list.png": []}
