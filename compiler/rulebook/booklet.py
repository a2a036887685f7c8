"""A booklet of changes: what differs between a stack and the one that its book is held against.

The parts of it, without how they are found (changes.py): changes of paragraphs, charts and counters, each with the
thing as it is and as it was and an impact; changes of words; and where the two answer differently.
"""

from compiler.rulebook.drawings.diagrams import Drawing
from compiler.rulebook.exact_words import ExactSentence
from compiler.rulebook.index.mentions import Thing
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.frozen_dataclass import dataclass

SORTS = ("addition", "correction", "clarification")
# How much a change of a rule matters, and what that is called. A ruling says itself which of the first two, or none.
MAJOR, MINOR, BESIDE, NONE, OPEN = IMPACTS = ("major", "minor", "beside", "none", "open")
IMPACT_NAMES = {
    MAJOR: "major impact", MINOR: "minor impact", BESIDE: "only with what is new", NONE: "no impact",
    OPEN: "impact not known",
}  # fmt: skip
WEIGHED = (
    "Rulings say themselves how much they matter. A rule has major impact if an answer is another because of it in "
    "more than a tenth of the positions tried, of at least ten, and minor impact if in fewer. Only with what is new: "
    "no answer was found to change in positions that both can hold, but one does with pieces or ground, or beside "
    "other rules, that only one of the two has. None: only words differ, or it is proved that no answer changes. "
    "Not known: no position shows it, and no proof clears it."
)
# Kinds of changes that have an impact; a counter or a cell of a chart is only new, changed or gone.
SAID = frozenset({"rule", "ruling", "term", "procedure"})
SEQUENCE = ("procedure", "sequence")


@dataclass(frozen=True, slots=True)
class AnswerDifference:
    """One way in which answers part: the rules responsible, how often it was seen, and the smallest position.

    `resting` are questions that may ask this one and were not seen to part; `remarks` say what in the position could
    not be set up.
    """

    rules: tuple[str, ...]
    against: tuple[str, ...]
    follows: tuple[str, ...]
    seen: int
    question: str
    before: str
    now: str
    position: graph.Position | None
    drawn_by: str  # the stack whose words the position uses
    resting: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QuestionDifference:
    """A question that is answered differently, in `seen` of `looked_at` positions."""

    term: str
    seen: int
    looked_at: int
    ways: tuple[AnswerDifference, ...]


@dataclass(frozen=True, slots=True)
class ChangeEvidence:
    """One change of the rules, and what is known of it: `status` is witness, same, only or unknown, `why` says why."""

    kind: str
    label: str
    how: str
    status: str
    why: str


@dataclass(frozen=True, slots=True)
class Baseline:
    """The base of a comparison of books.

    `accounts` are of all changes, also of words, notes and facts that no page of the book is about.
    """

    graph: graph.Graph
    title: str
    differences: tuple[QuestionDifference, ...] = ()
    accounts: tuple[ChangeEvidence, ...] = ()


@dataclass(frozen=True, slots=True)
class StepChange:
    """A step that one of the books alone has, or what holds such steps: a phase by its `title`, or for whom and when.

    `phase` is the name of the phase. `leads` are the actions or resolutions that the step leads to, each with how it is
    called.
    """

    title: str
    phase: str
    text: str
    leads: tuple[tuple[str, str], ...]
    inside: "tuple[StepChange, ...]"


@dataclass(frozen=True, slots=True)
class Change:
    """One change. `how` is new, changed or gone; `sort` and `impact` are those of an errata sheet.

    `touches` are the rules of the base that a new rule is written against; `before` quotes them. `exact_now` and
    `exact_before` say it from the logic, where there are sentences. What is `noted` is done by play and told by no
    sentence. `steps_now` and `steps_before` are the steps that one of the two alone has, in order, which `now` and
    `before` say in a row. What is gone has the `number` that it had.
    """

    how: str
    sort: str
    impact: str
    thing: Thing
    title: str
    now: str
    before: str
    touches: tuple[str, ...] = ()
    noted: bool = False
    exact_now: tuple[ExactSentence, ...] = ()
    exact_before: tuple[ExactSentence, ...] = ()
    steps_now: tuple[StepChange, ...] = ()
    steps_before: tuple[StepChange, ...] = ()
    number: str = ""

    @property
    def impact_text(self) -> str:
        """Return how much the change matters, in words; "" of a counter or a chart."""
        return IMPACT_NAMES[self.impact] if self.thing[0] in SAID else ""


@dataclass(frozen=True, slots=True)
class DrawnDifference:
    """A parting with its picture."""

    difference: AnswerDifference
    drawing: Drawing | None


@dataclass(frozen=True, slots=True)
class Booklet:
    """All changes. `form` is "variant", "games" or "errata"; `answers` pairs a question with its partings.

    `words` tells of each word, note or fact, of which no paragraph of the book is about, how it has changed.
    """

    form: str
    against: Baseline
    changes: tuple[Change, ...]
    answers: tuple[tuple[QuestionDifference, tuple[DrawnDifference, ...]], ...]
    words: tuple[tuple[ChangeEvidence, str], ...] = ()

    @property
    def changes_of_unknown_impact(self) -> dict[str, list[str]]:
        """Collect the changes of which it is unknown whether an answer changes, by what was tried."""
        found: dict[str, list[str]] = {}
        for each in self.against.accounts:
            if each.status == "unknown":
                found.setdefault(each.why, []).append(each.label)
        return found

    @property
    def result(self) -> str:
        """Count the questions that are answered differently; say that none is only where that is proved."""
        count, left = len(self.answers), sum(map(len, self.changes_of_unknown_impact.values()))
        more = f"; of {left} change{'s' if left > 1 else ''} it is not decided" if left else ""
        if count:
            return f"{count} question{'s are' if count > 1 else ' is'} answered differently{more}."
        if all(each.status == "same" for each in self.against.accounts):
            return "No question is answered differently."
        return f"No question was found that both answer, and answer differently{more}."

    def of_sort(self, sort: str) -> tuple[Change, ...]:
        """List the changes of one sort, in the order of the book."""
        return tuple(change for change in self.changes if change.sort == sort)

    def count(self, sort: str, impact: str) -> int:
        """Count the changes of one sort and impact, but those of counters and charts."""
        said = (change for change in self.changes if change.thing[0] in SAID)
        return sum((change.sort, change.impact) == (sort, impact) for change in said)

    @property
    def impacts(self) -> tuple[str, ...]:
        """List the impacts that some change has, the greatest first."""
        found = {change.impact for change in self.changes if change.thing[0] in SAID}
        return tuple(impact for impact in IMPACTS if impact in found)

    @property
    def printed_changes_text(self) -> str:
        """Count what is printed otherwise and has no impact of its own: counters, and cells of charts."""
        kinds = [("chart", "chart"), ("cell", "cell of a chart"), ("factor", "factor"), ("counter", "counter")]
        counts = [(sum(change.thing[0] == kind for change in self.changes), noun) for kind, noun in kinds]
        several = {noun: words.plural(noun).replace("of a chart", "of charts") for _, noun in kinds}
        told = [f"{count} {several[noun] if count > 1 else noun}" for count, noun in counts if count]
        return f"Beside that: {words.list_text(told)}." if told else ""
