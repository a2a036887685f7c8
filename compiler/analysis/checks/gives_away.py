"""Actions that reveal a secret: whether they are open to a side depends on records of another side.

No side is shown the reason (runtime/play/refusal.py formats what a side may know), but that an action is closed, or
open, reveals it all the same. A fold that compares the record's `by` with a side reads that side's own records; and a
choice among secret records is shown to each side without those of the others. All other reads count.
"""

from collections.abc import Iterator

from compiler.analysis.expression_text import Writer
from compiler.analysis.parties import Party
from compiler.analysis.problems import GivesAway, Problem
from compiler.analysis.readers_and_setters import party_of
from compiler.analysis.step_reads import expressions_of_rule
from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts
from runtime.graph.walk import walk

OWNER = "by"


def gives_away(stack: graph.Graph) -> Iterator[Problem]:
    """Find actions that are open or closed by secret records of other sides."""
    secret = frozenset(name for name, record in stack.vocabulary.records.items() if record.secret)
    for procedure in stack.procedures.values() if secret else ():
        reported_records: set[str] = set()
        for condition in _conditions(procedure) if procedure.what == "action" else ():
            for record, reading_party in _read(condition, stack, secret, party_of(procedure)):
                if record not in reported_records:
                    reported_records.add(record)
                    yield GivesAway(party_of(procedure), record, reading_party)


def _conditions(procedure: graph.Procedure) -> Iterator[graph.Expr]:
    """List the conditions of the head of an action, which decide whether and how it may be taken."""
    for step in procedure.body:
        match step:
            case graph.Legal(condition):
                yield condition
            case graph.Choose(_, _, graph.Fold("gather", _, graph.All(), filter_condition, None)) if (
                filter_condition is not None
            ):
                yield filter_condition
            case graph.Choose(_, _, source) if not isinstance(source, graph.All):
                yield source
            case _:
                pass


def _read(expr: graph.Expr, stack: graph.Graph, secret: frozenset[str], reader: Party) -> Iterator[tuple[str, Party]]:
    """Yield the secret record types of which an expression reads other sides' records, each with the reading party."""
    writer = Writer(stack.vocabulary)
    seen: set[str] = set()
    todo: list[tuple[object, Party]] = [(expr, reader)]
    while todo:
        part, party = todo.pop()
        own_sources = {id(node.source) for node in walk(part) if isinstance(node, graph.Fold) and _is_own(node)}
        for node in walk(part):
            match node:
                case graph.All(graph.RecordOf(name)) if name in secret and id(node) not in own_sources:
                    yield name, party
                case graph.Ask(term) if term not in seen:
                    seen.add(term)
                    callee = stack.terms[term]
                    if callee.otherwise is not None:
                        todo.append((callee.otherwise, party))
                    rules = (stack.rules[label] for label in callee.rules)
                    todo += [(inner, writer.rule_party(rule)) for rule in rules for inner in expressions_of_rule(rule)]
                case _:
                    pass


def _is_own(fold: graph.Fold) -> bool:
    """Return whether a fold over records is restricted to those of one side."""
    return any(
        isinstance(part, graph.Op) and part.op == "=" and any(_is_owner(side, fold.var) for side in part.arguments)
        for part in conjuncts(fold.where)
    )


def _is_owner(expr: graph.Expr, var: str) -> bool:
    match expr:
        case graph.Get(graph.Var(name), "record", _, field):
            return (name, field) == (var, OWNER)
        case _:
            return False
