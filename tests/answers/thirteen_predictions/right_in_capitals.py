"""The same in capitals and with stray blanks."""

answer = {
    "1: root = middle * 2": " SAME",
    "2: root = middle * 2; middle.mul_(3)": " SAME",
    "3: root = middle * 2; middle[2] = 10": " SAME",
    "4: root = middle.pow(2); middle.mul_(3)": " REFUSED",
    "5: root = middle.pow(2); middle[2] = 10": " REFUSED",
    "6: root = middle.exp(); middle.mul_(3)": " SAME",
    "7: root = middle.exp(); middle[2] = 10": " SAME",
    "8: middle.mul_(3); root = middle * 2": " CHANGED",
    "9: middle[2] = 10; root = middle * 2": " ZERO",
    "10: middle.mul_(3); root = middle.pow(2)": " CHANGED",
    "11: middle[2] = 10; root = middle.pow(2)": " ZERO",
    "12: middle.mul_(3); root = middle.exp()": " CHANGED",
    "13: middle[2] = 10; root = middle.exp()": " ZERO",
}
POINTS = 13
MESSAGE = ''
