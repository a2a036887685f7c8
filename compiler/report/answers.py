"""Problems that the front end finds: of questions asked, of examples and games played, of changes since a revision.

The front end makes them of what the runtime raised; `question` is the question in the author's words.
"""

from compiler.analysis.parties import Party, StepPlace
from compiler.source.span import Span
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """No rule answered; `declared_at` is where the term or table is declared."""

    question: str
    declared_at: graph.Origin


@dataclass(frozen=True, slots=True)
class TwoAnswers:
    """Live rules answered differently."""

    question: str
    declared_at: graph.Origin
    rules: tuple[tuple[str, graph.Origin], ...]


@dataclass(frozen=True, slots=True)
class TooMuchToAnswer:
    """A question that passes over sets with more than so many members; `declared_at` None: it is no single term."""

    question: str
    members: int
    declared_at: graph.Origin | None


@dataclass(frozen=True, slots=True)
class AnswerOutside:
    """The answer lies outside the domain that the term declares."""

    question: str
    declared_at: graph.Origin
    rules: tuple[tuple[str, graph.Origin], ...]


@dataclass(frozen=True, slots=True)
class ReadAbsent:
    """Something was read that is not there: a factor that `piece` has none of, unless that is ""."""

    what: str
    piece: str
    declared_at: graph.Origin | None


@dataclass(frozen=True, slots=True)
class NoGeometry:
    """A function for lines or directions is asked where there are none.

    Of `spaces` that are no hexes of one map, or, `card` given, of a card whose map has no hex at all. `users` are
    rules, questions and procedures that ask for it.
    """

    function: str
    spaces: tuple[str, ...]
    card: str
    users: tuple[tuple[str, graph.Origin], ...]


@dataclass(frozen=True, slots=True)
class PlayStuck:
    """A procedure that cannot go on; `message` says why, `when` at which point of the game."""

    message: str
    procedure: str
    when: str
    origin: graph.Origin | None


@dataclass(frozen=True, slots=True)
class ExampleFailed:
    """An example came out otherwise; `case` is "case 2" or "", `explanation` says why in paragraphs.

    `step` is the number of the line that is meant, and how many there are, where only the example has a place.
    `exchanged` is another line of it that expects what this one got, and the other way round. `cells` are two of a
    chart: with each in the other's place this one is gone, and so many `more`; or one is the chart, where it is two
    `values` of a key (its name and theirs) that have to change places. `besides` is what else fails there.
    `moment` is the last that the example ended before, of which it plays nothing, "" if it ended none;
    `without_player`: with nobody on move. `causes` are places where the fault is likely to stand, and `repaired` the
    titles of other examples that come out as expected with the first of them altered. `cut`: the budget of the search
    was spent before all likely alterations were tried.
    `alike` are the titles of further examples of which the same is to be told, word for word. `sharing` are those of
    examples that fail, too, and reach the same places, where it is not known what mends them.
    """

    example: str
    case: str
    expected: str
    actual: str
    explanation: str
    origin: graph.Origin
    step: tuple[int, int] | None = None
    exchanged: tuple[graph.Origin, str] | None = None
    cells: tuple[tuple[str, graph.Origin], ...] = ()
    values: tuple[str, ...] = ()
    more: int = 0
    besides: tuple["OtherFailure", ...] = ()
    moment: str = ""
    without_player: bool = False
    causes: tuple["LikelyCause", ...] = ()
    repaired: tuple[str, ...] = ()
    cut: bool = False
    alike: tuple[str, ...] = ()
    sharing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LikelyCause:
    """A place where the fault may stand that makes examples fail.

    `known` says how it is known. As `repair`: with `change` made there the example comes out, and none fails that does
    not fail now. As `silent`: the example expects a rule to speak that does not. As `suspect`: of the cases that fail
    and of those that come out, each a pair, so many reach it, of how many. As `printed`: a counter has `change`
    printed on it, where the example draws something else. As `changed`: it differs from a revision, and as it was
    there, which `change` says, the example comes out. As `differing`: it `change` since checksums
    were taken, as "has changed". As `card`: the line that fails asks about this line of its card. As `amends`: a rule
    of the topmost layer that does something to the procedure `change`, which has to do with it.
    `step` is the step of a procedure, `cell` the column or the trait of a counter, or the line of a card.
    """

    known: str
    party: Party
    change: str = ""
    failing: tuple[int, int] = (0, 0)
    passing: tuple[int, int] = (0, 0)
    step: StepPlace | None = None
    cell: str = ""


@dataclass(frozen=True, slots=True)
class OtherFailure:
    """Another line of an example, or the same one in another case, that came out otherwise."""

    case: str
    expected: str
    actual: str
    origin: graph.Origin


@dataclass(frozen=True, slots=True)
class RuleUnshown:
    """A rule that is to be printed, and that no example shows at work."""

    rule: str
    origin: graph.Origin


@dataclass(frozen=True, slots=True)
class ClarifiesElsewhere:
    """A ruling clarifies `label`, a rule, a case or another ruling, and its own examples show nothing of that."""

    ruling: str
    label: str
    origin: graph.Origin


@dataclass(frozen=True, slots=True)
class RefusedOtherwise:
    """An `action` that an example expects to be refused, and that is, for other `reasons` than `named`.

    `named` is what an earlier line says is in the way, or, with `behind`, what the example stands behind.
    """

    example: str
    action: str
    named: str
    reasons: tuple[str, ...]
    behind: bool
    origin: graph.Origin


@dataclass(frozen=True, slots=True)
class RulingUnplayed:
    """A ruling that changes the law, and whose own examples come out the same without it."""

    ruling: str
    origin: graph.Origin


@dataclass(frozen=True, slots=True)
class ReadingUnplayed:
    """No example, layer or card in reach chooses a `reading` of a dispute, which has rules of its own."""

    dispute: str
    reading: str
    stack: str
    origin: graph.Origin


@dataclass(frozen=True, slots=True)
class StaleEquivalent:
    """A manifest lists an alteration as equivalent, and an example notices it, or else (`noticed` no) there is none.

    `at`, `was` and `now` are as the manifest has them. `named_at` is the place of the rule, question or
    procedure that `at` names, which may have been changed instead; None where it is gone.
    """

    at: str
    was: str
    now: str
    noticed: bool
    span: Span
    named_at: graph.Origin | None = None


@dataclass(frozen=True, slots=True)
class ChangeUnnoticed:
    """A change since a revision of what is said, which no example that ran tells from what was there.

    `was` and `now` are the words that differ, either "" where something is new or gone. Without a revision it differs
    from its checksum, and `now` names it.
    """

    was: str
    now: str
    revision: str
    span: Span


@dataclass(frozen=True, slots=True)
class ChangedAlone:
    """Of the paragraph `label` only one part differs from an earlier revision, as it was and as it is `now`.

    `what` is sentence, law or citation, or text that only readers see; `sentences` as they stand. `at` is
    where the part differs, `span` where the paragraph has its name. Without a revision the part is not the one its
    checksum was taken of.
    """

    what: str
    label: str
    was: str
    now: str
    revision: str
    sentences: str
    span: Span
    at: Span


@dataclass(frozen=True, slots=True)
class NotAlways:
    """An `always` statement is not true of these counters, or at the start of the situation card `card`.

    `facts`, and `by`, the counters or places that break them all, each with its place.
    """

    facts: tuple[tuple[str, graph.Origin], ...]
    card: str
    by: tuple[tuple[str, graph.Origin], ...]


@dataclass(frozen=True, slots=True)
class OfferStuck:
    """An offer in which nothing was open, and which may not end; `file` is the position, "" if it cannot be written.

    Where it is no offer, `offered` is the name of what is chosen or drawn from an empty set.
    """

    offered: tuple[str, ...]
    how: str
    when: str
    file: str
    origin: graph.Origin
    is_offer: bool = True


@dataclass(frozen=True, slots=True)
class OfferUnsettled:
    """An offer of which the budget did not tell, at so many decisions, whether its `must` can still be met.

    `options`: after how many of their options it did not; `how` it was played.
    """

    offered: tuple[str, ...]
    how: str
    decisions: int
    options: int
    origin: graph.Origin


Problem = (
    NoAnswer
    | OfferStuck
    | OfferUnsettled
    | TooMuchToAnswer
    | TwoAnswers
    | AnswerOutside
    | ReadAbsent
    | NoGeometry
    | PlayStuck
    | ExampleFailed
    | RuleUnshown
    | ClarifiesElsewhere
    | RulingUnplayed
    | RefusedOtherwise
    | ReadingUnplayed
    | StaleEquivalent
    | ChangedAlone
    | ChangeUnnoticed
    | NotAlways
)
