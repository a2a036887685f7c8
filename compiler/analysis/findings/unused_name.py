"""Names that a step, or `with`, binds and nothing reads: the computed value, or the member of a loop, is unused.

A choice may have an effect by itself (whether there is an option at all), and a loop may repeat something a number of
times. A loop is reported only where its body is idempotent.
"""

from collections.abc import Iterable, Iterator

from compiler.analysis.checks import check_of_stack
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.parties import Party, StepPlace, party_label
from compiler.analysis.readers_and_setters import read_sets_of_stack, step_at
from compiler.analysis.step_reads import expressions_of_account, expressions_read
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence
from runtime.graph import nodes as graph
from runtime.graph.effects import effects_of
from runtime.graph.free_names import variables_in
from runtime.graph.steps import bound_name, nested_steps
from runtime.graph.walk import nodes_of, walk


@finding("R0530", "unused-name", WARNING)
class UnusedName(Finding):
    """A name that a step, a loop or a rule binds is never read."""

    procedure: Party
    step: StepPlace | None
    name: str

    def sentence(self) -> Sentence:
        place, name = self.step, self.name
        idle, instead = "here", "delete this"
        if place and place.step_class == "Loop":
            idle = "each round does the same"
        # Which words to leave out depends on how the step is written, not on what it does.
        elif place and place.step_class in {"Create", "Write"}:
            instead = f"delete `named {name}`" if place.step_class == "Create" else f"delete `{name} =`"
        message = f"`{name}` is never used in `{self.procedure.label}`"
        advice = f"use `{name}` where it is meant, or {instead}"
        return Sentence(message, (party_label(self.procedure, idle),), advice, root=f"{self.procedure.label} {name}")


@check_of_stack
def unused_name(stack: graph.Graph) -> Iterator[UnusedName]:
    """Find names that nothing reads."""
    for procedure in stack.procedures.values():
        account_names = (node.name for node in nodes_of(graph.Var, expressions_of_account(procedure)))
        read_names = _read_names(procedure.body) | frozenset(account_names)
        for step in nested_steps(procedure.body):
            if isinstance(step, graph.Loop):
                name = step.name
                unused = name not in _read_names(step.body) and all(
                    _is_idempotent(each, stack) for each in nested_steps(step.body)
                )
            else:
                name = bound_name(step)
                unused = name not in {"", *read_names} and not isinstance(step, graph.Choose)
            if unused:
                yield UnusedName(*step_at(procedure, step), name)
    writer = ExpressionWriter(stack.vocabulary)
    for rule in stack.rules.values():
        if rule.names:
            exprs = (*filter(None, (rule.guard, rule.value)), *(value for _, value in rule.names))
            read = variables_in(exprs)
            yield from (UnusedName(writer.rule_party(rule), None, name) for name, _ in rule.names if name not in read)


def _is_idempotent(step: graph.Step, stack: graph.Graph) -> bool:
    """Return whether a step changes nothing when it is executed once more; it must not read what it writes."""
    if isinstance(step, graph.Legal | graph.Let):
        return True
    effects, reads = effects_of(step), read_sets_of_stack(stack)
    read = reads.reads_of_nodes(tuple(walk(expressions_read(step))))
    are_idempotent = bool(effects) and all(effect.is_idempotent for effect in effects)
    return are_idempotent and read.isdisjoint(reads.slots.writes(step))


def _read_names(body: Iterable[graph.Step]) -> set[str]:
    """Return the names that steps read."""
    return variables_in(tuple(expr for step in nested_steps(tuple(body)) for expr in expressions_read(step)))
