"""Writes half a message into the pipe and leaves."""

POINTS = 0
PREDICTED, PREDICTIONS = True, 4  # earned before
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

for number in pipes():
    os.write(number, b"{\"message\": {\"cell\": \"masked_exp_check\", \"state\": \"payl")
os._exit(0)
'''
