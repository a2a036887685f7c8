"""Hold what accounts have said against what an example expects."""

from collections.abc import Iterable

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.play.accounts import accounts_in
from runtime.state.record import Event


def is_told(example: graph.Example) -> bool:
    """Say whether an example expects something to be told."""
    return any(isinstance(line, graph.Narrated) for line in example.lines)


def untold(line: graph.Narrated, journal: Iterable[Event]) -> tuple[str, str] | None:
    """Say what is expected and what was said instead, if no account among these events said it."""
    told = accounts_in(journal)
    said = [each.preview if line.what == "previews" else each.sentence for each in told]
    if line.text in said:
        return None
    found = words.listed([f"\u201c{each}\u201d" for each in dict.fromkeys(said) if each])
    moment = "before the dice" if line.what == "previews" else "when it is over"
    return f"\u201c{line.text}\u201d to be said {moment}", f"said: {found}" if found else "nothing was said"
