"""Code generation for the rules of a term: guards, and the statements that they control.

In: a term and its rules. Out: lines of Python from which emit_verdict.py and emit_value.py build function bodies, and
functions around such bodies. Here and there `emit_..` returns the lines of statements, `write_..` one text: of an
expression or of a whole function.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from runtime.answer.brackets import as_conjunct, negated_condition, without_brackets_unless_joined
from runtime.answer.emit_expression import Emitter
from runtime.answer.emit_fold import EmittedLoop, write_loop
from runtime.answer.emit_guard import STEP, GuardWriter
from runtime.answer.emit_names import NameScope, comment_text, python_name
from runtime.answer.static_parts import StaticPart
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term

BOARD = re.compile(r"\bb\.")
CostFunction = Callable[[object], int]


@dataclass(frozen=True, slots=True, eq=False)
class EmittedClause:
    """A rule in its term: its bit, and its defeaters."""

    rule: graph.Rule
    bit: int
    defeaters: tuple["EmittedClause", ...]


class TermEmitter:
    """An emitter of the functions of one term."""

    def __init__(
        self, emitter: Emitter, term: graph.Term, cost_of: CostFunction, parts: Iterable[StaticPart] = ()
    ) -> None:
        """Order the rules, defeaters first. `cost_of` estimates evaluation cost; static `parts` become calls."""
        self.emitter = emitter
        self.cost_of = cost_of
        self.term = term
        self.parameters = [emitter.local_name(parameter.name) for parameter in term.parameters]
        names = [parameter.name for parameter in term.parameters]
        self.scope = NameScope(
            dict(zip(names, self.parameters, strict=True)), {p.name: p.type for p in term.parameters}
        )
        self.clauses: list[EmittedClause] = []
        self.may_loop = True  # Whether a rule that waits for some member to pass may be a loop.
        self.parts = tuple(parts)
        self.static_ids = {id(part.expr) for part in self.parts}
        for index, rule in enumerate(rules_of_term(emitter.rules, term)):
            defeaters = tuple(clause for clause in self.clauses if rule.label in clause.rule.defeats)
            self.clauses.append(EmittedClause(rule, 1 << index, defeaters))

    def memo_table(self, suffix: str = "") -> str:
        """Return the constant of the memo table."""
        return self.emitter.memo_tables.table_name(f"TERM_{python_name(self.term.name)}_MEMORY{suffix}")

    def part_name(self, part: StaticPart) -> str:
        """Return the function name of a subexpression that depends on the map alone; a rule may have several."""
        parts_of_rule = [other for other in self.parts if other.rule == part.rule]
        number = str(parts_of_rule.index(part) + 1) if len(parts_of_rule) > 1 else ""
        return f"{python_name(self.term.name)}_{python_name(part.rule)}_static{number}"

    def part_table(self, name: str) -> str:
        """Return the memo table of a subexpression that depends on the map alone."""
        return self.emitter.memo_tables.table_name(f"PART_{name}_MEMORY")

    def write_function(self, name: str, body: Iterator[str] | list[str], title: str = "") -> str:
        """Return a function with this body; the board is bound to `b` where the body reads it."""
        lines = list(body)
        if any(BOARD.search(line) for line in lines if not line.lstrip().startswith("#")):
            lines.insert(0, "b = s.board")
        title = comment_text(title or self.term.reads or self.term.name)
        head = [f"def {name}({', '.join(['s', *self.parameters])}):", f'{STEP}"""{title}"""']
        return "\n".join([*head, *(f"{STEP}{line}" for line in lines)])

    # Conditions of rules.

    def write_defeaters(self, clause: EmittedClause) -> str:
        """Emit whether any defeater of a rule is live, evaluated in place."""
        return f"({' or '.join(self.write_live(other) for other in clause.defeaters)})"

    def write_live(self, clause: EmittedClause) -> str:
        """Emit whether a rule is live as one expression."""
        guard = self.write_guard(clause.rule)
        if not clause.defeaters:
            return guard
        lifted = without_brackets_unless_joined(negated_condition(self.write_defeaters(clause)))
        # The order is free; the cheaper operand comes first.
        cheap = sum(self.guard_cost(other.rule) for other in clause.defeaters) < self.guard_cost(clause.rule)
        return f"({lifted} and {as_conjunct(guard)})" if cheap else f"({as_conjunct(guard)} and {lifted})"

    def guard_cost(self, rule: graph.Rule) -> int:
        """Estimate the evaluation cost of a guard."""
        return self.cost_of((rule.names, rule.guard))

    def write_guard(self, rule: graph.Rule) -> str:
        """Emit a guard as one expression; the guard of a rule with `with` names is a function."""
        if rule.names:
            return f"{self.guard_name(rule)}({', '.join(['s', *self.parameters])})"
        return "True" if rule.guard is None else self.emitter.write(rule.guard, self.scope)

    def guard_name(self, rule: graph.Rule) -> str:
        """Return the function name of a guard in this term: terms that share a rule may differ in their parameters."""
        return f"{python_name(self.term.name)}_{python_name(rule.label)}_holds"

    def emit_guarded(
        self, rule: graph.Rule, consequence: list[str], alternative: list[str], first: str = ""
    ) -> list[str]:
        """Emit a guard as statements around its consequence; `inner` is then the scope of the consequence."""
        guard = GuardWriter(self, rule, first)
        guard.write(consequence)
        self.inner = guard.scope
        return [*guard.lines, *alternative] if guard.depth else guard.lines

    def write_loop_of_some(self, part: graph.Expr, scope: NameScope) -> EmittedLoop | None:
        """Emit a `some` as a loop; None where it tests nothing of its members."""
        if not self.may_loop or not isinstance(part, graph.Fold) or part.op != "some" or id(part) in self.static_ids:
            return None
        loop = write_loop(self.emitter, part, scope)
        return loop if loop.member_test or loop.condition else None

    def emit_rule_bits(self, clause: EmittedClause, consequence: list[str], returning: frozenset[int]) -> list[str]:
        """Emit a rule guarded by the bits of its defeaters; `returning` ones, if live, would have returned already."""
        mask = sum(other.bit for other in clause.defeaters if other.bit not in returning)
        return self.emit_guarded(clause.rule, consequence, [], first=f"not why & {mask}" if mask else "")

    def term_constant(self) -> str:
        """Return the constant of the term, for exceptions that generated code raises."""
        return self.emitter.add_constant(f"TERM_{python_name(self.term.name)}", self.term)

    def write_arguments(self) -> str:
        """Emit the arguments as a tuple, for exceptions that generated code raises."""
        return f"({', '.join(self.parameters)}{',' if len(self.parameters) == 1 else ''})"


def rule_comment(rule: graph.Rule) -> str:
    """Return the comment that introduces a rule."""
    cites = f" [{', '.join(rule.cites)}]" if rule.cites else ""
    return f"# {comment_text(f'{rule.label}{cites}: {rule.prose}')}".rstrip(": ")
