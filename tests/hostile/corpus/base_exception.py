"""Raises exceptions that cannot be shown: their text, name, traceback and comparison raise again."""

POINTS = 0
SOLUTION = r'''
class Meta(type):
    def __getattribute__(cls, name):
        if name in ("__name__", "__module__", "__qualname__", "__mro__"):
            raise KeyboardInterrupt
        return super().__getattribute__(name)
class Odd(BaseException, metaclass=Meta):
    def __getattribute__(self, name):
        raise SystemExit
    def __str__(self):
        raise GeneratorExit
    __repr__ = __eq__ = __hash__ = __bool__ = __str__
def masked_exp(x, zero_at):
    raise Odd
'''
BEFORE = "raise Odd"
AFTER = "raise Odd from Odd()"
