"""Write a value that is worked out in stages as one function: each stage goes on with what the one before it said.

In: the writer of a term whose answer is that of its last stage. Out: lines of Python, from the first stage to the last.
A stage asked by itself, as decision ids and explanations ask it, has a function of its own.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from runtime.answer.brackets import bare
from runtime.answer.emit_term import STEP, Clause, TermEmitter, comment
from runtime.answer.emit_value import checks, is_last
from runtime.answer.specialization import plainly
from runtime.graph import nodes as graph

VALUE = "value = "
# What something would stand inside of.
INDENTING = re.compile(r"\s|if |for ")


def stage_below(term: graph.Term) -> str | None:
    """Name the stage that a term or stage begins with, if there is one."""
    match term.otherwise:
        case graph.Ask(name, arguments) if arguments == tuple([graph.Var(p.name) for p in term.parameters]):
            whole = plainly(term.name).partition(".")[0]
            return name if name.startswith(f"{whole}.") else None
        case _:
            return None


def speaking(term: graph.Term, rules: graph.Graph) -> list[str]:
    """Name the stages that say something, the first one first, of a term that answers what its last stage does.

    None where one of them has a cap or a domain of its own, which counts even if it says nothing.
    """
    found: list[str] = []
    name = None if term.rules else stage_below(term)
    while name is not None:
        stage = rules.terms[name]
        if stage.capped or term.capped or stage.type != term.type:
            return []
        below = stage_below(stage)
        if stage.rules or below is None:
            found.insert(0, name)
        name = below
    return found


def stages(w: TermEmitter) -> list[TermEmitter]:
    """Prepare to write the stages of a term as one; none if there is but one, or that cannot be."""
    rules = w.emitter.rules
    found = [TermEmitter(w.emitter, rules.terms[name], w.price) for name in speaking(w.term, rules)]
    for stage in found:
        stage.loops = False
    fit = len(found) > 1 and all(goes_on(above, below) for below, above in pairwise(found))
    return found if fit and all(map(is_plain, found)) else []


def goes_on(stage: TermEmitter, below: TermEmitter) -> bool:
    """Say whether all rules of a stage go on with the one before it: else that is asked for nothing, and may fail."""
    names = set(between(stage, below))
    return all(asks(clause.rule.value, names) for clause in stage.clauses)


def asks(value: graph.Expr | None, names: set[str]) -> bool:
    """Say whether a value asks one of these questions whatever the position."""
    match value:
        case graph.Ask(name, _):
            return name in names
        case graph.Op(op, parts) if op not in ("and", "or", "if"):
            return any(asks(part, names) for part in parts)
        case _:
            return False


def between(stage: TermEmitter, below: TermEmitter) -> Iterator[str]:
    """Name the stages between two, down to the lower one: what they answer is the same."""
    name = stage_below(stage.term)
    while name is not None:
        yield name
        name = None if name == below.term.name else stage_below(stage.emitter.rules.terms[name])


def is_plain(stage: TermEmitter) -> bool:
    """Say whether one rule of a stage speaks at most, always or under conditions that one `if` can hold."""
    return all(
        is_last(stage, clause, why=False) and is_straight(block(stage, clause), said(stage, clause))
        for clause in stage.clauses
    ) and (speaks_always(stage) or all(clause.rule.guard is not None for clause in stage.clauses))


def speaks_always(stage: TermEmitter) -> bool:
    """Say whether a stage is one rule without conditions."""
    return [clause.rule.guard for clause in stage.clauses] == [None]


def is_straight(lines: list[str], then: list[str]) -> bool:
    """Say whether a rule is one test at most with what follows from it; names may be worked out before that."""
    inner = [line.removeprefix(STEP) for line in lines[1:]] if lines[0].startswith("if ") else lines
    names = inner[: len(inner) - len(then)]
    return inner[len(names) :] == then and not any(map(INDENTING.match, names))


def block(stage: TermEmitter, clause: Clause) -> list[str]:
    """Write a rule of a stage: its conditions, and what it makes of the value."""
    stage.guarded(clause.rule, [], [])  # Written twice: only the first pass finds out what the names are called inside.
    return stage.guarded(clause.rule, said(stage, clause), [])


def said(stage: TermEmitter, clause: Clause) -> list[str]:
    """Write what a rule makes of the value."""
    assert clause.rule.value is not None
    return assigned(stage, clause.rule.value, stage.emitter.write(clause.rule.value, stage.inner))


def assigned(stage: TermEmitter, value: graph.Expr, text: str) -> list[str]:
    """Write that the value is this from here on, checked unless it cannot lie outside."""
    return [f"{VALUE}{bare(text)}", *checks(stage, [value])]


def staged(found: list[TermEmitter]) -> Iterator[str]:
    """Write stages one after the other, and return the value."""
    *lines, last = worked_out(found)
    yield from lines
    if last.startswith(VALUE):
        yield last.replace(VALUE, "return ", 1)
    else:
        yield from (last, "return value")


def worked_out(found: list[TermEmitter]) -> Iterator[str]:
    """Write what each stage makes of the value."""
    for number, stage in enumerate(found):
        names = between(stage, found[number - 1]) if number else ()
        stage.emitter.held = {(name, *stage.parameters): "value" for name in names}
        test = ""
        for clause in stage.clauses:
            yield comment(clause.rule)
            first, *rest = block(stage, clause)
            yield f"{test}{first}"
            yield from rest
            test = "el"
        stage.emitter.held = {}
        if not number and not speaks_always(stage):
            yield from beginning(stage)


def beginning(stage: TermEmitter) -> Iterator[str]:
    """Write what the first stage begins with where none of its rules speaks."""
    otherwise = stage.term.otherwise
    if otherwise is None:
        lines = [f"gap({stage.constant()}, {stage.arguments()})"]
    else:
        lines = assigned(stage, otherwise, stage.emitter.write(otherwise, stage.scope))
    if stage.clauses:
        yield "else:"
    yield from (f"{STEP if stage.clauses else ''}{line}" for line in lines)
