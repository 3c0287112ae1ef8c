"""Where a course is published: named once, in pyproject.toml, and either sensible or refused in one sentence."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path

import pytest

from autograder.__main__ import main
from autograder.editions import SET_UP, EditionError, Publication, publish, published, read
from autograder.editions.colab import set_up_from
from tests.tools import ROOT

PLACE = Publication("jane-doe/inplace.lab", "v0.1.0")


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A folder with this repository's pyproject.toml, less what it says of a publication."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    text = re.sub(r"^(Repository|reference) = .*\n", "", text, flags=re.MULTILINE)
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    return tmp_path


def test_nothing_is_published_until_somebody_says_so(course: Path, tmp_path: Path) -> None:
    assert published(course) is None
    assert published(tmp_path / "elsewhere") is None


def test_both_values_are_written_and_nothing_else_is_touched(course: Path) -> None:
    path = course / "pyproject.toml"
    before = path.read_text(encoding="utf-8")
    assert publish(course, PLACE.repository, PLACE.reference) == published(course) == PLACE
    after = path.read_text(encoding="utf-8")
    added = [line for line in after.splitlines() if line not in before.splitlines()]
    assert added == ['Repository = "https://github.com/jane-doe/inplace.lab"', 'reference = "v0.1.0"']
    assert [line for line in after.splitlines() if line not in added] == before.splitlines()
    assert tomllib.loads(after)["project"]["urls"] == {"Repository": PLACE.address}


def test_writing_again_replaces(course: Path) -> None:
    publish(course, PLACE.repository, "v0.1.0")
    once = (course / "pyproject.toml").read_text(encoding="utf-8")
    assert publish(course, None, "v0.2.0") == Publication(PLACE.repository, "v0.2.0")
    assert publish(course, "https://github.com/john/lab.git", None) == Publication("john/lab", "v0.2.0")
    publish(course, PLACE.repository, "v0.1.0")
    assert (course / "pyproject.toml").read_text(encoding="utf-8") == once


def test_tables_that_are_not_there_yet_are_made(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"  # a name\n', encoding="utf-8")
    assert publish(tmp_path, PLACE.repository, PLACE.reference) == published(tmp_path) == PLACE
    assert (tmp_path / "pyproject.toml").read_text(encoding="utf-8").startswith('[project]\nname = "x"  # a name\n\n[')


@pytest.mark.parametrize(
    ("repository", "reference", "said"),
    [
        ("inplace-lab", "v1", "REPOSITORY is 'inplace-lab', and should be the owner/name of a repository on GitHub"),
        ("jane doe/lab", "v1", "REPOSITORY is"),
        ('jane/lab"; touch x', "v1", "REPOSITORY is"),
        ("jane/..", "v1", "REPOSITORY is"),
        ("https://example.org/jane/lab", "v1", "REPOSITORY is"),
        ("jane/lab/more", "v1", "REPOSITORY is"),
        ("jane/lab", "a tag", "REF is 'a tag', and should be a tag of jane/lab"),
        ("jane/lab", "-q", "REF is"),
        ("jane/lab", "a/b", "REF is"),
        ("jane/lab", "v1..2", "REF is"),
        ("jane/lab", "main", "REF is 'main', a branch"),
        ("jane/lab", None, "REF is missing: run `make notebooks REPOSITORY=owner/name REF=tag`"),
        (None, "v1", "REPOSITORY is missing: run `make notebooks"),
    ],
)
def test_nonsense_is_refused_in_one_sentence(
    repository: str | None, reference: str | None, said: str, course: Path
) -> None:
    before = (course / "pyproject.toml").read_bytes()
    with pytest.raises(EditionError, match=f"^{re.escape(said)}") as refused:
        publish(course, repository, reference)
    assert "\n" not in str(refused.value)
    assert (course / "pyproject.toml").read_bytes() == before


def test_half_a_publication_in_the_file_is_named(course: Path) -> None:
    path = course / "pyproject.toml"
    path.write_text(
        path.read_text().replace("[project.urls]\n", '[project.urls]\nRepository = "https://github.com/a/b"\n')
    )
    with pytest.raises(EditionError, match="names a repository and no tag of it"):
        published(course)
    path.write_text("[project")
    with pytest.raises(EditionError, match="this is no TOML"):
        published(course)


def test_a_published_course_has_badges_and_a_set_up_cell_that_installs(
    sample_course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(ROOT / "pyproject.toml", sample_course)
    command = ["--course", str(sample_course), "editions"]
    assert main([*command, "--repository", "jane/lab", "--ref", "v0.1.0"]) == 0
    assert "pyproject.toml: published at https://github.com/jane/lab, tag v0.1.0" in capsys.readouterr().out
    for name in ("sample", "start_here"):
        nb = read(sample_course / "notebooks" / f"{name}.ipynb")
        assert nb.cells[0].source.startswith(
            "[![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)]"
            f"(https://colab.research.google.com/github/jane/lab/blob/v0.1.0/notebooks/{name}.ipynb)\n\n# "
        )
        code = [cell for cell in nb.cells if cell.cell_type == "code"]
        assert code[0].source == set_up_from(Publication("jane/lab", "v0.1.0"))
        assert "https://github.com/jane/lab/archive/refs/tags/v0.1.0.zip" in code[0].source
    for path in sample_course.glob("release/*/*.ipynb"):
        code = [cell for cell in read(path).cells if cell.cell_type == "code"]
        assert code[0].source == SET_UP, "what is handed out and submitted stays as it is"
    assert main([*command, "--check"]) == 0
    assert main([*command, "--check", "--ref", "v2"]) == 1
    assert main([*command, "--ref", "a tag"]) == 1
    assert capsys.readouterr().err.splitlines()[-1].startswith("REF is 'a tag'")
