"""The error of a stack that was to be used, in a module of its own, so that `--help` does not load the compiler."""

from typing import TYPE_CHECKING

from rulewright.system.errors import UsageError

if TYPE_CHECKING:
    from rulewright.library.stacks import Stack


class BrokenStackError(UsageError):
    """A stack that was to be used has errors; the message has the place of the first one."""

    def __init__(self, message: str, stack: "Stack") -> None:
        """Store the stack, of which a command prints all errors."""
        super().__init__(message)
        self.stack = stack
