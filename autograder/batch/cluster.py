"""The same work on a Dask cluster, through joblib's Dask backend.

Every machine of the cluster sees the course's folder under the same path and has this package with its `course` and
`cluster` parts installed. SQLite is no database for several machines: set `c.CourseDirectory.db_url` to a server's, as
nbgrader's documentation describes. Start workers with one thread each (`dask worker --nthreads 1`): nbgrader's
converter works in one thread of a process, so others would only wait.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

from autograder.batch.values import BatchError, Order, Result

CONNECT_SECONDS = 15

_lock = threading.Lock()
_graders: dict[str, object] = {}


def run(orders: Sequence[Order], scheduler: str) -> Iterator[Result]:
    """The results as they come.

    Raises:
        BatchError: Dask is not installed here, or no scheduler answers.
    """
    try:
        import joblib
        from distributed import Client
    except ImportError:
        raise BatchError(
            '--scheduler needs joblib and distributed: install this project with `pip install -e ".[course,cluster]"`.',
            2,
        ) from None
    try:
        client = Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=True)
    except (OSError, TimeoutError, ValueError) as error:
        raise BatchError(f"No Dask scheduler answers at {scheduler} ({type(error).__name__}: {error}).", 2) from None
    with client:
        if not client.scheduler_info(n_workers=-1)["workers"]:
            raise BatchError(f"The Dask scheduler at {scheduler} has no workers: start some with `dask worker`.")
        with joblib.parallel_config(backend="dask"):
            parallel = joblib.Parallel(return_as="generator_unordered", batch_size=1)
            yield from parallel(joblib.delayed(grade_there)(order) for order in orders)


def grade_there(order: Order) -> Result:
    """Grade one submission in a worker of the cluster; one at a time in a process."""
    from autograder.batch.work import open_grader

    with _lock:
        if order.course not in _graders:
            _graders[order.course] = open_grader(order.course)
        return _graders[order.course].grade(order)
