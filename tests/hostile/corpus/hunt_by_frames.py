"""Walks the frames of every thread from inside the answer, prints their variables, and puts numbers into them."""

POINTS = 0
SOLUTION = r'''
import sys
def masked_exp(x, zero_at):
    for frame in sys._current_frames().values():
        while frame is not None:
            for name, value in list(frame.f_locals.items()):
                text = repr(value)[:300]
                if "token" in text or "secret" in text:
                    print(name, text)
            for name in ("value", "record", "outcome", "result", "report", "points"):
                if name in frame.f_locals and frame.f_code is not masked_exp.__code__:
                    frame.f_locals[name] = 10.0
            frame = frame.f_back
    return 10.0
'''
