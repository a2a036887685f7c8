"""Accounts: what a procedure reports as typed fields, and the texts that are formatted with them."""

from runtime.graph.frozen_dataclass import dataclass
from runtime.graph.nodes.expressions import Expr
from runtime.graph.nodes.kinds import Moment, Telling
from runtime.graph.nodes.types import Type
from runtime.graph.nodes.vocabulary import Origin


@dataclass(frozen=True, slots=True)
class AccountField:
    """A value with a name.

    `moment` "before": evaluated when a resolution or hook starts, in an action after its choices; "after": evaluated at
    the end of the procedure, from all names that it has bound, including the fields before.
    """

    name: str
    moment: Moment
    value: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class AccountText:
    """A text with fields in braces (runtime/graph/templates.py), included where `condition` holds (None: always).

    `what` "previews": before the dice; "tells": the start of the report afterwards; "results": the outcome.
    """

    what: Telling
    text: str
    condition: Expr | None
    origin: Origin


@dataclass(frozen=True, slots=True)
class Account:
    """The account of a procedure. `cites` are its own, or those of the procedure."""

    fields: tuple[AccountField, ...]
    texts: tuple[AccountText, ...]
    cites: tuple[str, ...]
    origin: Origin
