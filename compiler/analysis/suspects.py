"""Suspects: a term that may answer twice, not at all, or outside its declared type, as only a position can settle.

In: the context of one term. Out: suspects, each with the answers that bring it about. No suspect means
proved: no position whatever, within the declared domains, has the clash or the gap.
"""

from collections.abc import Collection, Iterator

from compiler.analysis.formula import Formula
from compiler.analysis.problems import Escape
from compiler.analysis.proofs import ProofContext
from compiler.analysis.translate import negation_of
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import dataclass

# So many clashes of one question are enough to mend at a time.
MOST = 12


@dataclass(frozen=True, slots=True)
class EscapeQuestion:
    """A condition made up for a step: does the procedure `key`, with these dice, come to it with a bad number?

    `value` is what it puts into `target`, `escape` the finding without a witness. Where it rests on what a side
    keeps, or others rely on the range, and no position is found, the guards alone have to do (`witness_optional`). Of
    a rule, `called_term` is the term that is asked of its first parameters.
    """

    term: graph.Term
    rule: graph.Rule
    key: str
    target: str
    rolled: tuple[str, ...]
    value: graph.Expr
    escape: Escape
    witness_optional: bool
    called_term: str = ""


@dataclass(frozen=True, slots=True)
class Suspect:
    """A finding to be proved by a position.

    kind:
      "overlap": two labels, whose rules give different answers
      "gap": all labels of the term, none of which answers
      "outside": the label of a rule whose answer is not in the term's domain
      "escape": a step that sets a number out of its range, as `escape` says
    model: conditions that a solver found to bring it about, as the start of a search for a position.
    left: how many pairs of rules of the term were not looked at any more.
    apart: which of two clashing rules also speak without the other.
    beneath: what would clash with one of them instead, once it silences the other: (the other, what that silences).
    """

    kind: str
    term: str
    labels: tuple[str, ...]
    when: tuple[str, ...]
    escape: EscapeQuestion | None = None
    model: tuple[graph.Expr, ...] = ()
    left: int = 0
    apart: tuple[str, ...] = ()
    beneath: tuple[tuple[str, str], ...] = ()


def suspects_of(proof_context: ProofContext) -> Iterator[Suspect]:
    """List what could go wrong with the answers of a term."""
    yield from possible_overlaps(proof_context, proof_context.differ)
    yield from _gaps(proof_context)
    yield from _outside(proof_context)


def possible_overlaps(
    proof_context: ProofContext, pairs: Collection[tuple[str, str]], assumptions: tuple[Formula, ...] = ()
) -> Iterator[Suspect]:
    """List which of these pairs of rules may answer differently where this is so; of very many, the first."""
    told = 0
    for place, (one, other) in enumerate(pairs):
        found = proof_context.find_assignment(
            proof_context.live[one], proof_context.live[other], proof_context.differ[one, other], *assumptions
        )
        if found is not None:
            told += 1
            when, model = proof_context.in_words(found), proof_context.assignment_conditions(found)
            left = len(pairs) - place - 1 if told == MOST else 0
            sides = ((one, other), (other, one))
            apart = tuple(
                a
                for a, b in sides
                if proof_context.is_possible(proof_context.live[a], negation_of(proof_context.live[b]))
            )
            yield Suspect(
                "overlap",
                proof_context.term.name,
                (one, other),
                when,
                model=model,
                left=left,
                apart=apart,
                beneath=_exposed_rules(proof_context, one, other),
            )
            if told == MOST:
                return


def _exposed_rules(proof_context: ProofContext, one: str, other: str) -> tuple[tuple[str, str], ...]:
    """List the rules that either silences, that the other one does not, and that answer otherwise than that one."""
    rules = {rule.label: rule for rule in proof_context.rules}
    return tuple(
        (rival, low)
        for rule, rival in ((one, other), (other, one))
        for low in rules[rival].defeats
        if low not in rules[rule].defeats
        and ((rule, low) in proof_context.differ or (low, rule) in proof_context.differ)
    )


def _gaps(proof_context: ProofContext) -> Iterator[Suspect]:
    if proof_context.term.form not in {"value", "min", "max"} or proof_context.term.otherwise is not None:
        return
    speaking = [rule.label for rule in proof_context.rules if rule.verb]
    found = proof_context.find_assignment(*(negation_of(proof_context.live[label]) for label in speaking))
    if found is not None:
        yield Suspect(
            "gap",
            proof_context.term.name,
            tuple(speaking),
            proof_context.in_words(found),
            model=proof_context.assignment_conditions(found),
        )


def _outside(proof_context: ProofContext) -> Iterator[Suspect]:
    for label, beyond in proof_context.beyond.items():
        found = proof_context.find_assignment(
            proof_context.live[label], beyond, *proof_context.translator.small_position_formulas()
        )
        if found is not None:
            yield Suspect(
                "outside",
                proof_context.term.name,
                (label,),
                proof_context.in_words(found),
                model=proof_context.assignment_conditions(found),
            )
