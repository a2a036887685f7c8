"""Phrases for the effects of steps: what is marked, moved, removed, created, paired or written down."""

from typing import assert_never

from compiler.rulebook.assignments import assignment_text
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.wording import Wording


def effect_text(wording: Wording, step: graph.ChangingStep) -> str:
    """Return what a step changes in the game."""
    say = wording.phrase
    match step:
        case graph.Assign(target, value):
            return assignment_text(wording, target, value)
        case graph.Mark(subject, owner, status, on):
            flag = words.flag(owner, status, wording.vocabulary)
            if flag.startswith("has "):
                return f"{say(subject)} {'now' if on else 'no longer'} counts as one that {flag}"
            return f"{say(subject)} is {'now' if on else 'no longer'} {flag}"
        case graph.Move():
            return _move_text(wording, step)
        case graph.Flip(subject, to):
            return f"{say(subject)} is flipped to its {to}"
        case graph.Remove(subject, for_good):
            return f"{say(subject)} {'is removed' if for_good else 'goes off the map'}"
        case graph.Create(kind, name, location, owner, counter):
            called = words.counter(counter, wording.rules.counters) if counter else words.kind(kind, wording.vocabulary)
            new = words.article(f"new {called}")
            named_ = f" ({words.readable_name(name)})" if len(name) > 1 else ""
            return f"{new}{named_} appears at {say(location)}{f', owned by {say(owner)}' if owner is not None else ''}"
        case graph.Pair(relation, left, right, payload, on):
            payload_phrase = f", with {say(payload)}" if payload is not None else ""
            name = words.factor_name(relation, wording.vocabulary)
            return f"{_pair_text(name, say(left), say(right), on=on)}{payload_phrase}"
        case graph.Write(name, record):
            return f"write down {say(record)}{f' as {words.readable_name(name)}' if name else ''}"
        case graph.Strike(record):
            return f"strike out {say(record)}"
        case graph.Add(element, target):
            return f"add {say(element)} to {say(target)}"
        case _:
            assert_never(step)


def _move_text(wording: Wording, step: graph.Move) -> str:
    """Return where a piece goes; in its own hex only its place changes."""
    subject = wording.phrase(step.subject)
    places = dict.fromkeys(flag.name for flag in wording.vocabulary.flags.values() if flag.what == "place")
    if step.to != graph.Get(step.subject, "given", "piece", "hex") or not places:
        return f"{subject} moves to {wording.phrase(step.to)}{f', {_place(wording, step.place)}' if step.place else ''}"
    if step.place:
        return f"{subject} is now {_place(wording, step.place)}"
    return f"{subject} is no longer {words.list_text([_place(wording, name) for name in places], 'or')}"


def _place(wording: Wording, name: str) -> str:
    """Return the phrase for a place in a hex: "under the roof"."""
    places = (flag for flag in wording.vocabulary.flags.values() if flag.what == "place" and flag.name == name)
    return next((flag.reads for flag in places if flag.reads), words.readable_name(name))


def _pair_text(relation: str, left: str, right: str, *, on: bool) -> str:
    """Return the text for a pair that is related, or whose relation ends."""
    verb = relation.partition(" ")[0]
    if verb.endswith("s") and not verb.endswith("ss"):
        return f"{left} {'from now on' if on else 'no longer'} {relation} {right}"
    paired = f"{relation} to each other" if relation.endswith("ed") else f"paired as “{relation}”"
    return f"{left} and {right} are {'now' if on else 'no longer'} {paired}"
