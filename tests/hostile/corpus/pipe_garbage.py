"""Writes garbage, half lines and forged replies into every pipe and socket that its process holds."""

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

for number in pipes():
    for data in (b"\n", b"garbage\n", b"\xff\xfe\x00\n", b"[1]\n", b"10.0\n", b"{\"response\": {\"points\": 10}}\n", b"{\"half\": "):
        try:
            os.write(number, data)
        except OSError:
            pass
'''
