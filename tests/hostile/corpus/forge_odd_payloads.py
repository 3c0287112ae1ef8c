"""Delivers payloads made to break or to slow down the judge: huge numbers, deep nesting, 4 million characters, NaN."""

POINTS = 0
BEFORE = r'''
from autograder import checking
deliver = checking._deliver
PAYLOADS = ["[" * 1_000_000, '{"a":' * 100_000 + "1" + "}" * 100_000, "1" * 3_900_000, "NaN", '{"records": 1e999}', "", "nul",
            '{"devices": [' + ", ".join(['{"name": "x:1"}'] * 200_000) + "]}", '"' + "\\u0000" * 600_000 + '"',
            '{"records": {"cpu": {"plain 2": {"result": ' + "[" * 900 + "]" * 900 + "}}}}", "\ud800", '{"records": -1e-999}']
def check(name, answer):
    for payload in PAYLOADS:
        try:
            deliver(name, payload)
        except Exception as error:
            print(type(error).__name__)
    try:
        deliver(name, 12)
        deliver({"a": 1}, None)
    except Exception as error:
        print(type(error).__name__)
    return 10.0
'''
