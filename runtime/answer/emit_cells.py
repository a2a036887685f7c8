"""Common subexpression elimination for chart cells that several rules of a term read.

In: the emitter of a term. Out: the assignment that reads the cell, where the first condition of the first rule reads
it unconditionally; the rules then use its name. A cell that is read only under a condition is not hoisted: it may have
no answer.
"""

from runtime.answer.emit_names import python_name
from runtime.answer.emit_term import TermEmitter
from runtime.graph import nodes as graph
from runtime.graph.walk import walk

LAZY = ("and", "or", "if")


def emit_shared_cells(w: TermEmitter) -> list[str]:
    """Emit the read of a cell that more than one condition or value uses; [] where there is none."""
    rules = [clause.rule for clause in w.clauses]
    cell = None if not rules or rules[0].names else read_first(next(iter(w.guard_conditions(rules[0])), None))
    if cell is None:
        return []
    readings = (node for rule in rules for node in walk((rule.names, rule.guard, rule.value)))
    cell_reads = [node for node in readings if isinstance(node, graph.Cell) and (node.table, node.keys) == cell]
    if len(cell_reads) < 2:
        return []
    text = w.emitter.write_cell(graph.Cell(*cell, ""), w.scope)
    name = w.emitter.local_name(f"{python_name(cell[0])}_cell")
    if name in w.scope.texts.values():
        return []
    w.emitter.cells[text] = name
    return [f"{name} = {text}"]


def read_first(condition: graph.Expr | None) -> tuple[str, tuple[graph.Expr, ...]] | None:
    """Return the cell that a condition reads in every position; None if there is none."""
    match condition:
        case graph.Cell(table, keys, _):
            return table, keys
        case graph.Is(subject, _, _):
            return read_first(subject)
        case graph.Op(op, parts) if op not in LAZY:
            return next((found for part in parts if (found := read_first(part)) is not None), None)
        case _:
            return None
