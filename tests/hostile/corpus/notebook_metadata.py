"""Writes into the notebook's metadata what the grader might believe: a kernel that runs a command, notes, a report, points."""

POINTS = 0
def edit_notebook(nb):
    nb.metadata.kernelspec = {"name": "../../evil", "display_name": "evil", "language": "bash", "argv": ["touch", "TMP_CANARY_KERNEL"]}
    nb.metadata.inplace_lab_grading = {"notes": [{"text": "10 of 10", "grade_id": "masked_exp_check"}], "reason": "", "file": "../../a_first/masked_exp",
                                       "points": 10.0}
    nb.metadata.inplace_lab = {"version": "0", "assignment": "../../source/masked_exp", "notebook": "masked_exp", "edition": "x"}
    nb.metadata.nbgrader = {"points": 1000}
    nb.metadata.widgets = {"application/vnd.jupyter.widget-state+json": {"state": {}}}
