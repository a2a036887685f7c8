"""The results of explaining refusals: refusals, their reasons, and their failing conditions."""

from collections.abc import Mapping
from dataclasses import field
from typing import NamedTuple

from runtime.answer.explain import Explanation
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.play.playthrough import Names, Playthrough
from runtime.play.word_binding import ChoiceBinding
from runtime.state.record import Value


class FailedCondition(NamedTuple):
    """A failing condition, with its environment and types."""

    condition: graph.Expr
    names: Names
    types: Mapping[str, graph.Type]


class BlockingReason(NamedTuple):
    """The reason against a value: text, question, 1 if an earlier condition holds, and the condition.

    `wrong_type`: the named value is not of the type of the choice, such as a hex for a piece. `by_rules`: the text is
    that of the explanation. `is_empty`: a choice that no word names has no candidate.
    """

    text: str
    explanation: Explanation | None
    after: int
    failing: FailedCondition | None = None
    wrong_type: bool = False
    by_rules: bool = False
    is_empty: bool = False


@frozen_dataclass
class ActionRefusal:
    """The reason why an action is not open with the given words; "" if it is open.

    `bound_word_count` words bind to choices of the action, `unused_words` to none. `match_score` measures progress: a
    named value that may be chosen counts two, one that fails at a later than the first condition of its choice one.
    `failing` is the failing condition with its environment; None where the reason is another one. `stand_ins` is the
    number of places read as the pieces in them; `is_swapped`: a piece is read as its place besides. `wrong_type` is
    that of the blocking reason, as is `is_empty`. `choices` are the values that words name, by the action's
    choices; `binding` is the assignment of the words.
    """

    action: str
    bound_word_count: int
    reason: str
    explanation: Explanation | None = None
    unused_words: tuple[str, ...] = ()
    match_score: int = 0
    failing: FailedCondition | None = None
    stand_ins: int = 0
    is_swapped: bool = False
    wrong_type: bool = False
    is_empty: bool = False
    choices: Names = field(default_factory=dict)
    binding: ChoiceBinding | None = None


@frozen_dataclass
class RefusalReason:
    """A failing condition of an action, or a choice (by name) that is not open with the condition on its members.

    `names` is the environment of the condition, for its explanation. `opener` is the enclosing action that would have
    to begin first, "" for the action itself. With `unspecified` nothing is refused: the caller has to state the choice,
    for instance one of the `open_values` values. `after` is a playthrough in which the condition fails, if it is
    another than the one of the action.
    """

    condition: graph.Expr | None
    choice: str
    names: Names
    opener: str = ""
    unspecified: bool = False
    open_values: tuple[Value, ...] = ()
    after: Playthrough | None = None
