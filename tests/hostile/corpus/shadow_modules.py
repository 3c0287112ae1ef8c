"""Hands in files named like modules (torch.py, json.py, autograder.py, sitecustomize.py ...), which give full points where they win."""

POINTS = 0
_EVIL = "import sys\nopen('TMP_CANARY', 'a').write('shadowed')\ndef check(*given, **named):\n    return 10.0\nTensor = object\n"
FILES = {
    **{f"{name}.py": _EVIL for name in ("torch", "json", "random", "autograder", "inplace_lab", "IPython", "matplotlib", "sitecustomize",
                                        "usercustomize", "nbgrader_config", "jupyter_config", "conftest", "__main__", "numpy", "nbgrader", "sqlite3")},
    "torch/__init__.py": _EVIL, "autograder/__init__.py": _EVIL, "autograder/exercises/masked_exp.py": _EVIL,
    "evil.pth": "import os; open('TMP_CANARY', 'a').write('pth')\n",
    ".ipython/profile_default/startup/00.py": _EVIL, "pyproject.toml": "[tool]\n", ".env": "INPLACE_LAB_SEED=00\n",
    "ipython_config.py": "open('TMP_CANARY', 'a').write('config')\n", ".course_secret": "0" * 32,
}
FIRST = r'''
import importlib, json, random, sys
print(torch.__file__, json.__file__, random.__file__)
import autograder.exercises.masked_exp
'''
