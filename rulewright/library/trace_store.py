"""Store the traces of proofs that found nothing: after an edit only what depends on it is proved again.

All traces are in one file of the cache, as JSON, signed and permitted as all entries are (cache.py). New ones are added
when the program ends. Of two programs that end at once the last one writes, and the proofs of the other are made once
more. When a trace holds is said in compiler/query/traces.py; nothing is believed without that.
"""

import atexit
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from compiler.query.database import Read
from compiler.query.traces import StoredTrace
from rulewright.library import cache

TRACES = cache.CachePool(".traces", 1)
# A large stack has two thousand; those that were used last are kept.
MOST = 40_000
# The same question under some options and readings, or before and after some edits.
MOST_TRACES = 12


@dataclass(frozen=True, slots=True)
class TraceDelta:
    """The traces that were added meanwhile, and the keys that were found."""

    traces: list[tuple[str, StoredTrace]]
    used: dict[str, None]


class FileTraceStore:
    """The traces of earlier processes and of this one."""

    def __init__(self) -> None:
        """Look at nothing before it is wanted."""
        self._directory: Path | None = None
        self._known: dict[str, list[StoredTrace]] = {}
        self._used: dict[str, None] = {}
        self._new = False
        self._learned = TraceDelta([], {})

    def traces(self, key: str) -> Sequence[StoredTrace]:
        """Return the traces that are kept under a key, the latest first."""
        self._open()
        found = self._known.get(key, [])
        if found:
            self._used[key] = self._learned.used[key] = None
        return found[::-1]

    def add(self, key: str, trace: StoredTrace) -> None:
        """Keep one more trace under a key, and drop the oldest of too many."""
        self._open()
        traces = self._known.setdefault(key, [])
        traces.append(trace)
        del traces[:-MOST_TRACES]
        self._used[key] = None
        self._learned.traces.append((key, trace))
        self._new = True

    @contextmanager
    def recording_delta(self) -> Iterator[TraceDelta]:
        """Note what is added and found while the block runs, for another process (rulewright/worker.py)."""
        self._learned = learned = TraceDelta([], {})
        yield learned

    def take_over(self, learned: TraceDelta) -> None:
        """Add what another process has learned; what this one knows already is not added again."""
        self._open()
        self._used |= learned.used
        for key, trace in learned.traces:
            if trace not in self._known.get(key, ()):
                self.add(key, trace)

    def read_again(self) -> None:
        """Read what another process has written meanwhile."""
        self._directory = None
        self._open()

    def write_down(self) -> None:
        """Put what is known in the place of what was there, the keys used last at the end."""
        if not self._new or self._directory != cache.cache_folder():
            return
        self._new = False
        lately = [*(key for key in self._known if key not in self._used), *self._used]
        self._known = {key: self._known[key] for key in lately[-MOST:]}
        cache.put_text(_name(), _encoded(self._known), TRACES)

    def _open(self) -> None:
        directory = cache.cache_folder()
        if self._directory != directory:
            self._directory, self._new = directory, False
            self._used.clear()
            self._known = _decoded(cache.get_text(_name(), TRACES))


def _encoded(known: dict[str, list[StoredTrace]]) -> str:
    """Write traces with a number for each name that was read, as most names are read often."""
    numbers: defaultdict[Read, int] = defaultdict(lambda: len(numbers))
    traces = {
        key: [[[numbers[read] for read in trace.reads], trace.digest, trace.answer, trace.steps] for trace in kept]
        for key, kept in known.items()
    }
    return json.dumps({"reads": [*numbers], "traces": traces}, separators=(",", ":"))


def _decoded(text: str | None) -> dict[str, list[StoredTrace]]:
    """Read what was written; nothing if there was nothing, or something else."""
    if text is None:
        return {}
    try:
        data = json.loads(text)
        reads: list[Read] = [
            (str(table), tuple(name) if isinstance(name, list) else name) for table, name in data["reads"]
        ]
        return {
            key: [StoredTrace(tuple([reads[at] for at in places]), *rest) for places, *rest in kept]
            for key, kept in data["traces"].items()
        }
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        return {}


def _name() -> str:
    """Name the file by the compiler and the prover whose traces these are: another one proves for itself."""
    stamp = cache.compiler_stamp("compiler", "runtime/graph")
    return cache.cache_key(b"traces", stamp, prover_version().encode())


def prover_version() -> str:
    """Return the version of what proves by arithmetic, "" if nothing does."""
    try:
        return version("z3-solver")
    except PackageNotFoundError:
        return ""


store = FileTraceStore()
atexit.register(store.write_down)
