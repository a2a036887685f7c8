"""Find questions that only advise computer players and decide nothing.

The input is a graph; the output is the questions that only preferences of choices query, directly or transitively. At a
table none of them is needed: they rank choices, but determine neither legality nor outcomes.
"""

from collections import Counter
from collections.abc import Iterable

from compiler.rulebook.printed_places import page_term
from runtime.graph import nodes as graph
from runtime.graph.walk import nodes_of


def advisory_questions(book: graph.Graph) -> frozenset[str]:
    """Return the questions that only preferences depend on; for a question in stages, all stages or none."""
    # The questions that query each question, "" for anything but questions and preferences.
    askers: dict[str, set[str]] = {}

    def add(terms: Iterable[str], asker_names: Iterable[str]) -> None:
        for term in terms:
            askers.setdefault(page_term(book, term), set()).update(asker_names)

    for procedure in book.procedures.values():
        choices = nodes_of(graph.Choose, procedure.body)
        preferred = Counter(_queried_terms(choice.preferring for choice in choices))
        add(preferred, ())
        add(Counter(_queried_terms([procedure.body])) - preferred, [""])
    deciding = (book.outcome, *_queried_terms([book.always, book.scenario]))
    add((term for term in deciding if term in book.terms), [""])
    for rule in book.rules.values():
        add(_queried_terms([rule.guard, rule.value, rule.names]), {page_term(book, term) for term in rule.terms})
    for name, question in book.terms.items():
        add(_queried_terms([question.otherwise]), [page_term(book, name)])
    add((aim.term for aim in book.aims if aim.term), ())
    advising = {term for term, asker_names in askers.items() if "" not in asker_names}
    while out := {term for term in advising if not askers[term] - {term} <= advising}:
        advising -= out
    return frozenset(advising)


def _queried_terms(nodes: Iterable[object]) -> list[str]:
    return [part.term for part in nodes_of(graph.Ask, tuple(nodes))]


def common_advisory_questions(book: graph.Graph, base: graph.Graph) -> frozenset[str]:
    """Return the questions that decide nothing in either book, but advise computer players."""
    advising: set[str] = set()
    deciding: set[str] = set()
    for rules in (book, base):
        aside = advisory_questions(rules)
        advising |= aside
        deciding |= {page_term(rules, term) for term in rules.terms} - aside
    return frozenset(advising - deciding)
