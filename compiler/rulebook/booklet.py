"""The booklet of changes: the differences between a stack and the one that its book is compared with.

These are its parts, without their computation (changes.py): changes of paragraphs, charts and counters, each with the
present and the former text and an impact; changes of words; and differences in answers.
"""

from compiler.rulebook.drawings.diagrams import Drawing
from compiler.rulebook.exact_words import ExactSentence
from compiler.rulebook.index.mentions import BookKey
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.frozen_dataclass import dataclass

SORTS = ("addition", "correction", "clarification")
# The impacts of a change of a rule, and their names. A ruling states one of the first two, or none.
MAJOR, MINOR, BESIDE, NO_IMPACT, OPEN_IMPACT = IMPACTS = ("major", "minor", "beside", "none", "open")
IMPACT_NAMES = {
    MAJOR: "major impact", MINOR: "minor impact", BESIDE: "only with new pieces or rules", NO_IMPACT: "no impact",
    OPEN_IMPACT: "impact not known",
}  # fmt: skip
WEIGHED = (
    "Rulings state their own impact. A rule has major impact if it changes the answer in more than a tenth of the "
    "positions tried, of at least ten, and minor impact if in fewer. Only with new pieces or rules: an answer was "
    "found to change only with pieces, terrain or other rules that one of the two books lacks. None: only words "
    "differ, or it is proved that no answer changes. Not known: no position was found in which an answer changes, and "
    "no proof that there is none."
)
NAMED_ABOVE = "What is worded above, under its topic, is only named here, by its impact."
# Kinds of changed things and their headings, in the order of a booklet.
SORT_TITLES = {
    "ruling": "Rulings", "rule": "Rules", "chart": "Charts", "cell": "Cells of charts",
    "factor": "What counters print", "counter": "Counters", "procedure": "Sequence of play and actions",
    "term": "Questions",
}  # fmt: skip
# Kinds of changes that have an impact; a counter or a cell of a chart is only new, changed or removed.
KINDS_WITH_IMPACT = frozenset({"rule", "ruling", "term", "procedure"})
SEQUENCE = ("procedure", "sequence")


@dataclass(frozen=True, slots=True)
class AnswerDifference:
    """One class of differing answers: the responsible rules, its frequency, and the smallest position.

    `resting` are questions that may query this one and were not seen to differ.
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
    resting: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QuestionDifference:
    """A question whose answers differ, in `seen` of `looked_at` positions."""

    term: str
    seen: int
    looked_at: int
    answer_differences: tuple[AnswerDifference, ...]


@dataclass(frozen=True, slots=True)
class ChangeEvidence:
    """The evidence on one change of the rules: `status` is witness, same, only or unknown, `reason` the reason."""

    kind: str
    label: str
    operation: str
    status: str
    reason: str


@dataclass(frozen=True, slots=True)
class CardDifference:
    """A situation card that a layer of one of the two changes: its title, and sentences on what differs."""

    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Baseline:
    """The base of a comparison of books.

    `accounts` cover all changes, including those of words, tracks and facts that no page of the book describes.
    `cards` are the situations that layers change, which no other page of the book has. `equal_layers` states that both
    names load the same layers, and which name would leave one off.
    """

    graph: graph.Graph
    title: str
    differences: tuple[QuestionDifference, ...] = ()
    accounts: tuple[ChangeEvidence, ...] = ()
    cards: tuple[CardDifference, ...] = ()
    equal_layers: str = ""


@dataclass(frozen=True, slots=True)
class StepChange:
    """A step that only one of the books has, or what contains such steps: a phase with its `title`, or a condition.

    `phase` is the name of the phase. `leads` are the actions or resolutions that the step refers to, each with its
    title.
    """

    title: str
    phase: str
    text: str
    leads: tuple[tuple[str, str], ...]
    inside: "tuple[StepChange, ...]"


@dataclass(frozen=True, slots=True)
class ListedChange:
    """One change. `how` is new, changed or gone; `sort` and `impact` are those of an errata sheet.

    `touches` are the rules of the base that a new rule is written against; `before` quotes them. `exact_now` and
    `exact_before` are the sentences generated from the logic, where there are sentences of an author. What is `noted`
    is changed by play and appears in no sentence. `steps_now` and `steps_before` are the steps that only one of the two
    has, in order; `now` and `before` contain them in one line. A removed thing has its former `number`.
    """

    how: str
    sort: str
    impact: str
    thing: BookKey
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
        """Return the text of the impact; "" for a counter or a chart."""
        return IMPACT_NAMES[self.impact] if self.thing[0] in KINDS_WITH_IMPACT else ""


@dataclass(frozen=True, slots=True)
class DrawnDifference:
    """A difference in answers with its picture."""

    difference: AnswerDifference
    drawing: Drawing | None


@dataclass(frozen=True, slots=True)
class Booklet:
    """A booklet of changes. `form` is "variant", "games" or "errata"; `answers` pairs a question with its differences.

    `words` describes the changes of words, tracks and facts that no paragraph of the book is about, `other_texts` those
    of readings of disputes and of what is printed with equal rules.
    """

    form: str
    against: Baseline
    changes: tuple[ListedChange, ...]
    answers: tuple[tuple[QuestionDifference, tuple[DrawnDifference, ...]], ...]
    words: tuple[tuple[ChangeEvidence, str], ...]
    other_texts: tuple[str, ...]

    @property
    def word_texts(self) -> tuple[str, ...]:
        """Return the sentences on words and on other texts."""
        return (*(text for _, text in self.words), *self.other_texts)

    @property
    def changes_of_unknown_impact(self) -> dict[str, list[str]]:
        """Group the changes with undecided effect on answers by what was tried."""
        found: dict[str, list[str]] = {}
        for each in self.against.accounts:
            if each.status == "unknown":
                found.setdefault(each.reason, []).append(each.label)
        return found

    @property
    def result(self) -> str:
        """Return the number of questions whose answers differ; that there are none is stated only if it is proved."""
        count, left = len(self.answers), sum(map(len, self.changes_of_unknown_impact.values()))
        more = f"; of {words.counted_noun(left, 'change')} it is not decided" if left else ""
        if count:
            return f"{count} question{'s are' if count > 1 else ' is'} answered differently{more}."
        if all(each.status == "same" for each in self.against.accounts):
            if cards := len(self.against.cards):
                return (
                    f"No question is answered differently; {cards} situation{'s differ' if cards > 1 else ' differs'}."
                )
            reason = self.against.equal_layers.replace("`", "")
            return f"No question is answered differently{f': {reason}' if reason else ''}."
        return f"No question was found that both answer, and answer differently{more}."

    def changes_of_sort(self, sort: str) -> tuple[ListedChange, ...]:
        """Return the changes of one sort, in the order of the book."""
        return tuple(change for change in self.changes if change.sort == sort)

    def count_changes(self, sort: str, impact: str) -> int:
        """Count the changes of one sort and impact, except those of counters and charts."""
        counted_changes = (change for change in self.changes if change.thing[0] in KINDS_WITH_IMPACT)
        return sum((change.sort, change.impact) == (sort, impact) for change in counted_changes)

    @property
    def impacts(self) -> tuple[str, ...]:
        """Return the impacts that occur, the greatest first."""
        found = {change.impact for change in self.changes if change.thing[0] in KINDS_WITH_IMPACT}
        return tuple(impact for impact in IMPACTS if impact in found)

    @property
    def printed_changes_text(self) -> str:
        """Return the numbers of printed changes that have no impact: counters, and cells of charts."""
        kinds = [("chart", "chart"), ("cell", "cell of a chart"), ("factor", "factor"), ("counter", "counter")]
        counts = [(sum(change.thing[0] == kind for change in self.changes), noun) for kind, noun in kinds]
        plurals = {noun: words.plural(noun).replace("of a chart", "of charts") for _, noun in kinds}
        phrases = [f"{count} {plurals[noun] if count > 1 else noun}" for count, noun in counts if count]
        return f"Besides: {words.list_text(phrases)}." if phrases else ""
