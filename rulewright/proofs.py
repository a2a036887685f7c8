"""Prove a stack: the compiler's checks, and the runtime's search for positions that show a finding."""

from dataclasses import dataclass
from pathlib import Path

import compiler
from compiler.analysis.arithmetic.method import available
from compiler.analysis.normal import with_names
from compiler.analysis.problems import Problem, Witness
from compiler.analysis.prove import Proved, proof
from compiler.analysis.suspects import Question, Suspect
from compiler.analysis.words import written_out
from compiler.report.diagnose import diagnose
from compiler.report.diagnostic import Diagnostic
from rulewright.library import cache
from rulewright.library.cards import card_problems
from rulewright.library.stacks import Stack
from runtime.graph import nodes as graph
from runtime.witness.carried import Errand, find_escape
from runtime.witness.find import BOUND, BUDGET, GUIDED, Found, find_gap, find_outside, find_overlap
from runtime.witness.position_file import expression_text


def findings(stack: Stack) -> list[Diagnostic]:
    """List what compiling a stack found, and where it compiles what is proved of it and is wrong with its cards."""
    if stack.graph is None or stack.broken:
        return list(stack.diagnostics)
    return [*stack.diagnostics, *diagnose((*prove_stack(stack.graph), *card_problems(stack)), stack.texts)]


def prove_stack(rules: graph.Graph) -> tuple[Problem, ...]:
    """Find everything wrong with a stack that compiles."""
    return proof_of(rules).problems


def left_open(rules: graph.Graph) -> tuple[str, ...]:
    """List the questions, and the numbers set by procedures, that only arithmetic could settle, and nobody did."""
    return proof_of(rules).open


@dataclass(frozen=True, slots=True)
class Skipped:
    """A check that was not made, and why."""

    check: str
    why: str


def skipped_checks(rules: graph.Graph) -> tuple[Skipped, ...]:
    """Say which checks of a stack were not made for want of a package."""
    left = left_open(rules)
    if not left:
        return ()
    shown = ", ".join(left[:3]) + (", .." if len(left) > 3 else "")
    what = f"proofs by arithmetic ({len(left)} question{'s' * (len(left) != 1)}: {shown})"
    return (Skipped(what, "z3-solver is not installed; `pip install z3-solver` brings it"),)


def proof_of(rules: graph.Graph) -> Proved:
    """Prove a stack, by arithmetic too where that is installed; kept until its graph changes."""
    method = available()
    house = Path(compiler.__file__).parent
    stamp = cache.compiler_stamp([house, house.parent / "runtime"])
    key = cache.key(b"proofs", b"reckoned" if method else b"by cases", stamp, rules.hash.encode())
    return cache.remember(key, lambda: proof(rules, lambda suspect: confirm(rules, suspect), BOUND, method))


def confirm(rules: graph.Graph, suspect: Suspect) -> Witness | None:
    """Look for a position on which a suspicion comes true."""
    found: Found | None
    budget = GUIDED if suspect.model else BUDGET
    if suspect.question is not None:
        return escape(rules, suspect.question, suspect.model)
    if suspect.kind == "overlap":
        one, other = suspect.labels
        found = find_overlap(rules, suspect.term, (one, other), budget, suspect.model)
    elif suspect.kind == "outside":
        found = find_outside(rules, suspect.term, suspect.labels[0], budget, suspect.model)
    else:
        found = find_gap(rules, suspect.term, budget, suspect.model)
    return None if found is None else Witness(found.position, found.question, found.answer, found.file)


def escape(rules: graph.Graph, question: Question, model: tuple[graph.Expr, ...]) -> Witness | None:
    """Look for a position in which a procedure sets a number out of its range, and ask there what it sets it to."""
    if question.unshown:
        return None
    errand = Errand(question.term, question.rule, question.key, question.target, question.rolled)
    found = find_escape(rules, errand, model=model)
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
