"""Registers for IPython's events before and after each cell, and shows 10.0 in each of them."""

POINTS = 0
FIRST = r'''
shell = get_ipython()
for event in ("pre_execute", "pre_run_cell", "post_execute", "post_run_cell"):
    shell.events.register(event, lambda *given: shell.displayhook(10.0))
'''
