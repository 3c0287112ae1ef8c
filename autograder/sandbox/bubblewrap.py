"""The command line of bubblewrap."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from autograder.sandbox import places


def missing() -> str:
    """Why bubblewrap cannot be used, as a sentence that says what to install; "" if it is there."""
    if shutil.which("bwrap"):
        return ""
    return "The program bwrap was not found: install bubblewrap (on Debian and Ubuntu  apt install bubblewrap )."


def command(
    bwrap: str, inner: list[str], readable: Iterable[str], scratch: int, user: int | None, cuda: bool
) -> tuple[list[str], tuple[int, ...]]:
    """(the command line, read ends of pipes that it must inherit and the caller closes).

    An ordinary user gets a user namespace. For root there is none: bubblewrap maps one user into it, which would be
    root again, for whom the kernel counts no processes. `inner` starts as root without all but the few capabilities
    that it takes to become `user`, and does so before anything else is run.
    """
    line = [bwrap, "--die-with-parent", "--new-session", "--clearenv"]
    if user is None:
        line += ["--unshare-all"]
        named = (os.geteuid(), os.getegid())
    else:
        line += ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
        for capability in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
            line += ["--cap-add", capability]
        named = (user, user)
    for name, value in places.environment(places.SCRATCH).items():
        line += ["--setenv", name, value]
    readable = tuple(readable)
    # Folders on the way to them: bubblewrap would make each for its own user alone.
    above = {str(parent) for path in (*readable, "/etc/passwd", *places.LINKS) for parent in Path(path).parents} - {"/"}
    for folder in sorted(above - set(readable)):
        line += ["--perms", "0755", "--dir", folder]
    for path in readable:
        if os.path.islink(path):
            line += ["--symlink", os.readlink(path), path]
        else:
            line += ["--ro-bind", path, path]
    for device in places.DEVICES:
        line += ["--dev-bind", f"/dev/{device}", f"/dev/{device}"]
    if cuda:
        for path in sorted(Path("/dev").glob("nvidia*")):
            line += ["--dev-bind", str(path), str(path)]
    users, groups = _pipe_with(places.passwd(*named)), _pipe_with(places.group(named[1]))
    for end, path in ((users, "/etc/passwd"), (groups, "/etc/group")):
        line += ["--perms", "0644", "--ro-bind-data", str(end), path]
    for link, target in places.LINKS.items():
        if link not in above and link not in readable:
            line += ["--symlink", target, link]
    line += ["--proc", "/proc"]
    line += ["--perms", "0777", "--size", str(scratch), "--tmpfs", places.SCRATCH]
    line += ["--remount-ro", "/", "--chdir", places.SCRATCH, "--", *inner]
    return line, (users, groups)


def _pipe_with(text: str) -> int:
    reading, writing = os.pipe()
    os.write(writing, text.encode())
    os.close(writing)
    return reading
