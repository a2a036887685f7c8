"""Procedures as players execute them, without bookkeeping of the computer."""

from dataclasses import replace
from fractions import Fraction
from typing import Literal

import pytest

from compiler.rulebook.charts import printed_chart
from compiler.rulebook.steps import procedure_lines, steps_text
from compiler.rulebook.table import table_lines
from rulewright.library.stacks import open_packages
from runtime.graph import nodes as graph
from tests.toys.build import enum, given, params, row, table
from tests.toys.hares import hares


def lines_of_question(key: str, book: graph.Graph | None = None) -> list[str]:
    book = book or hares()
    return list(steps_text(table_lines(book, book.procedures[key])))


def test_bookkeeping_and_events_are_left_out() -> None:
    whole = list(steps_text(procedure_lines(hares(), hares().procedures["action:hop"])))
    assert len(lines_of_question("action:hop")) < len(whole)
    assert lines_of_question("action:hop")[-1] == "The mover moves to the hex."
    assert not [line for line in lines_of_question("action:hop") if "counts as" in line or "spent goes" in line]


def test_a_bound_value_is_printed_in_full() -> None:
    assert "This is allowed only if the number of hares among the gang is at least 2." in lines_of_question(
        "action:pounce"
    )


def test_a_variable_is_printed_as_its_value() -> None:
    assert "A new carrot appears at the hex of the snatch, owned by the player." in lines_of_question(
        "resolution:bluff"
    )


def test_a_branch_with_only_its_otherwise_is_printed_negated() -> None:
    book = hares()
    track = replace(book.vocabulary.tracks["game.carrots"], until="turn")
    tracks = {**book.vocabulary.tracks, "game.carrots": track}
    changed = replace(book, vocabulary=replace(book.vocabulary, tracks=tracks))
    assert "If “hides” holds just when “doubts” does not hold:" in lines_of_question("resolution:bluff", changed)


@pytest.mark.parametrize(
    ("owner", "until", "is_shown"), [("game", "", True), ("game", "turn", False), ("scenario", "", False)]
)
def test_a_track_that_lasts_is_printed(owner: Literal["game", "scenario"], until: str, *, is_shown: bool) -> None:
    book = hares()
    track = replace(book.vocabulary.tracks["game.carrots"], owner=owner, until=until)
    tracks = {**book.vocabulary.tracks, f"{owner}.carrots": track}
    note = graph.Assign(graph.GameTrack(owner, "carrots"), graph.Num(Fraction(3), ""))
    bite = replace(book.procedures["resolution:bite"], body=(note,))
    changed = replace(
        book,
        vocabulary=replace(book.vocabulary, tracks=tracks),
        procedures={**book.procedures, "resolution:bite": bite},
    )
    assert ("The carrots become 3." in lines_of_question("resolution:bite", changed)) == is_shown


@pytest.mark.parametrize(("moves", "is_shown"), [(False, True), (True, False)])
def test_a_record_is_printed_if_a_choice_has_no_other_effect(*, moves: bool, is_shown: bool) -> None:
    book = hares()
    chosen = graph.Choose("", "h", graph.Pieces(("hare",), None), None, None)
    write = graph.Write("w", graph.New("snatch", (("by", graph.Var("player")), ("at", given(graph.Var("h"), "hex")))))
    body = (chosen, write, *((graph.Remove(graph.Var("h")),) if moves else ()))
    bite = replace(book.procedures["resolution:bite"], body=body)
    lines = lines_of_question("resolution:bite", replace(book, procedures={**book.procedures, "resolution:bite": bite}))
    assert bool([line for line in lines if line.startswith("Write down a snatch")]) == is_shown


def test_a_loop_without_steps_is_left_out() -> None:
    assert "For each hare of the player:" not in lines_of_question("sequence")
    assert "Rest" in lines_of_question("sequence")  # A phase without steps is printed.


@pytest.mark.parametrize(("cites", "is_kept"), [(("T.9",), True), (("house",), False)])
def test_a_resolution_of_bookkeeping_that_cites_a_source_is_called(cites: tuple[str, ...], is_kept: bool) -> None:
    """It changes only a track, but a player must know when it is executed."""
    book = hares()
    tally = graph.Procedure(
        "resolution", "tally", "", (), (), (graph.Add(graph.Num(Fraction(1), ""), graph.GameTrack("game", "count")),),
        "", "The carrots are counted.", cites, graph.NO_ORIGIN,
    )  # fmt: skip
    sequence = book.procedures["sequence"]
    body = (*sequence.body, graph.Do("tally", ()))
    procedures = book.procedures | {"resolution:tally": tally, "sequence": replace(sequence, body=body)}
    assert ("Carry out “tally”." in lines_of_question("sequence", replace(book, procedures=procedures))) == is_kept


@pytest.mark.parametrize(("marker", "until", "is_kept"), [("T", "", True), ("", "game", True), ("", "turn", False)])
def test_a_status_with_a_marker_or_without_an_end_is_printed(marker: str, until: str, is_kept: bool) -> None:
    book = hares()
    flags = dict(book.vocabulary.flags)
    flags["hare.tired"] = replace(flags["hare.tired"], marker=marker, until=until)
    changed = replace(book, vocabulary=replace(book.vocabulary, flags=flags))
    procedure = book.procedures["action:snap"]
    moved = graph.Move(graph.Var("biter"), given(graph.Var("prey"), "hex"), "")
    procedures = {**book.procedures, "action:snap": replace(procedure, body=(*procedure.body, moved))}
    lines = lines_of_question("action:snap", replace(changed, procedures=procedures))
    assert ("The biter is now tired." in lines) == is_kept


def test_the_result_of_a_die_is_printed() -> None:
    book = hares()
    note = graph.Assign(graph.GameTrack("game", "carrots"), graph.Var("luck"))
    body = (graph.Roll("luck", "die", 1, 6), note)
    bite = replace(book.procedures["resolution:bite"], body=body)
    changed = replace(book, procedures={**book.procedures, "resolution:bite": bite})
    assert lines_of_question("resolution:bite", changed)[-1] == "The carrots become the luck."


def test_a_call_of_a_resolution_of_bookkeeping_is_left_out() -> None:
    book = hares()
    bite = replace(book.procedures["resolution:bite"], body=(graph.Strike(graph.Var("prey")),))
    changed = replace(book, procedures={**book.procedures, "resolution:bite": bite})
    assert not [line for line in lines_of_question("action:snap", changed) if "Carry out" in line]


def test_a_record_is_printed_if_only_a_hidden_step_reads_the_choice() -> None:
    """The branch is printed for its other step, which does not show the effect of the choice."""
    book = hares()
    chosen = graph.Choose("", "h", graph.Pieces(("hare",), None), None, None)
    write = graph.Write("w", graph.New("snatch", (("by", graph.Var("player")), ("at", given(graph.Var("h"), "hex")))))
    branch = graph.Branch(graph.Op("=", (graph.GameTrack("game", "carrots"), graph.Num(Fraction(0), ""))), (
        write, graph.Remove(graph.Var("biter")),
    ), ())  # fmt: skip
    bite = replace(book.procedures["resolution:bite"], body=(chosen, branch))
    lines = lines_of_question("resolution:bite", replace(book, procedures={**book.procedures, "resolution:bite": bite}))
    assert [line for line in lines if line.startswith("Write down a snatch")]


def two_clans() -> graph.Graph:
    book = open_packages(()).compiled("two_clans").graph
    assert book is not None
    return book


def test_notes_until_the_end_of_a_turn_that_rules_read_are_printed() -> None:
    clans = two_clans()
    lines = lines_of_question("action:play_card", clans)
    assert "Until the end of its own turn the player is fording." in lines
    assert "Until the end of the turn the game is frozen." in lines
    assert not [line for line in lines if line.startswith("Until") and "played" in line]  # No rule reads it.
    rules = {label: replace(rule, guard=None) for label, rule in clans.rules.items()}
    lines = lines_of_question("action:play_card", replace(clans, rules=rules))
    assert not [line for line in lines if line.startswith("Until")]


def test_an_offer_that_waits_for_a_note_names_it() -> None:
    lines = lines_of_question("sequence", two_clans())
    assert "The player may act, until the player has played a card:" in lines


def test_amounts_for_which_a_resolution_is_carried_out_are_printed() -> None:
    book = hares()
    call = graph.Do("bluff", (graph.Var("player"), graph.Num(Fraction(2), "")), None)
    bite = replace(book.procedures["resolution:bite"], body=(call,))
    changed = replace(book, procedures={**book.procedures, "resolution:bite": bite})
    assert lines_of_question("resolution:bite", changed) == ["Carry out “bluff” for 2."]


@pytest.mark.parametrize(("hit", "head"), [("first", "all others"), ("unique", "any")])
def test_a_line_for_any_key_below_others_is_for_all_others(hit: str, head: str) -> None:
    book = hares()
    vocabulary = replace(book.vocabulary, enums={**book.vocabulary.enums, "card": enum("card", "pact", "loan")})
    rows = (row("pact", kind="n", value=1), row(None, kind="n", value=2))
    cells = (("n", graph.Number(None, None, "")),)
    chart = table("worth", params(card=graph.Enum("card")), cells, rows, hit=hit)
    drawn = printed_chart(replace(book, vocabulary=vocabulary), chart)
    assert [line.heads for line in drawn.rows] == [("pact",), (head,)]


def bound_then(*after: graph.Step) -> list[str]:
    """Return the lines of a resolution that computes the hex of the biter as `spot` and then does these steps."""
    book = hares()
    spot = graph.Let("spot", given(graph.Var("biter"), "hex"))
    snap = book.procedures["action:snap"]
    snap = replace(snap, body=(spot, *after))
    return lines_of_question("action:snap", replace(book, procedures={**book.procedures, "action:snap": snap}))


def test_a_value_is_not_expanded_behind_a_step_that_changes_it() -> None:
    """After the biter has moved, “the hex of the biter” is another one."""
    follows = graph.Move(graph.Var("prey"), graph.Var("spot"), "")
    leaves = graph.Move(graph.Var("biter"), given(graph.Var("prey"), "hex"), "")
    ends = graph.Branch(graph.Truth(value=True), (leaves,), ())
    moves = ["The prey moves to the hex of the biter.", "The biter moves to the prey's hex."]
    assert bound_then(follows, leaves) == moves
    assert [line[:12] for line in bound_then(leaves, follows)] == ["Let the spot", "The biter mo", "The prey mov"]
    assert bound_then(leaves, follows)[-1] == "The prey moves to the spot."
    assert bound_then(ends, follows)[0].startswith("Let the spot"), "a branch may have changed it"
    assert bound_then(graph.Do("bite", ()), follows)[0].startswith("Let the spot"), "and what another procedure does"
    pieces = graph.Pieces(("hare",), None)
    assert bound_then(graph.Loop("h", pieces, (follows, leaves)))[0].startswith("Let the spot"), "or an earlier pass"
    assert bound_then(leaves) == moves[1:], "nobody reads it"


def test_the_men_who_are_overrun_are_those_who_were_there_before_the_assault() -> None:
    book = open_packages(()).compiled("panzer_grenadier+pg_overrun").graph
    lines = lines_of_question("resolution:ride_through", book)
    assert lines[0] == "Let the victims be units in the target that are not of the unit's side."
    assert lines[-2] == "For each unit among the victims that is not out of the game:"
