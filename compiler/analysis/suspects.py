"""Suspects: terms that may have two answers, none, or one outside their declared type, as only a position can confirm.

In: the context of one term. Out: suspects, each with the assignment under which it occurs. No suspect is a proof: no
position within the declared domains has the conflict or the gap.
"""

from collections.abc import Collection, Iterator
from typing import Literal

from compiler.analysis.findings.out_of_range_write import OutOfRangeWrite
from compiler.analysis.formula import Formula
from compiler.analysis.proof_context import ProofContext
from compiler.analysis.translate import negation_of
from compiler.source.finding import Finding
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.out_of_range_query import OutOfRangeQuery

SuspectKind = Literal["overlap", "gap", "outside", "out of range"]

# The number of conflicts of one question after which the rest are skipped.
MOST_CONFLICTS = 12


@frozen_dataclass
class OutOfRangeSuspect:
    """A number that a step or a rule may write out of its range, and the query by which a position is searched.

    `value` is what is written, `finding` the problem without a witness. Where it depends on a side's track, or others
    rely on the range, and no position is found, the guards alone suffice (`witness_optional`).
    """

    query: OutOfRangeQuery
    value: graph.Expr
    finding: OutOfRangeWrite
    witness_optional: bool


@frozen_dataclass
class Suspect:
    """A finding to be confirmed by a position.

    `labels` are, by `kind`:
    "overlap": two, whose rules conclude different answers
    "gap": all of the term, none of which is live
    "outside": that of a rule whose conclusion is not in the term's domain
    "out of range": none; a step or a rule may write a number out of its range, as `out_of_range` states

    `when` is an assignment as text.
    `unexamined_count` is the number of pairs of rules of the term that were not examined. `independent_labels` are
    those of two conflicting rules that are also live without the other; `exposed_rules` the rules that would conflict
    with one of them once it defeats the other: (the other, the rule that it defeats).
    """

    kind: SuspectKind
    term: str
    labels: tuple[str, ...]
    when: tuple[str, ...]
    out_of_range: OutOfRangeSuspect | None = None
    unexamined_count: int = 0
    independent_labels: tuple[str, ...] = ()
    exposed_rules: tuple[tuple[str, str], ...] = ()


@frozen_dataclass
class ProofSummary:
    """The certain problems, the suspects that only a position can confirm, and the undecided questions."""

    problems: tuple[Finding, ...]
    suspects: tuple[Suspect, ...]
    undecided: tuple[str, ...]


NO_PROOFS = ProofSummary((), (), ())


def suspects_of(proof_context: ProofContext) -> Iterator[Suspect]:
    """List the possible faults in the answers of a term."""
    yield from possible_overlaps(proof_context, proof_context.differences)
    yield from _gaps(proof_context)
    yield from _answers_outside(proof_context)


def possible_overlaps(
    proof_context: ProofContext, pairs: Collection[tuple[str, str]], assumptions: tuple[Formula, ...] = ()
) -> Iterator[Suspect]:
    """List the pairs of rules that may conclude different answers under these assumptions, up to a limit."""
    suspect_count = 0
    for index, (first, second) in enumerate(pairs):
        found = proof_context.find_assignment(
            proof_context.live[first],
            proof_context.live[second],
            proof_context.differences[first, second],
            *assumptions,
        )
        if found is not None:
            suspect_count += 1
            when = proof_context.assignment_texts(found)
            left = len(pairs) - index - 1 if suspect_count == MOST_CONFLICTS else 0
            sides = ((first, second), (second, first))
            independent_labels = tuple(
                a
                for a, b in sides
                if proof_context.is_possible(proof_context.live[a], negation_of(proof_context.live[b]))
            )
            yield Suspect(
                "overlap",
                proof_context.term.name,
                (first, second),
                when,
                unexamined_count=left,
                independent_labels=independent_labels,
                exposed_rules=_exposed_rules(proof_context, first, second),
            )
            if suspect_count == MOST_CONFLICTS:
                return


def _exposed_rules(proof_context: ProofContext, first: str, second: str) -> tuple[tuple[str, str], ...]:
    """List the rules that only one of two defeats, and whose conclusions differ from the other's."""
    rules = {rule.label: rule for rule in proof_context.rules}
    return tuple(
        (rival, low)
        for rule, rival in ((first, second), (second, first))
        for low in rules[rival].defeats
        if low not in rules[rule].defeats
        and ((rule, low) in proof_context.differences or (low, rule) in proof_context.differences)
    )


def _gaps(proof_context: ProofContext) -> Iterator[Suspect]:
    if proof_context.term.form not in {"value", "min", "max"} or proof_context.term.otherwise is not None:
        return
    concluding_labels = [rule.label for rule in proof_context.rules if rule.verb]
    found = proof_context.find_assignment(*(negation_of(proof_context.live[label]) for label in concluding_labels))
    if found is not None:
        yield Suspect(
            "gap",
            proof_context.term.name,
            tuple(concluding_labels),
            proof_context.assignment_texts(found),
        )


def _answers_outside(proof_context: ProofContext) -> Iterator[Suspect]:
    for label, violation in proof_context.range_violations.items():
        found = proof_context.find_assignment(
            proof_context.live[label], violation, *proof_context.translator.small_position_formulas()
        )
        if found is not None:
            yield Suspect(
                "outside",
                proof_context.term.name,
                (label,),
                proof_context.assignment_texts(found),
            )
