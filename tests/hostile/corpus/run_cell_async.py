"""Replaces run_cell, run_cell_async and run_code: no later cell is run, and each one returns 10.0."""

ANSWER, POINTS = "wrong_raises", 0
FIRST = r'''
shell = get_ipython()
class Done:
    success, result, error_before_exec, error_in_exec = True, 10.0, None, None
def run_cell(source, *given, **named):
    shell.displayhook(10.0)
    return Done()
async def run_async(*given, **named):
    shell.displayhook(10.0)
    return Done()
type(shell).run_cell = shell.run_cell = lambda *given, **named: run_cell(*given, **named)
type(shell).run_cell_async = shell.run_cell_async = run_async
type(shell).run_code = shell.run_code = run_async
'''
