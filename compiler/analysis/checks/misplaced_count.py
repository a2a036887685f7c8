"""Tracks that a procedure counts on from the same track of something else: one of two names is a slip.

In: a stack. Out: steps such as `set enemy(player).score to min(60, player.score + 1)`. The value adds to the track that
the step sets, or subtracts from it, but of another piece or side, and does not read that of the owner itself. A step
that only copies the track of another is not reported, nor are tracks of hexes, from one to the next of which may spread
what they count.
"""

from collections.abc import Iterator

from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.omissions import MisplacedCount
from compiler.analysis.parties import procedure_party
from compiler.analysis.problems import Problem
from runtime.graph import nodes as graph
from runtime.graph.steps import nested_steps
from runtime.graph.walk import walk

COUNTING = frozenset({"+", "-"})


def misplaced_count(stack: graph.Graph) -> Iterator[Problem]:
    """Find such steps."""
    writer = ExpressionWriter(stack.vocabulary)
    for procedure in stack.procedures.values():
        for step in nested_steps(procedure.body):
            match step:
                case graph.Assign(graph.Get(_, "track", owner) as target, value) if owner != "hex":
                    reads = [node for node in walk(value) if _is_same_track(node, target)]
                    if reads and target not in reads and (counted := _counted_track(value, target)):
                        target_text, counted_text, value_text = map(writer.text, (target, counted, value))
                        yield MisplacedCount(procedure_party(procedure), target_text, counted_text, value_text)


def _is_same_track(node: object, target: graph.Get) -> bool:
    return isinstance(node, graph.Get) and (node.what, node.owner, node.name) == ("track", target.owner, target.name)


def _counted_track(value: graph.Expr, target: graph.Get) -> graph.Get | None:
    """Return the track of something else that a value adds to, or subtracts from."""
    for node in walk(value):
        if isinstance(node, graph.Op) and node.op in COUNTING:
            for part in node.arguments:
                if isinstance(part, graph.Get) and _is_same_track(part, target):
                    return part
    return None
