"""The untouched dict."""

answer = {
    "1: root = middle * 2": None,
    "2: root = middle * 2; middle.mul_(3)": None,
    "3: root = middle * 2; middle[2] = 10": None,
    "4: root = middle.pow(2); middle.mul_(3)": None,
    "5: root = middle.pow(2); middle[2] = 10": None,
    "6: root = middle.exp(); middle.mul_(3)": None,
    "7: root = middle.exp(); middle[2] = 10": None,
    "8: middle.mul_(3); root = middle * 2": None,
    "9: middle[2] = 10; root = middle * 2": None,
    "10: middle.mul_(3); root = middle.pow(2)": None,
    "11: middle[2] = 10; root = middle.pow(2)": None,
    "12: middle.mul_(3); root = middle.exp()": None,
    "13: middle[2] = 10; root = middle.exp()": None,
}
POINTS = 0
MESSAGE = "You have not predicted this yet"
