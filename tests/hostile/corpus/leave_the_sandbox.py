"""Tries the ways out of a sandbox: new namespaces, mounts, chroot, setuid programs, core patterns, keys, bpf, ptrace, io_uring."""

ANSWER, POINTS = "right_clone", 10
NEVER = (r"SUCCEEDED", r"WRITTEN")
FIRST = r'''
import ctypes, os, subprocess
libc = ctypes.CDLL(None, use_errno=True)
says = lambda name, value: print(name, "SUCCEEDED" if value >= 0 else os.strerror(ctypes.get_errno()))
for flag in (0x10000000, 0x00020000, 0x20000000, 0x40000000, 0x10000000 | 0x00020000):
    says(f"unshare {flag:x}", libc.unshare(flag))
says("mount", libc.mount(b"proc", b"/scratch", b"proc", 0, None))
says("mount", libc.mount(b"none", b"/", None, 32 | 4096, None))
says("umount", libc.umount2(b"/", 2))
says("chroot", libc.chroot(b"."))
says("setuid", libc.setuid(0))
says("setns", libc.setns(os.open("/proc/1/ns/pid", os.O_RDONLY), 0))
for name, number, given in (("add_key", 248, (b"user", b"a", b"b", 1, -3)), ("bpf", 321, (0, 0, 0)), ("io_uring_setup", 425, (8, 0)),
                            ("ptrace", 101, (16, 1, 0, 0)), ("memfd_create", 319, (b"a", 0)), ("userfaultfd", 323, (0,)),
                            ("open_by_handle_at", 304, (3, 0, 0)), ("clone3", 435, (0, 0)), ("keyctl", 250, (0, -3, 1))):
    says(name, libc.syscall(number, *given))
for path in ("/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/sys/fs/cgroup/cgroup.procs", "/proc/self/uid_map", "/dev/mem", "/proc/1/oom_score_adj"):
    try:
        open(path, "w").write("x")
        print(path, "WRITTEN")
    except OSError as error:
        print(path, error)
for command in (["su", "-c", "id"], ["sudo", "-n", "id"], ["mount"], ["unshare", "-r", "id"], ["nsenter", "-t", "1", "-a", "id"], ["bwrap", "--dev-bind", "/", "/", "id"]):
    try:
        print(command, subprocess.run(command, capture_output=True, text=True, timeout=5).returncode)
    except Exception as error:
        print(command, error)
print(open("/proc/self/status").read())
'''
