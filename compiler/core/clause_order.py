"""The order in which the clauses of a verdict are evaluated.

In: the clauses of a verdict, each defeater before what it defeats. Out: the same in another such order. The order has
no meaning in the language, as each rule decides alone: those that prohibit come first, first among them those that read
no set or record, the smallest first. So an answer is mostly known before a set is read.
"""

from compiler.core.ir import Clause, Local
from compiler.core.passes.partial_inlining import has_contents, reads_contents
from compiler.core.passes.rewriting import node_count

GradedClause = tuple[Clause, bool | None]  # With whether it grants; None where it only defeats.


def ordered_clauses(clauses: tuple[GradedClause, ...], parameters: tuple[Local, ...]) -> tuple[GradedClause, ...]:
    """Return the clauses of a verdict in the order of their evaluation."""
    names = {each.name for each in parameters if has_contents(each.representation)}
    by_label = {graded[0].label: graded for graded in clauses}
    found: dict[str, GradedClause] = {}

    def rank(graded: GradedClause) -> tuple[bool, bool, int]:
        clause, _ = graded
        guards = [clause.guard, *(by_label[other][0].guard for other in clause.defeated_by)]
        size = sum(node_count(guard) for guard in guards if guard is not None)
        return any(reads_contents(guard, names) for guard in guards), bool(clause.defeated_by), size

    def add(graded: GradedClause) -> None:
        for other in graded[0].defeated_by:
            add(by_label[other])
        found.setdefault(graded[0].label, graded)

    for graded in sorted((graded for graded in clauses if graded[1] is False), key=rank):
        add(graded)
    return (*found.values(), *(graded for label, graded in by_label.items() if label not in found))
