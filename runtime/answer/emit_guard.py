"""Code generation for a guard as statements: conditions, the names bound between them, and a loop for a last `some`.

In: a rule, and the statements that it controls. Out: lines of Python.
"""

from typing import TYPE_CHECKING

from runtime.answer.brackets import as_conjunct, without_brackets
from runtime.answer.emit_fold import status_guard
from runtime.answer.emit_names import NameScope
from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts
from runtime.graph.type_of import type_of
from runtime.graph.walk import walk

if TYPE_CHECKING:
    from runtime.answer.emit_term import TermEmitter

STEP = "    "


class GuardWriter:
    """The statements of one guard as they are written: lines, and conditions that the next `if` tests."""

    def __init__(self, writer: "TermEmitter", rule: graph.Rule, first: str) -> None:
        """Start with a condition that is tested first, "" for none."""
        self.writer, self.emitter, self.rule = writer, writer.emitter, rule
        self.scope = writer.scope
        self.unbound_names = list(rule.names)
        self.lines: list[str] = []
        self.depth = 0
        self.pending = [first] if first else []

    def write(self, consequence: list[str]) -> None:
        """Write the guard around its consequence.

        A `with` name is bound where the first condition uses it: it may be undefined unless the conditions to the left
        hold.
        """
        parts = conjuncts(self.rule.guard)
        for part in parts[:-1]:
            self._add_condition(part)
        is_loop = bool(parts and consequence) and self._open_loop(parts[-1])
        if parts and not is_loop:
            self._add_condition(parts[-1])
        self._bind_names((self.rule.value, self.unbound_names))
        self._close()
        for line in consequence:
            self._add_line(line)
        if is_loop and not consequence[-1].startswith("return"):
            self._add_line("break")

    def _add_condition(self, part: graph.Expr) -> None:
        """Add a condition to those that the next `if` tests."""
        self._bind_names(part)
        self.pending.append(as_conjunct(self.emitter.write(part, self.scope)))
        self.scope = self.scope.with_condition(part)

    def _bind_names(self, needed: object) -> None:
        """Bind the next `with` names, as long as something needs one of those that are left."""
        while self.unbound_names and _mentions_pending(needed, self.unbound_names, self.scope):
            self._close()
            name, expr = self.unbound_names.pop(0)
            local = self.emitter.local_name(name)
            self._add_line(f"{local} = {without_brackets(self.emitter.write(expr, self.scope))}")
            self.scope = self.scope.with_binding(name, local, type_of(expr, self.scope.types, self.emitter.rules))

    def _open_loop(self, part: graph.Expr) -> bool:
        """Open a loop that ends at the first member found, for a `some`; return whether one was opened."""
        self._bind_names(part)
        loop = self.writer.write_loop_of_some(part, self.scope)
        if loop is None or not isinstance(part, graph.Fold):
            return False
        if marks := status_guard(self.emitter, part, self.scope):
            self.pending.append(marks)
        self._close()
        self._add_line(f"for {loop.var} in {loop.source}:")
        self.depth += 1
        if loop.member_test:
            self.pending.append(loop.member_test)
        if loop.condition:
            self.pending.append(as_conjunct(self.emitter.write(loop.condition, loop.inner)))
        return True

    def _close(self) -> None:
        """Add an `if` of the pending conditions."""
        if self.pending:
            condition = without_brackets(self.pending[0]) if len(self.pending) == 1 else " and ".join(self.pending)
            self._add_line(f"if {condition}:")
            self.pending.clear()
            self.depth += 1

    def _add_line(self, line: str) -> None:
        """Add a line at the present depth."""
        self.lines.append(f"{STEP * self.depth}{line}")


def _mentions_pending(needed: object, with_names: list[tuple[str, graph.Expr]], scope: NameScope) -> bool:
    """Return whether an expression uses a name that is not bound yet."""
    names = {name for name, _ in with_names} - set(scope.texts)
    return any(isinstance(node, graph.Var) and node.name in names for node in walk(needed))
