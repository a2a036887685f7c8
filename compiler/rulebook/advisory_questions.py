"""Find questions that only advise computer players and decide nothing.

The input is a graph; the output is the questions that only preferences of choices query, directly or transitively. At a
table none of them is needed: they rank choices, but determine neither legality nor outcomes.
"""

from collections import Counter
from collections.abc import Iterable

from compiler.rulebook.homes import chain_of
from runtime.graph import nodes as graph
from runtime.graph.walk import walk


def advisory_questions(book: graph.Graph) -> frozenset[str]:
    """Return the questions that only preferences depend on; for a question in stages, all stages or none."""
    askers: dict[str, set[str]] = {}
    for procedure in book.procedures.values():
        preferred = Counter(_asked(each.preferring for each in walk(procedure.body) if isinstance(each, graph.Choose)))
        for term in preferred:
            askers.setdefault(chain_of(book, term), set())
        for term in Counter(_asked([procedure.body])) - preferred:
            askers.setdefault(chain_of(book, term), set()).add("")
    for term in (book.outcome, *_asked([book.always, book.scenario])):
        if term in book.terms:
            askers.setdefault(chain_of(book, term), set()).add("")
    for rule in book.rules.values():
        for term in _asked([rule.guard, rule.value, rule.names]):
            askers.setdefault(chain_of(book, term), set()).update(chain_of(book, own) for own in rule.terms)
    for name, one in book.terms.items():
        for term in _asked([one.otherwise]):
            askers.setdefault(chain_of(book, term), set()).add(chain_of(book, name))
    found = {term for term, who in askers.items() if "" not in who}
    while out := {term for term in found if not askers[term] - {term} <= found}:
        found -= out
    return frozenset(found)


def _asked(nodes: Iterable[object]) -> list[str]:
    return [each.term for node in nodes for each in walk(node) if isinstance(each, graph.Ask)]


def advising_in_both(book: graph.Graph, base: graph.Graph) -> frozenset[str]:
    """Return the questions that decide nothing in either book, but advise computer players."""
    both = [(each, advisory_questions(each)) for each in (book, base)]
    deciding = {name for each, aside in both for term in each.terms if (name := chain_of(each, term)) not in aside}
    return frozenset(name for _, aside in both for name in aside if name not in deciding)
