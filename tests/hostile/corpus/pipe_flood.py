"""Writes 100 MB into the pipe, without the end of a line."""

POINTS = 0
BEFORE = r'''
import os, stat
def pipes():
    found = []
    for number in range(3, 1024):
        try:
            if stat.S_ISFIFO(os.fstat(number).st_mode) or stat.S_ISSOCK(os.fstat(number).st_mode):
                found.append(number)
        except OSError:
            pass
    return found

block = b"x" * 1_000_000
for number in pipes():
    for _ in range(100):
        view = memoryview(block)
        while view:
            view = view[os.write(number, view):]
'''
