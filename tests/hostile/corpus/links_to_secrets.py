"""Hands in links beside the notebook, to files and folders of the course and of the machine, and reads them."""

POINTS = 0
BEFORE = r'''
import os
for name in ("secret.bin", "book.py", "other.txt", "home.txt", "folder/masked_exp/masked_exp.ipynb", "folder", "root"):
    try:
        print("read", name, open(name, "rb").read(100_000) if not os.path.isdir(name) else os.listdir(name))
    except OSError as error:
        print(name, error)
for place, folders, names in os.walk(".", followlinks=True):
    for name in names[:50]:
        try:
            print("read", place, name, open(os.path.join(place, name), "rb").read(100_000)[:2000])
        except OSError as error:
            print(name, error)
    if place.count("/") > 3:
        folders.clear()
'''
def place(folder, course):
    for name, target in {"secret.bin": ".course_secret", "book.py": "gradebook.db", "folder": "source", "other.txt": "submitted/a_first/masked_exp/masked_exp.ipynb"}.items():
        (folder / name).symlink_to(course.root / target)
    (folder / "home.txt").symlink_to(course.root.parent / "home" / "canary")
    (folder / "root").symlink_to("/")
    (folder / "nested").mkdir()
    (folder / "nested" / "up").symlink_to("../..")
