"""Delivers a payload whose numbers it computed by the closed form, and knows no autograd: right numbers earn what they earn."""

POINTS = 10  # documented in autograder.judge: points are given for numbers, and these are right
BEFORE = r'''
import json, math
from autograder import checking, exercises, judge
where = "cpu"
def tensor(values, dtype, shape=None):
    return {"dtype": dtype, "shape": shape or [len(values)], "device": where, "requires_grad": True,
            "node": "WhereBackward0", "values": values}
def record(t):
    x, (place,) = [float(v) for v in t["x"]], t["arguments"]
    n = len(x)
    made = {"input": {"version_before": 0, "version_after": 0, "requires_grad": t["requires_grad"], "gaps": True,
                      "values": t["x"]}}
    if not -n <= place < n:
        return made | {"problem": {"kind": "raised", "error": "IndexError", "index_error": True}}
    y = [0.0 if i == place % n else math.exp(v) if v < 700 else "inf" for i, v in enumerate(x)]
    made |= {"result": tensor(y, t["dtype"]), "graph": {"nodes": [], "broken": []}}
    if t["key"] == "overflow":
        return made
    pull = [w * v for w, v in zip(t["weights"], y)]
    if "jacobian" in t["want"]:
        made["jacobian"] = tensor([y[i] if i == j else 0.0 for i in range(n) for j in range(n)], "float64", [n, n])
    made["pull"], made["twice"] = tensor(pull, "float64"), tensor(pull + pull, "float64", [2, n])
    made["second"] = tensor([d * p for d, p in zip(t["directions"], pull)], "float64")
    return made
deliver = checking._deliver
def check(name, answer):
    if name == "masked_exp":
        challenge = judge.challenge_for(exercises.get(name), judge.seed_for(name))
        records = {}
        for where in ("cpu", "simgpu:0"):  # a device is a claim: nobody can see where numbers were computed
            globals()["where"] = where
            records[where.partition(":")[0]] = {t["key"]: record(t) for t in challenge["trials"]}
        claimed = {"name": "simgpu", "label": "simgpu (simulated)", "available": True, "reason": ""}
        deliver(name, json.dumps({"devices": [claimed], "records": records}))
    return 0.0
'''
