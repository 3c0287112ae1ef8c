"""The command line of the course: `python -m autograder <command>`.

Exit codes: 0 done, 1 something is wrong with the course (said in one line each), 2 wrong use of the command.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder import editions
from autograder.editions.build import course_root


@dataclass(frozen=True)
class Command:
    """One command: its name, one line of help, its options, and what it does (returns the exit code)."""

    name: str
    help: str
    options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def _editions_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--check", action="store_true", help="change nothing; exit code 1 where a fresh build differs")


def _editions(arguments: argparse.Namespace) -> int:
    course = course_root(arguments.course)
    if not arguments.check:
        changes = editions.build(course, _progress)
        print("\n".join(changes) or "Nothing had changed.")
        return 0
    found = editions.differences(course, _progress)
    for difference in found:
        print(f"{difference.path} {difference.reason}")
    if found:
        print("Run `make notebooks` to mend this.")
        return 1
    print("release/ and notebooks/ equal a fresh build.")
    return 0


def _normalise_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("notebooks", nargs="*", type=Path, help="source notebooks (default: all of the course)")


def _normalise(arguments: argparse.Namespace) -> int:
    paths = tuple(path.resolve() for path in arguments.notebooks)
    course = course_root(paths[0].parent if paths else arguments.course)
    for path in paths:
        if not path.is_relative_to(course / "source"):
            raise editions.EditionError(f"{path}: only notebooks in {course / 'source'} have a normal form.")
    for path in editions.normalise_sources(course, paths):
        print(f"{path.relative_to(course).as_posix()}: brought into normal form")
    return 0


COMMANDS: tuple[Command, ...] = (
    Command("editions", "build release/ and notebooks/ from source/", _editions_options, _editions),
    Command("normalise", "bring source notebooks into normal form", _normalise_options, _normalise),
)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m autograder", description="Build and grade the course.")
    where = "the course's folder (default: this one, or one above)"
    parser.add_argument("--course", type=Path, default=Path.cwd(), metavar="DIR", help=where)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        options = commands.add_parser(command.name, help=command.help, description=command.help.capitalize() + ".")
        command.options(options)
        options.set_defaults(run=command.run)
    arguments = parser.parse_args(argv)
    try:
        return arguments.run(arguments)
    except editions.EditionError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130


def _progress(line: str) -> None:
    print(f"building {line}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
