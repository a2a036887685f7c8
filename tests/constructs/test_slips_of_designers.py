"""Typical errors of first designs of operational and area games: fractions of odds, spaces, and facts of cards."""

import re
from pathlib import Path

import pytest

from compiler.compile import compile_stack
from compiler.report.codes import code_of
from compiler.report.diagnose import diagnose
from runtime.examples.run import run_row
from runtime.graph.wording import Wording
from tests.analysis.planted import compiled, library_of
from tests.proved import prove

MANIFEST = "layer: planted\ntitle: Planted\nkind: base\nplayable: yes\ncites: house\n"
WORDS = """
side north, south
measure pips
feature space: port
feature connection: strait
kind ship has power: 0..9
domain die = 1..6 pips
scale odds: '1-2' = 1/2, '1-1' = 1, '3-2' = 3/2, '2-1' = 2
track side.stores: 0..9 = 0
"""
CHART = """table: crt
cites: house
keys: {die: die, odds: odds}
cell: 0..9
columns: ['1-2', '1-1', '3-2', '2-1']
grid: {1: [0, 1, 2, 3], 2: [0, 1, 2, 3], 3: [0, 1, 2, 3], 4: [0, 1, 2, 3], 5: [0, 1, 2, 3], 6: [0, 1, 2, 3]}
---
pieces: ship
cites: house
columns: [id, side, power]
rows: [[galley, north, 4], [cog, south, 3]]
"""


def rule_findings(folder: Path, rules: str, **more: str) -> list[tuple[str, str, str]]:
    """List code, message and help of each finding."""
    files = {"layer.yaml": MANIFEST, "words.rules": WORDS, "more.rules": rules, "chart.yaml": CHART, **more}
    found = compile_stack(library_of(files, folder), "planted").problems
    texts = {f"{folder.name}/{name}": text for name, text in files.items()}
    return [(each.code, each.message, each.help) for each in diagnose(found, texts)]


@pytest.mark.parametrize(
    ("key", "is_inside"),
    [
        ("odds(r)", False),
        ("clamp(odds(r), '1-2', '2-1')", True),
        ("round_down(odds(r))", False),
        ("clamp(round_down(odds(r)), '1-2', '2-1')", True),
        ("max(p for p in all odds where p <= odds(r) otherwise '1-2')", True),
        ("max(p for p in all odds where p <= odds(r) otherwise odds(r))", False),
        ("least(p in all odds where p >= odds(r) by p otherwise '2-1')", True),
        ("greatest(p in {'1-1', '2-1'} by number(p))", True),
        ("if r > 1 then '2-1' else '1-1'", True),
        ("if r > 1 then odds(r) else '1-1'", False),
    ],
)
def test_keys_that_are_always_places_of_a_scale_are_accepted(key: str, is_inside: bool, tmp_path: Path) -> None:
    rules = f"define hits(r: 0..9): 0..9 [house] = crt[2 pips, {key}]\n"
    named = (
        f'resolution fire(r: 0..9) [house] "Fire." {{ let column = {key} set north.stores to crt[2 pips, column] }}\n'
    )
    for number, text in enumerate((rules, named)):
        found = [code for code, *_ in rule_findings(tmp_path / str(number), text)]
        assert found == ([] if is_inside else ["R0407"])


@pytest.mark.parametrize(
    ("ratio", "down", "up"),
    [("1/2", "'1-2'", "'1-2'"), ("4/3", "'1-1'", "'3-2'"), ("7/4", "'3-2'", "'2-1'"), ("2", "'2-1'", "'2-1'")],
)
def test_odds_are_rounded_to_a_named_place(ratio: str, down: str, up: str, tmp_path: Path) -> None:
    example = f'example "rounded" {{ row A ask below({ratio}) = {down} ask above({ratio}) = {up} }}\n'
    rules = "define below(r: 0..9): odds [house] = round_down(odds(r))\n"
    rules += "define above(r: 0..9): odds [house] = round_up(odds(r))\n" + example
    files = {"layer.yaml": MANIFEST, "words.rules": WORDS, "more.rules": rules, "chart.yaml": CHART}
    found = compiled(files, tmp_path, "planted")
    assert run_row(found, found.examples[0], 0).has_passed
    rounded = found.rules["below"].value
    assert rounded is not None
    assert "rounded down" in Wording(found).phrase(rounded)


def test_columns_of_an_example_set_features_of_spaces(tmp_path: Path) -> None:
    rules = """define ports(): 0..9 [house] = count(s in all space where s is port)
example "ports" for (ground, here, found) in ({port}, A, 1), ({}, B, 0) {
  spaces A ground, B
  connections A-B
  piece G: galley at here
  ask ports() = found
}
"""
    files = {"layer.yaml": MANIFEST, "words.rules": WORDS, "more.rules": rules, "chart.yaml": CHART}
    found = compiled(files, tmp_path, "planted")
    assert [run_row(found, each, 0).has_passed for each in found.examples] == [True, True]


def test_an_answer_after_a_conjunction_needs_parentheses(tmp_path: Path) -> None:
    rules = 'example "both" { row A piece G: galley at A ask G is ship and G.side = north }\n'
    (found,) = rule_findings(tmp_path, rules)
    assert "not to its last part alone" in found[1]
    assert found[2] == "put what is asked in parentheses: `ask (A and B = C)`"


def test_a_wrong_column_is_reported_once_for_each_word(tmp_path: Path) -> None:
    rules = """verdict may_go(u: ship) default allowed
example "who goes" for (u, answer) in (galley, allowed), (cog, forbidden) {
  row A
  piece G: u at A
  ask may_go(G) = answer
}
"""
    found = rule_findings(tmp_path, rules)
    assert {message for _, message, _ in found} == {
        "`allowed` is no value: an answer is `yes` or `no`",
        "`forbidden` is no value: an answer is `yes` or `no`",
    }


CARD = """scenario: raid
title: Raid
uses: planted
map: [[coast]]
turns: 3
order: [north, south]
facts: {goals: {region: Bay}}
forces: [{side: north, placed: [{unit: galley, at: "0102"}]}]
"""
BOARD = "board: coast\nnumbering: {style: ccrr, columns: 3, rows: 3, shift: right}\nregions: {Bay: ['0101']}\n"
FACTS = """track scenario.order: list of side = {} required "who moves first"
track scenario.turns: 1..9 = 3 required "how long it lasts"
track scenario.goals: set of hex required "what is fought for"
define first(): yes_no [house] = north in scenario.order and scenario.turns > 2 and count(scenario.goals) > 0
"""


def on_card(folder: Path, board: str, card: str = CARD) -> list[str]:
    """List the codes of the findings on a card."""
    files = {"layer.yaml": MANIFEST, "words.rules": WORDS + FACTS, "chart.yaml": CHART, "card.yaml": card}
    library = library_of({**files, "board.yaml": board}, folder)
    raid = library.scenarios.get("raid")
    assert raid is not None
    return [code_of(each).number for each in compile_stack(library, "planted", raid).problems]


def test_order_and_turns_of_a_card_are_required_facts(tmp_path: Path) -> None:
    assert on_card(tmp_path / "a", BOARD) == []
    assert on_card(tmp_path / "b", BOARD, CARD.replace("facts: {goals: {region: Bay}}\n", "")) == ["R0414"]
    far = CARD.replace("{region: Bay}", "{region: Bay, columns: 3..3}")
    assert on_card(tmp_path / "c", BOARD, far)[-1] == "R0414"


def test_a_board_with_errors_causes_no_finding_on_facts(tmp_path: Path) -> None:
    assert "R0414" not in on_card(tmp_path, BOARD.replace("['0101']", "{columns: 1..2}"))


@pytest.mark.parametrize(
    ("filled", "codes"),
    [("set north.stores to 3", []), ("set north.stores to 3 / 2", ["R0521"])],
)
def test_a_track_that_is_set_to_integers_only_is_whole(filled: str, codes: list[str], tmp_path: Path) -> None:
    rules = f"""
resolution fill() [house] "Fill." {{ {filled} }}
resolution use(of: side) [house] "Use one." {{ if of.stores > 0 {{ set of.stores to of.stores - 1 }} }}
"""
    files = {"layer.yaml": MANIFEST, "words.rules": WORDS, "more.rules": rules, "chart.yaml": CHART}
    found = prove(compiled(files, tmp_path, "planted")).problems
    assert [code_of(each).number for each in found if code_of(each).number == "R0521"] == codes


def test_messages_on_spaces_speak_of_spaces(tmp_path: Path) -> None:
    rules = "status space: blocked until end of game\ntrack space.lord: side\n"
    asks = 'example "lord" { spaces A moor connections A-A ask A.lord = north }\n'
    found = rule_findings(tmp_path / "a", rules + asks)
    messages = [message for _, message, _ in found]
    assert "space cannot be `moor`" in messages
    assert "`space.lord` may be absent here" in messages
    assert not any("hex" in text for each in found for text in each)
    of_hexes = rule_findings(tmp_path / "b", rules.replace("track space.", "track hex.") + asks)
    assert "`hex.lord` may be absent here" in [message for _, message, _ in of_hexes]


def test_the_help_for_an_absent_value_has_parentheses(tmp_path: Path) -> None:
    rules = 'track hex.lord: side\nexample "lord" { row A ask A.lord = north }\n'
    ((_, _, advice),) = rule_findings(tmp_path, rules)
    assert advice == "ask both in parentheses: `(A has lord and A.lord = ..)`"


@pytest.mark.parametrize(
    ("sentence", "law", "codes"),
    [
        ("Ships go into ports.", "u is swift and s is not port", []),
        ("Trade wants a port.", "s is not port", []),
        ("The swift may trade.", "u is swift", ["R0541"]),
        ("Ships with a power of up to 3 do not trade.", "u.power <= 4", ["R0541"]),
    ],
)
def test_a_sentence_mentions_the_place_of_its_law(sentence: str, law: str, codes: list[str], tmp_path: Path) -> None:
    rules = f"""trait ship: swift
verdict may_trade(u: ship, s: space) default allowed
  reads "{{u}} may trade in {{s}}" denied "{{u}} may not trade in {{s}}"
rule no-trade-at-sea [house] "{sentence}"  may_trade forbidden  when {law}
"""
    files = {"layer.yaml": MANIFEST, "words.rules": WORDS, "more.rules": rules, "chart.yaml": CHART}
    found = prove(compiled(files, tmp_path, "planted")).problems
    assert [code_of(each).number for each in found if code_of(each).number == "R0541"] == codes


@pytest.mark.parametrize(
    ("sentence", "law", "codes"),
    [
        ("A ship trades if nobody watches the port.", "holds when s is not watched", []),
        ("Each side trades two times a turn.", "fails when u.side.trades >= 2", []),
        ("No side trades unless it has traded 3 times or less.", "fails when u.side.trades > 3", []),
        ("Who has made 3 trades or more waits.", "fails when u.side.trades > 3", ["R0541"]),
        ("Three trades end it.", "fails when u.side.trades > 3", ["R0541"]),
        ("Medium and large ships do not trade.", "fails when u.size != small", []),
    ],
)
def test_a_sentence_with_a_negated_condition_or_a_number_fits_its_law(
    sentence: str, law: str, codes: list[str], tmp_path: Path
) -> None:
    rules = f"""trait ship: swift
enum size: small, medium, large
extend kind ship has size: size = small
status space: watched until end of turn
track side.trades: 0..4 = 0 until end of turn
condition trades(u: ship, s: space) default no reads "{{u}} trades in {{s}}" denied "{{u}} does not trade in {{s}}"
rule trading [house] "{sentence}" trades {law}
"""
    files = {"layer.yaml": MANIFEST, "words.rules": WORDS, "more.rules": rules, "chart.yaml": CHART}
    found = prove(compiled(files, tmp_path, "planted")).problems
    assert [code_of(each).number for each in found if code_of(each).number == "R0541"] == codes


def test_a_trailing_underscore_is_left_out_of_a_phrase(tmp_path: Path) -> None:
    rules = "enum order: hold_fast, break_\n"
    files = {"layer.yaml": MANIFEST, "words.rules": WORDS, "more.rules": rules, "chart.yaml": CHART}
    members = compiled(files, tmp_path, "planted").vocabulary.enums["order"].members
    assert [each.reads for each in members] == ["hold fast", "break"]


@pytest.mark.parametrize(
    ("law", "said_so", "advice_so"),
    [
        ("u in swift", "`swift` is a trait and no set", "write `u is swift`"),
        ("u not in swift", "`swift` is a trait and no set", "write `u is not swift`"),
        ("s in port", "`port` is a feature and no set", "write `s is port`"),
        ("u in convoy", "`convoy` is a kind of piece and no set", "write `u is convoy`"),
    ],
)
def test_a_word_that_is_no_set_is_tested_with_is(law: str, said_so: str, advice_so: str, tmp_path: Path) -> None:
    rules = f"""trait ship: swift
kind convoy
verdict may_trade(u: ship|convoy, s: space) default allowed
  reads "{{u}} may trade in {{s}}" denied "{{u}} may not trade in {{s}}"
rule no-trade [house] "There is no trade."  may_trade forbidden  when {law}
"""
    ((_, message, advice),) = rule_findings(tmp_path, rules)
    assert (message, advice) == (said_so, advice_so)


@pytest.mark.parametrize(
    ("written", "code", "message", "advice"),
    [
        ("status game: mud", "R0411", "`game` has no status", "let it keep a note: `track game.NAME: yes_no = no`"),
        ("trait side: rich", "R0411", "`side` has no trait", "let it keep a note: `track side.NAME: yes_no = no`"),
        ("status shpi: sunk", "R0201", "there is no kind `shpi`", "did you mean `ship`?"),
        ("trait town: big", "R0201", "there is no kind `town`", "declare it, or use `ship`"),
        ("place inside of fort", "R0201", "there is no kind `fort`", "declare it, or use `ship`"),
        ("status hexside: wet", "R0201", "there is no kind `hexside`", "declare it, or use one of `ship` and `hex`"),
        (
            "feature ship: fast",
            "R0411",
            "features are printed on the map, and not on `ship`",
            "write `feature space: ..` or `feature connection: ..`; what a piece is, is a trait: `trait ship: ..`",
        ),
    ],
)
def test_an_owner_without_flags_is_an_error(tmp_path: Path, written: str, code: str, message: str, advice: str) -> None:
    """Such a flag was once accepted, and each use of it reported as an unknown name."""
    assert rule_findings(tmp_path, written) == [(code, message, advice)]


def test_spaces_and_connections_have_features_and_spaces_a_status(tmp_path: Path) -> None:
    assert (
        rule_findings(tmp_path, "feature space: fen\nfeature connection: ford\nstatus space: burnt until end of turn\n")
        == []
    )


def test_the_help_shows_the_place_of_a_hash_and_the_form_of_an_intersection(tmp_path: Path) -> None:
    late = rule_findings(tmp_path / "a", 'rule r [house] "A." reorders phase x before y expecting "00000000"')
    assert [(each[0], each[2].partition(":")[0]) for each in late] == [
        ("R0101", "it states the hash of the name before it")
    ]
    both = rule_findings(
        tmp_path / "b", 'define d(a: set of space, b: set of space): set of space [house] = a & b reads "d"'
    )
    assert [(each[0], each[2]) for each in both] == [
        ("R0103", "write `and`; the members that two sets share are `{x in A where x in B}`")
    ]


@pytest.mark.parametrize(
    ("declaration", "other"),
    [
        ("define clamp(x: 0..9): 0..9 [house] = x", "function of the language"),
        ("define line(s: ship): yes_no [house] = s.power > 3", "function of the language"),
        ("scale min: '1-2' = 1/2, '1-1' = 1", "function of the language"),
        ("relation adjacent(a: ship, b: ship)", "function of the language"),
        ("define odds(x: 0..9): 0..9 [house] = x", "scale already"),
    ],
)
def test_a_name_that_hides_a_function_is_one_error(declaration: str, other: str, tmp_path: Path) -> None:
    """The calls of the hidden function are not reported one by one: they are right without the declaration."""
    calls = """
define strength(a: ship, b: ship): 0..9 [house] = clamp(min(a.power, b.power), 1, 3)
define meets(a: ship, b: ship): yes_no [house] = adjacent(a.hex, b.hex) and count(line(a.hex, b.hex)) > 0
"""
    name = re.split("[ (:]", declaration)[1]
    errors = [(code, message) for code, message, _ in rule_findings(tmp_path, declaration + calls) if code < "R05"]
    assert [code for code, _ in errors] == ["R0411"]
    assert errors[0][1].startswith(f"`{name}` is a {other}")
