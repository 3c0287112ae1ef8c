"""Hands in 30 000 small files, more than its sandbox can hold. The answer is right."""

ANSWER, POINTS = "right_clone", 10
def place(folder, course):
    (folder / "many").mkdir()
    for number in range(30_000):
        (folder / "many" / str(number)).touch()
