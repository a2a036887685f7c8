"""Exception trees: for one question, the rules that answer it, and which of them defeats which.

The input is a term; the output is its exception tree, roots first, each rule above those that defeat it.
"""

from compiler.rulebook.source_order import written_rank
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import adopted_from, is_adopted
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class ExceptionBranch:
    """A rule and the rules that defeat it. `also` are further rules that it defeats."""

    label: str
    above: "tuple[ExceptionBranch, ...]"
    also: tuple[str, ...]


def own_tree(book: graph.Graph, term: graph.Term) -> tuple[ExceptionBranch, ...]:
    """Return the tree of the rules that a question has of its own."""
    return tuple(branch for branch in _exception_tree(book, term) if _adopted_by(book, term, branch) is None)


def adopted_tree(book: graph.Graph, term: graph.Term, beside: graph.Beside) -> tuple[ExceptionBranch, ...]:
    """Return the tree of the rules that a question adopts by one of its declarations."""
    return tuple(branch for branch in _exception_tree(book, term) if _adopted_by(book, term, branch) is beside)


def _adopted_by(book: graph.Graph, term: graph.Term, branch: ExceptionBranch) -> graph.Beside | None:
    """Return the declaration by which a question adopts the rule of a branch; None for its own rules."""
    is_foreign = branch.label in term.rules and is_adopted(book.rules[branch.label], term)
    return adopted_from(book, term, branch.label) if is_foreign else None


def _exception_tree(book: graph.Graph, term: graph.Term) -> tuple[ExceptionBranch, ...]:
    """Return the tree in which each rule of a term is below the first rule it defeats."""
    labels = sorted(term.rules, key=lambda label: (*written_rank(book, book.rules[label]), label))
    beaten = {label: tuple(other for other in labels if other in book.rules[label].defeats) for label in labels}

    def branch(label: str, path: tuple[str, ...]) -> ExceptionBranch:
        above = tuple(
            branch(other, (*path, label))
            for other in labels
            if beaten[other] and beaten[other][0] == label and other not in (*path, label)
        )
        return ExceptionBranch(label, above, beaten[label][1:])

    return tuple(branch(label, ()) for label in labels if not beaten[label])
