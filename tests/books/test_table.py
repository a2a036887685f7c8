"""Procedures as players carry them out: without the notes that only a computer keeps."""

from dataclasses import replace
from fractions import Fraction
from typing import Literal

import pytest

from compiler.rulebook.steps import procedure_lines, steps_text
from compiler.rulebook.table import table_lines
from runtime.graph import nodes as graph
from tests.toys.build import given
from tests.toys.hares import hares


def lines_of_question(key: str, book: graph.Graph | None = None) -> list[str]:
    book = book or hares()
    return list(steps_text(table_lines(book, book.procedures[key])))


def test_notes_flags_and_events_are_left_out() -> None:
    whole = list(steps_text(procedure_lines(hares(), hares().procedures["action:hop"])))
    assert len(lines_of_question("action:hop")) < len(whole)
    assert lines_of_question("action:hop")[-1] == "The mover moves to the hex."
    assert not [line for line in lines_of_question("action:hop") if "counts as" in line or "spent goes" in line]


def test_what_was_worked_out_before_is_said_in_full() -> None:
    assert "This is allowed only if the number of hares among the gang is at least 2." in lines_of_question(
        "action:pounce"
    )


def test_a_note_goes_by_what_it_is() -> None:
    assert "A new carrot appears at the hex of the snatch, owned by the player." in lines_of_question(
        "resolution:bluff"
    )


def test_if_only_the_otherwise_is_left_it_is_said_the_other_way_round() -> None:
    book = hares()
    track = replace(book.vocabulary.tracks["game.carrots"], until="turn")
    tracks = {**book.vocabulary.tracks, "game.carrots": track}
    changed = replace(book, vocabulary=replace(book.vocabulary, tracks=tracks))
    assert "If “hides” holds just when “doubts” does not hold:" in lines_of_question("resolution:bluff", changed)


@pytest.mark.parametrize(
    ("owner", "until", "is_shown"), [("game", "", True), ("game", "turn", False), ("scenario", "", False)]
)
def test_a_note_that_lasts_is_kept_by_players(
    owner: Literal["game", "scenario"], until: str, *, is_shown: bool
) -> None:
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
def test_a_record_is_written_down_if_a_choice_does_nothing_else(*, moves: bool, is_shown: bool) -> None:
    book = hares()
    chosen = graph.Choose("", "h", graph.Pieces(("hare",), None), None, None)
    write = graph.Write("w", graph.New("snatch", (("by", graph.Var("player")), ("at", given(graph.Var("h"), "hex")))))
    body = (chosen, write, *((graph.Remove(graph.Var("h")),) if moves else ()))
    bite = replace(book.procedures["resolution:bite"], body=body)
    lines = lines_of_question("resolution:bite", replace(book, procedures={**book.procedures, "resolution:bite": bite}))
    assert bool([line for line in lines if line.startswith("Write down a snatch")]) == is_shown


def test_what_holds_nothing_any_more_goes() -> None:
    assert "For each hare of the player:" not in lines_of_question("sequence")
    assert "Rest" in lines_of_question("sequence")  # A phase stays.


@pytest.mark.parametrize(("cites", "is_kept"), [(("T.9",), True), (("house",), False)])
def test_what_a_source_speaks_of_is_carried_out_though_it_is_notes(cites: tuple[str, ...], is_kept: bool) -> None:
    """A resolution that changes nothing one sees on the map: who plays has to know when it is done."""
    book = hares()
    tally = graph.Procedure(
        "resolution", "tally", "", (), (), (graph.Add(graph.Num(Fraction(1), ""), graph.GameTrack("game", "count")),),
        "", "The carrots are counted.", cites, graph.Origin("", "", 0, 0, 0, 0),
    )  # fmt: skip
    sequence = book.procedures["sequence"]
    body = (*sequence.body, graph.Do("tally", ()))
    procedures = book.procedures | {"resolution:tally": tally, "sequence": replace(sequence, body=body)}
    assert ("Carry out “tally”." in lines_of_question("sequence", replace(book, procedures=procedures))) == is_kept


@pytest.mark.parametrize(("marker", "until", "is_kept"), [("T", "", True), ("", "game", True), ("", "turn", False)])
def test_a_status_with_a_marker_or_for_good_is_seen(marker: str, until: str, is_kept: bool) -> None:
    book = hares()
    flags = dict(book.vocabulary.flags)
    flags["hare.tired"] = replace(flags["hare.tired"], marker=marker, until=until)
    changed = replace(book, vocabulary=replace(book.vocabulary, flags=flags))
    procedure = book.procedures["action:snap"]
    moved = graph.Move(graph.Var("biter"), given(graph.Var("prey"), "hex"), "")
    procedures = {**book.procedures, "action:snap": replace(procedure, body=(*procedure.body, moved))}
    lines = lines_of_question("action:snap", replace(changed, procedures=procedures))
    assert ("The biter is now tired." in lines) == is_kept


def test_what_a_die_decides_is_kept() -> None:
    book = hares()
    note = graph.Assign(graph.GameTrack("game", "carrots"), graph.Var("luck"))
    body = (graph.Roll("luck", "die", 1, 6), note)
    bite = replace(book.procedures["resolution:bite"], body=body)
    changed = replace(book, procedures={**book.procedures, "resolution:bite": bite})
    assert lines_of_question("resolution:bite", changed)[-1] == "The carrots become the luck."


def test_that_a_resolution_only_keeps_notes_is_known_where_it_is_called() -> None:
    book = hares()
    bite = replace(book.procedures["resolution:bite"], body=(graph.Strike(graph.Var("prey")),))
    changed = replace(book, procedures={**book.procedures, "resolution:bite": bite})
    assert not [line for line in lines_of_question("action:snap", changed) if "Carry out" in line]


def test_a_name_that_only_a_hidden_step_reads_has_no_effect_yet() -> None:
    """The branch is printed for its other step; that alone does not show what the choice does."""
    book = hares()
    chosen = graph.Choose("", "h", graph.Pieces(("hare",), None), None, None)
    write = graph.Write("w", graph.New("snatch", (("by", graph.Var("player")), ("at", given(graph.Var("h"), "hex")))))
    branch = graph.Branch(graph.Op("=", (graph.GameTrack("game", "carrots"), graph.Num(Fraction(0), ""))), (
        write, graph.Remove(graph.Var("biter")),
    ), ())  # fmt: skip
    bite = replace(book.procedures["resolution:bite"], body=(chosen, branch))
    lines = lines_of_question("resolution:bite", replace(book, procedures={**book.procedures, "resolution:bite": bite}))
    assert [line for line in lines if line.startswith("Write down a snatch")]
