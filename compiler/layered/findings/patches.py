"""Patches and insertions that do not fit what is there."""

from compiler.layered.findings.reference import ReferenceFinding
from compiler.source.finding import WARNING, LocatedFinding, finding
from compiler.source.sentence import Label, Sentence, choice_text
from compiler.source.span import Span
from compiler.source.suggestions import nearest_names


@finding("R0311", "not-as-expected")
class NotAsExpected(LocatedFinding, ReferenceFinding):
    """`expecting` does not match the rule that is replaced, or `expect` the cell that is patched."""

    target: Span
    name: str
    expected: str
    found: str

    def sentence(self) -> Sentence:
        message = f"`{self.name}` is `{self.found}`, not `{self.expected}` as this change expects"
        advice = "what stands below has changed: look at it again, then write what is there now"
        return Sentence(
            message, (Label(self.span, f"expects `{self.expected}`"), Label(self.target, f"is `{self.found}`")), advice
        )


@finding("R0313", "unknown-cell")
class UnknownCell(LocatedFinding, ReferenceFinding):
    """A patch refers to an unknown table, counter, column or cell; or an example to an unknown card (not `patched`).

    `near` are the cells that may be meant.
    """

    category: str
    name: str
    candidates: tuple[str, ...]
    patched: bool = True
    counters: bool = False  # what was taken for a table is a kind of piece
    near: tuple[str, ...] = ()

    def sentence(self) -> Sentence:
        name, category, patched = self.name, self.category, self.patched
        if self.counters:
            labels = (Label(self.span, "its counters are patched otherwise"),)
            advice = (
                f"write `extend kind {name} has NAME: 0..9 = 5` in a .rules file, and `add factors: {{NAME: "
                "{COUNTER: 7}}` here"
            )
            return Sentence(f"`{name}` is a kind of piece, and no table", labels, advice, root=f"table {name}")
        message = f"there is no {category} `{name}`{' to patch' if patched else ''}"
        labels = (Label(self.span, "patched here" if patched else "this example is on it"),)
        near_names = self.near if category == "cell" else nearest_names(name, self.candidates)
        known = "the cells that differ in one key are" if category == "cell" else f"the {category}s are"
        advice = choice_text(near_names, self.candidates, known)
        return Sentence(message, labels, advice, root=f"{category} {name}", names=(name,))


@finding("R0314", "patched-twice")
class PatchedTwice(LocatedFinding, ReferenceFinding):
    """Two layers, or one (`is_same_layer`), patch the same cell."""

    other: Span
    name: str
    is_same_layer: bool = False

    def sentence(self) -> Sentence:
        if self.is_same_layer:
            message = f"`{self.name}` is changed twice"
            return Sentence(
                message, (Label(self.span, "changed here"), Label(self.other, "and here")), "keep one of the two"
            )
        message = f"two loaded layers change `{self.name}`"
        advice = "settle it in a joint layer on both"
        return Sentence(message, (Label(self.span, "changed here"), Label(self.other, "and here")), advice)


@finding("R0325", "patches-nothing", WARNING)
class PatchesNothing(LocatedFinding, ReferenceFinding):
    """A patch that sets a cell to its present value."""

    target: Span
    name: str
    value: str

    def sentence(self) -> Sentence:
        if self.value == "so":
            message = f"this changes nothing: `{self.name}` does the same already"
            advice = "write what is to be done instead, or delete the replacement"
            return Sentence(
                message, (Label(self.span, "stands in for it"), Label(self.target, "does the same")), advice
            )
        if self.value == "there already":
            message = f"this changes nothing: `{self.name}` stands there already"
            advice = "say where it is to stand, or delete the line"
            return Sentence(message, (Label(self.span, "put there"), Label(self.target, "stands there")), advice)
        message = f"this changes nothing: `{self.name}` is `{self.value}` already"
        advice = "write what it should be, or delete the change"
        return Sentence(message, (Label(self.span, "is to stand there"), Label(self.target, "stands there")), advice)


@finding("R0321", "inserted-twice")
class InsertedTwice(LocatedFinding):
    """Two insertions at one place without a defined order."""

    other: Span
    name: str
    other_name: str
    anchor: str

    def sentence(self) -> Sentence:
        return Sentence(
            (
                f"`{self.other_name}` and `{self.name}` are both inserted next to `{self.anchor}`, and nothing "
                "says which comes first"
            ),
            (Label(self.span, "inserted here"), Label(self.other, "and here")),
            "let one name the other as its neighbor; if their layers do not know each other,"
            " one of these may say `above: [OTHER]`",
        )


@finding("R0319", "duplicate-table")
class DuplicateTable(LocatedFinding):
    """Two tables, counters or values of one name; `table` has the column, or is the value that stands there."""

    first: Span
    category: str
    name: str
    table: str = ""

    def sentence(self) -> Sentence:
        if self.category == "value":
            counter, _, column = self.name.rpartition(".")
            labels = (Label(self.span, "again here"), Label(self.first, f"`{self.table}` stands here"))
            advice = f"change it: `set: [{{id: {counter}, column: {column}, expect: {self.table}, now: ..}}]`"
            return Sentence(f"`{self.name}` is given a value already", labels, advice, root=f"value {self.name}")
        if self.table:
            message = f"`{self.table}` has a {self.category} `{self.name}` already"
            labels = (Label(self.span, "added here"), Label(self.first, "is there"))
            advice = "change its cells one by one, `set: [{.., expect: .., now: ..}]`"
            return Sentence(message, labels, advice, root=f"{self.category} of {self.table} {self.name}")
        labels = (Label(self.span, "again here"), Label(self.first, "first here"))
        advice = "choose another name, or patch the first one by key"
        return Sentence(
            f"there are two {self.category}s named `{self.name}`", labels, advice, root=f"{self.category} {self.name}"
        )
