"""Entries under `equivalent` that match no mutant, found without running examples, for `check`.

In: the available packages and a stack. Out: entries of its own layers. The thing of an entry is looked up in the
stack; only if no mutant of it matches are all mutants enumerated, including those of readings and cards.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from compiler.report.answers import StaleEquivalent
from rulewright.library.example_targets import own_layers
from rulewright.library.stacks import PackageSet
from rulewright.mutation.equivalent_mutants import EquivalentEntry, listed_entries, name_without_number, number_mutants
from rulewright.mutation.mutation_scenes import card_scenes, reading_scenes
from runtime.graph import nodes as graph
from runtime.mutation.law_mutants import rule_mutants, term_mutants
from runtime.mutation.mutant import Mutant
from runtime.mutation.procedure_mutants import procedure_mutants
from runtime.mutation.protection import mutants_of
from runtime.play.game import SEQUENCE


def unmatched_equivalents(package_set: PackageSet, stack: str, rules: graph.Graph) -> tuple[StaleEquivalent, ...]:
    """Return the entries of a stack's own layers that match no mutant."""
    layer_names = own_layers(rules)
    left = [each for each in listed_entries(package_set.library, stack) if each.layer in layer_names]
    places: defaultdict[str, list[EquivalentEntry]] = defaultdict(list)
    for each in left:
        places[each.subject].append(each)
    left = [
        each
        for subject, entries in places.items()
        for each in unfitting_entries(entries, rules, mutants_named(rules, subject))
    ]
    left = unfitting_entries(left, rules)
    for scene in (*reading_scenes(package_set, rules, stack), *card_scenes(package_set, stack)) if left else ():
        scene_graph = scene.graph(package_set)
        if scene_graph is not None:
            left = unfitting_entries(left, scene_graph)
    return tuple(
        StaleEquivalent(
            each.subject,
            each.original,
            each.replacement,
            is_noticed=False,
            span=each.span,
            named_at=_place_named(rules, each.subject),
        )
        for each in left
    )


def _place_named(rules: graph.Graph, subject: str) -> graph.Origin | None:
    """Return the origin of the rule, question or procedure of an entry; None if there is none."""
    name = subject.partition(" of ")[2] or subject
    for declarations in (rules.rules, rules.terms, rules.procedures):
        if name in declarations:
            return declarations[name].origin
    return next((each.origin for key, each in rules.procedures.items() if name_without_number(key) == name), None)


def unfitting_entries(
    entries: list[EquivalentEntry], rules: graph.Graph, among: Iterable[Mutant] | None = None
) -> list[EquivalentEntry]:
    """Return the entries that match no mutant of a graph, or of those in `among`."""
    left = list(entries)
    mutants = list(mutants_of(rules) if among is None else among) if left else []
    for mutant, nth in zip(mutants, number_mutants(mutants), strict=True):
        left = [each for each in left if not each.matches(mutant, nth, rules)]
    return left


def mutants_named(rules: graph.Graph, subject: str) -> Iterator[Mutant]:
    """Yield the mutants of the rule, the question or the procedure of an entry."""
    if subject in rules.rules:
        yield from rule_mutants(rules, rules.rules[subject])
    elif subject in rules.terms:
        yield from term_mutants(rules, rules.terms[subject])
    else:
        _, separator, owner = subject.partition(" of ")
        procedure = owner if separator else subject if subject in rules.procedures else SEQUENCE
        for key in rules.procedures:  # Several hooks on one event differ by numbers.
            if procedure in (key, name_without_number(key)):
                yield from procedure_mutants(rules, key)
