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
        advice = f"see whether the change is still right, then expect `{self.found}`"
        return self.sentence_here(message, "expected here", advice, Label(self.target, "what is there"))


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
        name, category = self.name, self.category
        message = f"there is no {category} `{name}`"
        near_names = self.near if category == "cell" else nearest_names(name, self.candidates)
        known = "the cells that differ in one key are" if category == "cell" else f"the {category}s are"
        advice = choice_text(near_names, self.candidates, known)
        if self.counters:
            message = f"`{name}` is a kind of piece, not a table"
            form = f"extend kind {name} has NAME: 0..9 = 5"
            advice = f"write `{form}` in a .rules file, and `add factors: {{NAME: {{COUNTER: 7}}}}` here"
        note = "patched here" if self.patched else "named here"
        return self.sentence_here(message, note, advice, root=f"{category} {name}", names=(name,))


@finding("R0314", "patched-twice")
class PatchedTwice(LocatedFinding, ReferenceFinding):
    """Two layers, or one (`is_same_layer`), patch the same cell."""

    other: Span
    name: str
    is_same_layer: bool = False

    def sentence(self) -> Sentence:
        message, advice = f"two layers change `{self.name}`", "decide between them in a layer that is based on both"
        if self.is_same_layer:
            message, advice = f"`{self.name}` is changed twice", "keep one of the two changes"
        return self.sentence_here(message, "changed here", advice, Label(self.other, "and here"))


@finding("R0325", "patches-nothing", WARNING)
class PatchesNothing(LocatedFinding, ReferenceFinding):
    """A patch that sets a cell to its present value.

    `value` is that value; of a step that is replaced by the same "so", of one that is moved to its place "there
    already".
    """

    target: Span
    name: str
    value: str

    def sentence(self) -> Sentence:
        message = f"this changes nothing: `{self.name}` is already `{self.value}`"
        if self.value == "so":
            message = f"this changes nothing: `{self.name}` already does the same"
        elif self.value == "there already":
            message = f"this changes nothing: `{self.name}` is already in this place"
        advice = "correct the change, or delete it"
        return self.sentence_here(message, "changed here", advice, Label(self.target, "the original"))


@finding("R0321", "inserted-twice")
class InsertedTwice(LocatedFinding):
    """Two insertions at one place without a defined order."""

    other: Span
    name: str
    other_name: str
    anchor: str

    def sentence(self) -> Sentence:
        return self.sentence_here(
            f"`{self.other_name}` and `{self.name}` are both inserted next to `{self.anchor}` in no stated order",
            "inserted here",
            "insert one of them next to the other, or write `above: [LAYER]` in the manifest of one of their layers",
            Label(self.other, "and here"),
        )


@finding("R0319", "duplicate-table")
class DuplicateTable(LocatedFinding):
    """Two tables, counters or values of one name; `table` has the column, or is the value that stands there."""

    first: Span
    category: str
    name: str
    table: str = ""

    def sentence(self) -> Sentence:
        name, category, table = self.name, self.category, self.table
        message, advice = (
            f"there are two {category}s named `{name}`",
            "rename one of them, or change the first by a patch",
        )
        if category == "value":
            counter, _, column = name.rpartition(".")
            message = f"`{name}` already has the value `{table}`"
            advice = f"change it with `set: [{{id: {counter}, column: {column}, expect: {table}, now: ..}}]`"
        elif table:
            message = f"`{table}` already has a {category} `{name}`"
            advice = "change its cells with `set: [{.., expect: .., now: ..}]`"
        root = f"{category} of {table} {name}" if table and category != "value" else f"{category} {name}"
        return self.sentence_here(message, "again here", advice, Label(self.first, "first here"), root=root)
