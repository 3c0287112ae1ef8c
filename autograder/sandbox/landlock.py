"""Landlock by its three system calls: which files the calling process and all its descendants may touch from now on."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable

from autograder.sandbox import system

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_MAKE_CHAR, _MAKE_BLOCK = 1 << 6, 1 << 11
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_ON_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
_NET_BIND_TCP, _NET_CONNECT_TCP = 1, 2
_SCOPE_ABSTRACT_UNIX, _SCOPE_SIGNAL = 1, 2
_PATH_BENEATH = 1
_VERSION = 1


class _Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64)]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"  # what _pack_ means; Python 3.14 and later want it said
    _fields_ = [("allowed", ctypes.c_uint64), ("descriptor", ctypes.c_int32)]


def version() -> int:
    """The kernel's Landlock version (1 is Linux 5.13, 3 is 6.2, 4 is 6.7, 6 is 6.12), 0 if it has none."""
    try:
        return system.syscall("landlock_create_ruleset", system.NR_LANDLOCK_CREATE_RULESET, 0, 0, _VERSION)
    except OSError:
        return 0


def confine(readable: Iterable[str], writable: Iterable[str], devices: Iterable[str]) -> None:
    """Allow to read and execute below `readable`, all but devices below `writable`, to read and write `devices`.

    Everything else that opens, makes, moves or removes a file is refused, and so are TCP (from version 4 on), signals
    and abstract sockets to processes outside (from version 6 on), and any change of mounts. Needs no_new_privs.

    Raises:
        OSError: the kernel has no Landlock, or a path does not exist.
    """
    known = system.syscall("landlock_create_ruleset", system.NR_LANDLOCK_CREATE_RULESET, 0, 0, _VERSION)
    handled = _last_bit(12)
    handled |= _REFER if known >= 2 else 0
    handled |= _TRUNCATE if known >= 3 else 0
    handled |= _IOCTL_DEV if known >= 5 else 0
    rules = _Ruleset(
        handled,
        _NET_BIND_TCP | _NET_CONNECT_TCP if known >= 4 else 0,
        _SCOPE_ABSTRACT_UNIX | _SCOPE_SIGNAL if known >= 6 else 0,
    )
    size = 24 if known >= 6 else 16 if known >= 4 else 8
    ruleset = system.syscall("landlock_create_ruleset", system.NR_LANDLOCK_CREATE_RULESET, ctypes.byref(rules), size, 0)
    try:
        for path in readable:
            _allow(ruleset, path, _READ & handled)
        for path in writable:
            _allow(ruleset, path, handled & ~(_MAKE_CHAR | _MAKE_BLOCK | _IOCTL_DEV))
        for path in devices:
            _allow(ruleset, path, (_READ_FILE | _WRITE_FILE | _TRUNCATE | _IOCTL_DEV) & handled)
        system.syscall("landlock_restrict_self", system.NR_LANDLOCK_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _last_bit(bit: int) -> int:
    return (1 << (bit + 1)) - 1


def _allow(ruleset: int, path: str, access: int) -> None:
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not os.path.isdir(path):
            access &= _ON_FILES
        rule = _PathBeneath(access, descriptor)
        system.syscall("landlock_add_rule", system.NR_LANDLOCK_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(descriptor)
