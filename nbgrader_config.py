"""The course, as nbgrader sees it. Each line says why it is here."""

import os
import sys
import warnings

from autograder.converter import install

c = get_config()
course = os.path.dirname(os.path.abspath(__file__))

# nbgrader calls `alembic` by its bare name: let it find the one of this environment, activated or not.
os.environ["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")])

# The name under which students fetch from and submit to this course.
c.CourseDirectory.course_id = "in_place_lab"
# Formgrader and the commands find the course from whichever folder Jupyter was started in.
c.CourseDirectory.root = course

# release/ is part of the repository. Without this, generate_assignment would skip what is already there and leave the
# gradebook empty.
c.GenerateAssignment.force = True
# Ours runs before nbgrader's own list: normal form, and no teaching notes or reasons in the students' edition.
c.GenerateAssignment.preprocessors = [
    "autograder.nbgrader_plugins.PrepareRelease",
    "nbgrader.preprocessors.LockCells",
    "nbgrader.preprocessors.ClearSolutions",
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.CheckCellMetadata",
    "nbgrader.preprocessors.ComputeChecksums",
    "nbgrader.preprocessors.SaveCells",
    "nbgrader.preprocessors.ClearHiddenTests",
    "nbgrader.preprocessors.ClearMarkScheme",
    "nbgrader.preprocessors.ComputeChecksums",
    "nbgrader.preprocessors.CheckCellMetadata",
]
# An untouched notebook runs from top to bottom; nbgrader's own stub raises.
c.ClearSolutions.code_stub = {"python": "# YOUR CODE HERE\npass"}

# A link in a submission may point to the gradebook or the solutions; nbgrader's own collect copies what it points to.
c.ExchangeFactory.collect = "autograder.exchange.PlainCollect"
# nbgrader's own stops at the first submission that did not come through the exchange.
c.ExchangeFactory.release_feedback = "autograder.exchange.LenientRelease"
# Files from a learning platform's zip or from a mailbox (see INSTRUCTORS.md): nbgrader's own plug-ins want a pattern
# for each platform, and stop at the first archive that cannot be read.
c.ZipCollectApp.extractor_plugin = "autograder.downloads.plugins.OpenDownloads"
c.ZipCollectApp.collector_plugin = "autograder.downloads.plugins.WhoseFile"
# Submissions are read by the course's own converter: a broken, renamed or doubled one ends graded and stops nothing.
install()
# nbgrader's own list, but first the instructor's cells are put right, and a task cell whose mark scheme the release
# hides is not reported as changed by the student.
c.Autograde.sanitize_preprocessors = [
    "autograder.nbgrader_plugins.RepairSubmission",
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.DeduplicateIds",
    "nbgrader.preprocessors.OverwriteKernelspec",
    "autograder.nbgrader_plugins.RestoreCells",
    "nbgrader.preprocessors.CheckCellMetadata",
]
# nbgrader's own list, but submissions run in a sandbox, each student on numbers of their own, and the points are
# decided outside of it.
c.Autograde.autograde_preprocessors = [
    "autograder.nbgrader_plugins.SandboxExecute",
    "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
# How submissions are confined: "auto" takes the best way that this machine has, and refuses to grade where it has none.
c.SandboxExecute.isolation = "auto"
# Whether they may use this machine's NVIDIA GPU: each then starts cold, in bubblewrap, and takes some seconds more.
c.SandboxExecute.gpu = False
# Without this, a warning about kernels and TCP is printed for each notebook.
c.KernelManager.transport_encryption = "auto"
# SQLAlchemy's advice to nbgrader's authors, printed for each new student.
warnings.filterwarnings("ignore", message="Object of type <Submitted")

# Formulas in feedback without a network: nbgrader's own page fetches what draws them from the internet.
c.GenerateFeedback.exporter_class = "autograder.feedback.OfflineExporter"

# The shared exchange where an administrator has made one; otherwise a folder of this course, so that every command
# works on a single machine.
if not os.path.isdir("/usr/local/share/nbgrader/exchange"):
    c.Exchange.root = os.path.join(course, "exchange")
    os.makedirs(c.Exchange.root, exist_ok=True)
