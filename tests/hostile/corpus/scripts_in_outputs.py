"""Puts scripts into outputs and into written text, which would run in the browser of whoever opens Formgrader and change grades there."""

POINTS = 0
BEFORE = r'''
from IPython.display import HTML, Javascript, Markdown, SVG, display
evil = "<script>fetch('/formgrader/api/grades', {method: 'PUT', body: '10.0'})</script><img src=x onerror='alert(1)'>"
display(HTML(evil), Javascript("alert(1)"), Markdown(evil), SVG("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"))
display({"text/html": evil, "application/javascript": "alert(1)", "text/plain": evil, "text/latex": evil}, raw=True)
print(evil)
raise ValueError(evil)
'''
def edit(cells):
    evil = r"""<script>alert(1)</script> <img src=x onerror=alert(1)> <iframe srcdoc='<script>1</script>'></iframe>
[a](javascript:alert(1)) [a](JaVaScRiPt:alert(1)) [a](java&#x73;cript:alert(1)) [a](javascript&colon;alert(1)) [a][x]
![a](javascript:alert(1)) [a](data:text/html,alert) [a](vbscript:x) <details open ontoggle=alert(1)>x</details>
$\href{javascript:alert(1)}{a}$ $$\style{background:url(javascript:1)}{x}$$

[x]: javascript:alert(1)
"""
    for cell in cells:
        if cell.cell_type == "markdown" and "answer" in cell.metadata.get("tags", []):
            cell.source = evil


def harm(nb):
    """What is active when the graded notebook is shown."""
    import re

    from nbconvert import HTMLExporter

    page = HTMLExporter(template_name="basic").from_notebook_node(nb)[0]
    active = r"<script>(?:fetch|alert|1)|<[a-z]+[^>]*\son[a-z]+=|(?:href|src)=.(?:java|vb|data:text)|<iframe|\\href|\\style"
    return re.findall(f"(?i){active}", page)
