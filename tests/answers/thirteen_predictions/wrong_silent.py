"""Expects wrong gradients without an error where the write comes before root."""

answer = {
    "1: root = middle * 2": "same",
    "2: root = middle * 2; middle.mul_(3)": "same",
    "3: root = middle * 2; middle[2] = 10": "same",
    "4: root = middle.pow(2); middle.mul_(3)": "refused",
    "5: root = middle.pow(2); middle[2] = 10": "refused",
    "6: root = middle.exp(); middle.mul_(3)": "same",
    "7: root = middle.exp(); middle[2] = 10": "same",
    "8: middle.mul_(3); root = middle * 2": "wrong",
    "9: middle[2] = 10; root = middle * 2": "wrong",
    "10: middle.mul_(3); root = middle.pow(2)": "wrong",
    "11: middle[2] = 10; root = middle.pow(2)": "wrong",
    "12: middle.mul_(3); root = middle.exp()": "wrong",
    "13: middle[2] = 10; root = middle.exp()": "wrong",
}
POINTS = 7
MESSAGE = 'You predicted "wrong"; torch: "changed"'
