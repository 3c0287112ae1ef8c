"""What exercises share: `calling` (run a student's code safely), `encoding` (tensors as JSON), `functions` (the answer
is a function of a tensor), `demands` (what such a function is checked for), `predictions` (the answer is a dict)."""
