"""Looks for inherited descriptors, reads from each, seeks, and asks each folder for what lies above it."""

POINTS = 0
BEFORE = r'''
import fcntl, os, socket
for number in range(1024):
    try:
        os.fstat(number)
    except OSError:
        continue
    try:
        print(number, os.readlink(f"/proc/self/fd/{number}"))
        os.set_blocking(number, False)
        print(os.read(number, 10_000))
    except OSError as error:
        print(number, error)
    try:
        print(os.listdir(number))
        print(os.read(os.open("../../gradebook.db", os.O_RDONLY, dir_fd=number), 100))
    except OSError as error:
        print(number, error)
    try:
        print(socket.socket(fileno=os.dup(number)).recvmsg(1000, 1000))
    except OSError as error:
        print(number, error)
'''
