"""A class's files, as a learning platform or a mailbox hands them out, brought into submitted/.

`nbgrader zip_collect` does the work; nbgrader_config.py gives it two plug-ins from here (`plugins`): one that opens
archives (`archives`), and one that says whose file is which (`names`).
"""
