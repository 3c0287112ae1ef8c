"""Make a submission gradable that nbgrader would stop at: wrong names, broken files, lost or doubled cells.

Three steps, each of which says in plain sentences what it had to do:

    choose(folder, names, known)    which file of a submission is which notebook of the assignment (`choosing`)
    read_file(path)                 the notebook in a file, or `Unreadable` with the reason (`reading`)
    restore(nb, known)              the instructor's cells in it: ids, flags, text, kind, order (`restoring`)

What a cell is worth and what a locked cell says comes from `known`, the instructor's gradebook, never from the
submission, of which only the text of the cells and their grade ids are looked at. A lost grade id is found again by
the line "# grade id: ..." of a check cell, by the text of other locked cells, and by the names that a solution cell
defines. The students' files are only read.

    values      Known, Note, Choice, Unreadable
    choosing    which file
    parsing     bytes to JSON: byte order marks, NUL bytes, broken files
    slimming    very large files, in a process of their own
    reading     JSON to a notebook that nbformat accepts
    finding     which cell is which of the instructor's
    placing     deleted and moved cells
    texts       what could act in the browser of whoever grades
    restoring   the last three, one after the other
"""

from autograder.repair.choosing import choose
from autograder.repair.reading import read, read_file, tidy
from autograder.repair.restoring import blank, restore
from autograder.repair.values import Choice, Known, Note, Unreadable

__all__ = ["Choice", "Known", "Note", "Unreadable", "blank", "choose", "read", "read_file", "restore", "tidy"]
