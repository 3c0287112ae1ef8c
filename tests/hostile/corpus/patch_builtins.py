"""Replaces functions of builtins: all, any, abs, max, sum, isinstance and float."""

POINTS = 0
BEFORE = r'''
import builtins
builtins.all = builtins.any = lambda *given: True
builtins.abs = builtins.max = lambda *given, **named: 0.0
builtins.sum = lambda *given: 10.0
builtins.isinstance = lambda *given: True
builtins.float = lambda *given: 10.0
'''
