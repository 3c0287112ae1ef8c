"""A class, graded quickly: `python -m autograder grade ASSIGNMENT`.

Each submission goes through nbgrader's own converter with the course's own configuration, so gradebook, Formgrader and
feedback are the same as after `nbgrader autograde`. What differs is who calls it: warm processes, one submission at a
time each (`pool`), or the workers of a Dask cluster (`cluster`).

What has been graded is written down in the course's folder grading/, one file for each submission, after its grades are
in the gradebook (`records`). A run that was killed at any moment is completed by starting it again.
"""

from autograder.batch.values import BatchError, Order, Result

__all__ = ["BatchError", "Order", "Result"]
