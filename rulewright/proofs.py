"""Prove a stack: the compiler's checks, and the runtime's search for positions that show a finding."""

from pathlib import Path

import compiler
from compiler.analysis.normal import with_names
from compiler.analysis.problems import Problem, Witness
from compiler.analysis.prove import prove
from compiler.analysis.suspects import Question, Suspect
from compiler.analysis.words import written_out
from rulewright import cache
from runtime.graph import nodes as graph
from runtime.witness.carried import Errand, find_escape
from runtime.witness.find import BOUND, Found, find_gap, find_outside, find_overlap
from runtime.witness.position_file import expression_text


def prove_stack(rules: graph.Graph) -> tuple[Problem, ...]:
    """Find everything wrong with a stack that compiles; kept until its graph changes."""
    house = Path(compiler.__file__).parent
    stamp = cache.compiler_stamp([house, house.parent / "runtime"])
    key = cache.key(b"proofs", stamp, rules.hash.encode())
    return cache.remember(key, lambda: prove(rules, lambda suspect: confirm(rules, suspect), BOUND))


def confirm(rules: graph.Graph, suspect: Suspect) -> Witness | None:
    """Look for a position on which a suspicion comes true."""
    found: Found | None
    if suspect.question is not None:
        return escape(rules, suspect.question)
    if suspect.kind == "overlap":
        one, other = suspect.labels
        found = find_overlap(rules, suspect.term, (one, other))
    elif suspect.kind == "outside":
        found = find_outside(rules, suspect.term, suspect.labels[0])
    else:
        found = find_gap(rules, suspect.term)
    return None if found is None else Witness(found.position, found.question, found.answer, found.file)


def escape(rules: graph.Graph, question: Question) -> Witness | None:
    """Look for a position in which a procedure sets a number out of its range, and ask there what it sets it to."""
    errand = Errand(question.term, question.rule, question.key, question.target, question.rolled)
    found = find_escape(rules, errand)
    if found is None:
        return None
    position, setting = found
    names = {part.name: value for part, value in zip(question.term.parameters, setting.arguments, strict=True)}
    text = written_out(question.value, with_names(question.rule, names), rules.vocabulary)
    given = ", ".join(
        f"{part.name}: {expression_text(value)}"
        for part, value in zip(question.term.parameters, setting.arguments, strict=True)
        if part.name != "player"
    )
    answer = f"`{rules.procedures[question.key].name}({given})` sets `{question.target}` to it, and stops"
    return Witness(position.position, text, answer, position.file)
