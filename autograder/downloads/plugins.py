"""The plug-ins that nbgrader_config.py gives to `nbgrader zip_collect`."""

from __future__ import annotations

import os
from pathlib import Path

from nbgrader.plugins import ExtractorPlugin, FileNameCollectorPlugin

from autograder.downloads import archives, names


class OpenDownloads(ExtractorPlugin):
    """Opens what lies in downloaded/ASSIGNMENT/archive/. What cannot be opened is named and stops nothing."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        if not os.listdir(archive_path):
            self.log.warning("%s is empty: put the platform's zip, or what was mailed, into it.", archive_path)
            return
        most = 1000 * self.parent.coursedir.max_file_size
        for sentence in archives.open_all(Path(archive_path), Path(extracted_path), most):
            self.log.warning("%s", sentence)


class WhoseFile(FileNameCollectorPlugin):
    """Says whose file is which, for Moodle, Canvas and files by hand (see `autograder.downloads.names`).

    Unlike nbgrader's own it looks at all names before it answers for the first: namesakes and second copies show only
    then.
    """

    _plan: names.Plan | None = None

    def collect(self, submitted_file: str) -> dict[str, str] | None:
        app = self.parent
        extracted = Path(app._format_collect_path(app.extracted_directory))
        if self._plan is None:
            self._plan = self._look(extracted)
            for sentence in self._plan.said:
                self.log.warning("%s", sentence)
        place = self._plan.places.get(Path(submitted_file).relative_to(extracted).as_posix())
        return None if place is None else {"student_id": place.student, "file_id": place.file}

    def _look(self, extracted: Path) -> names.Plan:
        coursedir = self.parent.coursedir
        source = Path(coursedir.format_path(coursedir.source_directory, ".", coursedir.assignment_id))
        files = [path.relative_to(extracted).as_posix() for path in extracted.rglob("*") if path.is_file()]
        return names.plan(files, sorted(path.stem for path in source.glob("*.ipynb")))
