"""Factors that layers add to kinds: on counters, in rules, and in every consumer of counters."""

from fractions import Fraction
from pathlib import Path
from shutil import copytree

import pytest

from compiler.analysis.intervals import Intervals
from compiler.report.render.line import diagnostic_line
from rulewright.lab.contrast.differences import factors_data
from rulewright.library.stacks import PackageSet, open_packages
from runtime.answer.generate import GeneratedEvaluator
from runtime.examples.drawn_counters import misprinted_counters
from runtime.examples.run import run_examples
from runtime.graph import nodes as graph
from runtime.graph.interval import Interval
from runtime.mutation.targets import measure_protection
from runtime.play.game import Game
from runtime.state.setup import from_card, from_position
from runtime.witness.printed_differences import counter_differences
from runtime.witness.structural_difference import structural_difference
from tests.answers.differential import compare
from tests.books.site import write_book
from tests.core.playing import engines, side_by_side
from tests.play.side_by_side import side_by_side as by_reference
from tests.toys.plain_game import plain_game

LAYERS = Path(__file__).parent / "added_factors"
ALL = "fields+veterans+fuses"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a small game, with the layers beside it."""
    folder = tmp_path_factory.mktemp("set")
    plain_game("fields", folder)
    return copytree(LAYERS, folder, dirs_exist_ok=True)


@pytest.fixture(scope="module")
def packages(root: Path) -> PackageSet:
    return open_packages((root,))


def rules(packages: PackageSet, stack: str, card: str = "") -> graph.Graph:
    compiled_stack = packages.compiled(stack, packages.library.scenarios[card] if card else None)
    assert compiled_stack.graph is not None, [diagnostic_line(each) for each in compiled_stack.diagnostics]
    assert not compiled_stack.is_broken
    return compiled_stack.graph


def text(value: graph.Expr | str) -> str:
    """Format a value."""
    match value:
        case graph.Num(number):
            return str(number)
        case graph.Member(_, name):
            return name
        case _:
            raise AssertionError(value)


def printed(found: graph.Graph, counter: str) -> dict[str, str]:
    """Format the printed values of a counter."""
    printed_values = found.counters[counter].printed
    return {name: text(value) for name, value in printed_values if name not in ("movement", "gait")}


# ---------------------------------------------------------------- values on counters


def test_counters_show_the_first_value_unless_one_is_given(packages: PackageSet) -> None:
    alone, all_of_them = rules(packages, "fields+mettle"), rules(packages, ALL)
    assert (printed(alone, "runner"), printed(alone, "cart")) == ({"mettle": "5"}, {"mettle": "3"})
    assert printed(all_of_them, "runner") == {"mettle": "8", "arm": "pistols", "shots": "3"}
    assert printed(all_of_them, "cart") == {"mettle": "4", "arm": "pistols", "shots": "2"}
    # A layer that does not know mettle adds a counter, which also has the first value.
    assert printed(all_of_them, "grenadier") == {"shots": "4", "arm": "musket", "mettle": "5"}
    assert all_of_them.counters["grenadier"].first == ("mettle",)


def test_layers_compose_in_any_order(packages: PackageSet) -> None:
    one, other = (rules(packages, f"fields+{name}") for name in ("mettle+powder", "powder+mettle"))
    assert {name: dict(each.printed) for name, each in one.counters.items()} == {
        name: dict(each.printed) for name, each in other.counters.items()
    }
    assert {name: {*kind.first} for name, kind in one.vocabulary.kinds.items()} == {
        name: {*kind.first} for name, kind in other.vocabulary.kinds.items()
    }


def test_a_value_has_citations_and_origin_of_its_layer(packages: PackageSet) -> None:
    cart = rules(packages, "fields+mettle").counters["cart"]
    assert (cart.origin.layer, cart.cites) == ("fields", ("FIEL.6",))
    [value] = cart.added
    assert (value.name, value.cites, value.origin.layer) == ("mettle", ("house",), "mettle")
    [above] = rules(packages, "fields+veterans").counters["cart"].added
    assert above.origin.layer == "veterans"


def test_examples_of_all_layers_pass_in_each_stack(packages: PackageSet) -> None:
    for stack in ("fields", "fields+mettle", "fields+powder", "fields+veterans", "fields+fuses"):
        found = rules(packages, stack)
        assert [failure for run in run_examples(found) for failure in run.failures] == []
        assert found.examples


def test_a_printed_row_of_an_example_may_leave_out_an_added_factor(packages: PackageSet) -> None:
    found = rules(packages, "fields+mettle")
    example = next(each for each in found.examples if each.title == "printed on the cart")
    lines = [each for each in example.lines if isinstance(each, graph.Printed)]
    assert [dict(each.printed).keys() >= {"mettle"} for each in lines] == [False, True]
    assert [misprinted_counters(each, found) for each in lines] == [None, None]


# ---------------------------------------------------------------- evaluation


def test_both_evaluators_agree(packages: PackageSet) -> None:
    for stack in ("fields+mettle", "fields+powder", "fields+fuses", ALL):
        found = rules(packages, stack)
        for seed, example in enumerate(each for each in found.examples if not each.rows):
            _, differences = compare(found, from_position(found, example.position), seed, rounds=2)
            assert differences == []


def test_module_machine_and_reference_play_equally(packages: PackageSet) -> None:
    """Kegs are created without a counter, and rules read the values that a layer adds to them."""
    found = rules(packages, ALL, "first_fields")
    opening = from_card(found)
    engine_pair = engines(found, len(opening.sheets) + 20, opening.board.size)
    for seed in ("one", "two", "three"):
        decisions, difference = side_by_side(engine_pair, opening, seed, 400)
        assert (difference, decisions > 20) == ("", True)
        assert by_reference(Game(found, GeneratedEvaluator(found)), opening, seed, 60)[1] == []


def test_the_declared_range_bounds_what_is_proved(packages: PackageSet) -> None:
    found = rules(packages, "fields+mettle")
    read = graph.Get(graph.Var("u"), "printed", "unit", "mettle")
    bounds = Intervals(found).interval_of(read, {})
    assert bounds == Interval(Fraction(0), Fraction(9))


# ---------------------------------------------------------------- mutation and comparison


def test_examples_protect_added_values(packages: PackageSet) -> None:
    found = measure_protection(rules(packages, "fields+mettle"), lambda unit: unit.origin.layer == "mettle")
    assert not [unit for unit in found.unprotected if unit.kind in ("first value", "counter")]
    assert {(unit.kind, unit.name) for unit in found.protected} >= {
        ("first value", "unit.mettle"),
        ("counter", "cart"),
    }


def test_a_diff_lists_an_added_factor_once(packages: PackageSet) -> None:
    base, above, all_of_them = (rules(packages, stack) for stack in ("fields", "fields+mettle", "fields+veterans"))
    assert [
        (each.kind, each.name, each.operation)
        for each in structural_difference(base, above)
        if each.operation != "printed"
    ][:2] == [("rule", "the-timid-stop", "new"), ("factor", "unit.mettle", "new")]
    assert list(counter_differences(base, above)) == []
    assert [each.counter for each in counter_differences(above, all_of_them)] == ["cart", "runner"]
    [factors] = factors_data(base, above)
    assert (factors["only"], factors["first"], factors["counters"]) == ("b", "5", [{"counter": "cart", "shows": "3"}])
    assert factors_data(above, all_of_them) == []


# ---------------------------------------------------------------- book and editor


def test_the_book_prints_the_column_with_its_sources(packages: PackageSet) -> None:
    page = write_book(rules(packages, ALL))["counters.html"].decode()
    assert ">mettle</th>" in page
    assert page.count(">8</td>") == 2  # the mettle of runners, and the movement of carts
    assert "house" in page


# ---------------------------------------------------------------- errors

MORALE = "extend kind unit has morale: 0..9 = 5"
REFUSED = {
    "no first value": ("extend kind unit has morale: 0..9", "", "R0411 `morale` lacks the value that"),
    "an unknown kind": ("extend kind unti has morale: 0..9 = 5", "", "R0201 there is no kind of piece `unti`"),
    "a first value off the scale": ("extend kind unit has morale: 0..9 = 12", "", "R0601 expected a number in 0..9"),
    "a first value of another measure": ("extend kind unit has morale: 0..9 = 5 MP", "", "R0601 expected a number in"),
    "no member of the list": ("extend kind unit has knack: gait = wing", "", "R0202 `wing` is not a member of `gait`"),
    "a factor of the game": ("extend kind unit has movement: 0..9 = 5", "", "R0211 `movement` of unit is declared"),
    "another domain": (f"{MORALE}, morale: 0..9 MP = 4 MP", "", "R0211 `morale` of unit is declared as 0..9"),
    "a factor twice": (f"{MORALE}, morale: 0..9 = 4", "", "R0205 `morale` is declared twice for unit"),
    "a kind again": ("kind unit has morale: 0..9", "", "R0205 `unit` is declared twice as a kind"),
    "a track": ("extend kind unit has spent: 0..9 = 5", "", "R0210 the name `spent`"),
    "a status": ("extend kind unit has tired: 0..9 = 5", "", "R0210 the name `tired` is ambiguous"),
    "a partner": (
        "relation leads(leader: unit, led: unit) one leader\nextend kind unit has leader: 0..9 = 5", "",
        "R0210 the name `leader` is ambiguous",
    ),
    "a track like a status": ("track unit.tired: 0..9 = 5", "", "R0210 the name `tired` is ambiguous"),
    "a track like a partner": (
        "relation leads(leader: unit, led: unit) one leader\ntrack unit.led: 0..9 = 5", "",
        "R0210 the name `led` is ambiguous",
    ),
    "another type elsewhere": (
        "kind keg has gait: 0..9", "", "R0210 the name `gait` is ambiguous",
    ),
    "what every piece has": ("extend kind unit has side: 0..9 = 5", "", "R0411 a factor of unit cannot be called"),
    "an unknown counter": (MORALE, "add factors: {morale: {runer: 4}}", "R0313 there is no counter `runer`"),
    "a value off the scale": (MORALE, "add factors: {morale: {cart: 11}}", "R0601 expected a number in 0..9"),
    "an unknown factor": (MORALE, "add factors: {moral: {cart: 1}}", "R0313 there is no added factor `moral`"),
    "a value of the game": (MORALE, "add factors: {movement: {cart: 1}}", "R0319 `cart.movement` already has"),
    "not as expected": (
        MORALE, "set: [{id: cart, column: morale, expect: 4, now: 7}]", "R0311 `cart.morale` is `5`, not `4`",
    ),
    "given and changed": (
        MORALE, "add factors: {morale: {cart: 4}}\nset: [{id: cart, column: morale, expect: 4, now: 7}]",
        "R0314 `cart.morale` is changed twice",
    ),
    "a column of a table": (MORALE, "add columns: {morale: {cart: 4}}", "R0313 `unit` is a kind of piece, not a"),
    "a taken name with values": (
        "extend kind unit has spent: 0..9 = 5", "add factors: {spent: {cart: 4}}", "R0210 the name `spent`",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_a_wrong_factor_is_an_error(case: str, root: Path, tmp_path: Path) -> None:
    declared, patch, wanted = REFUSED[case]
    folder = tmp_path / "slip"
    folder.mkdir()
    (folder / "layer.yaml").write_text("{layer: slip, title: Slip, kind: optional, on: [fields]}", encoding="utf-8")
    (folder / "slip.rules").write_text(f"{declared}\n", encoding="utf-8")
    if patch:
        (folder / "slip.yaml").write_text(f"patch: unit\n{patch}\n", encoding="utf-8")
    found = open_packages((root, tmp_path)).compiled("fields+slip")
    messages = [f"{each.code} {each.message}" for each in found.diagnostics]
    assert [each[: len(wanted)] for each in messages] == [wanted], messages


def test_a_patch_of_an_unknown_kind_is_an_error(root: Path, tmp_path: Path) -> None:
    folder = tmp_path / "slip"
    folder.mkdir()
    (folder / "layer.yaml").write_text("{layer: slip, title: Slip, kind: optional, on: [fields]}", encoding="utf-8")
    patch = "patch: unti\nset: [{id: cart, column: movement, expect: 8, now: 7}]\n"
    (folder / "slip.yaml").write_text(patch, encoding="utf-8")
    found = open_packages((root, tmp_path)).compiled("fields+slip")
    assert [each.message for each in found.diagnostics] == ["there is no kind of counters `unti`"]


def test_two_layers_that_add_one_factor_are_one_finding_with_both_places(root: Path, tmp_path: Path) -> None:
    for name in ("one", "other"):
        folder = tmp_path / name
        folder.mkdir()
        manifest = f"{{layer: {name}, title: {name}, kind: optional, on: [fields]}}"
        (folder / "layer.yaml").write_text(manifest, encoding="utf-8")
        (folder / "all.rules").write_text(f"{MORALE}\n", encoding="utf-8")
        (folder / "all.yaml").write_text("patch: unit\nadd factors: {morale: {cart: 4}}\n", encoding="utf-8")
    [stack] = open_packages((root, tmp_path)).compiled("fields+one+other").diagnostics
    assert (stack.code, stack.message) == ("R0205", "`morale` is declared twice for unit")
    assert {each.span.file.rpartition("/")[0].rpartition("/")[2] for each in stack.spans} == {"one", "other"}
