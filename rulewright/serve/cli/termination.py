"""The signals by which batch systems and closed terminals end a command, handled as Ctrl-C."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

# Windows has no SIGHUP.
ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


@contextmanager
def terminated_as_interrupted() -> Iterator[None]:
    """Raise KeyboardInterrupt at SIGTERM and SIGHUP within the context, so that a long command says what is kept.

    A process that was started to ignore a signal, as by nohup, still does.
    """
    in_main_thread = threading.current_thread() is threading.main_thread()
    handled = [each for each in ENDING if in_main_thread and signal.getsignal(each) is signal.SIG_DFL]
    for each in handled:
        signal.signal(each, signal.default_int_handler)
    try:
        yield
    finally:
        for each in handled:
            signal.signal(each, signal.SIG_DFL)
