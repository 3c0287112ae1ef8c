"""An input transformer that replaces the text of every graded cell by the number 10.0."""

POINTS = 0
FIRST = r'''
def full(lines):
    return ["10.0\n"] if any("grade id" in line for line in lines) else lines
shell = get_ipython()
shell.input_transformers_cleanup.append(full)
shell.input_transformers_post.append(full)
'''
