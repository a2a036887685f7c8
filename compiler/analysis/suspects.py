"""Where a term may answer twice, not at all, or with what it does not declare: what only a position can settle.

In: the desk of one term. Out: suspects, each with the answers that bring it about. No suspect means
proved: no position whatever, within the declared domains, has the clash or the gap.
"""

from collections.abc import Collection, Iterator

from compiler.analysis.formula import Formula
from compiler.analysis.problems import Escape
from compiler.analysis.proofs import ProofContext
from compiler.analysis.translate import no
from runtime.graph import nodes as graph
from runtime.graph.frozen import dataclass

# So many clashes of one question are enough to mend at a time.
MOST = 12


@dataclass(frozen=True, slots=True)
class Question:
    """A condition made up for a step: does the procedure `key`, with these dice, come to it with a bad number?

    `value` is what it puts into `target`, `escape` the finding without a witness. Where it rests on what a side
    keeps and no position is found, the guards alone have to do (`unshown`).
    """

    term: graph.Term
    rule: graph.Rule
    key: str
    target: str
    rolled: tuple[str, ...]
    value: graph.Expr
    escape: Escape
    unshown: bool


@dataclass(frozen=True, slots=True)
class Suspect:
    """What to look for.

    kind: "overlap" of two labels, "gap": none of the term's rules (all are named), "outside": one whose answer
    is not in the term's domain, or "escape": a step that sets a number out of its range. `model`: conditions
    that a solver found to bring it about, as a beginning for whoever looks for a position. `left`: how many pairs
    of rules of the term were not looked at any more. `apart`: which of two clashing rules also speak without the other.
    `beneath`: what would clash with one of them instead, once it silences the other: (the other, what that silences).
    """

    kind: str
    term: str
    labels: tuple[str, ...]
    when: tuple[str, ...]
    question: Question | None = None
    model: tuple[graph.Expr, ...] = ()
    left: int = 0
    apart: tuple[str, ...] = ()
    beneath: tuple[tuple[str, str], ...] = ()


def suspects_of(desk: ProofContext) -> Iterator[Suspect]:
    """List what could go wrong with the answers of a term."""
    yield from overlaps(desk, desk.differ)
    yield from _gaps(desk)
    yield from _outside(desk)


def overlaps(
    desk: ProofContext, pairs: Collection[tuple[str, str]], settled: tuple[Formula, ...] = ()
) -> Iterator[Suspect]:
    """List which of these pairs of rules may answer differently where this is so; of very many, the first."""
    told = 0
    for place, (one, other) in enumerate(pairs):
        found = desk.possible(desk.live[one], desk.live[other], desk.differ[one, other], *settled)
        if found is not None:
            told += 1
            when, model = desk.in_words(found), desk.conditions(found)
            left = len(pairs) - place - 1 if told == MOST else 0
            sides = ((one, other), (other, one))
            apart = tuple(a for a, b in sides if desk.is_possible(desk.live[a], no(desk.live[b])))
            yield Suspect(
                "overlap",
                desk.term.name,
                (one, other),
                when,
                model=model,
                left=left,
                apart=apart,
                beneath=_beneath(desk, one, other),
            )
            if told == MOST:
                return


def _beneath(desk: ProofContext, one: str, other: str) -> tuple[tuple[str, str], ...]:
    """List the rules that either silences, that the other one does not, and that answer otherwise than that one."""
    rules = {rule.label: rule for rule in desk.rules}
    return tuple(
        (rival, low)
        for rule, rival in ((one, other), (other, one))
        for low in rules[rival].defeats
        if low not in rules[rule].defeats and ((rule, low) in desk.differ or (low, rule) in desk.differ)
    )


def _gaps(desk: ProofContext) -> Iterator[Suspect]:
    if desk.term.form not in {"value", "min", "max"} or desk.term.otherwise is not None:
        return
    speaking = [rule.label for rule in desk.rules if rule.verb]
    found = desk.possible(*(no(desk.live[label]) for label in speaking))
    if found is not None:
        yield Suspect("gap", desk.term.name, tuple(speaking), desk.in_words(found), model=desk.conditions(found))


def _outside(desk: ProofContext) -> Iterator[Suspect]:
    for label, beyond in desk.beyond.items():
        found = desk.possible(desk.live[label], beyond, *desk.translator.small())
        if found is not None:
            yield Suspect("outside", desk.term.name, (label,), desk.in_words(found), model=desk.conditions(found))
