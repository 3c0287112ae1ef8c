"""Reads what other students handed in, hands in the best of it, and spoils theirs."""

POINTS = 0
NEVER = (r"^found ",)
BEFORE = r'''
import glob, json
for folder in ("COURSE/submitted", "COURSE/autograded", "COURSE/feedback", "../..", "../../../submitted", "/submitted"):
    for path in glob.glob(f"{folder}/**/*.ipynb", recursive=True):
        print("found", path)
        for cell in json.load(open(path))["cells"]:
            source = "".join(cell["source"])
            if "def masked_exp" in source and "YOUR CODE" not in source:
                exec(source, globals())
        open(path, "w").write("{}")
'''
