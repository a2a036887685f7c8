"""Accounts: the report of a procedure, before the dice and at its end."""

from compiler.source.nodes.expressions import Expression
from compiler.source.nodes.words import Word
from compiler.source.span import Span
from runtime.graph.frozen_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class AccountField:
    """`before odds = column(a)` or `after d`: evaluated before the first effect, or at the end of the procedure."""

    span: Span
    moment: str  # before | after
    name: Word
    value: Expression | None


@dataclass(frozen=True, slots=True)
class AccountText:
    """`previews ".."`, `tells ".."` or `results ".." when e`: a sentence, or a part of one, with fields in braces."""

    span: Span
    what: str  # previews | tells | results
    text: Word
    condition: Expression | None


@dataclass(frozen=True, slots=True)
class Account:
    """`account [X.1] { .. }` behind a procedure."""

    span: Span
    cites: tuple[Word, ...]
    fields: tuple[AccountField, ...]
    texts: tuple[AccountText, ...]
