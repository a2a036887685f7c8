"""Constructs work in both evaluators and in play, are protected by their examples, and wrong uses are errors."""

from pathlib import Path

import pytest

from compiler.report.diagnose import diagnose
from compiler.report.render.line import diagnostic_line
from rulewright.explain.position_questions import UMPIRE, ask_about_position
from rulewright.library.stacks import open_packages
from rulewright.serve.cli.ask import known_side
from rulewright.system.errors import UsageError
from runtime.answer.generate import GeneratedEvaluator
from runtime.graph import nodes as graph
from runtime.mutation.targets import measure_protection
from runtime.play.game import Game
from runtime.play.options import END, Decision
from runtime.players.player import as_seen
from runtime.state.setup import from_position
from tests.answers.differential import compare
from tests.sample import LONG, sampled

TOY = Path(__file__).parent / "toy"
STACK = open_packages((TOY,)).compiled("constructs")


def rules() -> graph.Graph:
    """Return the graph of the compiled constructs."""
    assert STACK.graph is not None, [diagnostic_line(each) for each in STACK.diagnostics]
    return STACK.graph


def test_examples_pass_and_protect_every_unit() -> None:
    found = measure_protection(rules())
    assert [failure for run in found.runs for failure in run.failures] == []
    assert [unit.name for unit in found.unprotected] == []


@sampled(0)
@pytest.mark.parametrize("rounds", [1, pytest.param(3, marks=LONG)])
def test_both_evaluators_agree(rounds: int) -> None:
    for seed, example in enumerate(rules().examples):
        _, differences = compare(rules(), from_position(rules(), example.position), seed, rounds=rounds)
        assert differences == []


def test_a_position_is_asked_about_without_the_pairs_that_have_ended(tmp_path: Path) -> None:
    file = tmp_path / "lost_leaders.yaml"
    file.write_text(
        "position: lost_leaders\nstack: constructs\nboard: {rows: [[A, B, C, D, E]]}\npieces:\n"
        "  - {name: P, type: bead, side: red, at: A}\n  - {name: Q, type: bead, side: red, at: D}\n"
        "  - {name: R, type: bead, side: red, at: B}\n  - {name: S, type: bead, side: red, at: C}\n"
        "relations:\n  follows:\n    - {leader: P, followers: Q, near: A}\n"
        "    - {leader: Q, followers: R, near: A}\n    - {leader: P, followers: S, near: A}\n"
    )
    answers = {
        question: ask_about_position(STACK, file, question, depth=0).answer
        for question in ("P.followers", "R has leader")
    }
    assert {question: answer and answer.data["value"] for question, answer in answers.items()} == {
        "P.followers": ["S"],
        "R has leader": False,
    }


# ---------------------------------------------------------------- sets and lists with bounds


# ---------------------------------------------------------------- secret records


def test_a_question_of_a_side_counts_its_own_plans_only() -> None:
    place = TOY / "two_plans.yaml"
    for side in ("", "red", "blue"):
        with pytest.raises(UsageError, match="hangs on the secret `plan`"):
            ask_about_position(STACK, place, "planned(B) + planned(C)", side=side, depth=0)
    count_of_plans = "count(p in all plan where p.by = {})"
    for side, by, count in ((UMPIRE, "red", 1), ("red", "red", 1), ("blue", "blue", 1)):
        question = ask_about_position(STACK, place, count_of_plans.format(by), side=side, depth=0)
        assert question.answer
        assert question.answer.data["value"] == count
        assert question.answer.data.get("left_out", []) == ["plan"] * (side != UMPIRE)
        assert ("any `plan` of other sides is left out" in question.answer.text) == (side != UMPIRE)
    unrelated = ask_about_position(STACK, place, "count(all hex) > 0", side="red", depth=0)
    assert unrelated.answer
    assert "left_out" not in unrelated.answer.data


def test_players_do_not_see_the_plans_of_others() -> None:
    game = Game(rules(), GeneratedEvaluator(rules()))
    position = next(example.position for example in rules().examples if example.title == "only one's own")
    playthrough = game.start("secrets", from_position(rules(), position))
    decision = game.advance(playthrough)
    assert isinstance(decision, Decision)
    while not (isinstance(decision, Decision) and decision.side == "blue"):
        assert isinstance(decision, Decision)
        over = bool(playthrough.state.records["plan"]) and decision.options[-1].kind == END
        game.apply(playthrough, decision, len(decision.options) - 1 if over else 0)
        decision = game.advance(playthrough)
    assert len(playthrough.state.records["plan"]) > 0
    assert as_seen(game, playthrough, "blue").state.records["plan"] == ()
    assert as_seen(game, playthrough, "red").state.records["plan"] == playthrough.state.records["plan"]
    assert [option.name for option in decision.options] == ["make_plan", ""]


# ---------------------------------------------------------------- errors


WRONG = {
    'feature hexside: wall marker "W"': "only statuses and features of hexes can have a marker",
    "record x secret {owner: side}": "secret record x lacks `by`",
    "define d(a: set of bead): set of bead [house] = a + 1": "expected `set of bead`, found 1",
    "define d(a: set of bead, b: set of hex): set of bead [house] = a + b": "found `set of hex`",
    "define d(a: set of bead): set of bead [house] = a * a": "a number",
    "relation r(a: bead, b: bead) ends when c is gone": "there is no name `c`",
    "relation r(a: bead, b: bead) ends when 3": "yes or no",
    "offer spoil(b, red) beside polsh(b)": "there is no offered action `polsh`",
    "offer polish beside roll_on": "polish",
    "offer handle beside polish": "`polish` takes 1 argument",
    "offer polish(c) beside roll_on": "`c`",
    'wording rooled "way"': "rolled",
    'wording weigh.size "way"': "way",
    'wording way.sizes "way"': "size",
    "action a by red { choose b of 1..2 from all bead }": "`of` is not possible here, as only one is chosen",
    "after dipped(b), after base-coot {}": "no hook `base-coot`",
    "after rolled(b, to), after base-coat {}": "`base-coat` is a hook on another event, `dipped`",
    "after dipped(b) as base-coat {}": "base-coat",
    "after dipped(b) as one, after two {} after dipped(b) as two, after one {}": "each have to run before",
    "resolution a() { draw any b from all bead set game.pile to b }": "the number to be drawn is missing",
    "resolution a() { draw b of 2 from all bead mark b as dull }": "`of` is not possible here, as only one is drawn",
    "resolution a() { draw order b of 0 from all bead set game.pile to b }": "this draws nothing",
    "resolution a() { draw b from 5 set game.swept to b = 3 }": "a set or a list",
    "resolution a() { roll b: 6..1 set game.swept to b = 3 }": "the range `6..1` begins with its upper end",
    "resolution a() { roll b: dye set game.swept to b = 3 }": "there is no domain `dye`",
    "resolution a() { flip red }": "expected a piece",
    'example "x" { row A draws nothing_known ask A in all hex }': "nothing_known",
    "action a by red { choose any b of 1 hexes..2 from all bead }": "hexes",
}


@sampled(16)
@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_construct_is_one_error(text: str, tmp_path: Path) -> None:
    layer = tmp_path / "wrong"
    layer.mkdir()
    (layer / "layer.yaml").write_text("layer: wrong\ntitle: Wrong\nkind: optional\non: [constructs]\n")
    (layer / "wrong.rules").write_text(text + "\n")
    stack = open_packages((TOY, layer)).compiled("wrong")
    assert stack.graph is None
    diagnostics = [diagnostic_line(each) for each in diagnose(stack.problems, stack.texts)]
    assert len(diagnostics) == 1
    assert WRONG[text] in diagnostics[0], diagnostics


# ---------------------------------------------------------------- kinds of cells


def deeper(folder: Path, patch: str) -> list[str]:
    """Compile a layer that patches the chart, run its example, and return the failures."""
    layer = folder / "deeper"
    layer.mkdir()
    (layer / "layer.yaml").write_text("layer: deeper\ntitle: Deeper\nkind: optional\non: [constructs]\n")
    (layer / "patch.yaml").write_text(f"patch: shades\ncites: house\n{patch}\n")
    (layer / "deeper.rules").write_text(
        'example "pitch" { ask shades[blue, red] is pitch and shades[red, red] is depth }'
    )
    stack = open_packages((TOY, layer)).compiled("deeper")
    if stack.graph is None:
        return [diagnostic_line(each) for each in diagnose(stack.problems, stack.texts)]
    return [failure.actual for run in measure_protection(stack.graph, lambda _: False).runs for failure in run.failures]


def test_a_layer_adds_a_kind_of_cell(tmp_path: Path) -> None:
    change = "set: [{owner: blue, on: red, expect: none, now: pitch}]"
    assert deeper(tmp_path, f"add kinds: {{pitch: word}}\n{change}") == []


@pytest.mark.parametrize(
    ("patch", "message"),
    [
        ("add kinds: {depth: word}", "kind of cell"),
        ("add kinds: {pitch: 3}", "R0101"),
        ("add kinds: {}", "kinds of cells"),
    ],
)
def test_a_wrong_kind_of_cell_is_an_error(tmp_path: Path, patch: str, message: str) -> None:
    assert message in deeper(tmp_path, patch)[0]


def test_an_unknown_side_is_refused() -> None:
    assert known_side(STACK, "red") == "red"
    with pytest.raises(UsageError, match="there is no side `rde`"):
        known_side(STACK, "rde")
