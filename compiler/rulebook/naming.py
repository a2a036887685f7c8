"""Titles of rules, rulings, questions, procedures and counters, by which links, indexes and lists of changes call them.

In: a graph. Out: a title for each thing: what a layer heads it, else what its name, its question or its event says.
"""

from collections.abc import Mapping

from compiler.rulebook.added_factors import factor_title
from compiler.rulebook.index.mentions import Thing
from compiler.rulebook.openings import headings_of_things, procedure_heading
from compiler.rulebook.sentences import capitalize, heading_words, term_question
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.walk import walk


def titles_of_things(book: graph.Graph) -> dict[Thing, str]:
    """Name every rule, ruling, dispute, question, counter and procedure."""
    headed = headings_of_things(book)
    titles: dict[Thing, str] = {("rule", label): headed.get(label) or _rule_title(book, label) for label in book.rules}
    titles |= {("ruling", label): headed.get(label) or heading_words(label) for label in book.rulings}
    titles |= {("dispute", label): heading_words(label) for label in book.disputes}
    titles |= {("term", name): headed.get(name) or term_question(book, term) for name, term in book.terms.items()}
    titles |= {
        ("factor", f"{kind.name}.{name}"): factor_title(book, f"{kind.name}.{name}")
        for kind in book.vocabulary.kinds.values()
        for name, _ in kind.first
    }
    titles |= {("counter", name): capitalize(words.counter(name, book.counters)) for name in book.counters}
    return titles | {("procedure", key): _procedure_title(book, headed, one) for key, one in book.procedures.items()}


def _rule_title(book: graph.Graph, label: str) -> str:
    """Name a rule by its label; one that defines a question is called as the question reads."""
    term = book.terms.get(label.replace("-", "_"))
    return term_question(book, term) if term is not None and term.reads else heading_words(label)


def _procedure_title(book: graph.Graph, headed: Mapping[str, str], procedure: graph.Procedure) -> str:
    if procedure.what == "hook":
        return _hook_title(book, headed, procedure)
    layer = next((each for each in book.layers if each.name == procedure.name), None)
    called = layer.title if layer is not None and procedure.what == "sequence" else ""
    own = procedure_heading(book, procedure.what, procedure.name) if procedure.what in ("action", "resolution") else ""
    return called or own or _read(procedure) or heading_words(procedure.name)


def _read(procedure: graph.Procedure) -> str:
    """Return how a procedure reads, if that has no places for what is chosen."""
    return "" if "{" in procedure.reads else words.sentence(procedure.reads).removesuffix(".")


def _hook_title(book: graph.Graph, headed: Mapping[str, str], hook: graph.Procedure) -> str:
    """Name a hook by the first action that it offers, else by its event: its own sentence stands below."""
    offered = (name for step in walk(hook.body) if isinstance(step, graph.Offer) for name, _ in step.actions)
    for name in offered:
        action = book.procedures.get(f"action:{name}")
        if action and (called := procedure_heading(book, "action", name) or _read(action)):
            return called
    return headed.get(hook.event) or heading_words(hook.event)
