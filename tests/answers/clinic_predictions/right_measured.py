"""What the doctor says."""

POINTS = 4
MESSAGE = ""


from inplace_lab import clinic

answer = {one.name: clinic.examine(one.name).kind for one in clinic.PROGRAMS}
