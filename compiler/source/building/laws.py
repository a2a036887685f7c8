"""Build rules and what contains them: cases, rulings and disputes.

In: the parts of a reduction by the grammar rule of the same name (grammar.lark). Out: the node.
"""

from typing import Any

from compiler.source import nodes as source
from compiler.source.building.forms import form
from compiler.source.building.parts import Parts, cites, cover, every, maybe_text, word
from compiler.source.scanner import Token

LAWS = (source.Case, source.Rule, source.Ruling, source.Dispute, source.Example)


def _laws(parts: Parts) -> tuple[source.Law, ...]:
    return tuple(part for part in parts if isinstance(part, LAWS))


case = form(
    source.Case,
    'case {label:LABEL} [{title:STRING}] [numbered {number:STRING}] [when {guard:expression}] "{" {laws:law*} "}"',
)


def body(parts: Parts) -> tuple[Any, ...]:
    """Return the conclusion and the clauses of a rule."""
    return tuple(part for part in parts if part is not None)


def rule(parts: Parts) -> source.Rule:
    """Build a labeled rule."""
    _, label, cited, prose, clauses = parts
    return _rule(parts, label, cites(cited), maybe_text(prose), clauses)


def _rule(
    parts: Parts, label: Token, cited: tuple[source.Word, ...], prose: str | None, clauses: tuple[Any, ...]
) -> source.Rule:
    conclusions, guards = every(source.Conclusion, clauses), [part.guard for part in every(_UnattachedGuard, clauses)]
    # Withdrawn steps are a tuple of amendments.
    each_clause = [each for clause in clauses for each in (clause if type(clause) is tuple else (clause,))]
    guard = guards[0] if len(guards) == 1 else source.Both(cover(guards), tuple(guards)) if guards else None
    return source.Rule(
        cover(parts),
        word(label),
        cited,
        prose,
        conclusions[0] if conclusions else None,
        every(source.Relate, clauses),
        every(source.CellPatch, clauses),
        every(source.With, clauses),
        guard,
        every(source.Amend, each_clause),
    )


def ruling(parts: Parts) -> source.Ruling:
    """Build a ruling; written without braces, it contains one rule with its own label and citations."""
    _, label, cited, kind, _, impact, _, asks, _, answers, body = parts
    if body and type(body[0]) is Token:
        inner = _laws(body)
    elif body:
        inner = (_rule(parts, label, cites(cited), answers.value, body),)
    else:
        inner = ()
    return source.Ruling(
        cover(parts),
        word(label),
        cites(cited),
        kind.text,
        None if impact is None else impact.text,
        asks.value,
        answers.value,
        tuple(law for law in inner if isinstance(law, source.Rule | source.Example)),
    )


dispute = form(source.Dispute, 'dispute {label:LABEL} {cites:CITES} {question:STRING} "{" {readings:reading*} "}"')
reading = form(
    source.Reading, 'reading {label:LABEL} {cites:cited} [{default:"default"=yes} {reason:STRING}] {laws:laws}'
)
# It is not the default, and has a reason.
argued_reading = form(
    source.Reading,
    "reading {label:LABEL} {cites:cited} {reason:STRING} {laws:laws}",
    alternative_of="reading",
    default=False,
)

# ---------------------------------------------------------------- conclusions and clauses

is_conclusion = form(source.Conclusion, '{head:NAME} [.{stage:NAME}] {verb:"is"} {value:expression}')
value_conclusion = form(source.Conclusion, "{head:NAME} {verb:CONTRIBUTES} {value:expression}", stage=None)
verdict_conclusion = form(source.Conclusion, "{head:NAME} {verb:VERDICT_WORD|CONDITION_WORD}", stage=None, value=None)
exception = form(source.Relate, "exception to {labels:labels}", verb="exception", expecting=None)
replaces = form(source.Relate, '{verb:"replaces"} {labels:LABEL/words} [expecting {expecting:expression}]')
relate_labels = form(source.Relate, '{verb:"withdraws"|"suppresses"|"clarifies"} {labels:labels}', expecting=None)
relate_conduct = form(
    source.Relate, 'clarifies {procedures:procedure_name ","+}', verb="concerns", labels=(), expecting=None
)


def withdraw_conduct(parts: Parts) -> source.Relate:
    """Build `withdraws action NAME, phase NAME expecting "1f3a9c20"`."""
    wholes = every(source.AmendmentTarget, parts)
    return source.Relate(cover(parts), "withdraws", (), None, tuple([whole.within for whole in wholes]), wholes)


carried = form(
    source.Relate, 'carried out by {procedures:procedure_name ","+}', verb="carried", labels=(), expecting=None
)


def procedure_name(parts: Parts) -> source.ProcedureName:
    """Build a reference to a procedure or a phase."""
    keyword, target = parts
    if isinstance(target, source.Moment):
        return source.ProcedureName(cover(parts), "end", target.name)
    return source.ProcedureName(cover(parts), "hook" if keyword.text == "after" else keyword.text, word(target))


joins = form(source.Relate, '{verb:"joins"} {labels:LABEL/words}', expecting=None)
cell_patch = form(
    source.CellPatch,
    'replaces cell {table:NAME}"["{keys:sum ","+}"]" = {expects:sum} by {value:sum}',
)
naming = form(source.With, "with {name:NAME} = {value:expression}")


class _UnattachedGuard:
    """A guard before it is attached to its rule."""

    __slots__ = ("guard", "span")

    def __init__(self, parts: Parts) -> None:
        self.span = cover(parts)
        self.guard: source.Expression = parts[1]


guard = _UnattachedGuard
