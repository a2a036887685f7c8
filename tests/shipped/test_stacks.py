"""Every shipped stack compiles and passes its examples; the situations play reproducibly to their end.

Every run proves three games by arithmetic, and each game but one with all its options by cases; it plays the first
situation of each game at random and greedily. `--all` runs the rest.
"""

import pickle

import pytest

from compiler.report.diagnose import diagnose
from compiler.report.render.line import diagnostic_line
from compiler.source.sentence import Severity
from rulewright.checks import proofs
from rulewright.checks.proofs import problems_without_proofs, prove_stack
from rulewright.library.example_targets import ExampleTarget, all_targets, card_targets
from rulewright.library.stacks import PackageSet, open_packages
from runtime.answer.generate import GeneratedEvaluator
from runtime.examples.run import run_examples
from runtime.graph import nodes as graph
from runtime.graph.canonical import node_text
from runtime.graph.steps import nested_steps
from runtime.play.game import FinishedGame, Game
from runtime.players.player import play_out, seat_players
from runtime.players.player_names import PLAYERS
from tests.sample import LONG, first_of_each, sampled
from tests.soak.stacks import options, together

PACKAGES = open_packages()
STACKS = [wanted.name for wanted in all_targets(PACKAGES) if not wanted.scenario]
ON_CARDS = card_targets(PACKAGES)
GAMES = ("long_frost", "low_tide", "panzer_grenadier", "panzer_leader", "panzerblitz")
# This large game shares most rules of its options with the one that every run proves.
LATE = "panzerblitz"
TOGETHER = [together(PACKAGES, game, options(PACKAGES, game)) for game in GAMES]
SITUATIONS = [wanted for wanted in all_targets(PACKAGES) if wanted.scenario]
# Every run proves these by arithmetic.
BY_ARITHMETIC = ("long_frost", "low_tide", "panzer_grenadier")
# The variant with the largest question; it is proved by cases with the stacks of several layers.
LARGEST = "panssari_salama"
LATER = [name for name in STACKS if "+" not in name and name not in BY_ARITHMETIC]


@pytest.fixture(scope="module")
def package_set() -> PackageSet:
    """Return the shipped packages."""
    return PACKAGES


@sampled(8)
@pytest.mark.parametrize("name", STACKS)
def test_a_stack_has_no_finding_and_its_examples_pass(package_set: PackageSet, name: str) -> None:
    """Of procedures with dice each is examined by itself, without the sequence of play."""
    stack = package_set.compiled(name)
    assert stack.graph is not None, [diagnostic_line(each) for each in stack.diagnostics]
    assert not stack.diagnostics, [diagnostic_line(finding) for finding in stack.diagnostics]
    if "+" not in name:  # Options beside each other are checked all together, below.
        findings = diagnose(problems_without_proofs(stack), stack.texts)
        assert not [diagnostic_line(finding) for finding in findings]
    failed = [failure for run in run_examples(stack.graph) for failure in run.failures]
    assert not failed, failed[0]
    procedures = stack.graph.procedures
    thrown = {key: each for key, each in procedures.items() if each.what != "sequence" and _throws_dice(each)}
    reports = {
        key: {text.what for text in each.account.texts} if each.account else set[str]() for key, each in thrown.items()
    }
    assert {key for key, kinds in reports.items() if not {"previews", "tells"} <= kinds} == set()


def _throws_dice(procedure: graph.Procedure) -> bool:
    """Return whether a procedure rolls a die by its own steps."""
    return any(
        isinstance(step, graph.Roll) or (isinstance(step, graph.Draw) and isinstance(step.of, graph.Number))
        for step in nested_steps(procedure.body)
    )


@sampled(3)
@pytest.mark.parametrize("wanted", ON_CARDS, ids=lambda wanted: wanted.name)
def test_examples_on_a_card_pass(package_set: PackageSet, wanted: ExampleTarget) -> None:
    stack = wanted.compiled(package_set)
    assert stack.graph is not None, [diagnostic_line(each) for each in stack.diagnostics]
    runs = tuple(run_examples(stack.graph))
    assert runs
    assert all(run.has_passed for run in runs), [failure for run in runs for failure in run.failures]


@pytest.fixture
def by_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable proofs by arithmetic, which take minutes with all options."""
    monkeypatch.setattr(proofs, "available_strategy", lambda: None)


@sampled(0)
@pytest.mark.parametrize("name", [*BY_ARITHMETIC, *(pytest.param(name, marks=LONG) for name in LATER)])
def test_proofs_by_arithmetic_report_no_error(package_set: PackageSet, name: str) -> None:
    stack = package_set.compiled(name)
    assert stack.graph is not None
    found = diagnose(prove_stack(stack.graph).problems, stack.texts)
    assert not [diagnostic_line(each) for each in found if each.severity is Severity.ERROR or each.code == "R0566"]


@pytest.mark.usefixtures("by_cases")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=LONG) for name in (LARGEST, *STACKS) if name == LARGEST or "+" in name]
)
def test_proofs_by_cases_report_no_error(package_set: PackageSet, name: str) -> None:
    stack = package_set.compiled(name)
    assert stack.graph is not None
    found = diagnose(prove_stack(stack.graph).problems, stack.texts)
    assert not [diagnostic_line(each) for each in found if each.severity is Severity.ERROR or each.code == "R0566"]


@sampled(1)
@pytest.mark.usefixtures("by_cases")
@pytest.mark.parametrize("name", [pytest.param(n, marks=LONG) if n.startswith(LATE) else n for n in TOGETHER])
def test_all_options_together_have_no_finding(package_set: PackageSet, name: str) -> None:
    stack = package_set.compiled(name)
    assert stack.graph is not None, [diagnostic_line(each) for each in stack.diagnostics]
    assert not [diagnostic_line(each) for each in diagnose(prove_stack(stack.graph).problems, stack.texts)]


@sampled(1)
# The graph with all options contains what the graph of a single option adds.
@pytest.mark.parametrize("name", [*dict.fromkeys((*GAMES, *TOGETHER))])
def test_a_graph_survives_pickling(package_set: PackageSet, name: str) -> None:
    stack = package_set.compiled(name)
    assert stack.graph is not None
    text = node_text(stack.graph)
    assert node_text(pickle.loads(pickle.dumps(stack.graph))) == text


@sampled(1)
@pytest.mark.parametrize(
    "wanted", first_of_each(SITUATIONS, lambda wanted: wanted.stack), ids=lambda wanted: wanted.scenario
)
def test_a_situation_plays_to_its_end_at_random(package_set: PackageSet, wanted: ExampleTarget) -> None:
    rules = set_up_example(package_set, wanted)
    assert rules.scenario is not None
    ends = [played(rules, "random") for _ in range(2)]
    assert [finished.turn for finished, _ in ends] == [rules.scenario.turns] * 2
    assert ends[0] == ends[1]


@sampled(1)
@pytest.mark.parametrize(
    "wanted", first_of_each(SITUATIONS, lambda wanted: wanted.stack), ids=lambda wanted: wanted.scenario
)
def test_a_situation_plays_to_its_end_greedily(package_set: PackageSet, wanted: ExampleTarget) -> None:
    rules = set_up_example(package_set, wanted)
    assert rules.scenario is not None
    finished, _ = played(rules, "greedy")
    assert 1 <= finished.turn <= rules.scenario.turns


def set_up_example(package_set: PackageSet, wanted: ExampleTarget) -> graph.Graph:
    """Compile a situation."""
    stack = package_set.compiled(wanted.stack, package_set.library.scenarios[wanted.scenario])
    assert stack.graph is not None, [diagnostic_line(each) for each in stack.diagnostics]
    return stack.graph


def played(rules: graph.Graph, players: str) -> tuple[FinishedGame, str]:
    """Play a situation to its end; return the result and the digest of the playthrough."""
    assert rules.scenario is not None
    game = Game(rules, GeneratedEvaluator(rules))
    playthrough = game.start("golden")
    return play_out(
        game, playthrough, seat_players(dict.fromkeys(rules.scenario.order, PLAYERS[players]), "golden")
    ), playthrough.digest()
