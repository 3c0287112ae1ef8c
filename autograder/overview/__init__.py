"""What a class did, for the one who teaches it: `python -m autograder overview ASSIGNMENT`.

`reading` takes the reports out of the graded notebooks, `summary` makes a class's numbers of them, `table` and `page`
show these in a terminal and as a page for the browser and the printer. Nothing is asked of a network, and the page
stays in the course's folder grading/, beside the grades that it is made from.
"""
