"""Hands in files whose names hold new lines, patterns, quotes and bytes that are no text. The answer is right."""

ANSWER, POINTS = "right_clone", 10
def place(folder, course):
    import os
    for name in (b"a\nb.py", b"*.ipynb", b"$(touch TMP_CANARY).txt", b"; rm -rf .txt", b"\xff\xfe.txt", b"-rf", b"a" * 250, b"'\".csv", b"{student_id}.txt"):
        with open(os.path.join(os.fsencode(folder), name), "wb") as file:
            file.write(b"x")
    deep = os.fsencode(folder)
    for _ in range(8):
        deep = os.path.join(deep, b"d" * 200)
        os.mkdir(deep)
