"""The two ends of a shared exchange folder that nbgrader leaves open.

Collecting: a submission's folder in the exchange belongs to its student, who may put a link into it at any time.
nbgrader copies what a link points to, with the instructor's rights: the gradebook, the solution, another student's
notebook. And one folder that cannot be copied ends the collecting of the whole class.

Releasing feedback: nbgrader stops at the first submission that came another way, by mail or from a platform, since the
two files by which the exchange knows a submission are not beside it.
"""

from __future__ import annotations

import glob
import os
import re
import shutil
import stat
import tempfile
from pathlib import Path

from nbgrader.exchange.default import ExchangeCollect, ExchangeReleaseFeedback

from autograder.submitted_files import MOST_FILES, plain_files


class PlainCollect(ExchangeCollect):
    """nbgrader's own, but of each submission only plain files are taken, and none stops the others."""

    def do_copy(self, src: str, dest: str, log: object = None) -> None:
        if Path(src).is_symlink():
            self.log.warning("Not collected: %s is a link to another place.", src)
            return
        found = plain_files(Path(src), self.coursedir.ignore)
        for inside in found.others:
            self.log.warning("Not collected from %s, because it is no plain file: %s", src, inside)
        if found.more:
            self.log.warning("%s holds more than %s files or folders; the rest was not collected.", src, MOST_FILES)
        with tempfile.TemporaryDirectory() as plain:
            left = 1000 * self.coursedir.max_dir_size
            for inside in found.files:
                try:
                    left -= _copy(Path(src, inside), Path(plain, inside), left)
                except OSError as error:
                    self.log.warning("Not collected from %s: %s (%s)", src, inside, error.strerror or error)
            super().do_copy(plain, dest, log)
        os.chmod(dest, 0o755)  # the temporary folder was for us alone


class LenientRelease(ExchangeReleaseFeedback):
    """nbgrader's own, for those who submitted through the exchange; the others are named."""

    RECEIPTS = ("timestamp.txt", "submission_secret.txt")

    def copy_files(self) -> None:
        coursedir = self.coursedir
        pattern = coursedir.format_path(
            coursedir.feedback_directory, "(?P<student>.*)", coursedir.assignment_id, escape=True
        )
        others = []
        for folder in sorted(Path(found) for found in glob.glob(self.src_path)):
            match = re.fullmatch(pattern, str(folder))
            if match and not all((folder / name).is_file() for name in self.RECEIPTS):
                others.append(match["student"])
        if others:
            self.log.warning(
                "Not released, because they were not submitted through the exchange: %s. Send them their pages in %s.",
                ", ".join(others),
                coursedir.feedback_directory,
            )
        before = coursedir.student_id_exclude
        coursedir.student_id_exclude = ",".join(filter(None, [before, *others]))
        try:
            super().copy_files()
        finally:
            coursedir.student_id_exclude = before


def _copy(path: Path, to: Path, most: int) -> int:
    """Copy a file of at most `most` bytes; returns its size. What became a link meanwhile is refused."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with open(handle, "rb") as file:
        about = os.fstat(handle)
        if not stat.S_ISREG(about.st_mode):
            raise OSError("no plain file")
        if about.st_size > most:
            raise OSError("the submission is larger than CourseDirectory.max_dir_size")
        to.parent.mkdir(parents=True, exist_ok=True)
        with to.open("wb") as out:
            shutil.copyfileobj(file, out)
    return about.st_size
