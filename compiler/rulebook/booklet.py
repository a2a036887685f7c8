"""The booklet of changes: the differences between a stack and the one that its book is compared with.

These are its parts, without their computation (changes.py): changes of paragraphs, charts and counters, topic by topic,
each with the present and the former text and an impact; changes of words; and differences in answers.
"""

from collections import Counter

from compiler.rulebook.drawings.diagrams import Drawing
from compiler.rulebook.index.mentions import BookKey
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.frozen_dataclass import frozen_dataclass

# The impacts of a change of a rule, and their names. A ruling states one of the first two, or none.
MAJOR, MINOR, BESIDE, NO_IMPACT, OPEN_IMPACT = IMPACTS = ("major", "minor", "beside", "none", "open")
IMPACT_NAMES = {
    MAJOR: "major impact", MINOR: "minor impact", BESIDE: "only with new pieces or rules", NO_IMPACT: "no impact",
    OPEN_IMPACT: "impact not known",
}  # fmt: skip
WEIGHED = (
    "Rulings state their own impact. A rule has major impact if it changes the answer in more than a tenth of the "
    "positions tried, of at least ten, and minor impact if in fewer. Only with new pieces or rules: an answer was "
    "found to change only with pieces, terrain or other rules that one of the two books lacks. No impact: only words "
    "differ, or it is proved that no answer changes. Not known: no position was found in which an answer changes, and "
    "no proof that there is none."
)
FORM_TITLES = {"errata": "Errata", "variant": "What changes", "games": "List of differences"}
SEQUENCE = ("procedure", "sequence")


@frozen_dataclass
class AnswerDifference:
    """One class of differing answers: the responsible rules, its frequency, and the smallest position.

    `resting` are questions that depend on this one and in which no difference was found.
    """

    rules: tuple[str, ...]
    follows: tuple[str, ...]
    seen: int
    question: str
    before: str
    now: str
    position: graph.Position | None
    drawn_by: str  # the stack whose words the position uses
    resting: tuple[str, ...]


@frozen_dataclass
class QuestionDifference:
    """A question whose answers differ, in `seen` of `looked_at` positions."""

    term: str
    seen: int
    looked_at: int
    answer_differences: tuple[AnswerDifference, ...]


@frozen_dataclass
class ChangeEvidence:
    """The evidence on one change of the rules: `status` is witness, same, only or unknown, `reason` the reason."""

    kind: str
    label: str
    operation: str
    status: str
    reason: str


@frozen_dataclass
class CardDifference:
    """A situation card that a layer of one of the two changes: its title, and sentences on what differs."""

    title: str
    sentences: tuple[str, ...]


@frozen_dataclass
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


@frozen_dataclass
class ListedChange:
    """One change. `how` is new, changed or gone; `sort` and `impact` are those of an errata sheet, or "".

    `now` and `before` are the present and the former text, or a list of steps or columns. `touches` are the rules of
    the base that a new rule is written against; `before` quotes them. A removed thing has its former `number`.
    """

    how: str
    thing: BookKey
    title: str
    now: tuple[str, ...]
    before: tuple[str, ...]
    sort: str = ""
    impact: str = ""
    touches: tuple[str, ...] = ()
    number: str = ""


@frozen_dataclass
class Topic:
    """A section of the book, or a kind of things outside sections (`case` is ""), with its changes and a remark."""

    case: str
    title: str
    remark: str
    changes: tuple[ListedChange, ...]


@frozen_dataclass
class DrawnDifference:
    """A difference in answers with its picture."""

    difference: AnswerDifference
    drawing: Drawing | None


@frozen_dataclass
class Booklet:
    """A booklet of changes. `form` is a key of `FORM_TITLES`; `answers` pairs a question with its differences.

    `topics` are in the order of the book. `words` describes the changes of words, tracks and facts that no paragraph of
    the book is about, `other_texts` those of readings of disputes and of what is printed with equal rules.
    """

    form: str
    against: Baseline
    topics: tuple[Topic, ...]
    answers: tuple[tuple[QuestionDifference, tuple[DrawnDifference, ...]], ...]
    words: tuple[tuple[ChangeEvidence, str], ...]
    other_texts: tuple[str, ...]

    @property
    def changes(self) -> tuple[ListedChange, ...]:
        """Return the changes of all topics."""
        return tuple(change for topic in self.topics for change in topic.changes)

    @property
    def word_texts(self) -> tuple[str, ...]:
        """Return the sentences on words and on other texts."""
        return (*(text for _, text in self.words), *self.other_texts)

    @property
    def changes_of_unknown_impact(self) -> dict[str, list[str]]:
        """Group the changes with undecided effect on answers by what was tried."""
        found: dict[str, list[str]] = {}
        for account in self.against.accounts:
            if account.status == "unknown":
                found.setdefault(account.reason, []).append(account.label)
        return found

    @property
    def result(self) -> str:
        """Return the number of questions whose answers differ; that there are none is stated only if it is proved."""
        count, left = len(self.answers), sum(map(len, self.changes_of_unknown_impact.values()))
        change = "whether it changes" if left == 1 else "whether they change"
        more = f"; of {words.counted_noun(left, 'change')} it is not known {change} an answer" if left else ""
        if count:
            return f"{count} question{'s are' if count > 1 else ' is'} answered differently{more}."
        if all(account.status == "same" for account in self.against.accounts):
            if cards := len(self.against.cards):
                return (
                    f"No question is answered differently; {cards} situation{'s differ' if cards > 1 else ' differs'}."
                )
            reason = self.against.equal_layers.replace("`", "")
            return f"No question is answered differently{f': {reason}' if reason else ''}."
        return f"No question was found that both answer, and answer differently{more}."

    @property
    def counts_text(self) -> str:
        """Return the numbers of changes of each sort, and of each impact."""
        sorts = Counter(change.sort for change in self.changes if change.sort)
        impacts = Counter(change.impact for change in self.changes if change.impact)
        counted_sorts = words.list_text([words.counted_noun(count, sort) for sort, count in sorted(sorts.items())])
        counted_impacts = [f"{impacts[each]} {IMPACT_NAMES[each]}" for each in IMPACTS if impacts[each]]
        return f"{counted_sorts}: {', '.join(counted_impacts)}." if counted_impacts else ""
