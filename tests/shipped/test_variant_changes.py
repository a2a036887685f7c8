"""The changes in the book of a variant are those that `diff` finds: none is missing, and none is listed twice.

Each option is compared with its game, each variant with its base, each reading that is not chosen with the chosen one.
Every run compares one pair of each game and sort.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

import pytest

from compiler.rulebook.advisory_questions import common_advisory_questions
from compiler.rulebook.booklet import IMPACTS, Baseline, Booklet, ChangeEvidence, ListedChange, Topic
from compiler.rulebook.changes import ON_PAGES, compare_books
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.naming import offered_actions
from compiler.rulebook.printed_places import page_term
from rulewright.checks.card_library import changed_cards
from rulewright.lab.contrast.baseline_differences import compare_stacks
from rulewright.library.stacks import PackageSet, open_packages
from runtime.graph import nodes as graph
from runtime.witness import structural_difference
from tests.sample import LONG, first_of_each, sampled
from tests.soak.stacks import options, package_set

GAMES = ("panzer_leader", "panzerblitz", "panzer_grenadier", "long_frost")
KINDS = {"question": "term"}  # A booklet has another name for this kind.
shipped_packages = cache(package_set)


def pairs() -> Iterator[tuple[str, str]]:
    """Yield stacks, each with the stack that it is compared with."""
    found = shipped_packages()
    yield "pl1940-pl1940_experimental", "pl1940"
    yield "pl1940", "pl1940+opportunity_fire"
    for game in GAMES:
        yield from ((game, f"{game}+{option}") for option in options(found, game))
        rules = found.compiled(game).graph
        assert rules is not None
        for label, dispute in rules.disputes.items():
            yield from ((game, f"{game}+{label}={each.label}") for each in dispute.readings if not each.chosen)


def compared(
    base: str, name: str
) -> tuple[Booklet, tuple[structural_difference.NodeChange, ...], graph.Graph, graph.Graph]:
    """Compare two stacks for a book without a search for positions; return booklet, changes and both graphs."""
    a, b = (shipped_packages().compiled(stack).graph for stack in (base, name))
    assert a is not None
    assert b is not None
    found = structural_difference.structural_difference(a, b)
    evidence = tuple(ChangeEvidence(each.kind, each.name, each.operation, "", "") for each in found)
    return compare_books(b, Baseline(a, "the base", accounts=evidence)), found, a, b


def thing_of(change: structural_difference.NodeChange) -> BookKey:
    """Return the booklet's name of a changed part."""
    return KINDS.get(change.kind, change.kind), change.name


def missing_changes(
    booklet: Booklet, found: tuple[structural_difference.NodeChange, ...], a: graph.Graph, b: graph.Graph
) -> list[str]:
    """Return the changes that the booklet does not mention, directly or by a ruling, a question or a reaction.

    Exempt are advice for computer players and parts that are only printed differently.
    """
    labels = {change.thing for change in booklet.changes}
    noted = {(each.kind, each.label) for each, _ in booklet.words}
    aside = common_advisory_questions(b, a)
    missing = []
    for change in found:
        book, thing = a if change.operation == "gone" else b, thing_of(change)
        told_by = {thing}
        terms: tuple[str, ...] = ()
        if change.kind == "question":
            terms = (change.name,)
            rules = [book.rules[label] for label in book.terms[change.name].rules]
            told_by |= {each for rule in rules for each in (("rule", rule.label), ("ruling", rule.ruling))}
        if change.kind == "rule":
            rule = book.rules[change.name]
            terms = rule.terms
            told_by |= {("ruling", rule.ruling)} | {("term", term) for term in terms if not rule.prose}
        elif thing[0] == "procedure" and not (hook := book.procedures[thing[1]]).prose and hook.what == "hook":
            # A hook that only offers a reaction has no sentence of its own.
            told_by |= {("procedure", action) for action in offered_actions(hook)}
        elif change.kind == "cell":
            told_by.add(("chart", change.name.partition("[")[0]))
        advises = bool(terms) and {page_term(book, term) for term in terms} <= aside
        if change.kind not in ON_PAGES:
            if change.operation != "printed" and (change.kind, change.name) not in noted:
                missing.append(f"{change.kind} {change.name}")
        elif change.operation != "printed" and not advises and labels.isdisjoint(told_by):
            missing.append(f"{change.kind} {change.name}")
    return missing


def unfounded(booklet: Booklet, found: tuple[structural_difference.NodeChange, ...]) -> list[BookKey]:
    """Return the parts that the booklet lists although they are equal."""
    differs = {thing_of(each) for each in found}
    differs |= {("chart", each.name.partition("[")[0]) for each in found if each.kind == "cell"}
    return [change.thing for change in booklet.changes if change.thing not in differs]


@sampled(1)
@pytest.mark.parametrize("pair", first_of_each(pairs(), lambda pair: (pair[0], "=" in pair[1])), ids="..".join)
def test_a_booklet_lists_each_change_once(pair: tuple[str, str]) -> None:
    booklet, found, a, b = compared(*pair)
    assert found
    assert missing_changes(booklet, found, a, b) == []
    assert unfounded(booklet, found) == []
    assert [thing for thing, count in Counter(change.thing for change in booklet.changes).items() if count > 1] == []
    assert {change.sort for change in booklet.changes} <= {"", "addition", "correction", "clarification"}
    assert {change.impact for change in booklet.changes} <= {"", *IMPACTS}
    silent = [change.thing for change in booklet.changes if not change.now and not change.before]
    assert [thing for thing in silent if thing[0] != "counter"] == [], "a counter may show nothing but its name"


def with_changes(booklet: Booklet, changes: Iterable[ListedChange]) -> Booklet:
    """Return a booklet with these changes, under one topic."""
    return replace(booklet, topics=(Topic("", "", "", tuple(changes)),))


def test_a_missing_or_unfounded_change_is_detected() -> None:
    booklet, found, a, b = compared("panzer_grenadier", "panzer_grenadier+pg_smoke")
    [gone, *others] = (change for change in booklet.changes if change.thing[0] == "rule")
    less = with_changes(booklet, [each for each in booklet.changes if each.thing != gone.thing])
    assert others
    assert missing_changes(less, found, a, b) == [f"rule {gone.thing[1]}"]
    more = ListedChange("new", ("rule", "nobodys"), "Nobody's", ("It is so.",), ())
    assert unfounded(with_changes(booklet, [*booklet.changes, more]), found) == [("rule", "nobodys")]


def contradictions(rules: graph.Graph, position: graph.Position) -> Iterator[str]:
    """Yield why a position is impossible.

    Unknown counters, hexes off the board, two values of one name, too many partners.
    """
    pieces = {piece.name: piece for piece in position.pieces}
    if len(pieces) < len(position.pieces):
        yield "two pieces have one name"
    spaces = {*position.board.hexes}
    for piece in position.pieces:
        counter = rules.counters.get(piece.counter)
        if piece.counter and counter is None:
            yield f"{piece.name} is no counter: {piece.counter}"
        elif counter is not None and counter.owner not in {"", piece.owner}:
            yield f"{piece.name} is of another side than its counter"
        if piece.at and piece.at not in spaces:
            yield f"{piece.name} is in no hex: {piece.at}"
    ends = [end for one, other, _ in (*position.board.sides, *position.board.links) for end in (one, other)]
    ends += [end for _, one, other in position.board.paths for end in (one, other)]
    ends += [*(name for name, _ in position.hex_marks), *(name for name, *_ in position.hex_tracks)]
    yield from (f"nothing is drawn at {end}" for end in ends if end not in spaces)
    names = [*(name for name, _ in position.facts), *((name, track) for name, track, _ in position.hex_tracks)]
    yield from (f"two values of {name}" for name, count in Counter(names).items() if count > 1)
    for relation, left, right, _ in position.pairs:
        yield from (f"{relation} of {end}, which is nowhere" for end in (left, right) if end not in {*pieces, *spaces})
    for name, kind in rules.vocabulary.relations.items():
        side = {"left": 1, "right": 2}.get(kind.one)
        held = Counter(pair[3 - side] for pair in position.pairs if side and pair[0] == name)
        yield from (f"{end} has two by {name}" for end, count in held.items() if count > 1)


@pytest.mark.parametrize(
    ("base", "name"),
    [
        ("panzer_grenadier", "panzer_grenadier+pg_smoke"),
        pytest.param("panzerblitz", "panssari_salama", marks=LONG),
        pytest.param("panzer_leader", "pl1940", marks=LONG),
        pytest.param("panzer_leader", "panzer_leader+quick_time", marks=LONG),
    ],
)
def test_positions_of_a_booklet_are_consistent(base: str, name: str) -> None:
    found: PackageSet = open_packages()
    older, stack = found.compiled(base), found.compiled(name)
    assert older.graph is not None
    assert stack.graph is not None
    baseline = compare_stacks(stack, older, day="")
    answer_differences = [
        answer_difference for parted in baseline.differences for answer_difference in parted.answer_differences
    ]
    reports = [seen.difference.question for _, drawn in compare_books(stack.graph, baseline).answers for seen in drawn]
    assert {*reports} <= {answer_difference.question for answer_difference in answer_differences}
    assert any(answer_difference.position for answer_difference in answer_differences)
    speaks = {older.graph.stack: older.graph, stack.graph.stack: stack.graph}
    for answer_difference in answer_differences:
        if answer_difference.position is not None:
            assert [*contradictions(speaks[answer_difference.drawn_by], answer_difference.position)] == [], (
                answer_difference.question
            )


@sampled(0)
@pytest.mark.parametrize("game", ["panzerblitz", pytest.param("panzer_leader", marks=LONG)])
def test_a_booklet_has_the_cards_that_layers_patch(game: str) -> None:
    found: PackageSet = open_packages()
    older, stack = found.compiled(f"{game}_cards"), found.compiled(f"{game}_corrections")
    baseline = compare_stacks(stack, older, day="")
    patched = {card for card, _ in changed_cards(found.library, stack.name)}
    assert patched
    assert [card.title.rpartition("(")[2][:-1] for card in baseline.cards] == sorted(patched)
    assert all(card.sentences for card in baseline.cards)
    assert not compare_stacks(older, older, day="").cards
