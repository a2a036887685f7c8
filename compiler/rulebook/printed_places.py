"""Compute the place where each thing is printed.

The input is a graph; the output is for each rule the case it is printed in, for each ruling the rule it is printed
beside, for each example the rule, ruling or term it is printed under.

Authors write rulings and examples in separate files. Readers expect them at the rule they are about, so that a ruling
goes to the first rule that it clarifies or overrules, and an example to the first rule that it expects as a reason. The
rest goes where its question is queried, or where most rules cite the same section of the sources.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from compiler.rulebook.source_order import sort_title, written_rank
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.walk import nodes_of


@frozen_dataclass
class PrintedPlaces:
    """The places where things are printed. A case or rule of "" means no particular place."""

    cases: dict[str, str]  # rule -> case
    rulings: dict[str, str]  # ruling -> rule
    examples: dict[tuple[str, str], tuple[graph.Example, ...]]  # ("rule" | "ruling" | "term" | "", name) -> examples
    ruling_cases: dict[str, str]  # ruling beside no rule of the text -> case

    def only_defines(self, rule: graph.Rule) -> bool:
        """Return whether a rule only defines a word: it has neither a case nor a sentence."""
        return not self.cases[rule.label] and not rule.prose and not rule.ruling and bool(rule.terms)


def only_ruled(rule: graph.Rule) -> bool:
    """Return whether a rule only represents its ruling, which has its whole text."""
    return bool(rule.ruling) and not rule.verb and not rule.defeats


def find_printed_places(book: graph.Graph) -> PrintedPlaces:
    """Return the place of each rule, ruling and example."""
    rulings = {label: _adjacent_rule(book, ruling) for label, ruling in book.rulings.items()}
    below = _layers_below(book)
    cases = {label: _case_of(book, label, rulings, below, ()) for label in book.rules}
    case_by_rule = {label: case for label, case in cases.items() if case}
    # `cases` is completed below, and so are these places.
    printed_places = PrintedPlaces(cases, rulings, {}, {})

    def nearest(label: str, cites: tuple[str, ...], layer: str) -> str:
        """Return the case beside a rule, among those of the layers below."""
        candidates = {
            rule: case for rule, case in case_by_rule.items() if book.cases[case].origin.layer in below[layer]
        }
        return _nearest(book, label, cites, candidates)

    for label in [label for label in cases if label not in case_by_rule]:
        rule = book.rules[label]
        if not printed_places.only_defines(rule):
            # A rule of the lowest layer that no rule of a case queries is printed at the end of the book.
            added = rule.ruling or rule.origin.layer != book.layers[0].name
            cites = rule.cites if added else ()
            cases[label] = nearest(rulings.get(rule.ruling, label), cites, rule.origin.layer)
    for label, ruling in book.rulings.items():
        adjacent_rule = rulings[label]
        is_beside_text = adjacent_rule and not printed_places.only_defines(book.rules[adjacent_rule])
        if not is_beside_text and book.rules.keys().isdisjoint(ruling.rules):
            printed_places.ruling_cases[label] = nearest(adjacent_rule, ruling.cites, ruling.origin.layer)
    return replace(printed_places, examples=_place_examples(book, printed_places))


def _place_examples(
    book: graph.Graph, printed_places: PrintedPlaces
) -> dict[tuple[str, str], tuple[graph.Example, ...]]:
    """Return the examples by what they are printed under; those of a definition are under its question."""
    examples: dict[tuple[str, str], list[graph.Example]] = {}
    for example in sorted(book.examples, key=lambda example: (*written_rank(book, example), sort_title(example.title))):
        kind, name = _example_home(book, example)
        if kind == "rule" and printed_places.only_defines(book.rules[name]):
            kind, name = "term", page_term(book, book.rules[name].terms[0])
        examples.setdefault((kind, name), []).append(example)
    return {home: tuple(members) for home, members in examples.items()}


def page_term(book: graph.Graph, name: str) -> str:
    """Return the term on whose page a term is explained: itself, or the term of which it is a stage."""
    staged_term = name.rpartition(".")[0]
    return staged_term if staged_term in book.terms and book.terms[name].form != "flag" else name


def target_labels(rule: graph.Rule) -> tuple[str, ...]:
    """Return the labels a rule was written against, including what it defeats, without duplicates."""
    return tuple(dict.fromkeys([*(label for _, label in rule.relations), *rule.defeats]))


def labels_behind_ruling(book: graph.Graph, ruling: graph.Ruling) -> Iterator[str]:
    """Yield the labels of what a ruling clarifies, then of what its rules were written against."""
    yield from ruling.clarifies
    for label in ruling.rules:
        if label in book.rules:
            yield from target_labels(book.rules[label])


def _adjacent_rule(book: graph.Graph, ruling: graph.Ruling) -> str:
    labels = labels_behind_ruling(book, ruling)
    return next((label for label in labels if label in book.rules and label not in ruling.rules), "")


def _layers_below(book: graph.Graph) -> dict[str, frozenset[str]]:
    """Map each layer to the layers that it is based on, itself, and all base layers.

    A thing finds its place among those of its layer, so that its place is the same with and without further options.
    """
    base = frozenset(layer.name for layer in book.layers if layer.kind == "base")
    rules, rulings = book.rules.values(), book.rulings.values()
    below = dict.fromkeys([*(rule.origin.layer for rule in rules), *(ruling.origin.layer for ruling in rulings)], base)
    for layer in book.layers:
        below[layer.name] = base.union({layer.name}, *(below.get(name, ()) for name in layer.on))
    return below


def _case_of(
    book: graph.Graph,
    label: str,
    rulings: dict[str, str],
    below: dict[str, frozenset[str]],
    seen: tuple[str, ...],
) -> str:
    if label in seen:
        return ""
    rule = book.rules[label]
    if adjacent_rule := rulings.get(rule.ruling, ""):
        return _case_of(book, adjacent_rule, rulings, below, (*seen, label))
    if rule.case in book.cases:
        return rule.case
    for target in target_labels(rule):
        if target in book.cases:
            return target
        if target in book.rules and (case := _case_of(book, target, rulings, below, (*seen, label))):
            return case
    # Else where most rules of its questions are.
    votes: Counter[str] = Counter()
    for term in rule.terms:
        for other in book.terms[term].rules if term in book.terms else ():
            case = book.rules[other].case
            votes[case] += case in book.cases and book.cases[case].origin.layer in below[rule.origin.layer]
    return min(+votes, key=lambda case: (-votes[case], case), default="")


def _nearest(book: graph.Graph, label: str, cites: tuple[str, ...], case_by_rule: dict[str, str]) -> str:
    """Return the case whose rules query the terms of a rule most often.

    Else the one with most citations of the same sections.
    """
    terms = {*book.rules[label].terms} if label in book.rules else set()
    sections = {item.rpartition(".")[0] for item in cites} - {""}
    asking: Counter[str] = Counter()
    citing: Counter[str] = Counter()
    for other, case in case_by_rule.items():
        rule = book.rules[other]
        asking[case] += any(node.term in terms for node in nodes_of(graph.Ask, (rule.guard, rule.value)))
        citing[case] += any(item.rpartition(".")[0] in sections for item in rule.cites)
    for votes in (asking, citing):
        if most := max(votes.values(), default=0):
            return min(case for case in votes if votes[case] == most)
    return ""


def _example_home(book: graph.Graph, example: graph.Example) -> tuple[str, str]:
    if example.protects in book.rulings:
        return "ruling", example.protects
    labels: list[str] = []
    for line in example.lines:
        labels += line.reasons if isinstance(line, graph.Check | graph.Perform) else ()
    for label in (*labels, example.protects):
        if label in book.rules:
            ruling = book.rules[label].ruling
            return ("ruling", ruling) if ruling in book.rulings else ("rule", label)
        if label in book.rulings:
            return "ruling", label
    for line in example.lines:
        if isinstance(line, graph.Check) and isinstance(line.question, graph.Ask) and line.question.term in book.terms:
            return "term", page_term(book, line.question.term)
    return "", ""
