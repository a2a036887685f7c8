"""The signal by which batch systems end a command, handled as Ctrl-C."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def terminated_as_interrupted() -> Iterator[None]:
    """Raise KeyboardInterrupt at SIGTERM within the context, so that a long command says what is kept.

    A process that was started to ignore the signal still does.
    """
    in_main_thread = threading.current_thread() is threading.main_thread()
    if not in_main_thread or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
