"""Sends messages of every wrong form: wrong types, unknown cells, nested, outputs that nbformat refuses."""

POINTS = 0
BEFORE = r'''
send = get_ipython().run_of_notebook.send
CELL = "masked_exp_check"
odd = [None, 1, -1, 1e308, "x", [], {}, [[[]]], {"a": {"b": []}}, True, "\x00\x1b[31m", "\ud800"]
for value in odd:
    for message in (
        {"cell": value}, {"cell": CELL, "state": value}, {"state": value}, {"cell": CELL, "state": "done", "outputs": value},
        {"cell": CELL, "state": "done", "outputs": [value], "seconds": value},
        {"cell": CELL, "state": "payload", "exercise": value, "payload": value},
        {"cell": CELL, "state": "payload", "exercise": "masked_exp", "payload": value},
        {"cell": CELL, "state": "done", "seconds": value, "outputs": [{"output_type": value, "data": value, "text": value}]},
        {"cell": CELL, "state": "done", "outputs": [{"output_type": "stream", "name": value, "text": value}]},
        {"cell": CELL, "state": "done", "outputs": [{"output_type": "display_data", "data": {"text/plain": value}, "metadata": value}]},
        {"cell": CELL, "state": "done", "outputs": [{"output_type": "error", "ename": value, "evalue": value, "traceback": value}]},
        {"cell": CELL, "state": "done", "outputs": [{"output_type": "execute_result", "data": {"text/plain": "10.0", "x": value},
                                                      "metadata": {}, "execution_count": value}]},
        {"response": value, "refused": value, "failed": value, "confined": value, "message": value},
    ):
        try:
            send(message)
        except Exception:
            pass
'''
