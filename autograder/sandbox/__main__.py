"""Started by path, by `server.launch` and by bubblewrap; not a command for people."""

import os
import sys
import types


def _without_torch() -> None:
    """Make `autograder.sandbox` importable without `autograder`, which imports torch: namespaces come first."""
    if "autograder" not in sys.modules:
        package = types.ModuleType("autograder")
        package.__path__ = [os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]
        sys.modules["autograder"] = package


if __name__ == "__main__":
    _without_torch()
    from autograder.sandbox import server

    if sys.argv[1] == "cold":
        server.cold_child(sys.argv[2:])
    if sys.argv[1] == "origin":
        from autograder.sandbox import origin

        origin.main()
    server.help_over(server.taken_from_standard_input())
