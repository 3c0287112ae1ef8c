"""Takes the clock and the exit away from whoever watches the time: time.monotonic stands still, os._exit does nothing, locks are held."""

POINTS = 0
BEFORE = r'''
import os, threading, time
run = get_ipython().run_of_notebook
time.monotonic = time.time = time.perf_counter = lambda: 0.0
os._exit = lambda *given: None
run.cell_seconds, run.deadline = 1e9, None
run.ticking.acquire()
run._watch = lambda *given: None
while True:
    pass
'''
