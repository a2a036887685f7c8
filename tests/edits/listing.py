"""The entry of an edit in a comparison, from the data of `diff --format json`.

In: the data, and the names of the edit. Out: the strongest status that the comparison has for the edit.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.edits.edit import Edit

# Statuses from the strongest to the weakest; the last means that there is no entry.
WITNESS, SHOWN, UNDECIDED, SAME, SILENT = "witness", "shown", "undecided", "same", "silent"
ORDER = (WITNESS, SHOWN, UNDECIDED, SAME, SILENT)


@dataclass(frozen=True, slots=True)
class Listing:
    """The status of an edit in a comparison; `others` are labels of witnesses that do not belong to the edit."""

    status: str
    others: tuple[str, ...]


def listing(data: dict[str, Any], edit: Edit) -> Listing:
    """Return the listing of an edit."""
    labeled_statuses = [*_labeled_statuses(data)]
    statuses = [status for status, label in labeled_statuses if about(label, edit)]
    others = tuple(
        dict.fromkeys(label for status, label in labeled_statuses if status == WITNESS and not about(label, edit))
    )
    return Listing(min(statuses, key=ORDER.index, default=SILENT), others)


def about(label: str, edit: Edit) -> bool:
    """Return whether a label of a comparison belongs to an edit."""
    if edit.what == "card":
        return label == about_card(edit.names[0])
    if edit.what == "chart" and edit.names[0].endswith("]"):
        return label == edit.names[0]
    if edit.what == "chart" or any(label.startswith(f"{name}[") for name in edit.names):
        return any(label == name or label.startswith(f"{name}[") for name in edit.names)
    if edit.what == "sequence":
        return label == "sequence"
    plain = label
    for sort in ("counter ", "default of ", "task ", "track ", "status ", "relation ", "action ", "resolution "):
        plain = plain.removeprefix(sort)
    return any(plain in {name, f"the {name}"} or plain.startswith(f"{name}, ") for name in edit.names)


def about_card(line: str) -> str:
    """Return the heading under which a line of a card is reported."""
    name, _, force = line.partition(" of ")
    heads = {"turns": "turns", "order": "order", "set_up": "set-up"}
    return f"card {heads.get(name) or ('forces' if force else 'special' if '.' in name else 'regions')}"


def _labeled_statuses(data: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for term in data["terms"]:
        for group in term["groups"]:
            yield from ((WITNESS, label) for label in group["rules"])
        if term["only"]:
            yield SHOWN, term["term"]
    for each in data.get("changes", ()):
        yield _status(each["status"]), each["label"]
    yield from ((SHOWN, f"counter {each['counter']}") for each in data["counters"])
    for chart in data["charts"]:
        yield SHOWN, chart["chart"]
        yield from ((SHOWN, cell["cell"]) for cell in chart["cells"])
    yield from ((SHOWN, each["name"]) for each in data["notes"])
    # A difference of cards is its own witness.
    yield from ((WITNESS, f"card {card_line['about']}") for card in data["cards"] for card_line in card["says"])
    behavior = data["behavior"]
    for each in behavior["procedures"]:
        yield (WITNESS if each["play"] else SHOWN), "sequence" if each["what"] == "sequence" else each["name"]
    for each in (*behavior["rules"], *behavior["example_questions"]):
        yield from ((WITNESS, label) for label in each["rules"])


def _status(message: str) -> str:
    return {"witness": WITNESS, "same": SAME, "only": SHOWN}.get(message, UNDECIDED)  # any other status is unknown
