"""Feedback pages that read well without a network.

nbgrader's page leaves formulas as TeX and loads MathJax from a server on the internet to draw them. Without a network
they stay TeX, and where a firewall swallows the request, the page stays white until the browser gives up. Here formulas
become MathML when the page is made, which browsers draw by themselves (Chromium since 2023, Firefox and Safari for
longer) and screen readers read; the script is left out, so that a page asks nobody for anything.

MathML rather than a MathJax of our own: JupyterLab has one, but as pieces of its bundle that no other page can load,
and a copy would put 1 MB into each page. Matplotlib's formulas would be pictures, and know no `aligned`.
"""

from __future__ import annotations

import html
import re
from typing import Any
from xml.etree import ElementTree

from jinja2 import pass_context
from latex2mathml.converter import convert
from nbconvert.exporters import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

_MATHJAX = re.compile(r"<!-- Load(?:ing)? mathjax.*?<!-- End of mathjax configuration -->", re.DOTALL)

_FOLDS = "<style>summary { display: list-item; cursor: pointer; }</style>"
"""Bootstrap's style sheet, which the page has, hides the triangle of what can be unfolded."""


class _Renderer(IPythonRenderer):
    """nbconvert's, but with formulas as MathML."""

    def block_math(self, body: str) -> str:
        return mathml(body, block=True)

    def latex_environment(self, name: str, body: str) -> str:
        return mathml(f"\\begin{{{name}}}{body}\\end{{{name}}}", block=True)

    def inline_math(self, body: str) -> str:
        return mathml(body)


class OfflineExporter(HTMLExporter):
    """nbconvert's HTML exporter, less everything that a page would fetch when it is opened."""

    @pass_context
    def markdown2html(self, context: Any, source: str) -> str:
        cell = context.get("cell", {})
        renderer = _Renderer(
            escape=False,
            attachments=cell.get("attachments", {}),
            embed_images=self.embed_images,
            path=context.get("resources", {}).get("metadata", {}).get("path", ""),
            anchor_link_text=self.anchor_link_text,
            exclude_anchor_links=self.exclude_anchor_links,
        )
        return MarkdownWithMath(renderer=renderer).render(source)

    def from_notebook_node(self, nb: Any, resources: Any = None, **named: Any) -> tuple[str, Any]:
        page, resources = super().from_notebook_node(nb, resources, **named)
        return _MATHJAX.sub("", page).replace("</head>", f"{_FOLDS}</head>", 1), resources


def mathml(tex: str, block: bool = False) -> str:
    """A formula as MathML, with its TeX as alternative text; what is no formula that is understood stays TeX.

    Args:
        tex: without the dollar signs.
        block: whether it stands on a line of its own.
    """
    tex = tex.strip()
    known = re.sub(r"\\(begin|end)\{(aligned|gathered|eqnarray\*?|gather\*?)\}", r"\\\1{split}", tex)
    known = re.sub(r"\\(begin|end)\{equation\*?\}", "", known)
    try:
        made = convert(known, display="block" if block else "inline")
        understood = _balanced(tex) and "\\" not in "".join(ElementTree.fromstring(made).itertext())
    except Exception:  # its errors have no common class, and a student's slip must not cost the page
        understood = False
    shown = html.escape(tex)
    if not understood:
        return f"<pre>{shown}</pre>" if block else f"<code>{shown}</code>"
    return made.replace("<math ", f'<math alttext="{shown}" ', 1)


def _balanced(tex: str) -> bool:
    """Whether each brace has its partner; the converter guesses where one is missing."""
    braces = re.findall(r"(?<!\\)[{}]", tex)
    return bool(tex) and braces.count("{") == braces.count("}")
