"""Where this course is published, if anywhere: what Colab's badges and the self-study set-up cell point to.

pyproject.toml is the one place that names it, and this module the only one that reads and writes it there:

    [project.urls]
    Repository = "https://github.com/owner/name"

    [tool.inplace-lab]
    reference = "v0.1.0"  # the tag that notebooks are opened and installed from
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from autograder.editions.notebook import EditionError, write

PROJECT = "pyproject.toml"
SITE = "https://github.com/"
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})/[A-Za-z0-9._-]{1,100}")
_TAG = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_MOVING = ("HEAD", "main", "master", "develop", "trunk")
_HOW = "run `make notebooks REPOSITORY=owner/name REF=tag`"


@dataclass(frozen=True)
class Publication:
    """A repository on GitHub ("owner/name"; Colab opens no other) and a tag of it.

    Raises EditionError, in one sentence, for what can be neither.
    """

    repository: str
    reference: str

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.repository) or self.repository.split("/")[1] in (".", ".."):
            raise EditionError(
                f"REPOSITORY is {self.repository!r}, and should be the owner/name of a repository on GitHub, "
                "as in REPOSITORY=jane-doe/inplace-lab."
            )
        if not _TAG.fullmatch(self.reference) or ".." in self.reference or self.reference.endswith((".", ".lock")):
            raise EditionError(
                f"REF is {self.reference!r}, and should be a tag of {self.repository}: letters, digits, dots, hyphens "
                "and underscores, as in REF=v0.1.0."
            )
        if self.reference in _MOVING:
            raise EditionError(
                f"REF is {self.reference!r}, a branch, whose notebooks change under their readers: make a tag and "
                "name that, as in REF=v0.1.0."
            )

    @property
    def address(self) -> str:
        return SITE + self.repository

    @property
    def archive(self) -> str:
        """The address of the tag's files, which pip installs; a branch of that name is not found there."""
        return f"{self.address}/archive/refs/tags/{self.reference}.zip"

    def in_colab(self, path: str) -> str:
        """The address at which Colab opens a notebook of the tag; `path` is relative to the repository."""
        return f"https://colab.research.google.com/github/{self.repository}/blob/{self.reference}/{path}"


def published(course: Path) -> Publication | None:
    """Where the course's pyproject.toml says it is published; None where it names no repository.

    Raises EditionError where it names half of it or nonsense.
    """
    path = course / PROJECT
    if not path.is_file():
        return None
    project = _parsed(path.read_text(encoding="utf-8"), path)
    address = project.get("project", {}).get("urls", {}).get("Repository", "")
    reference = project.get("tool", {}).get("inplace-lab", {}).get("reference", "")
    if not address:
        return None
    if not reference:
        raise EditionError(f"{path} names a repository and no tag of it: {_HOW}.")
    return Publication(_owner_and_name(str(address)), str(reference))


def publish(course: Path, repository: str | None, reference: str | None) -> Publication:
    """Write a repository and a tag into the course's pyproject.toml; what is None stays as it is there.

    `repository` is "owner/name" or the repository's address. Comments and all other lines of the file stay.
    Raises EditionError, and changes nothing, where the two make no Publication.
    """
    path = course / PROJECT
    if not path.is_file():
        raise EditionError(f"{course}: there is no {PROJECT} here in which a repository could be named.")
    before = path.read_text(encoding="utf-8")
    if repository is None or reference is None:
        there = _parsed(before, path)
        repository = repository or there.get("project", {}).get("urls", {}).get("Repository", "")
        reference = reference or there.get("tool", {}).get("inplace-lab", {}).get("reference", "")
        if not repository or not reference:
            raise EditionError(f"{'REF' if repository else 'REPOSITORY'} is missing: {_HOW}.")
    place = Publication(_owner_and_name(repository), reference)
    after = _with_value(before, "project.urls", "Repository", place.address)
    after = _with_value(after, "tool.inplace-lab", "reference", place.reference)
    _parsed(after, path)
    if after != before:
        write(path, after)
    if published(course) != place:
        raise EditionError(f"{path} is written in a way that could not be changed: set both values there by hand.")
    return place


def _owner_and_name(text: str) -> str:
    return text.strip().removeprefix(SITE).removesuffix("/").removesuffix(".git")


def _parsed(text: str, path: Path) -> dict:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise EditionError(f"{path}: this is no TOML ({error}). Restore it, for example with git.") from None


def _with_value(text: str, table: str, key: str, value: str) -> str:
    """The TOML text with a string under a key: in the key's line, else in a new line at the head of its table.

    Python reads TOML and does not write it. A comment behind the value stays.
    """
    line = f'{key} = "{value}"'
    header = re.search(rf"^\[{re.escape(table)}\][^\n]*\n", text, re.MULTILINE)
    if header is None:
        return f"{text.rstrip()}\n\n[{table}]\n{line}\n"
    end = re.search(r"^\[", text[header.end() :], re.MULTILINE)
    stop = header.end() + end.start() if end else len(text)
    body = text[header.end() : stop]
    given = re.compile(rf"""^{re.escape(key)}\s*=\s*(?:"[^"\n]*"|'[^'\n]*')""", re.MULTILINE)
    body = given.sub(lambda match: line, body) if given.search(body) else f"{line}\n{body}"
    return text[: header.end()] + body + text[stop:]
