"""Find questions that only advise computer players and decide nothing.

The input is a graph; the output is the questions that only preferences of choices query, directly or transitively. At a
table none of them is needed: they rank choices, but determine neither legality nor outcomes.
"""

from collections import Counter
from collections.abc import Iterable

from compiler.rulebook.printed_places import page_term
from runtime.graph import nodes as graph
from runtime.graph.walk import walk


def advisory_questions(book: graph.Graph) -> frozenset[str]:
    """Return the questions that only preferences depend on; for a question in stages, all stages or none."""
    askers: dict[str, set[str]] = {}
    for procedure in book.procedures.values():
        preferred = Counter(
            _queried_terms(each.preferring for each in walk(procedure.body) if isinstance(each, graph.Choose))
        )
        for term in preferred:
            askers.setdefault(page_term(book, term), set())
        for term in Counter(_queried_terms([procedure.body])) - preferred:
            askers.setdefault(page_term(book, term), set()).add("")
    for term in (book.outcome, *_queried_terms([book.always, book.scenario])):
        if term in book.terms:
            askers.setdefault(page_term(book, term), set()).add("")
    for rule in book.rules.values():
        for term in _queried_terms([rule.guard, rule.value, rule.names]):
            askers.setdefault(page_term(book, term), set()).update(
                page_term(book, answered_term) for answered_term in rule.terms
            )
    for name, question in book.terms.items():
        for term in _queried_terms([question.otherwise]):
            askers.setdefault(page_term(book, term), set()).add(page_term(book, name))
    found = {term for term, asker_names in askers.items() if "" not in asker_names}
    while out := {term for term in found if not askers[term] - {term} <= found}:
        found -= out
    return frozenset(found)


def _queried_terms(nodes: Iterable[object]) -> list[str]:
    return [each.term for node in nodes for each in walk(node) if isinstance(each, graph.Ask)]


def common_advisory_questions(book: graph.Graph, base: graph.Graph) -> frozenset[str]:
    """Return the questions that decide nothing in either book, but advise computer players."""
    pairs = [(each, advisory_questions(each)) for each in (book, base)]
    deciding = {name for each, aside in pairs for term in each.terms if (name := page_term(each, term)) not in aside}
    return frozenset(name for _, aside in pairs for name in aside if name not in deciding)
