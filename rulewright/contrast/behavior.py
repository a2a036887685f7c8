"""The differences in behavior between two stacks as data for `diff --format json`, with procedures as text."""

from collections.abc import Callable
from difflib import SequenceMatcher
from typing import Any

from compiler.rulebook.steps import read_step
from rulewright.views.procedure_text import procedure_text, reaction_lines
from runtime.graph import nodes as graph
from runtime.graph.wording import Wording
from runtime.witness.behavior_difference import BehaviorDifference, Play, ProcedureDifference, RuleDifference
from runtime.witness.sequence import PlacedStep, SequenceDifference

Graphs = tuple[graph.Graph, graph.Graph]
Save = Callable[[str], str | None]

# The most equal lines that are shown between differing ones, as context.
AGREE = 3


def behavior_data(found: BehaviorDifference, graphs: Graphs, save: Save) -> dict[str, Any]:
    """Convert differences to data; `save` writes a position to a file and returns its path."""
    return {
        "plays": found.plays,
        "sequence": _sequence(found.sequence, graphs),
        "procedures": [_procedure(each, graphs, save) for each in found.procedures],
        "rules": [_by_rules(each, save) for each in found.rules],
        "asked": [_by_rules(each, save) for each in found.example_questions],
        "order": _play(found.order, save) if found.order else None,
    }


def _by_rules(each: RuleDifference, save: Save) -> dict[str, Any]:
    return {"rules": list(each.rules), "differs": each.differs, **_play(each.play, save)}


def _sequence(found: SequenceDifference, graphs: Graphs) -> dict[str, Any]:
    one, other = graphs
    return {
        "only_a": [_stop(stop, one) for stop in found.only_a if stop.what != "step"],
        "only_b": [_stop(stop, other) for stop in found.only_b if stop.what != "step"],
        "moved": [{"a": _stop(a, one), "b": _stop(b, other)} for a, b in found.moved if a.what != "step"],
        "otherwise": [{"a": _stop(a, one), "b": _stop(b, other)} for a, b in found.otherwise],
        "steps_a": [_stop(stop, one) for stop in found.only_a if stop.what == "step"],
        "steps_b": [_stop(stop, other) for stop in found.only_b if stop.what == "step"],
    }


def _stop(stop: PlacedStep, rules: graph.Graph) -> dict[str, Any]:
    cites = list(stop.cited.cites) if stop.cited else []
    name = "" if stop.what == "step" else stop.name
    place = _place(stop.cited.origin) if stop.cited else {}
    text = read_step(Wording(rules), stop.step).text
    shown = {"what": stop.what, "name": name, "within": stop.within, "after": stop.after, "cites": cites}
    shown |= {"inside": list(stop.inside), "otherwise": list(stop.otherwise)} if stop.what == "step" else {}
    return {**shown, "text": text, **place}


def _procedure(each: ProcedureDifference, graphs: Graphs, save: Save) -> dict[str, Any]:
    sides = zip((each.here, each.there), graphs, strict=True)
    texts = [[] if one is None else list(procedure_text(one, rules)) for one, rules in sides]
    gone, come = _different_lines(*texts) if each.here and each.there else texts
    shown_sides = {
        side: None if one is None else {**_place(one.origin), "cites": list(one.cites), "prose": one.prose,
                                        "text": lines}
        for side, one, lines in zip("ab", (each.here, each.there), (gone, come), strict=True)
    }  # fmt: skip
    shown: dict[str, Any] = {"what": each.what, "name": each.name, "only": each.only_in or None}
    shown |= {"differs": each.differs, "of": each.of, "tried": each.tried, "preferring": each.is_preference_only}
    reaction = bool(reaction_lines(each.here or each.there))
    return {**shown, "reaction": reaction, **shown_sides, "play": _play(each.play, save) if each.play else None}


def _play(play: Play, save: Save) -> dict[str, Any]:
    return {
        "act": play.act,
        "a_stands": play.a,
        "b_stands": play.b,
        "lacks": list(play.lacks),
        "remarks": list(play.remarks),
        "beside": play.beside,
        "example": play.example,
        "written": _place(play.origin),
        "witness": save(play.file) if play.file else None,
        "position": play.file,
    }


def _different_lines(one: list[str], other: list[str]) -> tuple[list[str], list[str]]:
    """Return the lines of two texts from the first difference to the last; long equal runs are abbreviated."""
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    differ = [number for number, block in enumerate(blocks) if block[0] != "equal"]
    mine: list[str] = []
    theirs: list[str] = []
    for what, i, k, j, n in blocks[differ[0] : differ[-1] + 1] if differ else ():
        agree = what == "equal" and k - i > AGREE
        mine += [".."] if agree else one[i:k]
        theirs += [".."] if agree else other[j:n]
    return mine, theirs


def _place(origin: graph.Origin) -> dict[str, Any]:
    return {"file": origin.file, "line": origin.line}
