"""Constructs work in both evaluators and in play, are protected by their examples, and wrong uses are errors."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from compiler.analysis.expression_text import ExpressionWriter
from compiler.report.diagnose import diagnose
from compiler.report.render.line import diagnostic_line
from rulewright.cli.ask import known_side
from rulewright.errors import UsageError
from rulewright.library.stacks import open_packages
from rulewright.position_questions import UMPIRE, ask_about_position
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import Interpreter
from runtime.board.answer_errors import AbsentError
from runtime.graph import nodes as graph
from runtime.graph.procedure_pairs import procedure_pairs
from runtime.graph.question_templates import fill_template
from runtime.graph.wording import Wording
from runtime.mutation.targets import measure_protection
from runtime.play.game import Game
from runtime.play.options import END, Decision
from runtime.play.playthrough import ProcedureFrame
from runtime.players.player import as_seen
from runtime.state.position import State
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


def test_sets_are_phrased_and_written() -> None:
    mixed, around = (rules().rules[label].value for label in ("mixed", "neighbors-of"))
    assert mixed is not None
    assert around is not None
    assert Wording(rules()).phrase(mixed) == "beads in the h together with rings in the h".replace("the h", "h")
    assert "without" in Wording(rules()).phrase(around)
    assert ExpressionWriter(rules().vocabulary).text(mixed) == "bead at h + ring at h"


def test_records_and_actions_are_phrased() -> None:
    question = "may_hop(hop(of: {0}, reach: 2), {0})"
    why, why_not = (
        ask_about_position(STACK, TOY / "two_hops.yaml", question.format(who), depth=0).answer for who in ("Q", "P")
    )
    assert why is not None
    assert why_not is not None
    assert "Q has been rubbed; the length of the hop is 2, less than 3." in why.text
    assert "short-hops [house]: P has not been rubbed" in why_not.text


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


def test_tracks_and_printed_values_are_phrased_as_declared() -> None:
    text = rules().rules["left-over"].value
    assert text is not None
    assert Wording(rules()).phrase(text) == (
        "the printed size of b minus the way so far of b minus the number of beads on the floor minus the length of h"
    )


# ---------------------------------------------------------------- sets and lists with bounds


def chosen_counts(action: str, chosen: Callable[[State], int]) -> set[int]:
    """Play all choices of an action; return the numbers of chosen members."""
    position = next(example.position for example in rules().examples if example.title == "so many and no more")
    game = Game(rules(), GeneratedEvaluator(rules()))
    found: set[int] = set()

    def play(path: tuple[int, ...]) -> None:
        playthrough = game.start("sizes", from_position(rules(), position))
        playthrough.calls.append(ProcedureFrame(f"action:{action}", 0, {"player": "red"}))
        decision = game.advance(playthrough)
        for index in path:
            assert isinstance(decision, Decision)
            game.apply(playthrough, decision, index)
            decision = game.advance(playthrough)
        if isinstance(decision, Decision) and decision.question.startswith(f"{action}."):
            for index in range(len(decision.options)):
                play((*path, index))
        else:
            found.add(chosen(playthrough.state))

    play(())
    return found


def test_one_name_has_different_phrases_as_a_word_and_on_a_counter() -> None:
    text = rules().rules["told-by"].value
    assert text is not None
    assert Wording(rules()).phrase(text) == (
        "the printed size of b if the way is by what is printed, otherwise the way so far of b"
    )
    # The wording of a note leaves a member alone that states a form, with a wording of its own or without.
    assert [word.reads for word in rules().vocabulary.enums["way"].members] == ["by what is printed", "as rolled"]


def test_a_template_is_filled_with_the_name_of_a_side() -> None:
    of = (graph.Parameter("of", graph.Enum("side")),)
    filled = fill_template("supply of {of} passes, and that of {of} does not", of, ("the West",))
    assert filled == "supply of the West passes, and that of the West does not"


def test_a_noun_after_a_slot_is_not_repeated() -> None:
    turns = (graph.Parameter("turns", graph.Number(None, None, "")),)
    filled = [fill_template("rounds in {turns} turns", turns, (phrase,)) for phrase in ("3", "the number of turns")]
    assert filled == ["rounds in 3 turns", "rounds in the number of turns"]


@pytest.mark.parametrize("answers", [GeneratedEvaluator, Interpreter])
def test_a_cell_that_was_altered_to_another_kind_has_no_content(
    answers: type[GeneratedEvaluator | Interpreter],
) -> None:
    table = rules().tables["shells"]
    rows = tuple(replace(row, kind="kept", value=None) if row.kind == "worth" else row for row in table.rows)
    altered = replace(rules(), tables={**rules().tables, "shells": replace(table, rows=rows)}, hash="altered")
    state = from_position(altered, rules().examples[0].position)
    with pytest.raises(AbsentError):
        answers(altered).ask(state, "price_of", (3,))


def test_the_numbers_of_chosen_members_are_the_bounds() -> None:
    assert chosen_counts("gather", lambda state: len(state.marks["bead.dull"])) == {2, 3}
    assert chosen_counts("line_up", lambda state: len(state.facts["game.pile"])) == {2}


def test_citations_of_a_step_are_no_difference_of_a_procedure() -> None:
    handle = rules().procedures["action:handle"]
    choose, offer = handle.body
    assert isinstance(offer, graph.Offer)
    cited = replace(handle, body=(choose, replace(offer, cited=graph.Cited(("T.1",), handle.origin))))
    other = replace(rules(), procedures={**rules().procedures, "action:handle": cited})
    assert all(pair.is_equal for pair in procedure_pairs(rules(), other))
    silent = replace(rules(), procedures={**rules().procedures, "action:handle": replace(handle, body=(choose,))})
    assert [pair.first_key for pair in procedure_pairs(rules(), silent) if not pair.is_equal] == ["action:handle"]


# ---------------------------------------------------------------- secret records


def test_a_question_of_a_side_counts_its_own_plans_only() -> None:
    place = TOY / "two_plans.yaml"
    for side in ("", "red", "blue"):
        with pytest.raises(UsageError, match="hangs on the secret `plan`"):
            ask_about_position(STACK, place, "planned(B) + planned(C)", side=side, depth=0)
    count_of_plans = "count(p in all plan where p.by = {})"
    for side, by, count in ((UMPIRE, "red", "1"), ("red", "red", "1"), ("blue", "blue", "1")):
        question = ask_about_position(STACK, place, count_of_plans.format(by), side=side, depth=0)
        assert question.answer
        assert question.answer.data["text"] == count
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
    'feature hexside: wall marker "W"': "only statuses and features of hexes have a marker",
    "record x secret {owner: side}": "secret record x lacks `by`",
    "define d(a: set of bead): set of bead [house] = a + 1": "set of bead but is 1",
    "define d(a: set of bead, b: set of hex): set of bead [house] = a + b": "set of bead but is set of hex",
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
    "action a by red { choose b of 1..2 from all bead }": "`of` says how many are chosen, and this chooses one",
    "after dipped(b), after base-coot {}": "no hook `base-coot`",
    "after rolled(b, to), after base-coat {}": "`base-coat` hears `dipped`, and not what this hook hears",
    "after dipped(b) as base-coat {}": "base-coat",
    "after dipped(b) as one, after two {} after dipped(b) as two, after one {}": "hooks wait for each other",
    "resolution a() { draw any b from all bead set game.pile to b }": "this does not say how many are drawn",
    "resolution a() { draw b of 2 from all bead mark b as dull }": "`of` says how many are drawn, and this draws one",
    "resolution a() { draw order b of 0 from all bead set game.pile to b }": "this draws 0",
    "resolution a() { draw b from 5 set game.swept to b = 3 }": "a set or a list",
    "resolution a() { roll b: 6..1 set game.swept to b = 3 }": "the range `6..1` runs backwards",
    "resolution a() { roll b: dye set game.swept to b = 3 }": "there is no domain `dye`",
    "resolution a() { flip red }": "this needs piece",
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


@pytest.mark.parametrize(
    ("parameters", "tested", "advice"),
    [
        ("a: bead, b: bead", "a in b", "put it in braces, `{..}`: a set or a list of one"),
        ("a: bead, b: set of bead", "some(x in a where x in b)", "put a set or a list here"),
        (
            "a: set of hex",
            "some(x in bead at a where x.hex in a)",
            "pieces there are `{u in all unit where u.hex in SET}`",
        ),
        ("a: set of hex", "a in a", "name one member, or ask about all, `some(x in SET where ..)`"),
        ("a: set of bead, b: set of hex", "count(a + b) > 1", "put a set of bead here, or declare what stands here"),
    ],
)
def test_the_advice_for_a_wrong_set_can_be_followed(parameters: str, tested: str, advice: str, tmp_path: Path) -> None:
    layer = tmp_path / "wrong"
    layer.mkdir()
    (layer / "layer.yaml").write_text("layer: wrong\ntitle: Wrong\nkind: optional\non: [constructs]\n")
    (layer / "wrong.rules").write_text(f"define d({parameters}): yes_no [house] = {tested}\n")
    stack = open_packages((TOY, layer)).compiled("wrong")
    assert advice in next(each.help for each in diagnose(stack.problems, stack.texts))


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


def test_a_failed_action_of_an_example_has_its_reason(tmp_path: Path) -> None:
    layer = tmp_path / "refused"
    layer.mkdir()
    (layer / "layer.yaml").write_text("layer: refused\ntitle: Refused\nkind: optional\non: [constructs]\n")
    (layer / "refused.rules").write_text(
        "verdict may_nod(b: bead) default allowed\n"
        'rule stiff [house] "The blue do not nod."  may_nod forbidden  when b.side = blue\n'
        'action nod(b: bead) by player [house] "Nod." { legal may_nod(b) and b is not gone  move b off }\n'
        'example "nod" {\n  row A\n  piece R: bead of red at A\n  act nod(b: R) refused\n}\n'
        'example "stiff" {\n  row A\n  piece P: bead of blue at A\n  act nod(b: P)\n}\n'
    )
    stack = open_packages((TOY, layer)).compiled("refused")
    assert stack.graph is not None, [diagnostic_line(each) for each in diagnose(stack.problems, stack.texts)]
    granted, refused = (f for run in measure_protection(stack.graph, lambda _: False).runs for f in run.failures)
    assert (granted.expected, granted.actual, granted.explanation) == ("`nod` to be refused", "taken", "")
    assert (refused.expected, refused.actual) == ("`nod` to be taken", "refused by stiff: a condition fails")
    assert "forbidden, by stiff" in refused.explanation
