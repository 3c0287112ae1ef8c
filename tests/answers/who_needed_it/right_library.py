"""Asks inplace_lab.graph."""

from inplace_lab import graph

POINTS = 4
MESSAGE = ""


def who_needed_it(loss):
    return next((one.node for one in graph.broken(loss) if one.expected is not None), None)


answer = who_needed_it
