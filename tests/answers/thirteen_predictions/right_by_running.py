"""Runs each row and writes down the word that the legend gives to what comes out."""

from inplace_lab import cases, observe
from inplace_lab.table import program


def word(seen):
    if seen.gradient is None:
        return "refused"
    mine, without, pure = (t.tolist() for t in (seen.gradient, seen.gradient_unmutated, seen.gradient_out_of_place))
    if mine != pure:
        return "wrong"
    if mine == without:
        return "same"
    return "zero" if all(a in (0, b) for a, b in zip(mine, without, strict=True)) else "changed"


answer = {}
for case in cases():
    chosen = [e for e in case.experiments if e.writes and e.writes[0].mutation == "mul_"] or case.experiments[:1]
    answer[f"{case.number}: {program(chosen[0])}"] = word(observe(chosen[0]))

POINTS = 13
MESSAGE = ""
