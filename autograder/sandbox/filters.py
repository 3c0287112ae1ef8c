"""System calls that a submission never needs, refused by a seccomp filter that libseccomp writes.

Namespaces already hide files, processes and the network. This closes what they do not: kinds of sockets that no network
namespace holds (vsock reaches the host of a virtual machine), the keys of the user's session, memory outside every
limit (memfd, System V shared memory), and the parts of the kernel in which most ways out of a namespace were found
(new namespaces, mounts, bpf, io_uring, perf, userfaultfd).
"""

from __future__ import annotations

import ctypes
import ctypes.util
import errno
import functools
import os
import socket

_REFUSED = """
    mount umount umount2 pivot_root chroot fsopen fsmount fsconfig fspick move_mount open_tree open_tree_attr
    mount_setattr statmount listmount unshare setns
    ptrace process_vm_readv process_vm_writev process_madvise kcmp pidfd_getfd
    bpf perf_event_open userfaultfd io_uring_setup io_uring_enter io_uring_register fanotify_init
    keyctl add_key request_key
    memfd_create memfd_secret shmget shmat shmctl shmdt msgget semget mq_open
    open_by_handle_at name_to_handle_at lookup_dcookie
    init_module finit_module delete_module kexec_load kexec_file_load reboot swapon swapoff acct quotactl quotactl_fd
    syslog vhangup iopl ioperm modify_ldt settimeofday clock_settime clock_adjtime adjtimex sethostname setdomainname
    move_pages migrate_pages
""".split()

_NEW_NAMESPACES = (0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000)
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C
_BUFFER_SIZES = (7, 8, 32, 33)  # SO_SNDBUF, SO_RCVBUF and their FORCE: what lies in a socket counts as nobody's memory


# Of seccomp.h.
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_NOT_EQUAL, _MASKED_EQUAL = 1, 7


class _Comparison(ctypes.Structure):
    _fields_ = [
        ("argument", ctypes.c_uint),
        ("operator", ctypes.c_int),
        ("first", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    ]


def missing() -> str:
    """Why there can be no filter, as a sentence that says what to install; "" if there can."""
    try:
        _library()
    except OSError:
        return "The library libseccomp was not found: install it (on Debian and Ubuntu  apt install libseccomp2 )."
    return ""


class Filter:
    """The filter, made once and applied in each child. Raises OSError where libseccomp is missing."""

    def __init__(self) -> None:
        self._library = _library()
        self._context = self._library.seccomp_init(_ALLOW)
        if not self._context:
            raise MemoryError("libseccomp could not make a filter")
        for name in _REFUSED:
            self._add(errno.EPERM, name)
        # Flags of clone3 lie in memory, where no filter can look. Told that the kernel is too old, callers take clone.
        self._add(errno.ENOSYS, "clone3")
        for flag in _NEW_NAMESPACES:
            self._add(errno.EPERM, "clone", _Comparison(0, _MASKED_EQUAL, flag, flag))
        for name in ("socket", "socketpair"):
            self._add(errno.EACCES, name, _Comparison(0, _NOT_EQUAL, int(socket.AF_UNIX), 0))
        for option in _BUFFER_SIZES:
            self._add(errno.EPERM, "setsockopt", _Comparison(2, _MASKED_EQUAL, 0xFFFFFFFF, option))
        for request in (_TIOCSTI, _TIOCLINUX):
            self._add(errno.EPERM, "ioctl", _Comparison(1, _MASKED_EQUAL, 0xFFFFFFFF, request))

    def load(self) -> None:
        """Apply it to the calling process and all its descendants, for good. Calls of 32 bits end the process."""
        _checked(self._library.seccomp_load(self._context), "seccomp_load")

    def _add(self, answer: int, name: str, *comparisons: _Comparison) -> None:
        number = self._library.seccomp_syscall_resolve_name(name.encode())
        if number < 0:  # not on this architecture, or newer than the installed libseccomp
            return
        listed = (_Comparison * len(comparisons))(*comparisons)
        added = self._library.seccomp_rule_add_array(self._context, _ERRNO | answer, number, len(comparisons), listed)
        _checked(added, f"seccomp_rule_add of {name}")


@functools.cache
def _library() -> ctypes.CDLL:
    library = ctypes.CDLL(ctypes.util.find_library("seccomp") or "libseccomp.so.2")
    library.seccomp_init.argtypes, library.seccomp_init.restype = [ctypes.c_uint32], ctypes.c_void_p
    library.seccomp_load.argtypes = [ctypes.c_void_p]
    library.seccomp_syscall_resolve_name.argtypes = [ctypes.c_char_p]
    library.seccomp_rule_add_array.argtypes = [
        ctypes.c_void_p,
        ctypes.c_uint32,
        ctypes.c_int,
        ctypes.c_uint,
        ctypes.c_void_p,
    ]
    return library


def _checked(result: int, name: str) -> None:
    if result < 0:
        raise OSError(-result, f"{name}: {os.strerror(-result)}")
