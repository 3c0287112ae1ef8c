"""``%load_ext inplace_lab``, then ``%%diagnose`` at the top of a cell: run the cell, and show the report below it."""

from __future__ import annotations

import ast

from IPython.display import display

from .session import diagnose


def register(shell) -> None:
    """Make ``%%diagnose`` known to an IPython shell."""

    def diagnose_cell(line: str, cell: str) -> None:
        """Run the cell, and say which line saved a tensor, which line changed it, and what to write instead."""
        run(shell, cell)

    shell.register_magic_function(diagnose_cell, magic_kind="cell", magic_name="diagnose")


def run(shell, cell: str) -> None:
    """Run ``cell`` in the shell's namespace as IPython does, and display the diagnosis.

    An exception of the cell is raised again, after the report. ``await`` outside a function is a SyntaxError here.
    """
    source = shell.transform_cell(cell)
    name = shell.compile.cache(source, shell.execution_count)
    body = ast.parse(source, name).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) and not source.rstrip().endswith(";") else None
    block = diagnose(warn=False, note=False)
    try:
        with block:
            exec(compile(ast.Module(body, []), name, "exec"), shell.user_global_ns, shell.user_ns)
            if last is not None:
                code = compile(ast.Expression(last.value), name, "eval")
                value = eval(code, shell.user_global_ns, shell.user_ns)
                if value is not None:
                    shell.displayhook(value)
    finally:
        display(block.diagnosis)
