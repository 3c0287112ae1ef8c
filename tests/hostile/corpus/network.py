"""Connects to the machine's own servers and to others, listens, resolves names, and looks for an exchange or a Jupyter server."""

ANSWER, POINTS = "right_clone", 10
NEVER = (r"connected ", r"got out")
FIRST = r'''
import os, socket, urllib.request
for family, kind in ((socket.AF_INET, socket.SOCK_STREAM), (socket.AF_INET, socket.SOCK_DGRAM), (socket.AF_INET6, socket.SOCK_STREAM),
                     (socket.AF_NETLINK, socket.SOCK_RAW), (socket.AF_PACKET, socket.SOCK_RAW), (getattr(socket, "AF_VSOCK", 40), socket.SOCK_STREAM)):
    try:
        with socket.socket(family, kind) as one:
            print("made", family)
            one.settimeout(1)
            for address in (("127.0.0.1", LISTENER), ("::1", LISTENER), ("198.51.100.1", 80)):
                try:
                    one.connect(address)
                    one.send(b"got out")
                    print("connected", address)
                except (OSError, TypeError) as error:
                    print(address, error)
    except (OSError, ValueError) as error:
        print(family, error)
for place in ("\0inplace_lab_listener", "TMP_SOCKET"):
    try:
        with socket.socket(socket.AF_UNIX) as one:
            one.connect(place)
            one.send(b"got out")
            print("connected", place)
    except OSError as error:
        print(error)
try:
    print(socket.getaddrinfo("localhost", 80), urllib.request.urlopen("http://127.0.0.1:LISTENER/", timeout=1).read())
except OSError as error:
    print(error)
print(open("/proc/net/tcp").read() if os.path.exists("/proc/net/tcp") else "")
'''
