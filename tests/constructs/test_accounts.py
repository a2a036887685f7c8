"""Accounts of procedures: previews before the dice with the chance of each result, and reports at the end."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from compiler.report.diagnose import diagnose
from compiler.report.render.line import diagnostic_line
from rulewright.library.stacks import open_packages
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import Interpreter
from runtime.examples.run import run_row
from runtime.graph import nodes as graph
from runtime.play.accounts import ClosedAccount, accounts_in
from runtime.play.added_procedures import begin_offer
from runtime.play.game import Game
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.play.previews import chance_text, preview_option
from runtime.players.player import as_seen
from runtime.state.change import write
from runtime.state.record import Record
from runtime.state.setup import from_position

TOY = Path(__file__).parent / "toy"
STACK = open_packages((TOY,)).compiled("constructs")
THROW = "who is added to, and who is left"


def rules() -> graph.Graph:
    """Return the graph of the compiled constructs."""
    assert STACK.graph is not None, [diagnostic_line(each) for each in STACK.diagnostics]
    return STACK.graph


def game_at_choice(
    title: str, action: str, *, seed: str | None = "3", compiled: bool = True
) -> tuple[Game, Playthrough]:
    """Return a game with accounts, at the first choice of an action in the position of an example."""
    example = next(each for each in rules().examples if each.title == title)
    game = Game(rules(), GeneratedEvaluator(rules()) if compiled else Interpreter(rules()))
    game.tell_accounts()
    playthrough = Playthrough(from_position(rules(), example.position), seed)
    playthrough.state.player = "red"
    playthrough.calls.append(game.frame(f"action:{action}", {"player": "red"}))
    return game, playthrough


def played(game: Game, playthrough: Playthrough) -> list[ClosedAccount]:
    """Choose the first option of every decision; return the accounts."""
    while (decision := game.run(playthrough)) is not None:
        game.apply(playthrough, decision, 0)
    return accounts_in(playthrough.journal)


def test_fields_have_types_and_deciding_rules() -> None:
    game, playthrough = game_at_choice(THROW, "throw_beads")
    assert game.accounts is not None
    game.accounts.explaining = Interpreter(rules())
    inner, outer = played(game, playthrough)
    fields = {field.name: field for field in inner.fields}
    assert fields["beads"].type == graph.Many("set", graph.Piece(("bead",)))
    assert fields["beads"].text_with_hexes == "two beads in A"
    assert fields["added"].value == 1
    assert [reason.label for reason in fields["added"].reasons] == ["nudge"]
    assert inner.sentence.startswith(f"Two beads in A are thrown at B, die {fields['d'].value}: ")
    assert (inner.key, outer.key, outer.side) == ("resolution:scatter", "action:throw_beads", "red")


def test_accounts_do_not_change_the_game() -> None:
    game, playthrough = game_at_choice(THROW, "throw_beads")
    silent = Game(rules(), GeneratedEvaluator(rules()))
    other = playthrough.copy()
    played(game, playthrough)
    while (decision := silent.run(other)) is not None:
        silent.apply(other, decision, 0)
    assert (playthrough.digest(), playthrough.dice) == (other.digest(), other.dice)
    assert [event for event in playthrough.journal if event.kind != "account"] == other.journal


def test_undo_removes_accounts_and_redo_restores_them() -> None:
    game, playthrough = game_at_choice(THROW, "throw_beads", seed="7")
    decision = offered(game, playthrough)
    game.apply(playthrough, decision, 0)
    assert game.run(playthrough) is not None
    first = accounts_in(playthrough.journal)
    assert len(first) == 2
    assert playthrough.undo()
    assert accounts_in(playthrough.journal) == []
    game.apply(playthrough, decision, 0)
    assert game.run(playthrough) is not None
    assert [each.sentence for each in accounts_in(playthrough.journal)] == [each.sentence for each in first]


@pytest.mark.parametrize("compiled", [True, False])
def test_both_evaluators_give_equal_previews(compiled: bool) -> None:
    game, playthrough = game_at_choice(THROW, "throw_beads", compiled=compiled)
    assert [each.preview for each in played(game, playthrough)] == [
        "Two beads in A are thrown at B, with 1 added.", "Two beads in A are about to go.",
    ]  # fmt: skip


def test_a_preview_gives_the_chance_of_each_result() -> None:
    game, playthrough = game_at_choice(THROW, "throw_beads")
    decision = offered(game, playthrough)
    before = playthrough.digest()
    found = preview_option(game, playthrough, decision, 0)
    (throw,) = [sheet for sheet in found.sheets if sheet.key == "resolution:scatter"]
    assert throw.text == "Two beads in A are thrown at B, with 1 added."
    assert dict(throw.chances) == {
        "The two beads fly off.": Fraction(1, 2), "The bead flies off.": Fraction(1, 6),
        "Nothing comes of it.": Fraction(1, 3),
    }  # fmt: skip
    assert (found.throws, found.sampled, found.stop_reason, playthrough.digest()) == (True, 0, "", before)
    assert [chance_text(chance) for _, chance in throw.chances] == ["3 in 6", "2 in 6", "1 in 6"]


def offered(game: Game, playthrough: Playthrough) -> Decision:
    """Return the decision whether to take the action, from a procedure that only offers it."""
    playthrough.calls = []
    offer = graph.Offer((("throw_beads", ()),), None, graph.Truth(value=True))
    begin_offer(game, playthrough, offer, {"player": "red"})
    decision = game.run(playthrough)
    assert decision is not None
    return decision


PEEK = """
action peek by player [house] "Look at what is held, and throw." reads "peek" {
  choose b from {b in all bead where b.side = player}
  roll d: die
  if some(k in all held where k.by != player) { mark b as dull }
}
account {
  before b, known = count(all held)
  after d
  previews "{known} rings are known to be held"
  tells "{the b} is thrown for, die {d}"
  results "{the b} is dull" when b is dull
  results "{the b} shines" when not (b is dull)
}
action fish by player [house] "Draw a ring, and throw." reads "fish" {
  choose b from {b in all bead where b.side = player}
  draw r from in_bag()
  roll d: die
  if r.size > 3 { mark b as dull }
}
account {
  before b
  after d
  previews "{the b} fishes"
  tells "{the b} fishes, die {d}"
}
action meet by player [house] "Tell of fishing." reads "meet" { offer peek, fish until yes }
example "two to choose from" under peeking {
  row A  piece P, Q: bead of red at A  piece R, S: ring (size 1)  ask P is not dull
}
"""


def peeking(folder: Path) -> graph.Graph:
    """Compile a layer whose procedures read secret records."""
    (folder / "layer.yaml").write_text("layer: peeking\ntitle: Peeking\nkind: optional\non: [constructs]\n")
    (folder / "peeking.rules").write_text(PEEK)
    stack = open_packages((TOY, folder)).compiled("peeking")
    assert stack.graph is not None, [diagnostic_line(each) for each in diagnose(stack.problems, stack.texts)]
    return stack.graph


def test_a_preview_reads_no_secret_of_the_other_side(tmp_path: Path) -> None:
    peeking_game = peeking(tmp_path)
    example = next(each for each in peeking_game.examples if each.title == "two to choose from")
    found = []
    for held in (0, 1, 2):
        game = Game(peeking_game, GeneratedEvaluator(peeking_game))
        game.tell_accounts()
        playthrough = Playthrough(from_position(peeking_game, example.position), "3")
        playthrough.state.player = "red"
        rings = [piece for piece, sheet in enumerate(playthrough.state.sheets) if sheet.kind == "ring"]
        for ring in rings[:held]:
            write(playthrough.state, Record("held", ring, {"by": "blue", "ring": ring}))
        playthrough.calls.append(game.frame("action:meet", {"player": "red"}))
        decision = game.run(playthrough)
        assert decision is not None
        seen = as_seen(game, playthrough, "red")
        for at in range(len(decision.options)):
            copied = seen.copy()
            game.apply(copied, decision, at)
            then = game.run(copied)
            if then is not None and then.member is not None:
                found.append((at, preview_option(game, copied, then, 0)))
    by_action = {at: {str(each) for other, each in found if other == at} for at, _ in found}
    assert [len(each) for each in by_action.values()] == [1, 1]
    peek, fish = (next(each for other, each in found if other == at) for at in by_action)
    assert [sheet.text for sheet in peek.sheets] == ["0 rings are known to be held."]
    assert [dict(sheet.chances) for sheet in peek.sheets] == [{"The bead shines.": Fraction(1)}]
    assert fish.stop_reason == "a draw that may be secret follows, so its results are not listed"
    assert [(sheet.text, sheet.chances) for sheet in fish.sheets] == [("The bead fishes.", ())]


def test_an_example_checks_the_chances_before_the_dice() -> None:
    example = next(each for each in rules().examples if each.title == THROW)
    lines = [
        replace(each, text="3 in 6: The two beads fly off. 3 in 6: Nothing comes of it.")
        if isinstance(each, graph.Narrated) and each.what == "chances"
        else each
        for each in example.lines
    ]
    assert run_row(rules(), example, 0).has_passed
    (failure,) = run_row(rules(), replace(example, lines=tuple(lines)), 0).failures
    assert failure.expected.endswith("to be said before the dice")
    assert "1 in 6: The bead flies off." in failure.actual


@pytest.mark.parametrize(
    ("account", "message"),
    [
        ('before x = 3  tells "{y}"', "this account has no field `y`"),
        (
            'after d  tells "die {d}" previews "die {d}"',
            "this account has no field `d` that is known before the dice",
        ),
        ('before d  tells "die {d}"', "`d` has no value yet when this field is computed"),
        ('after d  tells "die {d where}"', "`d` has no hex, as it is not a piece"),
        ('after d  tells "die {d: one}"', "`{d: one}` in this text cannot be read"),
        ('after d  tells "die {d"', "`{` in this text cannot be read"),
        ('after d, h  tells "die {d}"', "no text of this account uses the field `h`"),
        ('after d  results "die {d}"', "this account lacks its main sentence"),
        ('after d, d = 3  tells "die {d}"', "this account has two fields named `d`"),
        ('after b = d  tells "die {b}"', "`b` is already a name here"),
        ('after late  tells "{late}"', "the procedure can stop before `late` is known"),
        ('after h  tells "{h: goes, go}"', "`h` has no singular or plural"),
        (f'after d  tells "{"word " * 41}{{d}}"', "this text has 42 words"),
        ('after d  tells "die {d}" when d', "expected yes or no"),
        ('before missing  tells "{missing}"', "there is no name `missing`"),
    ],
)
def test_wrong_accounts_are_errors(tmp_path: Path, account: str, message: str) -> None:
    (tmp_path / "layer.yaml").write_text("layer: slips\ntitle: Slips\nkind: optional\non: [constructs]\n")
    body = "roll d: die  if d = 1 { stop }  let late = d + 1  set b.leaps to late"
    (tmp_path / "slips.rules").write_text(
        "track bead.leaps: 0..9 = 0\n"
        f'resolution slip(b: bead, h: hex) [house] "x" {{ {body} }} account {{ {account} }}\n'
    )
    stack = open_packages((TOY, tmp_path)).compiled("slips")
    found = [diagnostic_line(each) for each in diagnose(stack.problems, stack.texts)]
    assert any(message in each for each in found), found
