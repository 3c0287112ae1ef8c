"""Answers in other words than the five."""

answer = {
    "1: root = middle * 2": "runs",
    "2: root = middle * 2; middle.mul_(3)": "runs",
    "3: root = middle * 2; middle[2] = 10": "runs",
    "4: root = middle.pow(2); middle.mul_(3)": "runs",
    "5: root = middle.pow(2); middle[2] = 10": "runs",
    "6: root = middle.exp(); middle.mul_(3)": "runs",
    "7: root = middle.exp(); middle[2] = 10": "runs",
    "8: middle.mul_(3); root = middle * 2": "runs",
    "9: middle[2] = 10; root = middle * 2": "runs",
    "10: middle.mul_(3); root = middle.pow(2)": "runs",
    "11: middle[2] = 10; root = middle.pow(2)": "runs",
    "12: middle.mul_(3); root = middle.exp()": "runs",
    "13: middle[2] = 10; root = middle.exp()": "runs",
}
POINTS = 0
MESSAGE = 'Your prediction "runs" is none of the answers: write "refused", "same", "changed", "zero" or "wrong"'
