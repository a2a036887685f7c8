"""What the finder lists: the questions of the rules that a person can ask, and the actions, ranked by words.

In: a graph, and words. Out: scores. The ranking is that of the book (`compiler/rulebook/index/ranking.py`), over the
readings of questions and actions, and the phrases that layers declare for them (`asked`, `see`).
"""

from collections.abc import Container, Iterator
from itertools import pairwise

from compiler.rulebook.index.index_row import ASKED_SORT, IndexRow
from compiler.rulebook.index.ranking import SearchIndex
from compiler.rulebook.index.stems import split_tokens, stem
from rulewright.explain.decision_state import words_in
from rulewright.explain.option_lines import option_text
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.call_graph import terms_queried
from runtime.graph.closure import transitive_closure
from runtime.graph.identity_memo import memoized_by_identity
from runtime.graph.templates import without_slots
from runtime.graph.walk import nodes_of, walk
from runtime.graph.words import readable_name

# The most numbers that are tried for a parameter, as the faces of a die.
MOST_NUMBERS = 6
ACTION = "action:"
# Words that change the meaning of the verb before them.
_DIRECTIONS = frozenset("aboard away back behind down in inside into off on onto out over through up".split())


def _is_askable(term: graph.Term) -> bool:
    """Return whether a person can ask a question: it has a reading, and arguments that have names."""
    names = term.reads and term.form != "flag" and "." not in term.name
    return bool(names) and not isinstance(term.type, graph.RecordOf) and all(map(_has_names, term.parameters))


def _has_names(parameter: graph.Parameter) -> bool:
    match parameter.type:
        case graph.Piece() | graph.Hex() | graph.Enum():
            return True
        case graph.Number(low=int(low), high=int(high)):
            return high - low < MOST_NUMBERS
        case _:
            return False


def with_pairs(text: str, known: Container[str] | None = None) -> str:
    """Return a text with each word before a direction joined to it, as the words of *get into* alone have no topic.

    Only `known` pairs are added, if these are given.
    """
    tokens = split_tokens(text)
    pairs = [f"{stem(first)}{second}" for first, second in pairwise(tokens) if second in _DIRECTIONS]
    return " ".join((text, *(pair for pair in pairs if known is None or pair in known)))


@memoized_by_identity()
def question_index(rules: graph.Graph) -> SearchIndex:
    """Return the index of the questions and actions of a graph; an address is the name of one."""
    synonyms = ((phrase, term) for layer in rules.layers for phrase, terms in layer.see for term in terms)
    return SearchIndex([*_rows(rules)], synonyms)


def _rows(rules: graph.Graph) -> Iterator[IndexRow]:
    """Yield the rows of each question and action, and of the phrases for it."""
    preferring = _only_for_preference(rules)
    known = set[str]()
    for term in rules.terms.values():
        if _is_askable(term) and term.name not in preferring:
            known.add(term.name)
            words = f"{readable_name(term.name)} {without_slots(term.denied)}"
            yield IndexRow("Rule", with_pairs(without_slots(term.reads)), "", term.name, words)
    for key, procedure in rules.procedures.items():
        if procedure.what == "action":
            known.add(key)
            words = f"{without_slots(procedure.reads)} {procedure.prose}"
            yield IndexRow("Rule", f"{option_text(procedure)} {readable_name(procedure.name)}", "", key, words)
    for layer in rules.layers:
        for label, phrases in layer.asked:
            what, _, name = label.rpartition(" ")
            address = f"{ACTION}{name}" if what == "action" or f"{ACTION}{name}" in known else name
            rows = (IndexRow(ASKED_SORT, with_pairs(phrase), "", address, "", beside=address) for phrase in phrases)
            yield from rows if address in known else ()


def _only_for_preference(rules: graph.Graph) -> set[str]:
    """Return the questions that are asked only to tell what a computer's player prefers."""
    bodies = [procedure.body for procedure in rules.procedures.values()]
    wishes = [node.preferring for node in nodes_of(graph.Choose, tuple(bodies)) if node.preferring]
    within = {id(node) for wish in wishes for node in walk(wish)}
    others = {node.term for node in nodes_of(graph.Ask, tuple(bodies)) if id(node) not in within}

    def asked_by(name: str) -> list[str]:
        term = rules.terms.get(name)
        return [*terms_queried((rules_of_term(rules, term), term.otherwise))] if term else []

    wished = transitive_closure([*terms_queried(tuple(wishes))], asked_by)
    asked_elsewhere = transitive_closure(others, asked_by)
    return wished - asked_elsewhere


@memoized_by_identity()
def actions_asking(rules: graph.Graph) -> dict[str, tuple[str, ...]]:
    """Return for each question the actions of which it is a part: they ask it."""
    found = dict[str, tuple[str, ...]]()
    for procedure in rules.procedures.values():
        if procedure.what == "action":
            for what, name in sorted(words_in(rules, procedure.body)):
                found[name] = (*found.get(name, ()), procedure.name) if what == "term" else found.get(name, ())
    return found
