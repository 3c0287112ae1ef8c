"""What nbgrader does again and again for each submission, done once for a process.

nbgrader's commands grade a class in one go and its classes were not made to be used for hundreds of submissions: half
of the time that they take goes into opening the gradebook some fifteen times, each time with a new engine, and into
checking the same schemas. None of that depends on the submission. What is stored and what is refused stays the same.
"""

from __future__ import annotations

import contextlib
import functools
import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import jsonschema
import nbgrader.api
from nbgrader.api import Gradebook
from nbgrader.nbgraderformat import common
from nbgrader.preprocessors import saveautogrades
from sqlalchemy import create_engine, inspect

BUSY_SECONDS = 60.0  # that a writer waits for another one; SQLite's own 5 are few for a slow disk and many writers

_engines: dict[str, Any] = {}
_tables: dict[Any, list[str]] = {}
_courses: set[tuple[str, str]] = set()
_check_course = Gradebook.check_course
_keeping = False


def make_lean() -> None:
    """Change nbgrader in this process and those forked from it.

    All gradebooks that are one database share SQLAlchemy's engine with its memory of compiled statements. That tables
    and course are there is looked up once. The grades of a notebook are committed together.
    """
    if nbgrader.api.create_engine is not create_engine:
        return
    tables = nbgrader.api.Base.metadata
    nbgrader.api.create_engine = _engine
    nbgrader.api.inspect = _inspected
    Gradebook.check_course = _course_is_there
    Gradebook.close = _close
    tables.create_all = functools.cache(tables.create_all)
    saveautogrades.Gradebook = AtOnce
    common.jsonschema = SimpleNamespace(validate=_validate)


@contextlib.contextmanager
def one_connection() -> Iterator[None]:
    """Within, the gradebook's connection stays open, however often it is opened and closed. Nothing may fork within."""
    global _keeping
    _keeping = True
    try:
        yield
    finally:
        _keeping = False
        for engine in _engines.values():
            engine.dispose()


class AtOnce(Gradebook):
    """A gradebook whose commits are one, when it is left without an error: each one waits for the disk, and for others.

    nbgrader commits after every cell of a notebook.
    """

    def __enter__(self) -> AtOnce:
        self._commit, self.db.commit = self.db.commit, self.db.flush
        return self

    def __exit__(self, kind: Any, error: Any, at: Any) -> None:
        if kind is None:
            self._commit()
        super().__exit__(kind, error, at)


def _engine(url: str, **options: Any) -> Any:
    if url not in _engines:
        if url.startswith("sqlite"):
            options["connect_args"] = {"timeout": BUSY_SECONDS}
        _engines[url] = create_engine(url, **options)
    return _engines[url]


def _close(self: Gradebook) -> None:
    """An engine that is not disposed of keeps a connection, which no fork may take along."""
    self.db.remove()
    if not _keeping:
        self.engine.dispose()


def _inspected(engine: Any) -> SimpleNamespace:
    return SimpleNamespace(get_table_names=lambda: _tables.get(engine) or _look_for_tables(engine))


def _look_for_tables(engine: Any) -> list[str]:
    _tables[engine] = inspect(engine).get_table_names()
    return _tables[engine]


def _course_is_there(self: Gradebook, course_id: str = "default_course", **about: Any) -> Any:
    key = (str(self.engine.url), course_id)
    if about or key not in _courses:
        _check_course(self, course_id, **about)
        _courses.add(key)


def _validate(instance: object, schema: dict) -> None:
    """`jsonschema.validate`, which also checks the schema each time: three quarters of what it does."""
    error = jsonschema.exceptions.best_match(_validator(json.dumps(schema)).iter_errors(instance))
    if error is not None:
        raise error


@functools.cache
def _validator(schema: str) -> Any:
    given = json.loads(schema)
    kind = jsonschema.validators.validator_for(given)
    kind.check_schema(given)
    return kind(given)
