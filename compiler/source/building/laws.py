"""Build rules and what contains them: cases, rulings and disputes.

In: the parts of a reduction by the grammar rule of the same name (grammar.lark). Out: the node.
"""

from typing import Any

from compiler.source import nodes as source
from compiler.source.building.forms import form
from compiler.source.building.parts import Parts, arguments, cites, cover, every, maybe_text, word
from compiler.source.scanner import Token

case = form(
    source.Case,
    'case {label:LABEL} [{title:STRING}] [numbered {number:STRING}] [when {guard:expression}] "{" {laws:law*} "}"',
)
body = arguments  # The conclusion and the clauses.


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


def _laws_of_ruling(parts: Parts) -> tuple[source.Rule | source.Example, ...]:
    """Return the laws of a ruling; written without braces, it contains one rule with its own label and citations."""
    _, label, cited, *_, answers, body = parts
    if body and type(body[0]) is Token:
        return arguments(body)
    return (_rule(parts, label, cites(cited), answers.value, body),) if body else ()


ruling = form(
    source.Ruling,
    "ruling {label:LABEL} {cites:CITES} {kind:RULING_KIND} [, {impact:IMPACT}] asks {asks:STRING} "
    "answers {answers:STRING} {:body|laws}",
    laws=_laws_of_ruling,
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
