"""Printed explanations: the answer, the rules that decide it, and why the others do not apply."""

from dataclasses import replace

from rulewright.explain.auxiliary_rules import deciding_rules_first
from runtime.answer.answer_block import AnswerBlockBuilder
from runtime.answer.explain import FAILED, Explainer, Explanation
from runtime.answer.explanation_record import as_json
from runtime.answer.interpreter import Interpreter
from runtime.answer.recording import recording_interpreter
from runtime.answer.value_text import MOST_NAMED
from runtime.board.board import Board
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.document_text import block_text
from runtime.graph.wording import Wording
from runtime.state import change
from runtime.state.position import State
from runtime.state.record import Sheet
from tests.toys.bogged import bog
from tests.toys.build import given, op

MAP = graph.Board(
    "corner",
    {"A": (0, 0, ()), "B": (1, 0, ("thicket",)), "C": (2, 0, ("bog",)), "D": (0, 1, ("knoll",))},
    (("A", "B", ("hedge",)),),
    (("lane", "B", "C"),),
    {},
)


def corner() -> State:
    """Return a state with a heavy cart of the north in A, and a light one of the south in B."""
    state = State(bog(), Board(MAP))
    for name, side, at, build, traits in (
        ("K", "north", "A", "heavy", {"wheeled"}),
        ("L", "south", "B", "light", set()),
    ):
        sheet = Sheet(name, "cart", "", side, {"speed": 3, "might": 4, "build": build}, frozenset(traits))
        change.move(state, change.create(state, sheet).subject, state.board.index[at])
    return state


def explanation_text(explanation: Explanation) -> str:
    return block_text(AnswerBlockBuilder(bog()).block(explanation))


def explanation_of(state: State, term: str, *names: str) -> str:
    """Explain a question about pieces and hexes by name."""
    pieces = {sheet.name: index for index, sheet in enumerate(state.sheets)}
    arguments = tuple(pieces.get(name, state.board.index.get(name, -1)) for name in names)
    return explanation_text(Explainer(Interpreter(bog())).explain(state, term, arguments))


WHY = """\
No. K may not enter B from A.
  Wheels do not cross hedges. [hedges-stop-wheels: T.BOG.07]
    - K is wheeled; the hexside between A and B is hedge.
  No cart enters a hex that a foe holds. [held: T.BOG.11]
    - There is a cart in B that is not of K's side: L.
  A cart pays for every hex. [pay-your-way: T.BOG.05]
    - The price for K to enter B from A is 4 movement points, more than K's speed minus what K has spent, which is 3
      movement points.
    - The price of a hex stands in the chart. [chart-price: T.BOG.02]
      - Prices, thicket, heavy: 4 movement points. [T.BOG.50]
      - The ground of B is thicket. [thicket-is-thicket: T.BOG.17]
"""
WHY_NOT = """\
    - Closed on chart: what the chart prices says for the ground of B and K's build is 4 movement points, not barred.
      [closed-on-chart: T.BOG.10]
    - Lane through hedge: the hexside between A and B has no lane. [lane-through-hedge: T.BOG.09]
    - One hex: K is wheeled. [one-hex: T.BOG.06]
    - One truce: the bonus is 0, not 3. [one-truce: T.BOG.12]"""


def test_an_explanation_lists_deciding_and_failed_rules() -> None:
    explanation = explanation_of(corner(), "may_enter", "K", "A", "B")
    assert explanation == f"{WHY}  Rules that do not apply here:\n{WHY_NOT}"


def test_a_fold_is_closed_on_demand() -> None:
    block = AnswerBlockBuilder(bog()).block(Explainer(Interpreter(bog())).explain(corner(), "may_enter", (0, 0, 1)))
    assert block_text(block, closed=" (of 7)") == f"{WHY}  Rules that do not apply here: 4 (of 7)"


def test_an_overruled_rule_is_listed_with_its_exception() -> None:
    state = corner()
    change.set_fact(state, "game.bonus", 3)
    lines = explanation_of(state, "may_enter", "K", "A", "B").splitlines()
    assert "    - Held: overruled by one-truce. [held: T.BOG.11]" in lines
    assert "    - One truce: it lifts another rule. [one-truce: T.BOG.12]" in lines


def test_a_prohibition_below_the_question_lists_its_failed_exceptions() -> None:
    below = Explainer(Interpreter(bog())).explain(corner(), "may_enter", (0, 0, 1))
    above = replace(below, question="above", clauses=(), default="so it is", explanations=(below,))
    assert "      - “One truce” does not apply: the bonus is 0, not 3." in explanation_text(above).splitlines()
    assert "does not apply" not in explanation_text(below)


def test_the_rule_that_decides_stands_for_the_auxiliary_rule_that_passes_it_on() -> None:
    below = Explainer(Interpreter(bog())).explain(corner(), "may_enter", (0, 0, 1))
    wrapper = replace(
        below.applied_rules()[0],
        label="wrapped", cites=("house",), prose="Only a way.", conclusion="no", reasons=(below.sentence,),
        explanations=(below,),
    )  # fmt: skip
    above = replace(below, question="above", answer="no", clauses=(wrapper,))
    words_of_text = " ".join(explanation_text(deciding_rules_first(above)).split())
    assert words_of_text.startswith(
        "No. K may not enter B from A. Wheels do not cross hedges. [hedges-stop-wheels: T.BOG.07] - K is wheeled; the "
        "hexside between A and B is hedge. - “Lane through hedge” does not apply: the hexside between A and B has no "
        "lane."
    )
    # A rule that concludes the contrary, and does not prevail, is none that decides.
    allowing = tuple(replace(each, conclusion="allowed") if each.label == "held" else each for each in below.clauses)
    mixed = replace(wrapper, explanations=(replace(below, clauses=allowing),))
    labels = {each.label for each in deciding_rules_first(replace(above, clauses=(mixed,))).clauses}
    assert labels == {"hedges-stop-wheels", "pay-your-way"}
    with_more = replace(above, clauses=(replace(wrapper, reasons=("the cart is old", below.sentence)),))
    assert "    - The cart is old; K is wheeled; the " in explanation_text(deciding_rules_first(with_more))
    twice = replace(above, question="twice", clauses=(replace(wrapper, label="outer", explanations=(above,)),))
    assert explanation_text(deciding_rules_first(twice)).splitlines()[1].endswith("[hedges-stop-wheels: T.BOG.07]")
    for cited in (
        replace(wrapper, cites=("T.BOG.01",)),
        replace(wrapper, reasons=("K is wheeled",)),
        replace(wrapper, explanations=()),
        replace(wrapper, explanations=(replace(below, clauses=()),)),
    ):
        assert deciding_rules_first(replace(above, clauses=(cited,))).clauses == (cited,)


def test_what_makes_a_condition_below_the_question_true_is_named() -> None:
    below = Explainer(Interpreter(bog())).explain(corner(), "may_enter", (0, 0, 1))
    above = replace(below, question="above", clauses=(), default="so it is", explanations=(below,))
    assert "    - K may not enter B from A, because of L. [hedges-stop-wheels: " in explanation_text(above)
    carts = graph.Pieces(("cart",), None)
    explainer = Explainer(Interpreter(bog())).condition_explainer(
        corner(), {}, Wording(bog()), recording_interpreter(Interpreter(bog()))[0]
    )
    count = graph.Fold("count", "c", carts, None, None, None)
    some = graph.Fold("some", "c", carts, None, None, None)
    for condition, found in (
        (op(">", count, 1), "K and L"),
        (op("<", 1, op("+", count, count)), "K and L"),
        (op("or", op(">", count, 5), some), "K and L"),
        (op(">", count, 5), ""),
        (op("<", count, 5), ""),
        (op("not", op(">", count, 5)), ""),
    ):
        assert explainer.witnesses_text((condition,)) == found
    state = corner()
    for number in range(MOST_NAMED):
        sheet = Sheet(f"M{number}", "cart", "", "north", {"speed": 3}, frozenset())
        change.move(state, change.create(state, sheet).subject, 0)
    assert replace(explainer, state=state).witnesses_text((some,)) == "K, L, M0, M1, M2 and 2 more"


def test_an_explained_sum_lists_its_parts() -> None:
    lines = explanation_of(corner(), "push", "K", "D").splitlines()
    assert lines[0] == "The push of K into D is -1."
    assert "  +2: So do heavy ones. [heavy-pushes: T.BOG.21]" in lines
    assert "  -3: Cover hinders. [cover-hinders: T.BOG.22]" in lines
    assert "    - The cover in D is 3. [3 by knoll-covers: T.BOG.25]" in lines


def test_a_default_answer_is_explained() -> None:
    assert explanation_of(corner(), "ground_of", "A").splitlines()[:2] == [
        "The ground of A is open.",
        "  No rule says otherwise.",
    ]
    assert explanation_of(corner(), "fit", "K").startswith("Yes. K is fit.\n  No rule says otherwise.")


def test_a_default_answer_is_explained_although_an_exception_without_effect_holds() -> None:
    lines = explanation_of(corner(), "may_enter", "L", "B", "D").splitlines()
    assert lines[:2] == ["Yes. L may enter D from B.", "  No rule forbids it."]
    assert "    - One hex: there is no prohibition for it to lift. [one-hex: T.BOG.06]" in lines


def test_a_given_answer_is_explained_as_given() -> None:
    state = corner()
    answers = Interpreter(bog(), {("cover", (0,)): 2})
    assert explanation_text(Explainer(answers).explain(state, "cover", (0,))) == "The cover in A is 2.\n  It is given."


def test_the_json_of_an_explanation_has_its_documented_keys() -> None:
    state = corner()
    data = as_json(state, Explainer(Interpreter(bog())).explain(state, "price", (0, 0, 1)))
    assert data["value"] == 4
    assert data["because"][0]["rule"] == "chart-price"
    assert data["because"][0]["cites"] == ["T.BOG.02"]
    assert data["because"][0]["text"] == "The price of a hex stands in the chart."
    assert {silent["rule"]: silent["why"] for silent in data["not"]} == {
        "lane-price": "K may not use the lane from A to B",
        "no-price": ("what the chart prices says for the ground of B and K's build is 4 movement points, not barred"),
    }


def test_a_chain_of_stages_is_explained_from_its_last_stage() -> None:
    state = corner()
    assert explanation_of(state, "force", "K").splitlines() == [
        "The force of K is 4.",
        "  The force of K at the stage “printed” is 4. [printed-might: T.BOG.36]",
    ]
    change.mark(state, "cart.dizzy", 0)
    assert explanation_of(state, "force", "K").splitlines() == [
        "The force of K is 2.",
        "  The force of K at the stage “shaken” is 2. [dizzy-halves: T.BOG.37]",
        "    - The force of K at the stage “printed” is 4. [printed-might: T.BOG.36]",
    ]


def test_a_chain_of_stages_is_explained_completely_at_any_depth() -> None:
    lines = explanation_of(corner(), "column", "K", "L").splitlines()
    assert "    - The force of K at the stage “printed” is 4. [printed-might: T.BOG.36]" in lines
    state = corner()
    flat = Explainer(Interpreter(bog())).explain(state, "force", (0,), depth=0)
    assert [questions.question for questions in flat.explanations] == ["the force of K at the stage “printed”"]


def test_prose_that_ends_with_a_comma_is_printed_with_a_full_stop() -> None:
    assert words.sentence("infantry may hurry,") == "Infantry may hurry."
    assert words.sentence("May it hurry?") == "May it hurry?"
    assert not words.sentence(" ")


def test_an_explanation_without_failed_rules_has_the_other_clauses_unchanged() -> None:
    state = corner()
    left_out = 0
    for term, arguments in (("may_enter", (0, 0, 1)), ("price", (0, 0, 1)), ("column", (0, 1)), ("fit", (0,))):
        whole = Explainer(Interpreter(bog())).explain(state, term, arguments, 1)
        brief = Explainer(Interpreter(bog()), with_failed=False).explain(state, term, arguments, 1)
        remaining = [each for each in whole.clauses if each.status != FAILED]
        assert [replace(each, explanations=()) for each in brief.clauses] == [
            replace(each, explanations=()) for each in remaining
        ]
        assert replace(brief, clauses=(), explanations=()) == replace(whole, clauses=(), explanations=())
        for one, other in zip(brief.applied_rules(), whole.applied_rules(), strict=True):
            assert [each.sentence for each in one.explanations] == [each.sentence for each in other.explanations]
        left_out += len(whole.clauses) - len(remaining)
    assert left_out


def test_a_value_that_the_sentence_states_is_not_repeated() -> None:
    stack = bog()
    rule = replace(
        stack.rules["hedges-stop-wheels"], guard=op("=", given(graph.Var("mover"), "hex"), graph.Var("start"))
    )
    state = corner()
    state.graph = replace(stack, rules={**stack.rules, rule.label: rule})
    explanation = Explainer(Interpreter(state.graph)).explain(
        state, "may_enter", (0, state.board.index["A"], state.board.index["B"])
    )
    text = explanation_text(explanation)
    assert "K's hex is A." in text
