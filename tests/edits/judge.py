"""Compare the report of `diff` about an edit with the results of evaluation and play in both stacks.

In: an edit. Out: a verdict. An edit that changes answers needs a witness under its own name; one that only play shows
must be listed. A false proof that a change has no effect is the worst verdict.
"""

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from rulewright.checks.read_back import make_reader
from rulewright.lab.contrast.card_differences import cards_data
from rulewright.lab.contrast.differences import as_data
from runtime.witness.behavioral_diff import behavioral_diff
from runtime.witness.change_report import UNKNOWN_EFFECT
from tests.analysis.edited import difference_text
from tests.edits.edit import OPTION, Edit, Edited
from tests.edits.listing import SAME, SHOWN, SILENT, UNDECIDED, WITNESS, Listing, listing
from tests.edits.oracle import Oracle, Seen
from tests.edits.reading import faults

RIGHT, LISTED, ADMITTED, WRONG, MISSED, FALSE_SAME, QUIET = (
    "right cause", "shown without a witness", "admitted as undecided", "wrong cause", "missed", "false same",
    "nothing seen",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on one edit, with the differences that the oracle found and the listing of `diff`.

    `accounts` are the status, the label and the reason of each change of the report, `faults` the errors in its
    witnesses.
    """

    edit: Edit
    seen: Seen
    listed: Listing
    verdict: str
    seconds: float
    text: str
    accounts: tuple[tuple[str, str, str], ...] = ()
    faults: tuple[str, ...] = ()

    def summary(self) -> str:
        """Return the verdict in a few lines."""
        seen = self.seen
        first = [*seen.examples[:1], *seen.questions[:1], *seen.plays[:1], *seen.games[:1]]
        where = "; ".join(each[:160] for each in first)
        others = f"; witness under {', '.join(self.listed.others[:4])}" if self.listed.others else ""
        head = f"{self.verdict}: {self.edit.stack} {self.edit.seed} [{self.edit.kind}] {', '.join(self.edit.names)}"
        lines = [head, self.edit.words, f"listed: {self.listed.status}{others}", f"seen: {where or 'nothing'}"]
        lines += [f"unknown: {label}: {why}" for status, label, why in self.accounts if status == UNKNOWN_EFFECT]
        lines += [f"fault: {each}" for each in self.faults]
        return "\n    ".join(lines)


def judge(edited: Edited, oracle: Oracle, on_card: Oracle | None = None) -> Verdict:
    """Judge one edit; that of a card by the oracle of the stack with the card."""
    oracle = on_card if on_card is not None and edited.edit.what == "card" else oracle
    began = time.process_time()
    found = behavioral_diff(edited.a, edited.b, read=make_reader(edited.stacks))
    seconds = time.process_time() - began
    with tempfile.TemporaryDirectory() as place:
        differences = as_data(found, (edited.a.stack, edited.b.stack), (edited.a, edited.b), Path(place))
    data = {**differences, "cards": cards_data(*edited.stacks) if edited.edit.what != OPTION else []}
    text = difference_text(data)
    listed = listing(data, edited.edit)
    seen = oracle.seen(edited.b, edited.card_b)
    change_texts = tuple((each.status, each.label, each.reason) for each in found.changes)
    claims = "o question" in text.splitlines()[0] and bool(data["terms"])
    wrong = (*faults(data, edited.stacks), *(["the last sentence is not so"] if claims else []))
    return Verdict(edited.edit, seen, listed, verdict_of(seen, listed), seconds, text, change_texts, wrong)


def verdict_of(seen: Seen, listed: Listing) -> str:
    """Return the verdict on a listing, given the differences that the oracle found."""
    if not seen.anything:
        return RIGHT if listed.status == WITNESS else QUIET
    match listed.status:
        case status if status == WITNESS:
            return RIGHT
        case status if status == SHOWN:
            return LISTED
        case status if status == UNDECIDED:
            return WRONG if listed.others else ADMITTED
        case status if status == SAME:
            return FALSE_SAME
        case status if status == SILENT and listed.others:
            return WRONG
        case _:
            return MISSED
