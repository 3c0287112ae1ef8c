"""The command line of the course: `python -m autograder <command>`.

Exit codes: 0 done, 1 something is wrong with the course (said in one line each), 2 wrong use of the command.
"""

from __future__ import annotations

import autograder.light_imports  # noqa: F401  # isort: skip

import argparse
import contextlib
import gc
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.batch import BatchError

# What commands need is imported by them: torch comes along with it, which takes seconds.


@dataclass(frozen=True)
class Command:
    """One command: its name, one line of help, its options, and what it does (returns the exit code)."""

    name: str
    help: str
    options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def _editions_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--check", action="store_true", help="change nothing; exit code 1 where a fresh build differs")
    where = "write into pyproject.toml where the course is published on GitHub, then build for it"
    parser.add_argument("--repository", default=None, metavar="OWNER/NAME", help=where)
    parser.add_argument("--ref", default=None, metavar="TAG", help="the tag that Colab opens and installs")


def _editions(arguments: argparse.Namespace) -> int:
    from autograder import editions
    from autograder.editions.build import course_root

    course = course_root(arguments.course)
    if arguments.repository is not None or arguments.ref is not None:
        if arguments.check:
            raise editions.EditionError("--check changes nothing, so it takes no --repository and no --ref.")
        place = editions.publish(course, arguments.repository, arguments.ref)
        print(f"pyproject.toml: published at {place.address}, tag {place.reference}")
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


def _colab(arguments: argparse.Namespace) -> int:
    from autograder import editions
    from autograder.editions.build import course_root

    print("\n".join(editions.build_colab(course_root(arguments.course), _progress)))
    return 0


def _normalise_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("notebooks", nargs="*", type=Path, help="source notebooks (default: all of the course)")


def _normalise(arguments: argparse.Namespace) -> int:
    from autograder import editions
    from autograder.editions.build import course_root

    paths = tuple(path.resolve() for path in arguments.notebooks)
    course = course_root(paths[0].parent if paths else arguments.course)
    for path in paths:
        if not path.is_relative_to(course / "source"):
            raise editions.EditionError(f"{path}: only notebooks in {course / 'source'} have a normal form.")
    for path in editions.normalise_sources(course, paths):
        print(f"{path.relative_to(course).as_posix()}: brought into normal form")
    return 0


def _number(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of processes: give 1 or more")
    return int(text)


def _grade_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("assignment", metavar="ASSIGNMENT", help="a folder in source/")
    parser.add_argument("--student", default="*", metavar="NAME", help='only this one, or a pattern like "a*"')
    parser.add_argument(
        "--jobs", type=_number, default=0, metavar="N", help="processes (default: as many as processors)"
    )
    parser.add_argument("--scheduler", default="", metavar="ADDRESS", help="use a Dask cluster: tcp://...")
    parser.add_argument("--force", action="store_true", help="grade again what is graded and unchanged")


def _grade(arguments: argparse.Namespace) -> int:
    from autograder.late_imports import late_imports
    from autograder.sandbox import Origin
    from autograder.sandbox.values import PRELOAD

    gc.disable()  # until all is imported; see `Pool.run`
    a = arguments
    modules = (*PRELOAD, *late_imports(a.course / "source" / a.assignment))
    with contextlib.nullcontext() if a.scheduler else Origin(modules) as origin:  # it imports while this process does
        from autograder.batch import command

        return command.grade(a.course, a.assignment, a.student, a.jobs, a.scheduler, a.force, origin)


def _replay_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("submission", type=Path, metavar="SUBMISSION", help="a notebook that was handed in")
    parser.add_argument("case", metavar="CASE", help="the case, as the report names it")
    parser.add_argument("--exercise", default="", metavar="NAME", help="the exercise, where several have such a case")
    parser.add_argument("--seed", default="", metavar="SEED", help="seed of the report (default: the student's own)")


def _replay(arguments: argparse.Namespace) -> int:
    from autograder.batch import appeal

    a = arguments
    appeal.replay(a.submission.parent, a.submission, a.case, a.exercise, a.seed)
    return 0


def _overview_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("assignment", metavar="ASSIGNMENT", help="a folder in source/")


def _overview(arguments: argparse.Namespace) -> int:
    from autograder.overview import command

    return command.overview(arguments.course, arguments.assignment)


def _no_options(parser: argparse.ArgumentParser) -> None:
    pass


def _devices(arguments: argparse.Namespace) -> int:
    from autograder import device_proof

    return device_proof.command()


COMMANDS: tuple[Command, ...] = (
    Command("editions", "build release/ and notebooks/ from source/", _editions_options, _editions),
    Command("colab", "build dist/colab/: notebooks that carry the lab in themselves", _no_options, _colab),
    Command("normalise", "bring source notebooks into normal form", _normalise_options, _normalise),
    Command("grade", "grade everything that was handed in for an assignment", _grade_options, _grade),
    Command("replay", "repeat one case of a submission's report, for an appeal", _replay_options, _replay),
    Command("overview", "show what a class did: points, failed cases, what to raise", _overview_options, _overview),
    Command("devices", "show which devices the checks use here, and try each", _no_options, _devices),
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
    except BatchError as error:
        print(error, file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    except Exception as error:
        from autograder.editions import EditionError

        if not isinstance(error, EditionError):
            raise
        print(error, file=sys.stderr)
        return 1


def _progress(line: str) -> None:
    print(f"building {line}", file=sys.stderr)


if __name__ == "__main__":
    code = main()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            stream.flush()
    os._exit(code)  # an orderly exit takes torch apart, piece by piece, for half a second
