"""`python -m inplace_lab.doctor [--json] [--output FILE] script.py [args]`: run a script, and say what was wrong.

The script sees its own arguments and is `__main__`, as under `python -m pdb`; the exit code is its own. The report goes
to stderr. `--json` prints one object as the last line of stdout, `--output FILE` writes it into a file.
"""

from __future__ import annotations

import argparse
import atexit
import importlib.util
import io
import json
import os
import sys
import types
from collections.abc import Sequence

from . import tracebacks
from .session import Diagnosis, diagnose


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the script that the arguments name; its exit code, or 2 when there is no such script."""
    parser = argparse.ArgumentParser(prog="python -m inplace_lab.doctor", description=__doc__.partition("\n\n")[0])
    parser.add_argument("--json", action="store_true", help="print the diagnosis as JSON, as the last line of stdout")
    parser.add_argument("--output", metavar="FILE", help="write the diagnosis as JSON into FILE")
    parser.add_argument("-m", dest="module", action="store_true", help="the script is named as a module (a.b.train)")
    parser.add_argument("script", help="the script to run")
    parser.add_argument("args", nargs=argparse.REMAINDER, help="its arguments")
    options = parser.parse_args(arguments)
    path = _path(options.script) if options.module else options.script
    if path is None or not os.path.isfile(path):
        print(f"There is no script {options.script!r}: name a Python file that exists.", file=sys.stderr)
        return 2
    results: list[Diagnosis] = []
    # What is registered first runs last: after anything that the script prints when it ends.
    atexit.register(_deliver, results, options)
    return _run(path, [options.script, *options.args], results, options.module)


def _path(module: str) -> str | None:
    sys.path.insert(0, os.getcwd())
    try:
        found = importlib.util.find_spec(module)
        if found is not None and found.submodule_search_locations is not None:
            found = importlib.util.find_spec(f"{module}.__main__")
    except ModuleNotFoundError:
        return None
    finally:
        del sys.path[0]
    return found.origin if found is not None else None


def _run(path: str, argv: list[str], results: list[Diagnosis], as_module: bool) -> int:
    with io.open_code(path) as file:
        source = file.read()
    main = types.ModuleType("__main__")
    main.__dict__.update(__file__=path, __builtins__=__builtins__)
    if as_module:
        main.__dict__["__package__"] = argv[0].rpartition(".")[0]
    sys.modules["__main__"] = main
    sys.argv = argv
    sys.path[0] = os.getcwd() if as_module else os.path.dirname(os.path.abspath(path))
    code = None
    diagnosing = diagnose(warn=False)
    results.append(diagnosing.diagnosis)
    try:
        code = compile(source, path, "exec")
        with diagnosing:
            exec(code, main.__dict__)
    except SystemExit as end:
        print(diagnosing.diagnosis, file=sys.stderr)
        return _exit_code(end)
    except BaseException as error:
        trace = tracebacks.without(error.__traceback__, __file__)
        sys.excepthook(type(error), error.with_traceback(trace), trace)
        return 130 if isinstance(error, KeyboardInterrupt) else 1
    print(diagnosing.diagnosis, file=sys.stderr)
    return 0


def _exit_code(end: SystemExit) -> int:
    if end.code is None or isinstance(end.code, int):
        return end.code or 0
    print(end.code, file=sys.stderr)
    return 1


def _deliver(results: list[Diagnosis], options: argparse.Namespace) -> None:
    for diagnosis in results:
        line = json.dumps(diagnosis.as_dict(), ensure_ascii=False)
        if options.output:
            with open(options.output, "w", encoding="utf-8") as file:
                file.write(line + "\n")
        if options.json:
            sys.stdout.flush()
            print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
