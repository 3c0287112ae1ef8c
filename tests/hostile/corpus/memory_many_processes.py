"""Shares 30 GB out to many processes, each of which stays below any limit for one process."""

POINTS = 0
BEFORE = r'''
import os, time
for _ in range(40):
    try:
        if os.fork() == 0:
            kept = [bytearray(b"x") * (750 * 2**20)]
            while True:
                time.sleep(10)
    except OSError:
        pass
time.sleep(5)
'''
