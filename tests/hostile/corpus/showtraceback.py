"""Swallows every error: showtraceback and custom exception handlers do nothing, and the answer raises."""

ANSWER, POINTS = "wrong_raises", 0
FIRST = r'''
import sys
shell = get_ipython()
shell.showtraceback = shell._showtraceback = shell.showsyntaxerror = lambda *given, **named: None
shell.set_custom_exc((BaseException,), lambda *given, **named: None)
sys.excepthook = lambda *given: None
'''
