"""Path searches find the cheapest paths, explain their results, and wrong searches are errors."""

from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.analysis.expression_text import ExpressionWriter
from compiler.compile import compile_stack
from compiler.report.diagnose import diagnose
from compiler.report.render.line import diagnostic_line
from rulewright.library.stacks import open_packages
from rulewright.position_questions import ask_about_position
from runtime.board.board import Board
from runtime.board.search import cheapest_cost, cheapest_way, least_blocked_route, linked_by, reachable, searched
from runtime.examples.run import run_row
from runtime.graph import nodes as graph
from runtime.graph.references import dangling_references
from runtime.graph.wording import Wording
from tests.analysis.planted import library_of
from tests.sample import sampled

TOY = Path(__file__).parent / "toy"
STACK = open_packages((TOY,)).compiled("constructs")
SIZE = 4
BOARD = Board(graph.Board("square", {f"{x}-{y}": (x, y, ()) for x, y in product(range(SIZE), repeat=2)}, (), (), {}))
STEPS = [(a, b) for a in range(BOARD.size) for b in BOARD.around[a]]


def relaxed(start: int, price: dict[tuple[int, int], int]) -> dict[int, int]:
    """Compute the cost of each hex as Bellman and Ford do: relax all steps until none gets cheaper."""
    cost = {start: 0}
    for _ in range(BOARD.size):
        for (a, b), paid in price.items():
            if a in cost:
                cost[b] = min(cost.get(b, cost[a] + paid), cost[a] + paid)
    return cost


@sampled(0)
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_costs_equal_those_of_bellman_and_ford(data: st.DataObject) -> None:
    price = {step: data.draw(st.integers(0, 5)) for step in STEPS if data.draw(st.booleans())}
    start, goal = data.draw(st.integers(0, BOARD.size - 1)), data.draw(st.integers(0, BOARD.size - 1))
    most = data.draw(st.none() | st.integers(0, 9))
    expected = relaxed(start, price)
    found = searched(BOARD, [start], lambda a, b: (a, b) in price, lambda a, b: price[a, b], most)
    within = {h: cost for h, cost in expected.items() if most is None or cost <= most}
    assert {h: each.cost for h, each in found.items()} == within
    assert reachable(found) == tuple(sorted(within))
    assert cheapest_cost(found, [goal], lambda: None) == within.get(goal)
    path = cheapest_way(found, [goal])
    ends = data.draw(st.sets(st.integers(0, BOARD.size - 1)))
    nearer = searched(BOARD, [start], lambda a, b: (a, b) in price, lambda a, b: price[a, b], most, ends)
    assert nearer.items() <= found.items()
    assert cheapest_way(nearer, ends) == cheapest_way(found, ends)
    assert bool(path) == (goal in within)
    assert sum(price[step] for step in pairwise(path)) == (within[goal] if path else 0)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_steps_without_a_price_cost_one_each(data: st.DataObject) -> None:
    gate = {step for step in STEPS if data.draw(st.booleans())}
    start, ends = (data.draw(st.sets(st.integers(0, BOARD.size - 1))) for _ in range(2))
    most = data.draw(st.none() | st.integers(0, 4))
    priced = searched(BOARD, start, lambda a, b: (a, b) in gate, lambda _a, _b: 1, most)
    assert searched(BOARD, start, lambda a, b: (a, b) in gate, None, most) == priced
    nearer = searched(BOARD, start, lambda a, b: (a, b) in gate, None, most, ends)
    assert nearer.items() <= priced.items()
    assert cheapest_way(nearer, ends) == cheapest_way(priced, ends)
    ground = [(a, b) for a, b in gate if b in ends]
    inside = searched(BOARD, start & ends, lambda a, b: (a, b) in ground, None, None)
    assert reachable(linked_by(BOARD, start, ends, lambda a, b: (a, b) in gate)) == reachable(inside)


@sampled(0)
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_least_blocked_path_has_the_fewest_closed_steps_within_the_budget(data: st.DataObject) -> None:
    price = {step: data.draw(st.integers(0, 4)) for step in STEPS}
    is_open = {step: data.draw(st.booleans()) for step in STEPS}
    start, goal = (data.draw(st.integers(0, BOARD.size - 1)) for _ in range(2))
    most = data.draw(st.integers(0, 9))
    # Each round allows one more closed step, until the goal is within the budget.
    costs: list[dict[int, int]] = []
    for _ in range(BOARD.size + 1):
        cost = {start: 0}
        for _ in range(BOARD.size):
            for a, b in STEPS:
                base = cost if is_open[a, b] else costs[-1] if costs else {}
                if a in base:
                    cost[b] = min(cost.get(b, base[a] + price[a, b]), base[a] + price[a, b])
        costs.append(cost)
    wanted = next((shut for shut, cost in enumerate(costs) if cost.get(goal, most + 1) <= most), None)
    path = least_blocked_route(BOARD, [start], [goal], lambda a, b: is_open[a, b], lambda a, b: price[a, b], most)
    if wanted is None:
        assert path == ()
        return
    assert (path[0], path[-1]) == (start, goal)
    assert sum(not is_open[step] for step in pairwise(path)) == wanted
    assert sum(price[step] for step in pairwise(path)) == costs[wanted][goal]


def test_a_closed_step_is_named_only_if_it_is_within_the_budget(tmp_path: Path) -> None:
    """Each of two paths has a gate; the one found first is longer than the budget."""
    (tmp_path / "layer.yaml").write_text("layer: fork\ntitle: Fork\nkind: base\nplayable: yes\n")
    (tmp_path / "fork.rules").write_text(
        "side one\nmeasure miles\nfeature hex: gate, far, home\nkind post\n"
        "verdict may_pass(from: hex, to: hex) default allowed\n"
        '  reads "one passes from {from} to {to}" denied "nobody passes from {from} to {to}"\n'
        'value length(from: hex, to: hex): 1..9 miles reads "the length of {from} to {to}"\n'
        'rule a-mile [house] "A step is a mile." length is 1 miles\n'
        'rule far-is-far [house] "Far is far." length is 9 miles exception to a-mile when to is far\n'
        'rule gates-shut [house] "Gates are shut." may_pass forbidden when to is gate\n'
        "define net(): set of hex [house] =\n"
        "  reachable({h in all hex where h is home} by may_pass costing length within 5 miles)\n"
    )
    (tmp_path / "shut.yaml").write_text(
        "position: shut\nstack: fork\nboard: {spaces: {A: home, B: far, X: gate, C: gate, D: {}, Goal: {}},\n"
        "  connections: [A-B-X-Goal, A-C-D, D-Goal]}\n"
    )
    stack = open_packages((tmp_path,)).compiled("fork")
    reasons = ask_about_position(stack, tmp_path / "shut.yaml", "Goal in net()", depth=0).answer
    assert reasons is not None
    assert reasons.text == "no: the way is shut from A to C, as nobody passes from A to C, by gates-shut [house]"


def test_a_search_from_off_the_map_reaches_nothing() -> None:
    assert searched(BOARD, [-1], None, None, None) == {}


RAILED = "no: the way is shut from C to D, as P may not glide from C into D, by railed"


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("D in rolled_to(P, 9 effort)", f"{RAILED} [house]"),
        ("C in rolled_to(P, 1 effort)", "no: the cheapest way, A, B, C, costs 4 efforts"),
        ("C in rolled_to(P, 9 effort)", "yes: by A, B, C"),
        ("A in rolled_to(P, 9 effort)", "yes"),
        ("C in {h in rolled_to(P, 9 effort) where h is sticky}", "no: C is not sticky"),
        ("D in {h in rolled_to(P, 9 effort) where h is sticky}", "no: the way is shut from C to D, .."),
        (
            "D in slides({B})",
            "no: the way is shut from C to D, as one does not slide from C to D, which only eastward [house] would..",
        ),
        (
            "B in held_by_rail({A}, {A, B})",
            "no: the way is shut from A to B, as no rail lies between A and B, which only rails-hold [house] would..",
        ),
        ("C in held_by_rail({D}, {C, D})", "yes: by D, C"),
        ("D in held_by_rail({B}, {B, D})", "no: the way from B leads over C, which is none of them"),
        ("D in held_by_rail({C}, {h in {A, C} where h is sticky})", "no: D is not among the held by rail.."),
        ("roll_effort(P, {C}) > 5 effort", "no: by A, B, C, which costs 4 efforts"),
        ("D in {h in neighbors(A) where h is sticky}", "no: D is not among the neighbors of A: B"),
        ("roll_effort(P, {D}) < 5 effort", f"{RAILED} [house]"),
    ],
)  # fmt: skip
def test_a_membership_in_a_search_is_explained(question: str, message: str) -> None:
    reasons = ask_about_position(STACK, TOY / "rolling.yaml", question, depth=0).answer
    assert reasons is not None
    assert reasons.text.startswith(message.removesuffix(".."))
    assert message.endswith("..") or reasons.text == message


def test_a_guarded_part_without_an_answer_is_not_explained(tmp_path: Path) -> None:
    """A condition that fails guards the part, which is not evaluated."""
    file = tmp_path / "off.yaml"
    file.write_text(
        "position: away\nstack: constructs\nboard: {rows: [[A, B, C]]}\npieces: [{name: P, type: bead, side: red}]\n"
    )
    for question in ("P is not off and P.hex in rolled_to(P, 3 effort)", "not (P is off or P.hex in slides({A}))"):
        reasons = ask_about_position(STACK, file, question, depth=0).answer
        assert reasons is not None
        assert reasons.text == "no"


def test_the_question_of_a_closed_step_is_explained() -> None:
    reasons = ask_about_position(STACK, TOY / "rolling.yaml", "roll_way(P, D)", depth=3).answer
    assert reasons is not None
    assert "The way is shut from C to D, as P may not glide from C into D, by railed [house]." in reasons.text
    assert "P may not glide from C into D, by railed [house]." in reasons.text


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("B in beside(red)", "no: there is a bead in B: R"),
        # A bead of another side is no reason: no play changes it.
        ("D in beside(red)", "no: D is not among the beside of the red side: there are none"),
        (
            "B in {b.hex for b in all bead where b.side = red}",
            "no: B is not among the hexes of beads of the red side: A",
        ),
        ("A in {b.hex for b in all bead where b.side = red}", "yes"),
        ("B in {h in all hex where count(b in all bead where b.hex = h) = 0}", "no: there is a bead in B: R"),
        (
            "B in {h in all hex where not (h is sticky or count(b in all bead where b.hex = h) > 0)}",
            "no: there is a bead in B: R",
        ),
        ("D in {h in all hex where count(b in all bead where b.hex = h) > 0}", "no: there is no bead in D"),
    ],
)
def test_the_explanation_of_a_set_names_the_nearest_member(question: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "near.yaml"
    file.write_text(
        "position: near\nstack: constructs\nboard: {rows: [[A, B, C, D]]}\npieces:\n"
        "  - {name: P, type: bead, side: red, at: A}\n  - {name: Q, type: bead, side: blue, at: C}\n"
        "  - {name: R, type: bead, side: blue, at: B}\n"
    )
    reasons = ask_about_position(STACK, file, question, depth=0).answer
    assert reasons is not None
    assert reasons.text.partition(";")[0] == message


def test_the_closed_step_of_a_set_is_explained_to_a_depth() -> None:
    reasons = ask_about_position(STACK, TOY / "rolling.yaml", "D in rolled_to(P, 9 effort)", depth=2).answer
    assert reasons is not None
    assert "No bead rolls across a rail." in reasons.text
    assert [each["value"] for each in reasons.data["behind"]] == ["forbidden"]


def test_a_choice_out_of_reach_names_the_closed_step() -> None:
    assert STACK.graph is not None
    example = next(each for each in STACK.graph.examples if each.title == "as far as a rail")
    without_refusals = [
        replace(each, refusals=()) if isinstance(each, graph.Perform) else each for each in example.lines
    ]
    (failure,) = run_row(STACK.graph, replace(example, lines=tuple(without_refusals)), 0).failures
    assert failure.actual == (
        "refused by railed: `to` is not open: D: the way is shut from C to D, as P may not glide from C into D, "
        "by railed [house]"
    )


def test_searches_are_phrased_and_written() -> None:
    assert STACK.graph is not None
    effort, rolled = (STACK.graph.rules[label].value for label in ("roll-effort", "rolled-to"))
    assert effort is not None
    assert rolled is not None
    assert Wording(STACK.graph).phrase(rolled) == (
        "the hexes that one gets to from the hex of b step by step, where b may glide from one hex into the next, "
        "paying what b needs to roll into the next, at most the far in all"
    )
    held = STACK.graph.rules["held-by-rail"].value
    assert held is not None
    assert Wording(STACK.graph).phrase(held) == (
        "the hexes that one gets to from the hex within the ground step by step, "
        "where a rail lies between one hex and the next"
    )
    assert ExpressionWriter(STACK.graph.vocabulary).text(held) == "linked(from, ground by on_rail)"
    assert ExpressionWriter(STACK.graph.vocabulary).text(effort) == (
        "cheapest_cost(b.hex to home by may_glide(b) costing roll_cost(b) otherwise 99 effort)"
    )


LAYER = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"


def test_malformed_searches_are_dangling_references() -> None:
    good = STACK.graph
    assert good is not None
    rolled = good.rules["rolled-to"]
    assert isinstance(rolled.value, graph.Search)
    assert dangling_references(good) == []
    for value in (
        replace(rolled.value, goal=rolled.value.start),
        replace(rolled.value, gate=graph.Ask("may_glide", (graph.Var("b"), graph.FROM, graph.FROM))),
        graph.SetOf((graph.FROM,)),
    ):
        assert dangling_references(replace(good, rules={**good.rules, "rolled-to": replace(rolled, value=value)})) != []


GAME = """
side north, south  measure MP  kind unit has speed: 0..9 MP
value toll(u: unit, from: hex, to: hex): 0..9 MP
value gain(from: hex, to: hex): -2..9 MP
verdict may_go(u: unit, from: hex, to: hex) default allowed
condition wet(h: hex) default no
rule tolled [house] "One." toll is 1 MP
rule gained [house] "One." gain is 1 MP
"""


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("reachable(u.hex)", "every hex of the map is reached"),
        ("reachable(u.hex to u.hex by may_go(u))", "`to` says nothing"),
        ("reachable(u.hex by may_go(u) otherwise {})", "`otherwise` says nothing"),
        ("reachable(u.hex by wet)", "`wet` is not asked about a step"),
        ("reachable(u.hex by may_fly(u))", "no term `may_fly`"),
        ("reachable(u.hex by may_go)", "`may_go` takes 1 argument but is given 0"),
        ("reachable(u.hex by toll(u))", "this needs yes or no"),
        ("reachable(u.hex by may_go(u) costing may_go(u))", "an amount that is never below zero"),
        ("reachable(u.hex by may_go(u) costing gain)", "an amount that is never below zero"),
        ("reachable(u by may_go(u))", "a hex, or a set of hexes"),
        ("reachable(u.hex by may_go(u) costing toll(u) within 4)", "MP"),
        ("linked(u.hex, all hex by wet)", "`wet` is not asked about a step"),
        ("linked(u, all hex by may_go(u))", "a hex, or a set of hexes"),
        ("cheapest_way(u.hex by may_go(u))", "needs a hex to come to"),
        ("cheapest_cost(u.hex to u.hex by may_go(u))", "no answer where no way leads there"),
    ],
)
def test_a_wrong_search_is_one_error(written: str, message: str, tmp_path: Path) -> None:
    files = {"layer.yaml": LAYER, "game.rules": f"{GAME}define asked(u: unit) [house] = {written}\n"}
    diagnostics = [
        diagnostic_line(each) for each in diagnose(compile_stack(library_of(files, tmp_path), "planted").problems, {})
    ]
    assert len(diagnostics) == 1, diagnostics
    assert message in diagnostics[0], diagnostics
