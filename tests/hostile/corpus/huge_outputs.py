"""Displays 20 MB of HTML, ten thousand small outputs, a huge repr and terminal escapes. The answer is right."""

ANSWER, POINTS = "right_clone", 10
BEFORE = r'''
from IPython.display import HTML, display
display(HTML("<b>" + "x" * 20_000_000 + "</b>"))
for number in range(10_000):
    display(number)
class Long:
    def __repr__(self):
        return "\x1b[2J\x1b]0;title\x07\u202e\x00" + "\ud800" + "x" * 10_000_000
display(Long())
Long()
'''
