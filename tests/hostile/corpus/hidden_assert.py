"""Redefines what the graded cell's words mean: `masked_exp_check` as a magic, a cell magic and an alias of check."""

POINTS = 0
BEFORE = r'''
from IPython.core.magic import register_cell_magic, register_line_magic
shell = get_ipython()
@register_line_magic
def check(line):
    return 10.0
shell.automagic = True
shell.run_line_magic("automagic", "on")
del globals()["check"]
get_ipython().autocall = 2
shell.set_custom_completer(lambda *given: ["10.0"])
import builtins
builtins.check = lambda *given: 10.0
'''
