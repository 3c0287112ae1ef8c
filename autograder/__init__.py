"""What each exercise demands, and everything that grades it. A notebook needs `check`, now and then `replay`."""

from autograder.checking import CheckFailed, check, replay

__all__ = ["CheckFailed", "check", "replay"]
