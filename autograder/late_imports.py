"""What an assignment's cells import late, told from its source: imported once, before any submission runs."""

from __future__ import annotations

from pathlib import Path

#: What a cell mentions, and what torch imports the first time that it is used (half a second, 300 modules).
MENTIONED = {b"torch.optim": "torch._dynamo", b"import clinic": "torch._dynamo"}


def late_imports(folder: Path) -> tuple[str, ...]:
    """The modules to import early for the notebooks in a folder of ``source/``; none where it cannot be read."""
    try:
        texts = [path.read_bytes() for path in sorted(folder.glob("*.ipynb"))]
    except OSError:
        return ()
    return tuple(sorted({module for words, module in MENTIONED.items() if any(words in text for text in texts)}))
