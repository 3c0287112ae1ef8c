"""Writes into the course, the home folder, /tmp, the libraries and Python's start-up files, to be run again by the grader."""

ANSWER, POINTS = "right_clone", 10
FIRST = r'''
import glob, os, site, sys, sysconfig
import autograder, inplace_lab
evil = "\nopen('TMP_CANARY', 'a').write('changed')\n"
folders = ["COURSE", "COURSE/source/masked_exp", "COURSE/submitted/a_first/masked_exp", "COURSE/autograded", "HOME", "HOME/.ipython/profile_default/startup",
           "/tmp", "/etc/cron.d", os.path.expanduser("~"), sysconfig.get_path("purelib"), site.getusersitepackages(), *sys.path]
for folder in folders:
    for name in ("usercustomize.py", "sitecustomize.py", "evil.pth", "nbgrader_config.py", "torch.py", ".bashrc", "canary", "gradebook.db"):
        try:
            open(os.path.join(folder, name), "a").write(evil)
            print("wrote", folder, name)
        except OSError:
            pass
files = [module.__file__ for module in (autograder, inplace_lab, torch, os) if module.__file__] + ["HOME/canary", "TMP_CANARY", sys.executable]
for path in files + glob.glob(os.path.dirname(autograder.__file__) + "/**/*.py*", recursive=True):
    for act in (lambda: os.chmod(path, 0o777), lambda: open(path, "a").write(evil), lambda: os.rename(path, path + "_"), lambda: os.remove(path),
                lambda: os.symlink("/etc/passwd", path + ".link"), lambda: os.utime(path, (0, 0))):
        try:
            act()
            print("changed", path)
        except OSError:
            pass
'''
