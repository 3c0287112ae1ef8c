"""Fills In, Out and _ with full points, in the name space and in the shell."""

POINTS = 0
BEFORE = r'''
shell = get_ipython()
class Always(dict):
    def __getitem__(self, key):
        return 10.0
    def get(self, *given):
        return 10.0
Out = shell.user_ns["Out"] = shell.user_ns["_oh"] = Always()
_ = __ = ___ = 10.0
In.extend(["10.0"] * 50)
shell.execution_count = 10
shell.displayhook.exec_result = 10.0
'''
