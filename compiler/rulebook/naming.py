"""Titles of rules, rulings, questions, procedures and counters for links, indexes and lists of changes.

The input is a graph; the output is a title for each thing: the heading declared by a layer, else one derived from its
name, its question or its event.
"""

from collections.abc import Mapping

from compiler.rulebook.added_factors import factor_title
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.openings import headings_of_things, procedure_heading
from compiler.rulebook.sentences import heading_words, term_question, with_capital
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.added_factors import added_factors
from runtime.graph.walk import nodes_of


def titles_of_things(book: graph.Graph) -> dict[BookKey, str]:
    """Return the titles of all rules, rulings, disputes, their readings, questions, counters and procedures."""
    headed = headings_of_things(book)
    titles: dict[BookKey, str] = {}
    # Readings that are not chosen have rules that are not in the graph.
    rules = dict.fromkeys(book.rules)
    for dispute in book.disputes.values():
        for reading in dispute.readings:
            rules |= dict.fromkeys(reading.rules)
            titles["reading", reading.label] = headed.get(reading.label) or heading_words(reading.label)
    for label in rules:
        titles["rule", label] = headed.get(label) or _rule_title(book, label)
    for label in book.rulings:
        titles["ruling", label] = headed.get(label) or heading_words(label)
    for label in book.disputes:
        titles["dispute", label] = headed.get(label) or heading_words(label)
    for name, term in book.terms.items():
        titles["term", name] = headed.get(name) or term_question(book, term)
    for factor in added_factors(book):
        titles["factor", factor.key] = factor_title(book, factor.key)
    for name in book.counters:
        titles["counter", name] = with_capital(words.counter(name, book.counters))
    for key, procedure in book.procedures.items():
        titles["procedure", key] = procedure_title(book, procedure)
    return titles


def title_in_sentence(book: graph.Graph, titles: Mapping[BookKey, str], thing: BookKey) -> str:
    """Return a title for the middle of a sentence: the wording of a question begins with a small letter there."""
    title = titles.get(thing, thing[1])
    term = book.terms.get(thing[1]) if thing[0] == "term" else None
    return f"{title[:1].lower()}{title[1:]}" if term and title == term_question(book, term) else title


def _rule_title(book: graph.Graph, label: str) -> str:
    """Return the title of a rule from its label; one that defines a question has the wording of the question."""
    term = book.terms.get(label.replace("-", "_"))
    return term_question(book, term) if term is not None and term.reads else heading_words(label)


def procedure_title(book: graph.Graph, procedure: graph.Procedure) -> str:
    """Return the title of a procedure: its heading, else its wording, else its name."""
    called = ""
    if procedure.what == "hook":
        return _hook_title(book, headings_of_things(book), procedure)
    if procedure.what == "sequence":
        called = next((layer.title for layer in book.layers if layer.name == procedure.name), "")
    elif procedure.what in ("action", "resolution"):
        called = procedure_heading(book, procedure.what, procedure.name)
    return called or _procedure_wording(procedure) or heading_words(procedure.name)


def _procedure_wording(procedure: graph.Procedure) -> str:
    """Return the wording of a procedure, if it has no placeholders for choices."""
    return "" if "{" in procedure.reads else words.sentence(procedure.reads).removesuffix(".")


def _hook_title(book: graph.Graph, headed: Mapping[str, str], hook: graph.Procedure) -> str:
    """Return the title of a hook: that of the first action that it offers, else of its event."""
    for key in offered_actions(hook):
        action = book.procedures.get(key)
        if action and (called := procedure_heading(book, "action", action.name) or _procedure_wording(action)):
            return called
    return headed.get(hook.event) or heading_words(hook.event)


def offered_actions(hook: graph.Procedure) -> tuple[str, ...]:
    """Return the keys of the actions that a hook offers."""
    offers = nodes_of(graph.Offer, hook.body)
    return tuple(f"action:{name}" for offer in offers for name, _ in offer.actions)
