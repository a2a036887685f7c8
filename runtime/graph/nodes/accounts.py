"""Accounts: what a procedure tells of itself as typed fields, and the texts made of them."""

from runtime.graph.frozen_dataclass import dataclass
from runtime.graph.nodes.expressions import Expr
from runtime.graph.nodes.kinds import Moment, Telling
from runtime.graph.nodes.types import Type
from runtime.graph.nodes.vocabulary import Origin


@dataclass(frozen=True, slots=True)
class AccountField:
    """A value with a name.

    `moment` "before": it is worked out when a resolution or hook begins, in an action once its choices are made;
    "after": when the procedure is over, from whatever that has named, the fields before included.
    """

    name: str
    moment: Moment
    value: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class AccountText:
    """A text with fields in braces (runtime/graph/templates.py), said where `condition` holds (None: always).

    `what` "previews": said before the dice; "tells": begins what is said afterwards; "results": what came of it.
    """

    what: Telling
    text: str
    condition: Expr | None
    origin: Origin


@dataclass(frozen=True, slots=True)
class Account:
    """What a procedure tells. `cites` are its own, or those of the procedure."""

    fields: tuple[AccountField, ...]
    texts: tuple[AccountText, ...]
    cites: tuple[str, ...]
    origin: Origin
