"""Problems that the front end finds: in questions, in runs of examples and games, and in changes since a revision.

The front end creates them from errors of the runtime; `question` is the question in the author's words.
"""

from compiler.analysis.parties import Party
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
    """A question that iterates over sets with more than the limit of members.

    `declared_at` is None if it is not a single term.
    """

    question: str
    members: int
    declared_at: graph.Origin | None


@dataclass(frozen=True, slots=True)
class AnswerOutside:
    """An answer outside the domain that the term declares.

    With `given` a number outside the domain of a parameter or field: the message about it, and `declared_at` is None
    where the language declares the domain.
    """

    question: str
    declared_at: graph.Origin | None
    rules: tuple[tuple[str, graph.Origin], ...]
    given: str = ""


@dataclass(frozen=True, slots=True)
class ReadAbsent:
    """A read of an absent value: a factor that `piece` does not have, unless that is ""."""

    name: str
    piece: str
    declared_at: graph.Origin | None


@dataclass(frozen=True, slots=True)
class NoGeometry:
    """A call of a function for lines or directions where there are none.

    On `spaces` that are not hexes of one map or, given `card`, on a card whose map has no hex. `users` are rules,
    questions and procedures that call it.
    """

    function: str
    spaces: tuple[str, ...]
    card: str
    users: tuple[tuple[str, graph.Origin], ...]


@dataclass(frozen=True, slots=True)
class PlayStuck:
    """A procedure that cannot continue; `message` is the reason, `when` the point of the game."""

    message: str
    procedure: str
    when: str
    origin: graph.Origin | None


@dataclass(frozen=True, slots=True)
class ExampleFailed:
    """An example with an unexpected result; `case` is "case 2" or "", `explanation` the reason in paragraphs.

    `step` is the number of the failing line, with the number of lines, where only the example has a place.
    `other_failures` are further failures of the example. `moment` is the last moment that the example ended before, of
    which it plays nothing, "" if it ended none; `without_player`: with no player on move. `causes` are what history or
    a chart tells about the fault.
    """

    example: str
    case: str
    expected: str
    actual: str
    explanation: str
    origin: graph.Origin
    step: tuple[int, int] | None = None
    other_failures: tuple["OtherFailure", ...] = ()
    moment: str = ""
    without_player: bool = False
    causes: tuple["LikelyCause", ...] = ()


@dataclass(frozen=True, slots=True)
class LikelyCause:
    """A likely place of the fault that makes an example fail.

    `kind` is the kind of evidence. "printed": `change` is printed on a counter, where the example draws something else.
    "changed": it differs from a revision, and with the text of that, which is `change`, the example passes.
    "differing": it `change` since checksums were taken, as "has changed".
    """

    kind: str
    party: Party
    change: str = ""


@dataclass(frozen=True, slots=True)
class OtherFailure:
    """Another line of an example, or the same one in another case, with an unexpected result."""

    case: str
    expected: str
    actual: str
    origin: graph.Origin


@dataclass(frozen=True, slots=True)
class RuleUnshown:
    """A printed rule that is live in no example."""

    rule: str
    origin: graph.Origin


@dataclass(frozen=True, slots=True)
class ReadingUnplayed:
    """A `reading` of a dispute with rules of its own that no available example, layer or card chooses."""

    dispute: str
    reading: str
    stack: str
    origin: graph.Origin


@dataclass(frozen=True, slots=True)
class StaleEquivalent:
    """A mutation listed as equivalent that an example detects or, if not `is_noticed`, that does not exist.

    `subject`, `original` and `replacement` are as in the manifest.
    """

    subject: str
    original: str
    replacement: str
    is_noticed: bool
    span: Span


@dataclass(frozen=True, slots=True)
class ChangeUnnoticed:
    """A change since a revision that no example detects.

    `old_text` and `new_text` are the words that differ, either "" where something is new or removed. Without a revision
    it differs from its checksum, and `new_text` identifies it.
    """

    old_text: str
    new_text: str
    revision: str
    span: Span


@dataclass(frozen=True, slots=True)
class ChangedAlone:
    """A paragraph `label` of which only one part differs from an earlier revision, from the other text to `new_text`.

    `part` is sentence, law or citation, or text that only readers see; `sentences` are the present ones. With `part`
    elsewhere it stands in another declaration, whose name is then `sentences`. `part_span` is where the part differs,
    `span` the place of the paragraph's name. Without a revision the part differs from its checksum.
    """

    part: str
    label: str
    old_text: str
    new_text: str
    revision: str
    sentences: str
    span: Span
    part_span: Span


@dataclass(frozen=True, slots=True)
class NotAlways:
    """An `always` statement that is false for these counters, or at the start of the card or example `beginning`.

    `facts` are given with `violators`, the counters or places that violate them, each with its place; the pieces of an
    example have no place of their own, and stand at `example`, the place of the example.
    """

    facts: tuple[tuple[str, graph.Origin], ...]
    beginning: str
    violators: tuple[tuple[str, graph.Origin], ...]
    example: graph.Origin | None = None


@dataclass(frozen=True, slots=True)
class OfferStuck:
    """An offer in which nothing is open, and which may not end; `file` is the position, "" if it cannot be written.

    Where it is not an offer, `offered_names` is the name of what is chosen or drawn from an empty set.
    """

    offered_names: tuple[str, ...]
    description: str
    when: str
    file: str
    origin: graph.Origin
    is_offer: bool


@dataclass(frozen=True, slots=True)
class OfferUnsettled:
    """An offer for which the budget did not suffice to decide whether its `must` is still satisfiable.

    This occurred at so many decisions; `options` is the number of their options that were concerned, `description` the
    way in which the game was played.
    """

    offered_names: tuple[str, ...]
    description: str
    decisions: int
    options: int
    origin: graph.Origin


Problem = (
    NoAnswer | OfferStuck | OfferUnsettled | TooMuchToAnswer | TwoAnswers | AnswerOutside | ReadAbsent | NoGeometry
    | PlayStuck | ExampleFailed | RuleUnshown | ReadingUnplayed | StaleEquivalent | ChangedAlone | ChangeUnnoticed
    | NotAlways
)  # fmt: skip
