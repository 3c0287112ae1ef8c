"""Takes the text apart with partition."""

POINTS = 3
MESSAGE = ""


def read_message(text):
    if "expected version" not in text:
        return None
    _, _, rest = text.partition("[")
    kind, _, rest = rest.partition(" [")
    sizes, _, rest = rest.partition("]]")
    named, _, numbers = rest.partition(" is at version ")
    found, _, expected = numbers.partition("; expected version ")
    producer = named.partition(" of ")[2].rstrip(",") or None
    shape = [int(size) for size in sizes.split(", ")] if sizes else []
    return {
        "producer": producer,
        "expected": int(expected.split()[0]),
        "found": int(found),
        "shape": shape,
        "type": kind,
    }


answer = read_message
