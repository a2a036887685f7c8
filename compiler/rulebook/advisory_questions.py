"""Questions that only advise players that a computer plays, and decide nothing.

In: a graph. Out: the questions that nothing asks but the preferences of choices, directly or through one another.
At a table none of them is needed: they say what is worth choosing, never what is allowed or what comes of it.
"""

from collections import Counter
from collections.abc import Iterable

from compiler.rulebook.homes import chain_of
from runtime.graph import nodes as graph
from runtime.graph.walk import walk


def advisory_questions(book: graph.Graph) -> frozenset[str]:
    """List the questions that only preferences rest on; of one in stages, all or none."""
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
    """List the questions that decide nothing in either book, but advise players that a computer plays."""
    both = [(each, advisory_questions(each)) for each in (book, base)]
    deciding = {name for each, aside in both for term in each.terms if (name := chain_of(each, term)) not in aside}
    return frozenset(name for _, aside in both for name in aside if name not in deciding)
