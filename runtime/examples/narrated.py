"""Hold what accounts have said against what an example expects."""

from collections.abc import Iterable, Iterator

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.play.accounts import Told, accounts_in
from runtime.play.previews import Preview, chances_text
from runtime.state.record import Event

CHANCES = "chances"


def is_told(example: graph.Example) -> bool:
    """Say whether an example expects something to be told."""
    return any(isinstance(line, graph.Narrated) for line in example.lines)


def wants_chances(example: graph.Example, number: int) -> bool:
    """Say whether the lines behind one that does something expect the chances there were before it."""
    for line in example.lines[number + 1 :]:
        if isinstance(line, graph.Narrated) and line.what == CHANCES:
            return True
        if not isinstance(line, graph.Narrated | graph.Check):
            return False
    return False


def untold(line: graph.Narrated, journal: Iterable[Event], foretold: Preview | None) -> tuple[str, str] | None:
    """Say what is expected and what was said instead, if no account among these events said it.

    `foretold` is what the last line that did something could have led to.
    """
    said = list(_said(line.what, accounts_in(journal), foretold))
    if line.text in said:
        return None
    found = words.listed([f"\u201c{each}\u201d" for each in dict.fromkeys(said) if each])
    moment = "when it is over" if line.what == "tells" else "before the dice"
    return f"\u201c{line.text}\u201d to be said {moment}", f"said: {found}" if found else "nothing was said"


def _said(what: str, told: Iterable[Told], foretold: Preview | None) -> Iterator[str]:
    match what:
        case "previews":
            yield from (each.preview for each in told)
        case "chances" if foretold is not None:
            sampled = bool(foretold.sampled)
            yield from (" ".join(chances_text(sheet, sampled=sampled)) for sheet in foretold.sheets)
        case "tells":
            yield from (each.sentence for each in told)
        case _:
            pass
