"""A store of the traces of proofs without findings, so that after an edit only dependent proofs are repeated.

All traces are in one file of the cache, as JSON, signed and protected like all entries (cache.py). New traces are added
when the program ends. If two programs end at once, the last one overwrites the file, and the traces of the other are
lost. compiler/query/traces.py defines the validity of a trace, which is always checked.
"""

import atexit
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from compiler.query.database import Read
from compiler.query.traces import StoredTrace
from rulewright.library import cache
from runtime.graph.frozen_dataclass import frozen_dataclass

TRACES = cache.CachePool(".traces", 1)
# The most keys, by last use; a large stack has two thousand.
MOST_ENTRIES = 40_000
# The most traces per key: of the same question under several options and readings, or before and after edits.
MOST_TRACES = 12


@frozen_dataclass
class TraceDelta:
    """The traces that were added since a moment, and the keys that were found."""

    traces: list[tuple[str, StoredTrace]]
    used_keys: dict[str, None]


class FileTraceStore:
    """The traces of earlier processes and of this process."""

    def __init__(self) -> None:
        """Start without reading the cache, which the first look-up does."""
        self._directory: Path | None = None
        self._known: dict[str, list[StoredTrace]] = {}
        self._used_keys: dict[str, None] = {}
        self._has_new_traces = False
        self._delta = TraceDelta([], {})

    def traces(self, key: str) -> Sequence[StoredTrace]:
        """Return the traces of a key, the latest first."""
        self._open()
        found = self._known.get(key, [])
        if found:
            self._used_keys[key] = self._delta.used_keys[key] = None
        return found[::-1]

    def add(self, key: str, trace: StoredTrace) -> None:
        """Add a trace to a key, and remove the oldest ones beyond the limit."""
        self._open()
        traces = self._known.setdefault(key, [])
        traces.append(trace)
        del traces[:-MOST_TRACES]
        self._used_keys[key] = None
        self._delta.traces.append((key, trace))
        self._has_new_traces = True

    @contextmanager
    def recording_delta(self) -> Iterator[TraceDelta]:
        """Record the traces that are added and found within the context, for another process (system/worker.py)."""
        self._delta = learned = TraceDelta([], {})
        yield learned

    def merge_delta(self, learned: TraceDelta) -> None:
        """Merge the delta of another process; known traces are skipped."""
        self._open()
        self._used_keys |= learned.used_keys
        for key, trace in learned.traces:
            if trace not in self._known.get(key, ()):
                self.add(key, trace)

    def reload(self) -> None:
        """Read the file again, which another process has written."""
        self._directory = None
        self._open()

    def write_traces(self) -> None:
        """Overwrite the file with the known traces, ordered by last use."""
        if not self._has_new_traces or self._directory != cache.cache_folder():
            return
        self._has_new_traces = False
        lately = [*(key for key in self._known if key not in self._used_keys), *self._used_keys]
        self._known = {key: self._known[key] for key in lately[-MOST_ENTRIES:]}
        cache.put_text(_name(), _encoded(self._known), TRACES)

    def _open(self) -> None:
        directory = cache.cache_folder()
        if self._directory != directory:
            self._directory, self._has_new_traces = directory, False
            self._used_keys.clear()
            self._known = _decoded(cache.get_text(_name(), TRACES))


def _encoded(known: dict[str, list[StoredTrace]]) -> str:
    """Encode traces as JSON with a table of names, since most names occur often."""
    numbers: defaultdict[Read, int] = defaultdict(lambda: len(numbers))
    traces = {
        key: [[[numbers[read] for read in trace.reads], trace.digest, trace.answer, trace.steps] for trace in entries]
        for key, entries in known.items()
    }
    return json.dumps({"reads": [*numbers], "traces": traces}, separators=(",", ":"))


def _decoded(text: str | None) -> dict[str, list[StoredTrace]]:
    """Decode traces; empty if the text is missing or malformed."""
    if text is None:
        return {}
    try:
        data = json.loads(text)
        reads: list[Read] = [
            (str(table), tuple(name) if isinstance(name, list) else name) for table, name in data["reads"]
        ]
        return {
            key: [StoredTrace(tuple([reads[index] for index in places]), *rest) for places, *rest in entries]
            for key, entries in data["traces"].items()
        }
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        return {}


def _name() -> str:
    """Return the name of the file, which contains the version of the prover, and the stamp of the code that decides.

    Walks through play (stuck_offers.py) execute the whole runtime.
    """
    stamp = cache.compiler_stamp("compiler", "runtime", "rulewright/library", "rulewright/checks")
    return cache.cache_key(b"traces", stamp, prover_version().encode())


def prover_version() -> str:
    """Return the version of the arithmetic prover; "" if it is not installed."""
    try:
        return version("z3-solver")
    except PackageNotFoundError:
        return ""


store = FileTraceStore()
atexit.register(store.write_traces)
