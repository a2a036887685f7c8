"""Steps that move, flip, remove and create pieces."""

from typing import TYPE_CHECKING

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.effects.primitives import CreatePiece, FlipPiece, MovePiece, RemovePiece
from runtime.graph.effects.record import StepRecord

if TYPE_CHECKING:
    from runtime.graph.wording import Wording


def _moved(wording: "Wording", step: graph.Move) -> str:
    """Return where a piece goes; in its own hex only its place changes."""
    subject = wording.phrase(step.subject)
    places = dict.fromkeys(flag.name for flag in wording.vocabulary.flags.values() if flag.what == "place")
    if step.to != graph.Get(step.subject, "given", "piece", "hex") or not places:
        return f"{subject} moves to {wording.phrase(step.to)}{f', {_place(wording, step.place)}' if step.place else ''}"
    if step.place:
        return f"{subject} is now {_place(wording, step.place)}"
    return f"{subject} is no longer {words.list_text([_place(wording, name) for name in places], 'or')}"


def _place(wording: "Wording", name: str) -> str:
    """Return the phrase for a place in a hex: "under the roof"."""
    places = (flag for flag in wording.vocabulary.flags.values() if flag.what == "place" and flag.name == name)
    return next((flag.reads for flag in places if flag.reads), words.readable_name(name))


def _flipped(wording: "Wording", step: graph.Flip) -> str:
    return f"{wording.phrase(step.subject)} is flipped to its {step.to}"


def _removed(wording: "Wording", step: graph.Remove) -> str:
    removal = "is removed" if step.for_good else "goes off the map"
    return f"{wording.phrase(step.subject)} {removal}{' and counts as lost' if step.as_lost else ''}"


def _created(wording: "Wording", step: graph.Create) -> str:
    if step.counter:
        called = words.counter(step.counter, wording.rules.counters)
    else:
        called = words.kind(step.kind, wording.vocabulary)
    name = f" ({words.readable_name(step.name)})" if len(step.name) > 1 else ""
    owner = f", owned by {wording.phrase(step.owner)}" if step.owner is not None else ""
    return f"{words.article(f'new {called}')}{name} appears at {wording.phrase(step.at)}{owner}"


PIECES = (
    StepRecord(
        graph.Move,
        does=lambda step: (MovePiece(step.place, step.subject, step.to),),
        title=lambda _: "move",
        phrase=_moved,
    ),
    StepRecord(
        graph.Flip,
        does=lambda step: (FlipPiece(step.to, step.subject),),
        title=lambda _: "flip",
        phrase=_flipped,
    ),
    StepRecord(
        graph.Remove,
        does=lambda step: (RemovePiece(step.for_good, step.as_lost, step.subject),),
        title=lambda _: "remove",
        phrase=_removed,
    ),
    StepRecord(
        graph.Create,
        does=lambda step: (CreatePiece(step.kind, step.name, step.counter, step.at, step.owner),),
        title=lambda _: "create",
        phrase=_created,
    ),
)
