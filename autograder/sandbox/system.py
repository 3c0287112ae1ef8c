"""The few calls of the Linux kernel that Python does not offer, by ctypes; each raises OSError with its name."""

from __future__ import annotations

import ctypes
import os

CLONE_NEWNS = 0x00020000
CLONE_NEWCGROUP = 0x02000000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT = 1, 2, 4, 8, 32
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
MNT_DETACH = 2

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 4, 24, 36, 38
PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 47, 4

# Newer calls have one number on every architecture (all but alpha).
NR_MOUNT_SETATTR = 442
NR_LANDLOCK_CREATE_RULESET, NR_LANDLOCK_ADD_RULE, NR_LANDLOCK_RESTRICT_SELF = 444, 445, 446

_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_MOUNT_ATTR_RDONLY, _MOUNT_ATTR_NOSUID, _MOUNT_ATTR_NODEV = 1, 2, 4
_CAPABILITY_VERSION_3 = 0x20080522

_libc = ctypes.CDLL(None, use_errno=True)


def checked(name: str, result: int, about: str = "") -> int:
    """`result`, or OSError with what the kernel said."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}{about and ' of '}{about}: {os.strerror(number)}")
    return result


def syscall(name: str, number: int, *arguments: object) -> int:
    """One call by its number."""
    wide = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    return checked(name, _libc.syscall(ctypes.c_long(number), *wide))


def unshare(flags: int) -> None:
    """Leave the namespaces of these kinds for new ones (of processes: for the children)."""
    checked("unshare", _libc.unshare(ctypes.c_int(flags)))


def setns(descriptor: int, kind: int) -> None:
    """Enter a namespace (of processes: for the children)."""
    checked("setns", _libc.setns(ctypes.c_int(descriptor), ctypes.c_int(kind)))


def mount(source: str, target: str, kind: str = "", flags: int = 0, data: str = "") -> None:
    """mount(2)."""
    texts = os.fsencode(source), os.fsencode(target), kind.encode() or None
    checked("mount", _libc.mount(*texts, ctypes.c_ulong(flags), data.encode() or None), target)


def bind(source: str, target: str, read_only: bool = True) -> None:
    """Show `source` (a file or a folder with all mounts below it) at `target`, without set-uid and devices."""
    mount(source, target, flags=MS_BIND | MS_REC)
    if read_only:
        restrict_mount(target)


def restrict_mount(target: str) -> None:
    """Make a mount and all below it read-only, without set-uid programs and devices."""
    flags = _MOUNT_ATTR_RDONLY | _MOUNT_ATTR_NOSUID | _MOUNT_ATTR_NODEV
    attributes = (ctypes.c_uint64 * 4)(flags, 0, 0, 0)
    syscall(
        "mount_setattr",
        NR_MOUNT_SETATTR,
        _AT_FDCWD,
        ctypes.c_char_p(os.fsencode(target)),
        _AT_RECURSIVE,
        attributes,
        ctypes.sizeof(attributes),
    )


def unmount(target: str) -> None:
    """Detach a mount and all below it."""
    checked("umount2", _libc.umount2(os.fsencode(target), MNT_DETACH), target)


def enter_root(root: str) -> None:
    """Make `root` (a mount) the root folder, and drop the old one with everything in it."""
    os.chdir(root)
    # Stacked on the same point, so that no folder for the old root is needed: an idiom of pivot_root(2)'s manual page.
    checked("pivot_root", _libc.pivot_root(b".", b"."), root)
    unmount(".")
    os.chdir("/")


def prctl(option: int, *arguments: int) -> int:
    """prctl(2)."""
    values = [ctypes.c_ulong(value) for value in (*arguments, 0, 0, 0, 0)[:4]]
    return checked("prctl", _libc.prctl(ctypes.c_int(option), *values))


def drop_bounding_set() -> None:
    """Let nothing that is executed later gain a capability. Needs one to do it; without it there is nothing to gain."""
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    for capability in range(64):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:  # above the last one that the kernel knows, or no right to
            break


def drop_capabilities() -> None:
    """Give up every capability for good."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    checked("capset", _libc.capset(header, nothing))
