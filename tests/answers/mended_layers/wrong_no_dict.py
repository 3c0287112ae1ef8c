"""Hands in one function."""

POINTS = 0
MESSAGE = "expected a dict of functions"


def softmax(scores):
    weights = scores.exp()
    return weights / weights.sum(1, keepdim=True)


answer = softmax
