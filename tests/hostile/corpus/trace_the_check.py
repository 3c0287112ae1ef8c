"""Sets trace and profile functions and an audit hook, to look into the check while it runs and change its variables."""

ANSWER, POINTS = "wrong_detached", 3.5
BEFORE = r'''
import sys
def trace(frame, event, argument):
    for name in ("points", "earned", "total", "passed"):
        if name in frame.f_locals:
            frame.f_locals[name] = 10.0
    return trace
sys.settrace(trace)
sys.setprofile(lambda *given: None)
sys.addaudithook(lambda event, arguments: None)
'''
