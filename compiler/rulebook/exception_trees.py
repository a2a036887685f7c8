"""Exception trees: for one question, the rules that answer it, and which of them defeats which.

The input is a term; the output is its exception tree, roots first, each rule above those that defeat it; its default;
its stages; and what queries it.
"""

from itertools import chain

from compiler.rulebook.index.mentions import BookKey, Mentions
from compiler.rulebook.sentences import (
    beside_sentence,
    combination_text,
    default_sentence,
    term_question,
    type_words,
    wording_of,
)
from compiler.rulebook.source_order import written_rank
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import adopted_from, is_adopted
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.grouping import group_by
from runtime.graph.stages import stages_of


@frozen_dataclass
class ExceptionBranch:
    """A rule and the rules that defeat it. `also` are further rules that it defeats."""

    label: str
    above: "tuple[ExceptionBranch, ...]"
    also: tuple[str, ...]


@frozen_dataclass
class AdoptedExceptionTree:
    """The exception tree of the rules that a term adopts from another, and the sentence about it."""

    term: str
    sentence: str
    tree: tuple[ExceptionBranch, ...]


@frozen_dataclass
class TermDecision:
    """The contents of the page of a term.

    `stages` are separate decisions, first stage first; `beside` the rules that it adopts.
    """

    name: str
    asks: str
    given: tuple[tuple[str, str], ...]
    answers: str
    without_rule: str
    gathered: str
    tree: tuple[ExceptionBranch, ...]
    beside: tuple[AdoptedExceptionTree, ...]
    stages: "tuple[TermDecision, ...]"
    readers: tuple[BookKey, ...]
    things_read: tuple[BookKey, ...]  # questions and charts
    cites: tuple[str, ...]


def explain_decision(book: graph.Graph, mentions: Mentions, name: str) -> TermDecision:
    """Build the contents of the page of one question."""
    term = book.terms[name]
    stages = stages_of(book, name)
    wording = wording_of(book, term.parameters, term.name)
    tree = exception_tree(book, term)
    own_rules = [("rule", label) for label in term.rules]
    things_read = dict.fromkeys(chain.from_iterable(mentions.things_read.get(rule, ()) for rule in own_rules))
    # Branches by the declaration that adopts them, None for those of the question itself.
    branches = group_by(tree, lambda branch: _declaration_id(book, term, branch.label))
    return TermDecision(
        name,
        term_question(book, term),
        tuple((wording.variable(part.name), type_words(book, part.type)) for part in term.parameters),
        type_words(book, term.type),
        "" if stages else default_sentence(book, term),
        combination_text(term),
        tuple(branches.get(None, ())),
        tuple(
            AdoptedExceptionTree(beside.term, beside_sentence(book, term, beside), tuple(branches.get(id(beside), ())))
            for beside in term.beside
        ),
        tuple(explain_decision(book, mentions, stage) for stage in stages),
        tuple(key for key in mentions.readers.get(("term", name), ()) if key not in own_rules),
        tuple(key for key in things_read if key[0] in ("term", "chart") and key != ("term", name)),
        term.cites,
    )


def _declaration_id(book: graph.Graph, term: graph.Term, label: str) -> int | None:
    """Return the identity of the declaration by which a question adopts a rule; None for its own rules."""
    if label not in term.rules or not is_adopted(book.rules[label], term):
        return None
    return id(adopted_from(book, term, label))


def exception_tree(book: graph.Graph, term: graph.Term) -> tuple[ExceptionBranch, ...]:
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
