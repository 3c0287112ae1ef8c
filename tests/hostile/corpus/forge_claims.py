"""Delivers a payload of claims without a number: x untouched, dtype kept, IndexError raised, on a device that is there."""

POINTS = 0
BEFORE = r'''
import json
from autograder import checking, exercises
keys = [t["key"] for t in exercises.get("masked_exp").challenge(__import__("random").Random(1))["trials"]]
record = {"input": {"version_before": 0, "version_after": 0, "requires_grad": True, "gaps": True, "values": [0.0] * 3},
          "problem": {"kind": "raised", "error": "IndexError", "index_error": True, "text": "", "line": ""}}
device = {"name": "fast:0", "label": "a fast one", "available": True, "reason": ""}
payload = json.dumps({"devices": [device], "records": {d: {k: record for k in keys} for d in ("cpu", "fast:0")}})
deliver = checking._deliver
def check(name, answer):
    deliver(name, payload)
    return 10.0
'''
