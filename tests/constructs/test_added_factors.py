"""Factors that layers add to kinds: on counters, in rules, and in every consumer of counters."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from shutil import copytree

import pytest

from compiler.analysis.intervals import Intervals
from compiler.report.render.line import diagnostic_line
from compiler.rulebook.booklet import Baseline
from compiler.rulebook.changes import compare_books as booklet_of
from compiler.rulebook.contents import gather_contents
from compiler.rulebook.drawings.counters import chart_face, counter_picture
from compiler.rulebook.drawings.face_places import factors_without_place
from compiler.rulebook.evidence import unplayed_outcomes
from compiler.rulebook.paper.sheets import write_counter_text
from compiler.rulebook.topics import group_by_topic, referenced_changes, topic_lines
from compiler.source.package import load_layer
from rulewright.contrast.differences import factors_data
from rulewright.editor import completion, renaming, symbols
from rulewright.editor.workspace import EditorWorkspace
from rulewright.library.ablation import patched_cells, without_statements
from rulewright.library.stacks import PackageSet, open_packages
from rulewright.views.pages import explain_page
from runtime.answer.generate import GeneratedEvaluator
from runtime.examples.drawn_counters import misprinted_counters
from runtime.examples.run import run_examples
from runtime.graph import nodes as graph
from runtime.graph.canonical import encode_graph
from runtime.graph.codec import decode_graph
from runtime.graph.interval import Interval
from runtime.mutation.declaration_mutants import counter_mutants, first_value_mutants
from runtime.mutation.targets import measure_protection
from runtime.play.game import Game
from runtime.state.setup import from_card, from_position
from runtime.witness.printed_differences import counter_differences
from runtime.witness.reversion import revert_changes
from runtime.witness.snapshot import position_of
from runtime.witness.structural_difference import structural_difference
from tests.answers.differential import compare
from tests.books.site import write_book
from tests.core.playing import engines, side_by_side
from tests.play.side_by_side import side_by_side as by_reference
from tests.sample import sampled
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


def test_a_graph_is_encoded_and_decoded(packages: PackageSet) -> None:
    found = rules(packages, ALL)
    assert decode_graph(encode_graph(found)) == found


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


def test_a_piece_without_a_counter_has_first_values_that_are_not_written(packages: PackageSet) -> None:
    found = rules(packages, "fields+fuses")
    example = next(each for each in found.examples if each.title == "a short fuse")
    position = replace(example.position, pieces=tuple(replace(each, printed=()) for each in example.position.pieces))
    state = from_position(found, position)
    assert [sheet.printed["fuse"] for sheet in state.sheets if sheet.kind == "keg"] == [2]
    written = position_of(state, position)
    assert written is not None
    assert [each.printed for each in written.pieces] == [(), ()]


def test_the_declared_range_bounds_what_is_proved(packages: PackageSet) -> None:
    found = rules(packages, "fields+mettle")
    read = graph.Get(graph.Var("u"), "printed", "unit", "mettle")
    bounds = Intervals(found).interval_of(read, {})
    assert bounds == Interval(Fraction(0), Fraction(9))


# ---------------------------------------------------------------- mutation and comparison


def test_the_first_value_is_one_mutant_and_each_given_value_another(packages: PackageSet) -> None:
    found = rules(packages, "fields+mettle")
    first = list(first_value_mutants(found))
    assert [(each.name, text(each.replacement)) for each in first] == [("unit.mettle", "6"), ("unit.mettle", "4")]
    [graph_] = first[0].variants()
    assert (printed(graph_, "runner"), printed(graph_, "cart")) == ({"mettle": "6"}, {"mettle": "3"})
    figures = [each for each in counter_mutants(found, found.counters["cart"]) if each.key == "mettle"]
    assert [each.origin.layer for each in figures] == ["mettle", "mettle"]
    assert not [each for each in counter_mutants(found, found.counters["runner"]) if each.key == "mettle"]


def test_mutants_stay_in_the_domain(packages: PackageSet) -> None:
    found = rules(packages, ALL)
    kind = found.vocabulary.kinds["keg"]
    at_the_top = replace(kind, first=(("fuse", graph.Num(Fraction(3), "")),))
    edge = replace(found, vocabulary=replace(found.vocabulary, kinds={**found.vocabulary.kinds, "keg": at_the_top}))
    assert [text(each.replacement) for each in first_value_mutants(edge) if each.name == "keg.fuse"] == ["2"]


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


def test_another_first_value_is_a_change_that_can_be_reverted(packages: PackageSet) -> None:
    found = rules(packages, "fields+mettle")
    mutant = next(first_value_mutants(found))
    [other] = mutant.variants()
    [change] = structural_difference(found, other)
    assert (change.kind, change.name, change.fields) == ("factor", "unit.mettle", ("first",))
    assert factors_data(found, other)[0]["says"] == ["6 instead of 5"]
    back = revert_changes(found, other, (change,))
    assert back is not None
    assert (back.counters, back.vocabulary.kinds) == (found.counters, found.vocabulary.kinds)


def test_an_experiment_removes_a_value_by_its_counter(packages: PackageSet) -> None:
    read = load_layer(packages.library, "mettle")[0]
    assert [*patched_cells(read)] == ["unit", "unit[cart]"]
    assert [patch.values for patch in without_statements(read, frozenset({"unit[cart]"})).piece_patches] == [()]


# ---------------------------------------------------------------- book and editor


def test_the_book_prints_the_column_with_its_sources(packages: PackageSet) -> None:
    page = write_book(rules(packages, ALL))["counters.html"].decode()
    assert '<th scope="col">mettle</th>' in page
    assert page.count("<td>8</td>") == 2  # the mettle of runners, and the movement of carts
    assert "house" in page


def test_the_booklet_lists_the_factor_once_and_counters_only_for_their_own_changes(packages: PackageSet) -> None:
    base, book = rules(packages, "fields"), rules(packages, "fields+mettle")
    booklet = booklet_of(book, Baseline(base, "Fields"))
    changed_things = [change.thing for change in booklet.changes]
    assert ("factor", "unit.mettle") in changed_things
    assert not [thing for thing in changed_things if thing[0] == "counter"]
    outline = gather_contents(book, unplayed_outcomes(book), None).outline
    topic = next(each for each in group_by_topic(booklet.changes, outline) if each.title == "What counters print")
    [(text, changed_rules)] = topic_lines(topic, book)
    assert (text, [each.title for each in referenced_changes(changed_rules)]) == (
        "Units print mettle 5; cart 3.",
        ["Mettle of units"],
    )
    above = booklet_of(rules(packages, "fields+veterans"), Baseline(book, "Mettle"))
    assert [change.thing for change in above.changes] == [("counter", "runner"), ("counter", "cart")]
    [gone] = (each for each in booklet_of(base, Baseline(book, "Mettle")).changes if each.thing[0] == "factor")
    assert (gone.how, gone.before) == ("gone", "Units print mettle 5; cart 3.")


def test_an_added_factor_has_a_place_on_the_counter(packages: PackageSet) -> None:
    book = rules(packages, "fields+mettle")
    assert chart_face(book, book.counters["cart"]).below == "3"
    assert chart_face(book, book.counters["runner"]).below == "5"
    assert ">3</text>" in counter_picture(chart_face(book, book.counters["cart"]))
    assert factors_without_place(book) == ()


def test_a_factor_without_a_place_is_listed_until_a_layer_gives_it_one(root: Path, tmp_path: Path) -> None:
    folder = tmp_path / "slip"
    folder.mkdir()
    (folder / "layer.yaml").write_text("{layer: slip, title: Slip, kind: optional, on: [fields]}", encoding="utf-8")
    (folder / "slip.rules").write_text(f"{MORALE}, ammo: 0..9 = 7\n", encoding="utf-8")
    plain = rules(open_packages((root, tmp_path)), "fields+slip")
    assert factors_without_place(plain) == ("unit.ammo",)
    sheet = write_counter_text(gather_contents(plain, unplayed_outcomes(plain), None), "Fields")["main"].decode()
    assert "*Not on the faces:* Ammo of units." in sheet
    faces = "book: []\nfaces: {unit: [ammo, movement, morale]}\n"
    (folder / "book.yaml").write_text(faces, encoding="utf-8")
    placed = rules(open_packages((root, tmp_path)), "fields+slip")
    face = chart_face(placed, placed.counters["cart"])
    assert (face.factors, face.below) == (("7", "8", "5", ""), "")
    assert factors_without_place(placed) == ()
    (folder / "book.yaml").write_text("book: []\nfaces: {unit: [amo], kegs: [fuse]}\n", encoding="utf-8")
    messages = [each.message for each in open_packages((root, tmp_path)).compiled("fields+slip").diagnostics]
    assert messages == ["there is no factor `amo`", "there is no kind of piece `kegs`"]


def test_explain_shows_type_values_and_layers(packages: PackageSet) -> None:
    stack = packages.compiled("fields+mettle")
    page, cart, runner = (explain_page(stack, name) or {} for name in ("mettle", "cart", "runner"))
    assert (page["type"], page["at first"], page["otherwise"], page["read by"]) == (
        "0..9", "5", "cart 3", "the-timid-stop",
    )  # fmt: skip
    assert "extend kind unit has mettle" in page["paragraph"]
    assert cart["besides"].startswith("mettle by mettle, ")
    assert runner["besides"] == "mettle by mettle, at first"


@sampled(0)
def test_the_editor_completes_explains_and_renames_an_added_factor(root: Path) -> None:
    file = root / "powder" / "powder.rules"
    text = file.read_text(encoding="utf-8")
    workspace = EditorWorkspace((root,))
    workspace.read(file)

    def offered(more: str) -> list[str]:
        typed = f"{text}\n{more}"
        lines = typed.split("\n")
        found = completion.list_offers(workspace, file, typed, len(lines) - 1, len(lines[-1]))
        return [each.offer.word for each in sorted(found, key=lambda each: each.rank)]

    assert {*offered("extend kind ")} >= {"unit", "keg"}
    assert "hex" not in offered("extend kind ")
    assert "shots" in offered('rule new [house] "New."\n  may_enter forbidden\n  when mover.s')[:6]
    with workspace.index_of(file) as found:
        assert found is not None
        names = found.index.files[found.files[file.resolve()]]
        used = next(each for each in names if each.symbol == "printed unit.shots" and not each.declares)
        assert symbols.meaning_of(workspace, found, file, used).startswith("printed on the counters unit.shots: 0..4")
    row = next(number for number, each in enumerate(text.split("\n"), 1) if each.startswith("extend kind"))
    column = text.split("\n")[row - 1].index("shots") + 1
    edits = renaming.rename_places(EditorWorkspace((root,)), file, row, column, "rounds")
    assert {path.name for path in edits} == {"powder.rules", "fuses.yaml"}
    assert "column: rounds" in renaming.replace_places(edits[root / "fuses" / "fuses.yaml"], "rounds")


# ---------------------------------------------------------------- errors

MORALE = "extend kind unit has morale: 0..9 = 5"
REFUSED = {
    "no first value": ("extend kind unit has morale: 0..9", "", "R0411 `morale` has no first value"),
    "an unknown kind": ("extend kind unti has morale: 0..9 = 5", "", "R0201 there is no kind of piece `unti`"),
    "a first value off the scale": ("extend kind unit has morale: 0..9 = 12", "", "R0601 `unit.morale` needs 0..9"),
    "a first value of another measure": ("extend kind unit has morale: 0..9 = 5 MP", "", "R0601 `unit.morale` needs"),
    "no member of the list": ("extend kind unit has knack: gait = wing", "", "R0202 `wing` is no `gait`"),
    "a factor of the game": ("extend kind unit has movement: 0..9 = 5", "", "R0211 `movement` is printed on each unit"),
    "another domain": (f"{MORALE}, morale: 0..9 MP = 4 MP", "", "R0211 `morale` is printed on each unit as 0..9"),
    "a factor twice": (f"{MORALE}, morale: 0..9 = 4", "", "R0205 the factor of unit `morale` is declared twice"),
    "a kind again": ("kind unit has morale: 0..9", "", "R0205 the kind `unit` is declared twice"),
    "a track": ("extend kind unit has spent: 0..9 = 5", "", "R0210 `spent` is printed on each unit and is a track"),
    "a status": ("extend kind unit has tired: 0..9 = 5", "", "R0210 `tired` is printed on each unit and is a status"),
    "a partner": (
        "relation leads(leader: unit, led: unit) one leader\nextend kind unit has leader: 0..9 = 5", "",
        "R0210 `leader` is printed on each unit and is an end of the relation `leads`",
    ),
    "a track like a status": ("track unit.tired: 0..9 = 5", "", "R0210 `tired` is a track of each unit and is a stat"),
    "a track like a partner": (
        "relation leads(leader: unit, led: unit) one leader\ntrack unit.led: 0..9 = 5", "",
        "R0210 `led` is a track of each unit and is an end of the relation `leads`",
    ),
    "another type elsewhere": (
        "kind keg has gait: 0..9", "", "R0210 `gait` is printed on each keg and is a factor of another type of unit",
    ),
    "what every piece has": ("extend kind unit has side: 0..9 = 5", "", "R0411 no factor of unit can be called `side`"),
    "an unknown counter": (MORALE, "add factors: {morale: {runer: 4}}", "R0313 there is no counter `runer` to patch"),
    "a value off the scale": (MORALE, "add factors: {morale: {cart: 11}}", "R0601 `cart.morale` needs 0..9 but"),
    "an unknown factor": (MORALE, "add factors: {moral: {cart: 1}}", "R0313 there is no added factor `moral`"),
    "a value of the game": (MORALE, "add factors: {movement: {cart: 1}}", "R0319 `cart.movement` is given a value"),
    "not as expected": (
        MORALE, "set: [{id: cart, column: morale, expect: 4, now: 7}]", "R0311 `cart.morale` is `5`, not `4`",
    ),
    "given and changed": (
        MORALE, "add factors: {morale: {cart: 4}}\nset: [{id: cart, column: morale, expect: 4, now: 7}]",
        "R0314 `cart.morale` is changed twice",
    ),
    "a column of a table": (MORALE, "add columns: {morale: {cart: 4}}", "R0313 `unit` is a kind of piece, and no"),
    "a taken name with values": (
        "extend kind unit has spent: 0..9 = 5", "add factors: {spent: {cart: 4}}", "R0210 `spent` is printed on each",
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
    assert [each.message for each in found.diagnostics] == ["there is no kind of counters `unti` to patch"]


@pytest.mark.parametrize("domain", ["0..3 = 2", "0..9 MP = 5 MP", "gait = foot"])
def test_two_layers_with_different_domains_are_one_finding(domain: str, root: Path, tmp_path: Path) -> None:
    """Rules and patches of the second layer that use its factor cause no further findings."""
    for name, declaration, value in (
        ("one", "0..9 = 5", "4"),
        ("other", domain, domain.partition("= ")[2].partition(" ")[0]),
    ):
        folder = tmp_path / name
        folder.mkdir()
        manifest = f"{{layer: {name}, title: {name}, kind: optional, on: [fields]}}"
        (folder / "layer.yaml").write_text(manifest, encoding="utf-8")
        held = f"always steady-{name} [house] every(u in all unit where u.morale = {domain.partition('= ')[2]})"
        (folder / "all.rules").write_text(
            f"extend kind unit has morale: {declaration}\n\n{held if name == 'other' else ''}\n", encoding="utf-8"
        )
        (folder / "all.yaml").write_text(f"patch: unit\nadd factors: {{morale: {{cart: {value}}}}}\n", encoding="utf-8")
    found = open_packages((root, tmp_path)).compiled("fields+one+other").diagnostics
    assert [each.code for each in found] == ["R0211"], [each.message for each in found]
    assert {each.span.file.rpartition("/")[0].rpartition("/")[2] for each in found[0].spans} == {"one", "other"}


def test_two_layers_that_add_one_factor_are_one_finding_with_both_places(root: Path, tmp_path: Path) -> None:
    for name in ("one", "other"):
        folder = tmp_path / name
        folder.mkdir()
        manifest = f"{{layer: {name}, title: {name}, kind: optional, on: [fields]}}"
        (folder / "layer.yaml").write_text(manifest, encoding="utf-8")
        (folder / "all.rules").write_text(f"{MORALE}\n", encoding="utf-8")
        (folder / "all.yaml").write_text("patch: unit\nadd factors: {morale: {cart: 4}}\n", encoding="utf-8")
    [stack] = open_packages((root, tmp_path)).compiled("fields+one+other").diagnostics
    assert (stack.code, stack.message) == ("R0205", "the factor of unit `morale` is declared twice")
    assert {each.span.file.rpartition("/")[0].rpartition("/")[2] for each in stack.spans} == {"one", "other"}
