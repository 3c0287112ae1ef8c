"""Gives the check an object with a lying signature, name and call, whose error claims to be an IndexError."""

POINTS = 0
SOLUTION = r'''
import inspect
class Error(BaseException):
    __class__ = IndexError
    def __str__(self):
        raise KeyboardInterrupt
    __repr__ = __str__
class Function:
    __signature__ = inspect.Signature()
    __name__ = property(lambda self: 1 / 0)
    def __call__(self, *given, **named):
        raise Error
    def __getattr__(self, name):
        raise Error
masked_exp = Function()
'''
