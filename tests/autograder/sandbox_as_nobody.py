"""Run the survey as an ordinary user, for a test that runs as root: `unshare --mount python <this file> WAY REQUEST`.

Python itself may lie below a folder that only root may enter, so such folders are replaced, in this mount namespace
alone, by open ones that hold nothing but Python and the project.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOBODY = 65534


def open_the_way(paths: list[Path]) -> None:
    """Make `paths` reachable for everybody."""
    from autograder.sandbox import system

    def bind(source: str | Path, target: str | Path) -> None:
        system.mount(str(source), str(target), flags=system.MS_BIND | system.MS_REC)

    system.mount("none", "/", flags=system.MS_REC | system.MS_PRIVATE)
    closed = {path: above for path in paths if (above := _closed(path)) is not None}
    held = {path: tempfile.mkdtemp() for path in closed}
    for path, place in held.items():
        bind(path, place)
    for above in sorted(set(closed.values())):
        system.mount("none", str(above), "tmpfs", 0, "mode=755")
    for path, place in held.items():
        path.mkdir(parents=True, exist_ok=True)
        bind(place, path)
        system.unmount(place)
        os.rmdir(place)


def _closed(path: Path) -> Path | None:
    """The outermost folder above `path` that only its owner may enter."""
    return next((above for above in reversed(path.parents) if not above.stat().st_mode & 0o001), None)


def main() -> None:
    sys.path.append(str(ROOT))
    if os.geteuid() == 0:
        open_the_way([Path(sys.base_prefix), Path(sys.prefix), ROOT])
        os.chdir("/")
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
        # Started again: what was root's a moment ago may not do all that a user's process may.
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "HOME": "/nonexistent"})
    from autograder.sandbox import Limits, Warm

    source = Path(__file__).with_name("sandbox_attempts.py").read_bytes()
    request = json.loads(sys.argv[2])
    request["outside"]["pids"] |= {"grader": os.getpid()}
    with Warm(sys.argv[1], preload=()) as warm:
        found = warm.run("sandbox_attempts:survey", request, files={"sandbox_attempts.py": source})
        counted = warm.run(
            "sandbox_attempts:count_processes", {}, files={"sandbox_attempts.py": source}, limits=Limits(processes=20)
        )
    if found.status != "ok" or counted.status != "ok":
        raise SystemExit(f"{found.reason} {counted.reason}")
    print(json.dumps(found.response | {"count": counted.response["count"]}))


if __name__ == "__main__":
    main()
