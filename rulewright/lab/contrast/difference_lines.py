"""Lines of the document tree that all parts of a difference have: answers, plays, positions, lists of names.

In: records of `diff --format json`. Out: lines.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from runtime.graph.document import DocumentLine, DocumentRole, DocumentSpan
from runtime.graph.document_lines import LineText, listing
from runtime.graph.words import counted_noun, list_text, plural

# The most names, cells or lines of a procedure that are listed; of others, the number.
MOST_LISTED = 8
# Without a cause, as its title.
NO_CAUSE = "for a reason that was not found"
DifferenceRecord = Mapping[str, Any]
T = TypeVar("T")


class DifferenceLines:
    """The record of a difference; with `every`, all members of lists are listed."""

    def __init__(self, record: DifferenceRecord, *, every: bool) -> None:
        self.record = record
        self.every = every

    def names_text(self, names: Sequence[str]) -> str:
        """List the first names, and count the others."""
        left = len(names) - MOST_LISTED
        if self.every or left <= 0:
            return list_text(list(names))
        return list_text([*names[:MOST_LISTED], f"{left} more"])

    def first_of(self, members: Sequence[T], noun: str) -> tuple[Sequence[T], str]:
        """Return the first members of a list, and a phrase that counts the others; "" for none."""
        left = len(members) - MOST_LISTED
        if self.every or left <= 0:
            return members, ""
        return members[:MOST_LISTED], f"and {counted_noun(left, f'more {noun}')} (--all lists them)"

    def only_lines(self, placed_names: Iterable[tuple[str | None, str]], noun: str) -> Iterator[str]:
        """Yield a line for what one of the two alone has of a kind, from the side and the name of each."""
        names_by_side: dict[str | None, list[str]] = {"a": [], "b": []}
        for side, name in placed_names:
            names_by_side.setdefault(side, []).append(name)
        for side in ("a", "b"):
            if names := names_by_side[side]:
                head = f"the {noun}" if len(names) == 1 else f"{len(names)} {plural(noun)}:"
                yield f"Only {self.record[side]} has {head} {self.names_text(names)}."

    def results_text(self, case: DifferenceRecord) -> str:
        """Return the question or the move with its result in each stack."""
        first, second = self.record["a"], self.record["b"]
        question = case["question"] if "question" in case else case["act"]
        if case.get("reversion"):
            return f"{question}: {case['b']} under {second}, {case['a']} under {second} without this change"
        lacking = case.get("missing_words")
        remark = f" (only one of the two declares {list_text(lacking)})" if lacking else ""
        return f"{question}: {case['a']} under {first}, {case['b']} under {second}{remark}"

    def play_line(self, play: DifferenceRecord, opening: str = "", entries: Iterable[LineText] = ()) -> DocumentLine:
        """Show a play with its position, or the example in which it occurs."""
        place = _position_line(play)
        if not play["witness"] and play["example"]:
            # Position files contain neither removed pieces nor pinned answers.
            example = f'"{play["example"]}" ({play["written"]["file"]}:{play["written"]["line"]})'
            place = f"it occurs in the example {example}; no position file can hold it"
        return listing(f"{opening}{self.results_text(play)}", [*entries, place])

    def answer_line(self, case: DifferenceRecord, entries: Iterable[LineText] = ()) -> DocumentLine:
        """Show a question with its answers and its position."""
        return listing(self.results_text(case), [*entries, _position_line(case)])


def _position_line(case: DifferenceRecord) -> LineText:
    """Return the file of the position; "" if none was saved."""
    if not case["witness"]:
        return ""
    file = DocumentSpan(case["witness"], key=("position", case["witness"]))
    return DocumentLine(DocumentRole.ENTRY, (DocumentSpan("position: "), file))


def cited_text(cites: Sequence[str]) -> str:
    """Return citations in brackets."""
    return f" [{', '.join(cites)}]" if cites else ""
