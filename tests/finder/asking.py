"""Ask questions as players type them about positions, and tell which row answers each."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from rulewright.book.book_places import book_index
from rulewright.explain.finder.find import find_rows
from rulewright.explain.finder.question_rows import SideView
from rulewright.explain.finder.row import Row
from rulewright.explain.position_questions import set_up_file
from rulewright.library.stacks import Stack, load_stack
from runtime.state.position import State

HERE = Path(__file__).parent
FOLDERS = (HERE / "positions", HERE.parents[1] / "docs" / "positions")


class PlayerQuestion(NamedTuple):
    """A question about a position, with what answers it: complete questions, actions, or rules of the book."""

    position: str
    text: str
    terms: tuple[str, ...]
    actions: tuple[str, ...]
    places: tuple[str, ...]

    def is_answered_by(self, row: Row) -> bool:
        """Return whether a row answers it."""
        return not ({*self.terms}.isdisjoint(row.calls) and {*self.actions}.isdisjoint(row.actions))


@cache
def questions(file: str) -> tuple[PlayerQuestion, ...]:
    """Read the questions of a file."""
    found = yaml.safe_load((HERE / file).read_text(encoding="utf-8"))
    return tuple(
        PlayerQuestion(position, entry["ask"], *(tuple(entry.get(key, ())) for key in ("term", "action", "place")))
        for position, entries in found.items()
        for entry in entries
    )


@cache
def setting(position: str) -> tuple[Stack, State]:
    """Set a position up under its stack."""
    file = next(path for folder in FOLDERS if (path := folder / f"{position}.yaml").exists())
    stack = load_stack(yaml.safe_load(file.read_text(encoding="utf-8"))["stack"], []).require_usable()
    state = set_up_file(stack, file).state
    assert state
    return stack, state


@cache
def rows_of(question: PlayerQuestion) -> tuple[Row, ...]:
    """Return the rows for a question."""
    _, state = setting(question.position)
    return find_rows(state, question.text, SideView("")).rows


def rank(question: PlayerQuestion) -> int:
    """Return the number of the row that answers, or of the place of the book counted behind the rows; 99 for none."""
    rows = rows_of(question)
    found = (number for number, row in enumerate(rows, 1) if question.is_answered_by(row))
    if number := next(found, 0):
        return number
    stack, _ = setting(question.position)
    places = book_index(stack).find(question.text) if question.places else []
    labels = ({row.address.partition("#")[2] for row in (place.head, *place.rows)} for place in places)
    return next((len(rows) + n for n, each in enumerate(labels, 1) if not each.isdisjoint(question.places)), 99)
