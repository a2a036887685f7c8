"""Prove a stack: the compiler's checks, and the runtime's search for positions that show a finding."""

from pathlib import Path

import compiler
from compiler.analysis.problems import Problem, Witness
from compiler.analysis.prove import prove
from compiler.analysis.suspects import Suspect
from rulewright import cache
from runtime.graph import nodes as graph
from runtime.witness.find import BOUND, Found, find_gap, find_outside, find_overlap


def prove_stack(rules: graph.Graph) -> tuple[Problem, ...]:
    """Find everything wrong with a stack that compiles; kept until its graph changes."""
    house = Path(compiler.__file__).parent
    stamp = cache.compiler_stamp([house, house.parent / "runtime"])
    key = cache.key(b"proofs", stamp, rules.hash.encode())
    return cache.remember(key, lambda: prove(rules, lambda suspect: confirm(rules, suspect), BOUND))


def confirm(rules: graph.Graph, suspect: Suspect) -> Witness | None:
    """Look for a position on which a suspicion comes true."""
    found: Found | None
    if suspect.kind == "overlap":
        one, other = suspect.labels
        found = find_overlap(rules, suspect.term, (one, other))
    elif suspect.kind == "outside":
        found = find_outside(rules, suspect.term, suspect.labels[0])
    else:
        found = find_gap(rules, suspect.term)
    return None if found is None else Witness(found.position, found.question, found.answer, found.file)
