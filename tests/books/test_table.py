"""Procedures as players execute them, without bookkeeping of the computer."""

from dataclasses import replace
from fractions import Fraction
from typing import Literal

import pytest

from compiler.rulebook.steps import procedure_lines, steps_text
from compiler.rulebook.table import table_lines
from rulewright.library.stacks import open_packages
from runtime.graph import nodes as graph
from tests.toys.build import given
from tests.toys.hares import hares


def lines_of_question(key: str, book: graph.Graph | None = None) -> list[str]:
    book = book or hares()
    return list(steps_text(table_lines(book, book.procedures[key])))


def test_bookkeeping_and_events_are_left_out() -> None:
    whole = list(steps_text(procedure_lines(hares(), hares().procedures["action:hop"])))
    assert len(lines_of_question("action:hop")) < len(whole)
    assert lines_of_question("action:hop")[-1] == "The mover moves to the hex."
    assert not [line for line in lines_of_question("action:hop") if "counts as" in line or "spent goes" in line]


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


def two_clans() -> graph.Graph:
    book = open_packages(()).compiled("two_clans").graph
    assert book is not None
    return book
