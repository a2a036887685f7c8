"""Steps that undo what may not be so: they end a pair, or clear a status, that nothing on their path establishes.

A step that unloads everything in the hex instead of the passengers removes a piece from where it need not be. Examined
are steps of all procedures that end pairs, and those of actions that clear a status of what the action chooses. A guard
on the path, of a choice, a `legal` line, an `if`, establishes it if it mentions that relation or status of these
pieces, itself or in the rules of a question. A procedure that gets both ends as arguments is not reported.
"""

from collections.abc import Iterator

from compiler.analysis.access_paths import SymbolicPath
from compiler.analysis.checks import check_of_stack
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.normal_form import Names, normalize, with_names
from compiler.analysis.parties import Party, StepPlace, party_label
from compiler.analysis.ranged_writes import Reader
from compiler.analysis.readers_and_setters import step_at
from compiler.analysis.term_queries import implied_conditions, substitution_of
from compiler.analysis.written_slots import WriteSets, bodies_by_start
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence, backquoted
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.effects import effects_of
from runtime.graph.effects.primitives import RelatePieces, SetStatus
from runtime.graph.steps import nested_steps
from runtime.graph.walk import nodes_of, walk


@finding("R0581", "undoes-nothing", WARNING)
class UndoesNothing(Finding):
    """A step ends `fact`, "carries(mover, cargo)", and no guard on its access path establishes it for `name`."""

    procedure: Party
    step: StepPlace
    fact: str
    name: str

    def sentence(self) -> Sentence:
        message = (
            f"`{self.procedure.label}` ends {backquoted(self.fact)}, but nothing before this step ensures that it holds"
        )
        labels = (party_label(self.procedure, f"`{self.name}` may be a piece for which it does not hold"),)
        advice = f"choose `{self.name}` only from pieces for which it holds, or test it before with `legal` or `if`"
        return Sentence(message, labels, advice, root=f"{self.procedure.label} {self.fact}")


UndoingEffect = RelatePieces[graph.Expr] | SetStatus[graph.Expr]
# The depth to which the rules of questions are followed.
_MOST_RULE_LEVELS = 3


@check_of_stack
def undoes_nothing(stack: graph.Graph) -> Iterator[UndoesNothing]:
    """Find such steps."""
    writes = WriteSets(stack, bodies_by_start(stack))
    text = ExpressionWriter(stack.vocabulary).text
    for key, procedure in stack.procedures.items():
        if not any(_undone(step) for step in nested_steps(procedure.body)):
            continue
        for guarded_step in Reader(stack, key, writes).guarded_steps():
            for effect in _undone(guarded_step.step):
                place = step_at(procedure, guarded_step.step)
                match effect:
                    case RelatePieces(relation, left=left, right=right):
                        if not _is_tested(stack, procedure, guarded_step.path, effect, (left, right)):
                            yield UndoesNothing(*place, f"{relation}({text(left)}, {text(right)})", text(right))
                    case SetStatus(name=status, subject=graph.Var(name) as subject) if _chooses(procedure, name):
                        if not _is_tested(stack, procedure, guarded_step.path, effect, (subject,)):
                            yield UndoesNothing(*place, f"{name} is {status}", name)


def _undone(step: graph.Step) -> list[UndoingEffect]:
    """Return the effects of a step that end a pair or clear a status."""
    return [each for each in effects_of(step) if isinstance(each, RelatePieces | SetStatus) and not each.on]


def _chooses(procedure: graph.Procedure, name: str) -> bool:
    """Return whether a procedure is an action in which a side chooses a single piece by this name."""
    chosen = nodes_of(graph.Choose, procedure.body)
    return procedure.what == "action" and any(step.name == name and not step.how for step in chosen)


def _is_tested(
    stack: graph.Graph,
    procedure: graph.Procedure,
    path: SymbolicPath,
    effect: UndoingEffect,
    ends: tuple[graph.Expr, ...],
) -> bool:
    """Return whether a guard tests what an effect undoes, or the callers of the procedure may have tested it."""
    names = substitution_of(path)
    normal_ends = tuple(normalize(end, names) for end in ends)
    parameters = {graph.Var(part.name) for part in procedure.parameters}
    if len(normal_ends) > 1 and parameters.issuperset(normal_ends):
        return True
    facts = [*_facts(path, names), *normal_ends]
    return any(_mentions(stack, fact, effect, normal_ends, _MOST_RULE_LEVELS) for fact in facts)


def _facts(path: SymbolicPath, names: Names) -> Iterator[graph.Expr]:
    for guard in path.guards:
        yield from implied_conditions(normalize(guard, names))


def _mentions(
    stack: graph.Graph, fact: graph.Expr, effect: UndoingEffect, ends: tuple[graph.Expr, ...], deepest: int
) -> bool:
    """Return whether a fact mentions the relation or status that an effect undoes, of all these pieces."""
    nodes = list(walk(fact))
    if not all(end in nodes for end in ends):
        return False
    if any(_is_about(node, effect) for node in nodes):
        return True
    questions = (node for node in nodes if isinstance(node, graph.Ask)) if deepest else ()
    return any(_rules_mention(stack, node, effect, ends, deepest - 1) for node in questions)


def _is_about(node: object, effect: UndoingEffect) -> bool:
    match effect, node:
        case RelatePieces(relation), graph.Get(_, _, owner) | graph.Has(_, _, owner):
            return owner == relation
        case RelatePieces(relation), graph.Member("relation", name):
            return name == relation
        case SetStatus(owner, status), graph.Test(_, whose, name):
            return (whose, name) == (owner, status)
        case _:
            return False


def _rules_mention(
    stack: graph.Graph, ask: graph.Ask, effect: UndoingEffect, ends: tuple[graph.Expr, ...], deepest: int
) -> bool:
    """Return whether the rules of a question mention the relation or status."""
    term = stack.terms.get(ask.term)
    if term is None or not all(end in ask.arguments for end in ends):
        return False
    parameters = tuple(graph.Var(part.name) for part in term.parameters)
    parameter_ends = tuple(parameters[ask.arguments.index(end)] for end in ends)
    for rule in rules_of_term(stack, term):
        names = with_names(rule, {})
        for part in (rule.guard, rule.value):
            if part is not None and _mentions(stack, normalize(part, names), effect, parameter_ends, deepest):
                return True
    return False
