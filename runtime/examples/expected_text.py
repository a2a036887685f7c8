"""Comparison of the text that accounts report with the text that an example expects."""

from collections.abc import Iterable, Iterator, Sequence

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.play.accounts import ClosedAccount, accounts_in
from runtime.play.previews import Preview, chances_text
from runtime.state.record import Event

CHANCES = "chances"


def expects_text(example: graph.Example) -> bool:
    """Return whether an example expects reported text."""
    return any(isinstance(line, graph.Narrated) for line in example.lines)


def expects_chances(example: graph.Example, number: int) -> bool:
    """Return whether the checks that follow a line expect the chances before its dice."""
    for line in example.lines[number + 1 :]:
        if isinstance(line, graph.Narrated) and line.what == CHANCES:
            return True
        if not isinstance(line, graph.Narrated | graph.Check):
            return False
    return False


def missing_text(line: graph.Narrated, journal: Sequence[Event], preview: Preview | None) -> tuple[str, str] | None:
    """Return (expected, actual) if no account among these events reports the text; None if one does.

    An empty text expects that nothing is reported. `preview` holds the possible results of the last line that acted.
    """
    texts = list(_lines(line.what, accounts_in(journal), preview))
    if line.text in texts or not (line.text or any(texts)):
        return None
    found = words.list_text([f"\u201c{each}\u201d" for each in dict.fromkeys(texts) if each])
    moment = "when it is over" if line.what == "tells" else "before the dice"
    expected = f"\u201c{line.text}\u201d to be said {moment}" if line.text else f"nothing to be said {moment}"
    return expected, f"said: {found}" if found else "left unsaid"


def _lines(narration: str, accounts: Iterable[ClosedAccount], preview: Preview | None) -> Iterator[str]:
    match narration:
        case "previews":
            yield from (each.preview for each in accounts)
        case "chances" if preview is not None:
            sampled = bool(preview.sampled)
            yield from (" ".join(chances_text(sheet, sampled=sampled)) for sheet in preview.sheets)
        case "tells":
            yield from (each.sentence for each in accounts)
        case _:
            pass
