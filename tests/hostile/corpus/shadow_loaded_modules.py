"""Puts modules of its own into sys.modules under the names of torch, autograder and the exercise, and an import hook before all."""

POINTS = 0
BEFORE = r'''
import importlib.abc, sys, types
class Fake(types.ModuleType):
    def __getattr__(self, name):
        return lambda *given, **named: 10.0
class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.startswith("autograder"):
            sys.modules[name] = Fake(name)
        return None
for name in [name for name in sys.modules if name.split(".")[0] in ("torch", "autograder", "json", "random", "inplace_lab")]:
    sys.modules[name] = Fake(name)
sys.meta_path.insert(0, Finder())
from autograder import check
'''
