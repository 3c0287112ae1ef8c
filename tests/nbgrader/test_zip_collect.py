"""`nbgrader zip_collect`: a class's files from Moodle, from Canvas and from a mailbox, in the forms that they have.

The made zips have the names that the platforms' own code writes (see `autograder.downloads.names`).
"""

from __future__ import annotations

import io
import tarfile
import unicodedata
import zipfile
from pathlib import Path

import pytest

from autograder.downloads import archives, names
from autograder.editions import read, text_of
from tests.nbgrader.course import Course, make_course
from tests.tools import ROOT

LESSON = "masked_exp"
FILE = f"{LESSON}.ipynb"
MOST = 10**6


class _NoSignForUtf8(zipfile.ZipInfo):
    """An entry as Canvas writes it: the bytes are UTF-8, and nothing says so."""

    def _encodeFilenameFlags(self) -> tuple[bytes, int]:
        return self.filename.encode("utf-8"), self.flag_bits & ~0x800


def zipped(files: dict[str, bytes | str], canvas: bool = False) -> bytes:
    """An archive of these files."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in files.items():
            archive.writestr(_NoSignForUtf8(name) if canvas else zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return made.getvalue()


def tarred(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        for info, content in members:
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return made.getvalue()


def planned(*paths: str, notebooks: tuple[str, ...] = (LESSON,)) -> dict[str, tuple[str, str]]:
    """{path: (student, file)}."""
    return {path: (place.student, place.file) for path, place in names.plan(paths, notebooks).places.items()}


# ------------------------------------------------------------------------------------------------ names


@pytest.mark.parametrize(
    ("path", "student", "file"),
    [
        # Moodle, in folders: now, before, with a folder or an opened archive inside, and a group's.
        ("week 3/Ada Lovelace_1234567_assignsubmission_file/masked_exp.ipynb", "ada_lovelace", FILE),
        ("week 3/Ada Lovelace_1234567_assignsubmission_file_/masked_exp.ipynb", "ada_lovelace", FILE),
        ("Ada Lovelace_1234567_assignsubmission_file_/work/final/masked_exp (1).ipynb", "ada_lovelace", FILE),
        ("Group A_12_assignsubmission_file_/masked_exp.ipynb", "group_a", FILE),
        ("Default group_assignsubmission_file/masked_exp.ipynb", "default_group", FILE),
        ("Zoë Müller-Lüdenscheidt_9_assignsubmission_file_/masked_exp.ipynb", "zoë_müller-lüdenscheidt", FILE),
        ("李 小龙_77_assignsubmission_file/masked_exp.ipynb", "李_小龙", FILE),
        ("Pat O'Brien, Jr._5_assignsubmission_file/masked_exp.ipynb", "pat_o_brien_jr", FILE),
        # Moodle without folders.
        ("Ada Lovelace_1234567_assignsubmission_file_masked_exp.ipynb", "ada_lovelace", FILE),
        ("w/Ada Lovelace_1234567_assignsubmission_file_my masked exp.ipynb", "ada_lovelace", "my masked exp.ipynb"),
        # Canvas: in time, late, handed in again, with spaces, anonymous, an opened archive.
        ("submissions/lovelaceada_12345_678901_masked_exp.ipynb", "lovelaceada_12345", FILE),
        ("submissions/lovelaceada_LATE_12345_678901_masked_exp.ipynb", "lovelaceada_12345", FILE),
        ("submissions/lovelaceada_12345_678901_masked_exp-1.ipynb", "lovelaceada_12345", FILE),
        ("submissions/müllerzoë_late_5_6_masked_exp (2).ipynb", "müllerzoë_5", FILE),
        ("submissions/anon_Xy3Z9_678901_masked_exp.ipynb", "anon_Xy3Z9", FILE),
        ("submissions/LATE_anon_Xy3Z9_678901_masked_exp.ipynb", "anon_Xy3Z9", FILE),
        ("submissions/lovelaceada_12345_678901_work/masked_exp.ipynb", "lovelaceada_12345", FILE),
        ("submissions/de la cruzana_1_2_masked_exp.ipynb", "de_la_cruzana_1", FILE),
        # By hand.
        ("ada/masked_exp.ipynb", "ada", FILE),
        ("Ada Lovelace/masked_exp-Copy1.ipynb", "ada_lovelace", FILE),
        ("ada/release/masked_exp/Masked_Exp.ipynb", "ada", FILE),
        ("ada_masked_exp.ipynb", "ada", FILE),
        ("Ada Lovelace - masked_exp (3).ipynb", "ada_lovelace", FILE),
        ("ada/another.ipynb", "ada", "another.ipynb"),
    ],
)
def test_a_name_says_whose_file_it_is(path: str, student: str, file: str) -> None:
    assert planned(path) == {path: (student, file)}


@pytest.mark.parametrize("path", ["masked_exp.ipynb", "masked_exp (1).ipynb", "ada.ipynb"])
def test_a_name_without_a_student_is_named_and_left(path: str) -> None:
    plan = names.plan([path], [LESSON])
    assert plan.places == {}
    assert plan.said == (f"{path}: the name does not say whose it is. Put it into a folder named after the student.",)


def test_texts_and_feedback_in_a_moodle_zip_are_passed_by() -> None:
    others = ["Ada_7_assignsubmission_onlinetext/onlinetext.html", "Ada_7_assignsubmission_onlinetext_onlinetext.html"]
    assert names.plan(others, [LESSON]) == names.Plan({}, ())


def test_namesakes_are_told_apart_by_their_numbers() -> None:
    assert planned(
        "Kim Lee_11_assignsubmission_file/masked_exp.ipynb",
        "Kim Lee_12_assignsubmission_file/masked_exp.ipynb",
        "Ada_13_assignsubmission_file/masked_exp.ipynb",
    ) == {
        "Kim Lee_11_assignsubmission_file/masked_exp.ipynb": ("kim_lee_11", FILE),
        "Kim Lee_12_assignsubmission_file/masked_exp.ipynb": ("kim_lee_12", FILE),
        "Ada_13_assignsubmission_file/masked_exp.ipynb": ("ada", FILE),
    }


def test_the_newest_upload_gets_the_notebooks_name() -> None:
    old, new = "s/ada_1_100_masked_exp-1.ipynb", "s/ada_1_200_masked_exp-2.ipynb"
    assert planned(old, new) == {new: ("ada_1", FILE), old: ("ada_1", "masked_exp-1.ipynb")}


def test_a_second_file_of_the_same_name_is_left_out_and_named() -> None:
    paths = [f"class/{name}/masked_exp.ipynb" for name in ("ada", "ben")]
    plan = names.plan(paths, [LESSON])
    assert {place.student for place in plan.places.values()} == {"class"}
    assert plan.said == (
        "class: class/ben/masked_exp.ipynb was left out, because another file has the same name.",
        "If class holds files of several students, unpack it so that in the folder archive/ each student has a folder.",
    )


def test_who_handed_in_no_notebook_and_who_was_late_is_said() -> None:
    plan = names.plan(
        ["Ben_8_assignsubmission_file/photo of my screen.jpg", "s/lovelaceada_LATE_1_2_masked_exp.ipynb"], [LESSON]
    )
    assert plan.said == (
        "ben: handed in no notebook, only photo of my screen.jpg.",
        "lovelaceada_1: masked_exp.ipynb was handed in late, says its name.",
    )


def test_an_assignment_of_several_notebooks() -> None:
    assert planned("s/ada_1_5_pow-1.ipynb", "s/ada_1_6_exp.ipynb", notebooks=("exp", "pow")) == {
        "s/ada_1_5_pow-1.ipynb": ("ada_1", "pow.ipynb"),
        "s/ada_1_6_exp.ipynb": ("ada_1", "exp.ipynb"),
    }


# ------------------------------------------------------------------------------------------------ archives


def opened(tmp_path: Path, **files: bytes) -> tuple[list[str], tuple[str, ...]]:
    """The files of downloaded ones after all archives were opened, and what was said. "__" stands for "."."""
    download, dest = tmp_path / "archive", tmp_path / "extracted"
    download.mkdir()
    for name, content in files.items():
        (download / name.replace("__", ".")).write_bytes(content)
    said = archives.open_all(download, dest, MOST)
    return sorted(path.relative_to(dest).as_posix() for path in dest.rglob("*") if path.is_file()), said


def test_names_of_other_systems_come_out_right(tmp_path: Path) -> None:
    apple = unicodedata.normalize("NFD", "müllerzoë_1_2_masked_exp.ipynb")
    files, said = opened(
        tmp_path, canvas__zip=zipped({"müllerzoë_1_2_masked_exp.ipynb": "{}"}, True), mac__zip=zipped({apple: "{}"})
    )
    assert files == ["canvas/müllerzoë_1_2_masked_exp.ipynb", "mac/müllerzoë_1_2_masked_exp.ipynb"]
    assert said == ()


def test_what_other_systems_add_is_left_out(tmp_path: Path) -> None:
    extra = ["__MACOSX/._masked_exp.ipynb", ".DS_Store", "a/.ipynb_checkpoints/masked_exp-checkpoint.ipynb", "empty/"]
    files, said = opened(tmp_path, ada__zip=zipped({FILE: "{}", **dict.fromkeys(extra, "")}))
    assert (files, said) == ([f"ada/{FILE}"], ())


def test_archives_in_archives_are_opened_and_a_broken_one_stops_nothing(tmp_path: Path) -> None:
    good, broken = zipped({FILE: "{}"}), zipped({FILE: "{}"})[:-30]
    tar = tarred((tarfile.TarInfo("work/masked_exp.ipynb"), b"{}"))
    submissions = {
        "ada_1_2_work.zip": good,
        "ben_3_4_work.zip": broken,
        "cem_5_6_work.tar.gz": tar,
        "dan_7_8_w.rar": b"",
    }
    files, said = opened(tmp_path, class__zip=zipped(submissions))
    assert files == ["class/ada_1_2_work/masked_exp.ipynb", "class/cem_5_6_work/work/masked_exp.ipynb"]
    assert said == (
        "class.zip/dan_7_8_w.rar: archives of this kind are not opened; ask for .ipynb or .zip.",
        "class.zip/ben_3_4_work.zip: cannot be opened (File is not a zip file).",
    )


def test_nothing_is_written_outside_and_no_link_is_made(tmp_path: Path) -> None:
    link = tarfile.TarInfo("masked_exp.ipynb")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    unix_link = zipfile.ZipInfo("link.ipynb")
    unix_link.create_system, unix_link.external_attr = 3, 0o120777 << 16
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(unix_link, "/etc/passwd")
    up = tarred((tarfile.TarInfo("../../outside"), b"!"), (link, b""), (tarfile.TarInfo("/outside"), b"!"))
    files, said = opened(tmp_path, a__tgz=up, b__zip=made.getvalue(), c__zip=zipped({"../outside": "!", "x/../y": "!"}))
    assert files == []
    assert len(said) == 4 and all("points out of the archive" in sentence for sentence in said)
    assert sorted(path.name for path in tmp_path.iterdir()) in (["archive"], ["archive", "extracted"])


def test_limits_hold_for_students_archives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_FILES", 3)
    many = zipped({f"{number}.ipynb": "{}" for number in range(5)})
    large = zipped({FILE: b"0" * (MOST + 1), "small.ipynb": "{}"})
    deep = zipped({"1.zip": zipped({"2.zip": zipped({"3.zip": zipped({FILE: "{}"})})})})
    files, said = opened(tmp_path, class__zip=zipped({"a.zip": many, "b.zip": large, "c.zip": deep}))
    assert files == ["class/a/0.ipynb", "class/a/1.ipynb", "class/a/2.ipynb", "class/b/small.ipynb", "class/c/1/2.zip"]
    assert said == (
        "class.zip/a.zip: holds too much; the rest of it was left out.",
        f"class.zip/b.zip/{FILE}: left out, because it is larger than 1,000,000 bytes.",
        "class.zip/c.zip/1.zip/2.zip: an archive in an archive in an archive is not opened.",
    )


def test_an_archive_with_a_password_is_named(tmp_path: Path) -> None:
    raw = bytearray(zipped({FILE: "{}"}))
    for start in (raw.index(b"PK\x03\x04") + 6, raw.index(b"PK\x01\x02") + 8):
        raw[start] |= 1  # the sign for "encrypted"
    files, said = opened(tmp_path, ada__zip=bytes(raw))
    assert files == []
    assert len(said) == 1 and "ada.zip: cannot be opened" in said[0] and "password" in said[0]


# ------------------------------------------------------------------------------------------------ the command


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    return make_course(tmp_path_factory.mktemp("zip_collect") / "course", LESSON)


MADE = read(ROOT / "release" / LESSON / FILE)


def submitted(course: Course, download: dict[str, bytes]) -> dict[str, list[str]]:
    """What `nbgrader zip_collect` made of downloaded files: {student: names of files}."""
    archive = course.root / "downloaded" / LESSON / "archive"
    archive.mkdir(parents=True, exist_ok=True)
    for path in archive.iterdir():
        path.unlink()
    for name, content in download.items():
        (archive / name).write_bytes(content)
    course.nbgrader("zip_collect", LESSON, "--force")
    found: dict[str, list[str]] = {}
    for path in sorted((course.root / "submitted").glob(f"*/{LESSON}/*")):
        found.setdefault(path.parent.parent.name, []).append(path.name)
    return found


@pytest.mark.xdist_group("zip_collect")
def test_a_class_from_each_platform_is_collected_and_graded(course: Course) -> None:
    """Each student as in the platform's zip; the broken ones are named and stop nobody. Then the class is graded."""
    nb = text_of(MADE)
    moodle = {
        f"Ada Lovelace_11_assignsubmission_file/{FILE}": nb,
        f"Zoë Müller_12_assignsubmission_file/{LESSON} (1).ipynb": nb,
        f"李 小龙_13_assignsubmission_file/{FILE}": nb,
        "Ben No_14_assignsubmission_file/notes.pdf": "%PDF",
        "Cem Zip_15_assignsubmission_file/work.zip": zipped({f"{LESSON}/{FILE}": nb}),
        "Dan Broken_16_assignsubmission_file/work.zip": b"PK\x03\x04 and no more",
    }
    canvas = {
        f"lovelaceada_LATE_501_9001_{LESSON}-1.ipynb": nb,
        f"müllerzoë_502_9002_{FILE}": nb,
    }
    found = submitted(
        course,
        {
            "PT-masked_exp-42.zip": zipped(moodle),
            "submissions.zip": zipped(canvas, True),
            f"mailed_by_eve_{FILE}": nb.encode(),
        },
    )
    students = ["ada_lovelace", "zoë_müller", "李_小龙", "cem_zip", "lovelaceada_501", "müllerzoë_502", "mailed_by_eve"]
    assert found == {student: [FILE] for student in students}
    log = course.logs[-1]
    for sentence in (
        "ben_no: handed in no notebook, only notes.pdf.",
        "Dan Broken_16_assignsubmission_file/work.zip: cannot be opened",
        "lovelaceada_501: masked_exp-1.ipynb was handed in late, says its name.",
    ):
        assert sentence in log
    course.nbgrader("generate_assignment", LESSON)
    course.nbgrader("autograde", LESSON, "--student", "zoë_müller")
    course.nbgrader("generate_feedback", LESSON, "--student", "zoë_müller")
    assert (course.root / "feedback" / "zoë_müller" / LESSON / f"{LESSON}.html").is_file()
    assert set(course.points("zoë_müller", LESSON, LESSON).values()) <= {0.0, None}


@pytest.mark.xdist_group("zip_collect")
def test_an_empty_folder_is_said(course: Course) -> None:
    submitted(course, {})
    assert "is empty: put the platform's zip, or what was mailed, into it." in course.logs[-1]
