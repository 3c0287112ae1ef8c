"""Hands in a named pipe, a socket and a link to an endless device beside the notebook, which stop whoever reads them. The answer is right."""

ANSWER, POINTS = "right_clone", 10
def place(folder, course):
    import os, socket
    os.mkfifo(folder / "pipe.py")
    os.mkfifo(folder / "second.ipynb")
    (folder / "endless.txt").symlink_to("/dev/zero")
    (folder / "third.ipynb").symlink_to("/dev/zero")
    here = os.open(folder, os.O_RDONLY)
    with socket.socket(socket.AF_UNIX) as server:  # a short name: the path of a socket has 108 bytes
        server.bind(f"/proc/self/fd/{here}/socket")
    os.close(here)
