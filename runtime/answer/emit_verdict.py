"""Code generation for verdicts and conditions.

In: the emitter of a term. Out: lines of Python. The function of the answer alone returns at the first deciding rule and
evaluates defeaters only where their rule would apply; the function with the decision id evaluates every rule.
"""

from collections.abc import Iterator

from runtime.answer.brackets import negated_condition, negated_test, without_brackets
from runtime.answer.emit_guard import STEP
from runtime.answer.emit_term import EmittedClause, TermEmitter, rule_comment
from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts
from runtime.graph.verbs import rule_answer


def emit_first_reason(writer: TermEmitter) -> Iterator[str]:
    """Emit a verdict or condition that returns at the first deciding rule."""
    # Any order is correct, as each rule decides alone: cheapest first. An unconditional defeater removes its rule.
    undefeated_clauses = [
        clause for clause in writer.clauses if not any(is_always(other) for other in clause.defeaters)
    ]
    by_price = sorted(undefeated_clauses, key=lambda clause: writer.guard_cost(clause.rule))
    permissions = [clause for clause in by_price if rule_answer(clause.rule)]
    prohibitions = [clause for clause in by_price if rule_answer(clause.rule) is False]
    if writer.term.default or not permissions:
        yield from _emit_independent_rules(
            writer, prohibitions if writer.term.default else [], verdict=not writer.term.default
        )
    elif not prohibitions:
        yield from _emit_independent_rules(writer, permissions, verdict=True)
    else:
        yield from (rule_comment(clause.rule) for clause in permissions)
        yield from _emit_denial([writer.write_live(clause) for clause in permissions])
        yield from _emit_independent_rules(writer, prohibitions, verdict=False)


def _emit_independent_rules(writer: TermEmitter, clauses: list[EmittedClause], *, verdict: bool) -> Iterator[str]:
    """Emit rules each of which decides alone, and the opposite answer where none is live."""
    if clauses:
        yield from emit_each(writer, clauses[:-1], f"return {verdict}")
    if clauses and (answer := _last_rule_text(writer, clauses[-1], verdict=verdict)):
        yield rule_comment(clauses[-1].rule)
        yield f"return {answer}"
        return
    yield from emit_each(writer, clauses[-1:], f"return {verdict}")
    yield f"return {not verdict}"


def _last_rule_text(writer: TermEmitter, clause: EmittedClause, *, verdict: bool) -> str:
    """Emit the last rule as an expression whose value is the answer; "" if it is not a plain expression."""
    guard = clause.rule.guard
    if clause.defeaters or clause.rule.names or any(isinstance(part, graph.Fold) for part in conjuncts(guard)):
        return ""  # A loop ends sooner.
    test = without_brackets(writer.emitter.write(guard, writer.scope)) if guard is not None else ""
    if verdict or not test:
        return test
    opposite = without_brackets(negated_test(f"({test})"))
    return "" if opposite.startswith("not (") else opposite  # Several reasons are easier to read one by one.


def is_always(clause: EmittedClause) -> bool:
    """Return whether a rule is live in every position."""
    return clause.rule.guard is None and not clause.defeaters and not clause.rule.names


def emit_each(writer: TermEmitter, clauses: list[EmittedClause], consequence: str) -> Iterator[str]:
    """Emit rules each of which decides alone."""
    for clause in clauses:
        yield rule_comment(clause.rule)
        yield from (rule_comment(other.rule) for other in clause.defeaters)
        if clause.rule.names:
            inner = (
                [f"if {without_brackets(negated_condition(writer.write_defeaters(clause)))}:", f"{STEP}{consequence}"]
                if clause.defeaters
                else [consequence]
            )
            yield from writer.emit_guarded(clause.rule, inner, [])
        elif (condition := without_brackets(writer.write_live(clause))) == "True":
            yield consequence
        elif clause.defeaters:
            yield from (f"if {condition}:", f"{STEP}{consequence}")
        else:
            yield from writer.emit_guarded(clause.rule, [consequence], [])


def _emit_denial(permissions: list[str]) -> list[str]:
    """Emit a return of False unless one of these holds."""
    if len(permissions) == 1:
        return [f"if {without_brackets(negated_condition(permissions[0]))}:", f"{STEP}return False"]
    return [
        "if not (",
        *(f"{STEP}{'or ' if n else ''}{text}" for n, text in enumerate(permissions)),
        "):",
        f"{STEP}return False",
    ]


def emit_all_reasons(writer: TermEmitter) -> Iterator[str]:
    """Emit a verdict or condition that evaluates every rule, with the decision id."""
    if not writer.clauses:
        yield f"return {writer.term.default}, 0"
        return
    if len(writer.clauses) == 1 and (test := _last_rule_text(writer, writer.clauses[0], verdict=True)):
        yield from _emit_only_reason(writer, writer.clauses[0].rule, test)
        return
    yield "why = 0"
    for clause in writer.clauses:
        yield rule_comment(clause.rule)
        yield from writer.emit_rule_bits(clause, [f"why |= {clause.bit}"], frozenset())
    permission_mask, prohibition_mask = (_mask_of(writer, answer=answer) for answer in (True, False))
    if not writer.term.default and not permission_mask:
        yield "return False, why"
        return
    tests = [] if writer.term.default else [f"why & {permission_mask} != 0"]
    tests += [f"not why & {prohibition_mask}"] if prohibition_mask else []
    yield f"return {' and '.join(tests) or True}, why"


def _emit_only_reason(writer: TermEmitter, rule: graph.Rule, test: str) -> Iterator[str]:
    """Emit the only rule of a term, with the decision id."""
    is_reversed = rule_answer(rule) == (not writer.term.default)
    yield rule_comment(rule)
    yield f"if {test}:"
    yield f"{STEP}return {writer.term.default != is_reversed}, 1"
    yield f"return {writer.term.default}, 0"


def _mask_of(writer: TermEmitter, *, answer: bool) -> int:
    """Return the bits of the rules with this answer."""
    return sum(clause.bit for clause in writer.clauses if rule_answer(clause.rule) is answer)
