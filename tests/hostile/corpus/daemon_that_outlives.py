"""Leaves daemons in sessions of their own (double fork), which listen on a port and write to a file later. The answer is right."""

ANSWER, POINTS = "right_clone", 10
FIRST = r'''
import os, socket, subprocess, sys, time
for shape in ("fork", "setsid"):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for family, place in ((socket.AF_INET, ("0.0.0.0", PORT)), (socket.AF_UNIX, "\0inplace_lab_hostile")):
                try:
                    server = socket.socket(family)
                    server.bind(place)
                    server.listen()
                except OSError:
                    pass
            while True:
                time.sleep(1)
                for path in ("TMP_CANARY", "HOME/canary", "COURSE/gradebook.db"):
                    try:
                        open(path, "a").write("late")
                    except OSError:
                        pass
        os._exit(0)
subprocess.Popen(["nohup", "sh", "-c", "while true; do sleep 1; done"], start_new_session=True)
'''
