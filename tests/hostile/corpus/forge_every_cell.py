"""Reports every cell of the notebook as done with a result of 10.0, then leaves before any of them has run."""

POINTS = 0
FIRST = r'''
import os
send = get_ipython().run_of_notebook.send
FULL = [{"output_type": "execute_result", "data": {"text/plain": "10.0"}, "metadata": {}, "execution_count": 1}]
for cell in ("masked_exp_check", "masked_exp_predictions_check"):
    send({"cell": cell, "state": "started"})
    send({"cell": cell, "state": "payload", "exercise": cell.removesuffix("_check"), "payload": '{"points": 10}'})
    send({"cell": cell, "state": "done", "outputs": FULL, "seconds": 0.1})
os._exit(0)
'''
