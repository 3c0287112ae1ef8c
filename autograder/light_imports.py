"""Imported first by the command line: spares it one and a half seconds.

jsonschema imports a parser generator and builds a grammar of RFC 3987, to check values of the format "iri". nbformat,
nbgrader and nbconvert import jsonschema and ask for no format at all. While jsonschema is imported here, that package
counts as missing, which jsonschema allows for; afterwards nothing is changed.
"""

from __future__ import annotations

import sys

if "jsonschema" not in sys.modules and "rfc3987_syntax" not in sys.modules:
    sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]
    try:
        import jsonschema  # noqa: F401
    except ImportError:  # in a notebook's environment
        pass
    finally:
        del sys.modules["rfc3987_syntax"]
