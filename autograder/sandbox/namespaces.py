"""The tree of files that a submission sees, and the namespaces of the process that prepares it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from autograder.sandbox import places, system

# A place to build on, hidden from then on for this process alone. Any folder will do that holds nothing to be shown.
_GROUNDS = ("/mnt", "/media", "/srv", "/var/tmp", "/tmp", "/run")


def become_first() -> None:
    """Leave for new namespaces of users (unless root), mounts and processes; the next child is process 1 there."""
    user, group = os.geteuid(), os.getegid()
    if user == 0:
        system.unshare(system.CLONE_NEWNS | system.CLONE_NEWPID)
    else:
        system.unshare(system.CLONE_NEWUSER | system.CLONE_NEWNS | system.CLONE_NEWPID)
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    system.mount("none", "/", flags=system.MS_REC | system.MS_PRIVATE)


def mount_proc(target: str, flags: int = 0) -> None:
    """Show the processes of this process's namespace, and no others."""
    quiet = system.MS_NOSUID | system.MS_NODEV | system.MS_NOEXEC
    system.mount("proc", target, "proc", quiet | flags)


def ground(shown: Iterable[str]) -> str:
    """A folder to build a tree on. Raises StopIteration where every candidate holds something to be shown."""
    inside = [os.path.realpath(path) + "/" for path in shown]
    return next(
        folder
        for folder in _GROUNDS
        if os.path.isdir(folder) and not any(path.startswith(folder + "/") for path in inside)
    )


def build_tree(root: str, shown: Iterable[str], size: int, user: int, group: int) -> None:
    """Build on `root` all that a run will see: `shown` and a few devices, read-only, /proc, and its scratch folder.

    It is built for each run, in a mount namespace of the run's own, so that no run finds a trace of another.
    """
    system.mount("tmpfs", root, "tmpfs", system.MS_NOSUID | system.MS_NODEV, "size=4m,mode=755")
    for folder in ("etc", "dev", "proc", places.SCRATCH.strip("/")):
        os.mkdir(f"{root}/{folder}")
    for path in shown:
        _show(path, root)
    for device in places.DEVICES:
        _show(f"/dev/{device}", root, read_only=False)
    for link, target in places.LINKS.items():
        os.makedirs(os.path.dirname(root + link), exist_ok=True)
        if not os.path.lexists(root + link):
            os.symlink(target, root + link)
    Path(f"{root}/etc/passwd").write_text(places.passwd(user, group))
    Path(f"{root}/etc/group").write_text(places.group(group))
    restricted = system.MS_RDONLY | system.MS_NOSUID | system.MS_NODEV
    system.mount("", root, flags=system.MS_REMOUNT | system.MS_BIND | restricted)
    system.mount(
        "tmpfs",
        f"{root}{places.SCRATCH}",
        "tmpfs",
        system.MS_NOSUID | system.MS_NODEV,
        f"size={int(size)},nr_inodes=20000,mode=700,uid={user},gid={group}",
    )
    mount_proc(f"{root}/proc", system.MS_RDONLY)


def _show(path: str, root: str, read_only: bool = True) -> None:
    target = root + path
    if os.path.lexists(target):
        return
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.islink(path):
        os.symlink(os.readlink(path), target)
        return
    if os.path.isdir(path):
        os.mkdir(target)
    else:
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))
    system.bind(path, target, read_only)
