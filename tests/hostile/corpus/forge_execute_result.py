"""Emits an execute_result of 10.0 inside the graded cell, from the answer, before the check has come to its end."""

POINTS = 0
SOLUTION = r'''
def masked_exp(x, zero_at):
    shell = get_ipython()
    shell.displayhook(10.0)
    display({"text/plain": "10.0"}, raw=True)
    run = getattr(shell, "run_of_notebook", None)
    if run is not None:
        run.shown.rich("execute_result", {"text/plain": "10.0"}, 99)
        run.shown.outputs.insert(0, {"output_type": "execute_result", "data": {"text/plain": "10.0"}, "metadata": {},
                                     "execution_count": 1})
'''
