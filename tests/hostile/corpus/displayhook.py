"""Replaces the display hook of Python and of IPython: whatever a cell returns is shown as 10.0."""

POINTS = 0
BEFORE = r'''
import sys
shell = get_ipython()
class Hook(type(shell.displayhook)):
    def __call__(self, result=None):
        super().__call__(10.0)
    def write_format_data(self, data, *rest):
        super().write_format_data({"text/plain": "10.0"}, *rest)
shell.displayhook.__class__ = Hook
sys.displayhook = lambda value: print(10.0)
shell.display_formatter.format = lambda *given, **named: ({"text/plain": "10.0"}, {})
'''
