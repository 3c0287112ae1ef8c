"""Leaves threads that go on after their cell: they replace the answer, forge outputs of the graded cell and never end."""

POINTS = 0
BEFORE = r'''
import atexit, threading, time
shell = get_ipython()
def again(daemon):
    while True:
        try:
            shell.run_of_notebook.shown.rich("execute_result", {"text/plain": "10.0"}, 1)
            shell.user_ns["check"] = lambda *given: 10.0
            time.sleep(0.01)
        except BaseException:
            pass
for daemon in (True, False):
    threading.Thread(target=again, args=(daemon,), daemon=daemon).start()
atexit.register(again, True)
'''
