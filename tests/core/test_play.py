"""Compiled modules play as the machine does: options in order, positions, dice and random choices."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from compiler.core.trap_reason import TrapReason
from compiler.wasm.function import write_trap
from compiler.wasm.module import write_game
from runtime.answer.generate import GeneratedEvaluator
from runtime.engine.game import NativeGame
from runtime.engine.module import CompiledModule
from runtime.engine.trap import TrapError
from runtime.graph import nodes as graph
from runtime.mutation.procedure_mutants import with_steps_of
from runtime.play.game import Game
from runtime.play.rule_faults import TooMuchToPlay
from runtime.players.greedy import greedy_option
from runtime.players.lookahead import lookahead_player
from runtime.players.player import uniform_option
from runtime.state.setup import from_card, from_position
from tests.analysis.planted import compiled as planted
from tests.constructs.test_constructs import rules as constructs
from tests.core.playing import Engines, differing_games, engines, side_by_side
from tests.play.side_by_side import side_by_side as by_reference
from tests.play.test_obligations import KEPT, SEARCHED
from tests.play.test_obligations import rules as obliging
from tests.sample import LONG, sampled
from tests.soak.stacks import compiled, package_set, wanted

PACKAGES = package_set()
CARDS = [name for name in sorted(PACKAGES.library.scenarios) if "_situation_" not in name]
SHORT = ("before_the_tide", "before_winter", "first_snow", "hazel_ford")


def play_card(card: str, stack: str) -> tuple[Engines, list[str], str]:
    """Play games of a card in both engines, with random and greedy players.

    Returns the engines, the games that differ, and the first difference of a game compared decision by decision.
    """
    rules = compiled(PACKAGES, PACKAGES.library.scenarios[card], stack)
    opening = from_card(rules)
    engine_pair = engines(rules, len(opening.sheets), opening.board.size)
    assert without_code(rules, len(opening.sheets), opening.board.size) == []
    decisions, difference = side_by_side(engine_pair, opening, f"{card} side by side", 2000)
    assert decisions > 5
    seeds = ["seed 0", "action/0", "seed 1", "action/1"]
    different = differing_games(engine_pair, opening, uniform_option, seeds)
    different += differing_games(engine_pair, opening, greedy_option, seeds[:2])
    return engine_pair, different, difference


def without_code(rules: graph.Graph, pieces: int, hexes: int) -> list[str]:
    """List the functions of terms and procedures that have no code: they trap as unsupported."""
    text, _ = write_game(rules, pieces, hexes)
    return [
        each.split()[0]
        for each in text.split("\n(func ")
        if write_trap(TrapReason.UNSUPPORTED) in each
        and each.split()[0].startswith(("$t:", "$p:", "$open:", "$members:"))
    ]


@sampled(0)
def test_every_construct() -> None:
    """Play from the position of each example; one module serves all positions."""
    found = constructs()
    engine_pair = engines(found, 40, 200)
    reports = [
        (
            example.title,
            *side_by_side(engine_pair, from_position(found, example.position), f"{dice}{example.title}", 12),
        )
        for example in found.examples
        for dice in ("", "action/")
    ]
    assert [each for each in reports if each[2]] == []
    assert sum(decisions for _, decisions, __ in reports) > 600


@sampled(1)
@pytest.mark.parametrize("card", SHORT)
def test_situations(card: str) -> None:
    _, different, difference = play_card(card, PACKAGES.library.scenarios[card].uses.text)
    assert (different, difference) == ([], "")


@sampled(0)
@pytest.mark.parametrize("card", ["before_winter", "hazel_ford"])
def test_players_that_look_ahead(card: str) -> None:
    """Planning players make the same choices in both engines, also in a game with secrets."""
    rules = compiled(PACKAGES, PACKAGES.library.scenarios[card], PACKAGES.library.scenarios[card].uses.text)
    opening = from_card(rules)
    engine_pair = engines(rules, len(opening.sheets), opening.board.size)
    assert differing_games(engine_pair, opening, lookahead_player(150), ["seed 1"], 150) == []


@LONG
@pytest.mark.parametrize("card", CARDS)
def test_every_situation_with_its_options(card: str) -> None:
    for stack in wanted(PACKAGES, PACKAGES.library.scenarios[card]):
        _, different, difference = play_card(card, stack)
        assert (stack, different, difference) == (stack, [], "")


HOSTILE = """
side north, south
kind cart
record note {of: cart, pages: set of 0..999}
track cart.seen: 0..100000 = 0
relation pulls(puller: cart, pulled: cart)
action step by player in moving "Step." {
  choose c from {c in all cart where c.side = player}
  do around(c)
}
resolution around(c: cart) [house] "Round and round." { BODY }
sequence game { phase moving "Moving" { offer step } }
resolution throw_many() [house] "Throw." { for each i in 1..999 { roll d: 1..6 } }
define far(n: 0..99): 0..999 [house]
  = count(i in 1..999 where some(j in 1..999 where some(k in 1..999 where k = n - i - j - 99))) reads "far"
value silent(n: 0..99): 0..999 reads "silent"
example "two" {
  row A, B
  piece N: cart of north at A
  ask count(all cart) = 1
}
"""
ROUND, GAME = "resolution around, {}/r.rules:11", "sequence game, {}/r.rules:12"
# The body, the reason of the trap, the exceeded limit, and the location.
BODIES = {
    "procedures without end": ("do around(c)", "broken", "", ROUND),
    "loops in loops": (
        "for each i in 1..999 { for each j in 1..999 { for each k in 1..999 { set c.seen to i } } }",
        "exhausted",
        "4 MiB for sets, lists and procedures under way",
        ROUND,
    ),
    "records without number": (
        "for each i in 1..999 { for each j in 1..999 { write note(of: c, pages: {i, j}) } }",
        "exhausted",
        "4 MiB for records, and for sets and lists that are kept",
        ROUND,
    ),
    "pieces without number": (
        "for each i in 1..999 { create cart at c.hex of north }",
        "exhausted",
        "room for more pieces",
        ROUND,
    ),
    "pairs without number": (
        "for each i in 1..20 { create cart at c.hex of north }"
        " for each d in all cart { for each e in all cart { relate pulls(d, e) } }",
        "exhausted",
        "two related pairs a piece",
        ROUND,
    ),
    "dice without number": (
        "for each i in 1..999 { do throw_many() }",
        "exhausted",
        "20,000 dice a game",
        "resolution throw_many, {}/r.rules:13",
    ),
    "a question that passes over much": (
        "set c.seen to far(99)",
        "exhausted",
        "200,000,000 steps",
        "far, {}/r.rules:14",
    ),
    "a question that no rule answers": ("set c.seen to silent(1)", "gap", "", "silent, {}/r.rules:16"),
    "a set of lists": ("set c.seen to count({toward(c.hex, d) for d in 1..6})", "unsupported", "", ROUND),
    "an offer that nothing ends": ("set c.seen to 1", "broken", "", GAME),
}


@sampled(1)
@pytest.mark.parametrize("is_kept", [False, True], ids=["compiled", "read from the cache"])
@pytest.mark.parametrize("case", BODIES)
def test_hostile_procedures(case: str, *, is_kept: bool, tmp_path: Path) -> None:
    """A game of any procedure stops in bounded time and memory; the trap has the limit and the location."""
    body, *preconditions = BODIES[case]
    layer = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
    rules = planted({"layer.yaml": layer, "r.rules": HOSTILE.replace("BODY", body)}, tmp_path)
    trap = trap_of(rules, is_kept=is_kept)
    assert bool(without_code(rules, 40, 200)) == (trap.reason == "unsupported")
    assert [trap.reason, trap.exceeded, trap.location] == [each.format(tmp_path.name) for each in preconditions]


HUGE = "{n in 1..999 where n > 0}"
CHOICES = {
    "members of four sets": f"choose d from {HUGE} choose e from {HUGE} choose f from {HUGE} legal d + e + f > 9999",
    "sets": f"choose any d from {HUGE} choose any e from {HUGE} choose any f from {HUGE}"
    " legal count(d) + count(e) + count(f) > 9999",
}


@sampled(0)
@pytest.mark.parametrize("case", ["sets", pytest.param("members of four sets", marks=LONG)])
def test_a_choice_among_huge_sets(case: str, tmp_path: Path) -> None:
    """A search for a completion of an action is too long: both engines stop with a location."""
    layer = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
    choice = "choose c from {c in all cart where c.side = player}\n"
    assert choice in HOSTILE
    text = HOSTILE.replace(choice, choice + CHOICES[case]).replace("BODY", "stop")
    rules = planted({"layer.yaml": layer, "r.rules": text}, tmp_path)
    trap = trap_of(rules, is_kept=False)
    assert (trap.reason, trap.exceeded) == ("exhausted", "200,000,000 steps")
    assert f"{tmp_path.name}/r.rules:" in trap.location
    game = Game(rules, GeneratedEvaluator(rules))
    opening = from_position(rules, rules.examples[0].position)
    opening.player = rules.vocabulary.enums["side"].members[0].name
    with pytest.raises(TooMuchToPlay, match="more than 6,000,000 members in all in sequence"):
        game.advance(game.start("1", opening))


@sampled(1)
@pytest.mark.parametrize("title", ["one each, and two apart", "many"])
@pytest.mark.parametrize("ends", [SEARCHED, KEPT])
def test_options_that_violate_an_obligation_are_left_out(ends: str, title: str, tmp_path: Path) -> None:
    """Both engines have the same options, whether a search or a kept condition excludes them."""
    rules = obliging(tmp_path, ends)
    (example,) = (each for each in rules.examples if each.title == title)
    opening = from_position(rules, example.position)
    engine_pair = engines(rules, 40, 200)
    for seed in ("1", "2"):
        decisions, difference = side_by_side(engine_pair, opening, seed, 200)
        assert difference == ""
        assert decisions > 5
    assert (
        differing_games(engine_pair, opening, greedy_option, ["1"])
        == differing_games(engine_pair, opening, uniform_option, ["1", "2"])
        == []
    )


@sampled(0)
@pytest.mark.parametrize("keeping", [True, False])
def test_attacks_that_are_compulsory(keeping: bool) -> None:
    """A game with dice in each action and an obligation, with and without its kept conditions."""
    rules = compiled(PACKAGES, PACKAGES.library.scenarios["first_snow"], "long_frost+frost_pressure")
    if not keeping:
        rules = with_steps_of(rules, "sequence", without_keeping(rules.procedures["sequence"].body))
    opening = from_card(rules)
    engine_pair = engines(rules, len(opening.sheets), opening.board.size)
    assert side_by_side(engine_pair, opening, "1", 500)[1] == ""
    assert differing_games(engine_pair, opening, greedy_option, ["1"]) == []
    if keeping:
        assert differing_games(engine_pair, opening, lookahead_player(20), ["1"], 20) == []


def without_keeping(node: Any) -> Any:
    """Return steps whose offers have no kept conditions."""
    if isinstance(node, tuple):
        return tuple(map(without_keeping, node))
    if isinstance(node, graph.Offer):
        return replace(node, keeping=None)
    parts = {name: without_keeping(getattr(node, name)) for name in ("body", "then") if hasattr(node, name)}
    return replace(node, **parts) if parts else node


def trap_of(rules: graph.Graph, *, is_kept: bool) -> TrapError:
    """Play from the position of the first example with the first option of each decision; return the trap."""
    opening = from_position(rules, rules.examples[0].position)
    opening.player = rules.vocabulary.enums["side"].members[0].name
    program = engines(rules, 40, 200).program
    if is_kept:
        program = CompiledModule(rules, program.machine_code(), program.layout)
    native = NativeGame(program, opening, {}, fuel=200_000_000, logs=False)
    native.start("1")
    try:
        while native.run():
            native.choose(0)
    except TrapError as trap:
        return trap
    return TrapError("")


UNUSUAL = """
side north, south
kind cart has worth: 0..9
status cart: seen until end of game
event passed(h: hex)
set beside(h: hex): cart reads "what stands beside {h}"
rule next-to-it [house] "All that stand next to it."
  beside includes {c in all cart where adjacent(c.hex, h)}
action step by player in moving "A choice that not every way comes by, then an event." {
  choose h from all hex
  if h is not dark {
    choose other from {c in all cart where c.side != player}
    remove other
  }
  tell passed(h)
  for each c in beside(h) { mark c as seen }
  create tails at h
}
feature hex: dark
sequence game { each turn in 1..2 { each player in {north, south} { phase moving "Moving" { offer step } } } }
example "two" {
  row A, B dark, C
  piece N: heads at A
  piece O: heads at B
  piece S: cart of south at C (worth 9)
  piece T: cart of south at B (worth 8)
  ask count(all cart) = 4
}
"""
FACES = """pieces: cart
cites: house
columns: [id, side, worth, back]
rows:
  - [heads, north, 4, tails]
  - [tails, north, 3, "-"]
"""


def test_constructs_that_no_shipped_rules_have(tmp_path: Path) -> None:
    """A set of pieces beside a hex, a piece created on its back, and a piece chosen only in a branch.

    An action is about the first piece that it chooses outside of any `if`; this action has none and continues.
    """
    layer = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
    rules = planted({"layer.yaml": layer, "faces.yaml": FACES, "r.rules": UNUSUAL}, tmp_path)
    opening = from_position(rules, rules.examples[0].position)
    engine_pair = engines(rules, 16, 16)
    for seed in ("1", "2", "3"):
        assert by_reference(engine_pair.game, opening, seed, 40)[1] == []
        decisions, difference = side_by_side(engine_pair, opening, seed, 40)
        assert (difference, decisions > 5) == ("", True)


CHOSEN_SETS = """
side north, south
kind cart
track cart.seen: 0..99 = 0
define alone(c: cart): set of cart [house] = {c} reads "{c} alone"
define crew(c: cart): set of cart [house] = {d in all cart where d.side = c.side} reads "all with {c}"
action visit by player in moving "Visit." {
  choose c from {c in all cart where c.side != player}
  choose group from {s in {alone(c), crew(c)} where c in s}
  choose any carts from {d in all cart where d.side = player and d.seen < 3}
  choose h from {h in all hex where count(group) > 0 and some(d in group where distance(d.hex, h) <= 1)}
  let all_in = group + carts
  legal count(all_in) > 1
  for each d in all_in { set d.seen to min(99, d.seen + count(group)) }
  for each d in carts { move d to h }
}
sequence game { each turn in 1..8 { each player in {north, south} { phase moving "Moving" { offer visit } } } }
example "four" {
  row A, B, C, D
  piece N1, N2: cart of north at A
  piece S1: cart of south at C
  piece S2: cart of south at D
  ask count(all cart) = 4
}
"""


def test_a_chosen_set_outlives_the_options_of_later_choices(tmp_path: Path) -> None:
    """A set that is chosen stays as it is while the options of later choices take the memory of its own options."""
    layer = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
    rules = planted({"layer.yaml": layer, "r.rules": CHOSEN_SETS}, tmp_path)
    opening = from_position(rules, rules.examples[0].position)
    engine_pair = engines(rules, len(opening.sheets), opening.board.size)
    assert without_code(rules, len(opening.sheets), opening.board.size) == []
    for seed in ("1", "2", "3"):
        decisions, difference = side_by_side(engine_pair, opening, seed, 200)
        assert difference == ""
        assert decisions > 20
    assert differing_games(engine_pair, opening, greedy_option, ["1"]) == []


MARKED = """
side north, south
kind cart
status space: seen until end of game
feature space: dry, wood
path ford
track cart.tally: 0..99 = 0
track game.before: set of space = {}
define seen_spaces(): set of space [house] = {h in all space where h is seen} reads "the spaces that are seen"
resolution look(known: set of space, c: cart) [house] "Look at all else." {
  for each h in all space { mark h as seen }
  set c.tally to min(99, c.tally + 10 * count(known) + count(seen_spaces()))
}
condition may_be_marked(h: space, c: side) default no reads "{c} may mark {h}" denied "{c} may not mark {h}"
rule dry-and-new [house] "What is dry and not seen may be marked, by North nothing in the wood."
  may_be_marked holds when h is not seen and h is dry and (c = south or h is not wood)
condition leads(from: space, to: space) default no reads "{from} leads to {to}" denied "{from} does not lead to {to}"
rule dry-ways [house] "Ways lead to what is dry, by a ford, or out of the wood."
  leads holds when to is dry or between(from, to) has ford or (from is wood and to is not wood)
resolution mark_one() [house] "Mark a space, or another." {
  if some(h in all space where may_be_marked(h, player)) {
    choose h from {h in all space where may_be_marked(h, player) and some(n in all space where n != h)} by player
    mark h as seen
  }
  if some(h in all space where h is not seen and h is not wood) {
    choose h from {h in all space where h is not seen and h is not wood} by player
    mark h as seen
  }
}
action step by player in moving "Step." {
  choose c from {c in all cart where c.side = player}
  do mark_one()
  let known = seen_spaces()
  set game.before to {h in all space where h is seen}
  for each h in seen_spaces() {
    for each other in neighbors(h) { if other not in known { mark other as seen } }
  }
  set c.tally to min(99, c.tally + count(known) + count(game.before))
  let reached = linked({c.hex}, {h in all space where h is not seen or h in known})
  let gone_to = linked(reached, {h in all space where h is seen or h is dry} by leads)
  set c.tally to min(99, c.tally + count(reached) + 3 * count(gone_to))
  do look({h in all space where h is seen and h not in known}, c)
  for each h in {h in all space where h not in known} { unmark h as seen }
  mark c.hex as seen
}
sequence game { each turn in 1..3 { each player in {north, south} { phase moving "Moving" { offer step } } } }
example "two" {
  row A dry, B, C dry wood, D wood, E dry
  piece N: cart of north at A
  piece M: cart of north at B
  piece S: cart of south at D
  ask count(all cart) = 3
}
"""


@pytest.mark.parametrize("room", [16, 400])
def test_a_set_of_marked_spaces_stays_as_it_was_bound(room: int, tmp_path: Path) -> None:
    """Names, loops, arguments and tracks have the spaces that were marked then, not those that are marked later.

    Sets of many words are in memory, those of few are not.
    """
    layer = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
    rules = planted({"layer.yaml": layer, "r.rules": MARKED}, tmp_path)
    opening = from_position(rules, rules.examples[0].position)
    engine_pair = engines(rules, room, room)
    for seed in ("1", "2"):
        assert by_reference(engine_pair.game, opening, seed, 40)[1] == []
        decisions, difference = side_by_side(engine_pair, opening, seed, 40)
        assert (difference, decisions > 5) == ("", True)
    assert differing_games(engine_pair, opening, uniform_option, [str(seed) for seed in range(12)]) == []


@sampled(0)
def test_sets_in_sets_stay_in_memory() -> None:
    """A set that another set refers to is not overwritten while it is used."""
    rules = compiled(PACKAGES, PACKAGES.library.scenarios["easthay"], "panzerblitz+panzerbitz_thunder")
    opening = from_card(rules)
    engine_pair = engines(rules, len(opening.sheets), opening.board.size)
    assert differing_games(engine_pair, opening, uniform_option, ["seed 1"]) == []


DRAWN = """
side north, south
kind cart
track cart.place: 0..9 = 0
action step by player in moving "Step." {
  choose c from all cart
}
resolution mix() [house] "Draw all carts in an order, and number them by it." {
  draw order carts from {c in all cart where c.side = north}
  draw any two of 2 from {c in all cart where c.side = north}
  for each c in carts {
    let others = {d in all cart where d != c}
    let more = others + {c}
    set c.place to c.place + count(more)
  }
  for each c in two {
    let others = {d in all cart where d != c}
    set c.place to c.place + count(others)
  }
}
sequence game { phase moving "Moving" { do mix() offer step } }
example "five" {
  row A, B
  piece N: cart of north at A
  piece O: cart of north at A
  piece P: cart of north at A
  piece Q: cart of north at A
  ask count(all cart) = 4
}
"""


def test_a_drawn_set_stays_in_memory_during_a_loop(tmp_path: Path) -> None:
    """A randomly drawn set or list is not overwritten by sets that the loop over it makes."""
    layer = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
    rules = planted({"layer.yaml": layer, "r.rules": DRAWN}, tmp_path)
    opening = from_position(rules, rules.examples[0].position)
    opening.player = "north"
    engine_pair = engines(rules, 8, 16)
    assert [side_by_side(engine_pair, opening, str(seed), 8)[1] for seed in range(4)] == [""] * 4
