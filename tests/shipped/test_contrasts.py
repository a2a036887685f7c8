"""A comparison of the two games finds the contrasts that their documents state, from the rules alone.

The compilations of rulings for both games state, item by item, where the other game differs. Rules of ours represent
each such contrast; the comparison must name one of them, with a position. A comparison of the two games takes long,
even of one question; every run compares counters and one pair of readings.
"""

from functools import cache

import pytest

from rulewright.library.stacks import open_packages
from runtime.graph import nodes as graph
from runtime.witness.behavioral_diff import DifferingTerms, DiffGroup, behavioral_diff
from runtime.witness.printed_differences import counter_differences
from tests.sample import LONG, sampled

# Source id -> labels of the rules that represent the contrast; a difference must name one of them.
RULES = {
    "PLQ.MOVE.02": {"one-hex-minimum"},
    "PLQ.MOVE.03": {"always-one-hex"},
    "PLQ.ROAD.01": {"crowded-road"},
    "PLQ.ROAD.05": {"road-opens-green"},
    "PLQ.COMBAT.01": {"drop-fractions"},
    "PLQ.COMBAT.05": {"by-their-own-hand"},
    "PLQ.DF.01": {"own-fort-too", "men-on-the-roof"},
    "PLQ.OVERRUN.02": {"road-opens-ground", "road-opens-green"},
    "PLQ.OVERRUN.03": {"road-opens-green"},
    "PLQ.CAT.05": {"one-hex-and-assault"},
    "PLQ.MINE.06": {"no-mines-there"},
    "PBQ.MOVE.02": {"always-one-hex"},
    "PBQ.ROAD.01": {"company-ahead"},
    "PBQ.ROAD.04": {"company-over-green"},
    "PBQ.COMBAT.04": {"drop-fractions"},
    "PBQ.COMBAT.05": {"drop-fractions"},
    "PBQ.COMBAT.07": {"seen-firing"},
    "PBQ.COMBAT.14": {"by-their-own-hand"},
    "PBQ.OVERRUN.05": {"rate-opens-green"},
    "PBQ.CAT.01": {"assault-uphill"},
    "PBQ.SPOT.01": {"drivers-do-not-spot"},
    "PBQ.FORT.08": {"works-end-the-rate"},
    "PBQ.NOTE.01": {"by-their-own-hand"},
}

# Contrasts that are a question of only one of the games: work on blocks, units that come too late.
TERMS = {"PBQ.BLOCK.01": ("clearing", "a"), "PLQ.PROC.04": ("too_late", "a")}

# Contrasts that the comparison of one question alone shows.
ALONE = {
    "may_scuttle": ("PLQ.COMBAT.05", "PBQ.COMBAT.14", "PBQ.NOTE.01"),
    "strength_as.rounding": ("PLQ.COMBAT.01", "PBQ.COMBAT.04", "PBQ.COMBAT.05"),
}


@cache
def games() -> tuple[graph.Graph, graph.Graph]:
    """Compile the two games."""
    package_set = open_packages()
    one, other = (package_set.compiled(name).graph for name in ("panzer_leader", "panzerblitz"))
    assert one is not None
    assert other is not None
    return one, other


@pytest.fixture(scope="module")
def found() -> DifferingTerms:
    """Compare the two games once."""
    return behavioral_diff(*games())


@LONG
@pytest.mark.parametrize("question", ALONE)
def test_contrasts_are_found_in_one_question(question: str) -> None:
    compared = behavioral_diff(*games(), question)
    for source in ALONE[question]:
        check_contrast(compared, source)


@LONG
@pytest.mark.parametrize("source", RULES)
def test_a_contrast_is_found_with_a_witness(found: DifferingTerms, source: str) -> None:
    check_contrast(found, source)


def check_contrast(found: DifferingTerms, source: str) -> None:
    """Check that a difference names a rule of the contrast, with two answers and a position."""
    groups = [group for term in found.terms for group in term.groups if names(group) & RULES[source]]
    assert groups, f"{source}: no difference names {' or '.join(sorted(RULES[source]))}"
    for group in groups:
        assert group.witness.a != group.witness.b
        assert group.witness.file.startswith("position:")


def names(group: DiffGroup) -> set[str]:
    """Return the rules that a group of differences names."""
    return {*group.rules}


@LONG
@pytest.mark.parametrize("source", TERMS)
def test_a_contrast_is_a_question_of_one_game_only(source: str) -> None:
    question, only = TERMS[source]
    assert [(term.term, term.only) for term in behavioral_diff(*games(), question).terms] == [(question, only)]


@LONG
def test_the_whole_comparison_has_questions_of_one_game_and_counters(found: DifferingTerms) -> None:
    assert {*TERMS.values()} <= {(term.term, term.only) for term in found.terms}
    assert found.counters == (*counter_differences(*games()),)


def test_counters_of_one_name_with_other_values_differ() -> None:
    assert {"rifle", "smg", "halftrack"} <= {each.counter for each in counter_differences(*games()) if not each.only}


def test_each_game_has_its_own_tank_destroyer() -> None:
    # PLQ.UNIT.19; no source of ours states how the two heavy machine guns differ.
    only = {each.counter: each.only for each in counter_differences(*games()) if each.only}
    assert (only["ferdinand"], only["elefant"]) == ("a", "b")


@LONG
def test_scuttling_is_a_procedure_of_one_game_only(found: DifferingTerms) -> None:
    # PBQ.COMBAT.14
    assert ("scuttle", "b") in {(each.name, each.only_stack) for each in found.behavior.procedures}


@LONG
def test_a_difference_is_reported_once_at_its_origin(found: DifferingTerms) -> None:
    reports = {
        group.rules: term.term for term in found.terms for group in term.groups if group.rules == ("drop-fractions",)
    }
    assert reports == {("drop-fractions",): "strength_as.rounding"}


@sampled(0)
@pytest.mark.parametrize(
    ("game", "reading", "question", "rule"),
    [
        # The rule is about the crossing of a line, which is no parameter of any question.
        pytest.param(
            "panzer_leader", "crest-from-below=half-way-blocks", "can_see", "along-the-crest-from-below", marks=LONG
        ),
        # The rule is an exception that removes a prohibition.
        ("panzerblitz", "tanks-in-the-pond=nobody-may", "may_cross", "pond-stays-closed"),
    ],
)
def test_readings_whose_rules_only_defeat_others_differ_in_one_question(
    game: str, reading: str, question: str, rule: str
) -> None:
    package_set = open_packages()
    base_rules, others = (package_set.compiled(name).graph for name in (game, f"{game}+{reading}"))
    assert base_rules is not None
    assert others is not None
    [term] = behavioral_diff(base_rules, others).terms
    assert term.term == question
    assert [rule in group.rules for group in term.groups] == [True]
