"""Forks in a cell, and both processes go on with the notebook and deliver."""

ANSWER, POINTS = "wrong_detached", 3.5
BEFORE = r'''
import os
os.fork()
os.fork()
'''
