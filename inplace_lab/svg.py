"""Draw a ``Panel`` as inline SVG text. Colours are CSS variables, so that a picture follows the page's theme."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from .drawing import PALETTE, STROKES, Box, Line, Mark, Panel, Shape, Text, arrow_head, outline

_MONO = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"
_SANS = "system-ui, 'DejaVu Sans', 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"

_DARK_PAGES = (
    "[data-jp-theme-light='false'] .ipl",  # JupyterLab
    "html[theme='dark'] .ipl",  # Colab
    "body[data-vscode-theme-kind*='dark'] .ipl",  # Visual Studio Code
)

_LAYOUT = (
    ".ipl-picture{display:flex;flex-wrap:wrap;gap:6px 16px;align-items:flex-start}"
    ".ipl-verdict{box-sizing:border-box;min-height:256px;padding:8px 12px;border-left:4px solid var(--ipl-root);"
    "background:var(--ipl-wash);border-radius:0 4px 4px 0}.ipl-verdict.ipl-bad{border-color:var(--ipl-bad);"
    "background:var(--ipl-alarm)}.ipl-verdict strong{font-size:15px}.ipl-verdict p{margin:4px 0}"
    ".ipl-verdict code{display:block;background:none;color:inherit;font-size:12px;line-height:1.35;padding:0;"
    "overflow-wrap:anywhere}"
)


def style() -> str:
    """The style sheet that the pictures of one page need, once."""

    def variables(page: int) -> str:
        return "".join(f"--ipl-{role}:{colours[page]};" for role, colours in PALETTE.items())

    return (
        f"<style>.ipl{{{variables(0)}color:var(--ipl-ink);font:{Text.size}px/1.45 {_SANS}}}"
        f"{','.join(_DARK_PAGES)}{{{variables(1)}}}"
        f".ipl svg{{display:block;overflow:visible}}.ipl svg text{{dominant-baseline:central;white-space:pre}}"
        f".ipl .m,.ipl code{{font-family:{_MONO}}}{_LAYOUT}</style>"
    )


def document(panel: Panel) -> str:
    """The panel as the text of an SVG file, which follows the light or dark scheme of whoever looks at it."""
    light, dark = ("".join(f"--ipl-{role}:{colours[page]};" for role, colours in PALETTE.items()) for page in (0, 1))
    sheet = (
        f"<style>svg{{{light}background:var(--ipl-paper);font:{Text.size}px {_SANS}}}"
        f"text{{dominant-baseline:central;white-space:pre}}.m{{font-family:{_MONO}}}"
        f"@media (prefers-color-scheme:dark){{svg{{{dark}}}}}</style>"
    )
    return render(panel, sheet)


def render(panel: Panel, sheet: str = "") -> str:
    """The panel as an ``<svg role="img">`` whose label is the panel's alt text; ``sheet`` goes in before the shapes."""
    body = sheet + "".join(part for shape in panel.shapes for part in _draw(shape))
    return (
        f'<svg role="img" aria-label="{escape(panel.alt)}" xmlns="http://www.w3.org/2000/svg" '
        f'width="{_n(panel.width)}" height="{_n(panel.height)}" viewBox="0 0 {_n(panel.width)} {_n(panel.height)}">'
        f"{body}</svg>"
    )


def _draw(shape: Shape) -> Iterator[str]:
    match shape:
        case Line():
            yield from _line(shape)
        case Box():
            yield (
                f'<rect x="{_n(shape.x)}" y="{_n(shape.y)}" width="{_n(shape.width)}" height="{_n(shape.height)}" '
                f'rx="{_n(shape.radius)}" style="{_paint(shape.fill, shape.outline, shape.line, shape.dash)}"'
                f"{_opacity(shape.opacity)}/>"
            )
        case Text():
            yield _text(shape)
        case Mark():
            yield _mark(shape)


def _text(text: Text) -> str:
    # A forced length keeps monospaced code inside its column whatever font the page finds.
    exact = f' class="m" textLength="{_n(text.width)}" lengthAdjust="spacingAndGlyphs"' if text.mono else ""
    anchor = "" if text.anchor == "start" else f' text-anchor="{text.anchor}"'
    weight = ' font-weight="600"' if text.bold else ""
    size = "" if text.size == Text.size else f' font-size="{_n(text.size)}"'
    return (
        f'<text x="{_n(text.x)}" y="{_n(text.y)}"{anchor}{weight}{size}{exact} style="fill:{_colour(text.role)}">'
        f"{escape(text.text)}</text>"
    )


def _line(line: Line) -> Iterator[str]:
    points = " ".join(f"{_n(x)},{_n(y)}" for x, y in line.points)
    style = _paint("", line.role, line.width, line.dash) + "stroke-linejoin:round"
    yield f'<polyline points="{points}" style="{style}"{_opacity(line.opacity)}/>'
    if line.arrow:
        corners = " ".join(f"{_n(x)},{_n(y)}" for x, y in arrow_head(line))
        yield f'<polygon points="{corners}" style="fill:{_colour(line.role)}"/>'


def _mark(mark: Mark) -> str:
    colour = _colour(mark.role)
    fill = _colour("paper") if mark.hollow else colour
    if mark.shape == "circle":
        return (
            f'<circle cx="{_n(mark.x)}" cy="{_n(mark.y)}" r="{_n(mark.size)}" '
            f'style="fill:{fill};stroke:{colour};stroke-width:1.5"/>'
        )
    points = " ".join(f"{_n(x)},{_n(y)}" for x, y in outline(mark))
    if mark.shape in STROKES:
        return (
            f'<polyline points="{points}" style="fill:none;stroke:{colour};stroke-width:2.4;'
            f'stroke-linecap:round;stroke-linejoin:round"/>'
        )
    return f'<polygon points="{points}" style="fill:{fill};stroke:{colour};stroke-width:1.5"/>'


def _paint(fill: str, edge: str, width: float, dash: str) -> str:
    parts = f"fill:{_colour(fill) if fill else 'none'};"
    if edge:
        parts += f"stroke:{_colour(edge)};stroke-width:{_n(width)};"
        parts += f"stroke-dasharray:{dash};" if dash else ""
    return parts


def _colour(role: str) -> str:
    return f"var(--ipl-{role})"


def _opacity(opacity: float) -> str:
    return "" if opacity == 1 else f' opacity="{opacity}"'


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
