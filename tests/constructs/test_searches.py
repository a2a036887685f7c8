"""Path searches find the cheapest paths, explain their results, and wrong searches are errors."""

from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.compile import compile_stack
from compiler.report.diagnose import diagnose
from compiler.report.render.line import diagnostic_line
from rulewright.explain.position_questions import ask_about_position
from rulewright.library.stacks import open_packages
from runtime.board.board import Board
from runtime.board.search import cheapest_cost, cheapest_way, least_blocked_route, reachable, searched
from runtime.examples.run import run_row
from runtime.graph import nodes as graph
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


def test_a_search_from_off_the_map_reaches_nothing() -> None:
    assert searched(BOARD, [-1], None, None, None) == {}


RAILED = "The way is shut from C to D, as P may not glide from C into D, by railed [house]."


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("D in rolled_to(P, 9 effort)", "No", RAILED),
        ("C in rolled_to(P, 1 effort)", "No", "The cheapest way, A, B, C, costs 4 efforts."),
        ("C in rolled_to(P, 9 effort)", "Yes", "By A, B, C."),
        ("A in rolled_to(P, 9 effort)", "Yes", ""),
        ("C in {h in rolled_to(P, 9 effort) where h is sticky}", "No", "C is not sticky."),
        ("D in {h in rolled_to(P, 9 effort) where h is sticky}", "No", RAILED),
        (
            "D in slides({B})",
            "No",
            "The way is shut from C to D, as one does not slide from C to D, which only eastward [house] would allow.",
        ),
        (
            "B in held_by_rail({A}, {A, B})",
            "No",
            "The way is shut from A to B, as no rail lies between A and B, which only rails-hold [house] would allow.",
        ),
        ("C in held_by_rail({D}, {C, D})", "Yes", "By D, C."),
        ("D in held_by_rail({B}, {B, D})", "No", "The way from B leads over C, which is none of them."),
        ("D in held_by_rail({C}, {h in {A, C} where h is sticky})", "No", "D is not among the held by rail.."),
        ("roll_effort(P, {C}) > 5 effort", "No", "By A, B, C, which costs 4 efforts."),
        ("D in {h in neighbors(A) where h is sticky}", "No", "D is not among the neighbors of A: B."),
        ("roll_effort(P, {D}) < 5 effort", "No", RAILED),
    ],
)
def test_a_membership_in_a_search_is_explained(question: str, answer: str, reason: str) -> None:
    written = ask_about_position(STACK, TOY / "rolling.yaml", question, depth=0).answer
    assert written is not None
    sentence, *reasons = written.text.splitlines()
    assert sentence.startswith(f"{answer}. ")
    if reason.endswith(".."):
        assert reasons[0].strip().startswith(reason.removesuffix(".."))
    else:
        assert [line.strip() for line in reasons] == ([reason] if reason else [])


def test_the_question_of_a_closed_step_is_explained() -> None:
    reasons = ask_about_position(STACK, TOY / "rolling.yaml", "roll_way(P, D)", depth=3).answer
    assert reasons is not None
    assert "The way is shut from C to D, as P may not glide from C into D, by railed [house]." in reasons.text
    assert "P may not glide from C into D, by railed [house]." in reasons.text


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


LAYER = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"


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
        ("reachable(u.hex)", "this reaches every hex of the map"),
        ("reachable(u.hex to u.hex by may_go(u))", "`to` has no effect"),
        ("reachable(u.hex by may_go(u) otherwise {})", "`otherwise` has no effect"),
        ("reachable(u.hex by wet)", "`wet` is not a question about a step"),
        ("reachable(u.hex by may_fly(u))", "no question `may_fly`"),
        ("reachable(u.hex by may_go)", "`may_go` takes 1 argument, not 0"),
        ("reachable(u.hex by toll(u))", "expected yes or no"),
        ("reachable(u.hex by may_go(u) costing may_go(u))", "an amount that is never below zero"),
        ("reachable(u.hex by may_go(u) costing gain)", "an amount that is never below zero"),
        ("reachable(u by may_go(u))", "a hex, or a set of hexes"),
        ("reachable(u.hex by may_go(u) costing toll(u) within 4)", "MP"),
        ("linked(u.hex, all hex by wet)", "`wet` is not a question about a step"),
        ("linked(u, all hex by may_go(u))", "a hex, or a set of hexes"),
        ("cheapest_way(u.hex by may_go(u))", "lacks its goal"),
        ("cheapest_cost(u.hex to u.hex by may_go(u))", "no value where there is no path"),
    ],
)
def test_a_wrong_search_is_one_error(written: str, message: str, tmp_path: Path) -> None:
    files = {"layer.yaml": LAYER, "game.rules": f"{GAME}define asked(u: unit) [house] = {written}\n"}
    diagnostics = [
        diagnostic_line(each) for each in diagnose(compile_stack(library_of(files, tmp_path), "planted").problems, {})
    ]
    assert len(diagnostics) == 1, diagnostics
    assert message in diagnostics[0], diagnostics
