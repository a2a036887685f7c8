"""Read procedures aloud, step by step.

In: the steps of a procedure. Out: a tree of lines for a nested list: what is done, and what is
done inside it. A line may name the actions or resolutions it leads to, so that a page can link.
"""

from dataclasses import dataclass
from typing import assert_never

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.wording import Wording

HOWS = {"": "choose {name} from {source}", "any": "choose any of {source} as {name}", "order": "put {source} in order"}


@dataclass(frozen=True, slots=True)
class Line:
    """One step. `title` is set for phases, `leads` lists keys of Graph.procedures."""

    text: str
    title: str
    cites: tuple[str, ...]
    leads: tuple[str, ...]
    inside: "tuple[Line, ...]"


def read_steps(speaker: Wording, steps: tuple[graph.Step, ...]) -> tuple[Line, ...]:
    """Read all steps in order."""
    return tuple(read_step(speaker, step) for step in steps)


def read_step(speaker: Wording, step: graph.Step) -> Line:  # noqa: C901 - one case a step.
    """Read one step and what is inside it."""
    say, plain = speaker.phrase, _plain
    match step:
        case graph.Let(name, value):
            return plain(f"let {speaker.variable(name)} be {say(value)}")
        case graph.Legal(condition):
            return plain(f"this is allowed only if {speaker.clause(condition)}")
        case graph.Choose(how, name, source, by, _):
            chosen = HOWS[how].format(name=speaker.variable(name), source=say(source))
            return plain(f"{chosen}{f' ({say(by)} chooses)' if by is not None else ''}")
        case graph.Offer():
            return _offer(speaker, step)
        case graph.Loop(name, source, body):
            return _with(speaker, f"for each {words.spaced(name)} of {say(source)}", body)
        case graph.Branch():
            return _branch(speaker, step)
        case graph.Do(resolution, arguments):
            return Line(
                words.sentence(_called("carry out", resolution, speaker, arguments)), "", (), (f"resolution:{resolution}",), ()
            )
        case graph.Tell(event, arguments):
            return plain(_called("this counts as", event, speaker, arguments))
        case graph.Roll(name, _, low, high):
            return plain(f"roll {speaker.variable(name)}, {low} to {high}")
        case graph.Each(name, source, body):
            return _with(speaker, f"each {words.spaced(name)}, {say(source)}", body)
        case graph.Phase(name, title, cites, body):
            return Line("", title or words.sentence(words.spaced(name)).removesuffix("."), cites, (), read_steps(speaker, body))
        case graph.Stop():
            return plain("stop here")
        case (
            graph.Assign() | graph.Mark() | graph.Move() | graph.Remove() | graph.Create() | graph.Pair() | graph.Write()
            | graph.Strike() | graph.Add()
        ):
            return plain(_effect(speaker, step))
        case _:
            assert_never(step)


Effect = (
    graph.Assign | graph.Mark | graph.Move | graph.Remove | graph.Create | graph.Pair | graph.Write | graph.Strike | graph.Add
)  # fmt: skip


def _effect(speaker: Wording, step: Effect) -> str:  # noqa: C901 - one case a step.
    say = speaker.phrase
    match step:
        case graph.Assign(target, value):
            return f"{say(target)} becomes {say(value)}"
        case graph.Mark(subject, owner, status, on):
            return f"{say(subject)} {'is now' if on else 'is no longer'} {words.flag(owner, status, speaker.vocabulary)}"
        case graph.Move(subject, to, place):
            return f"{say(subject)} moves to {say(to)}{f', {words.spaced(place)}' if place else ''}"
        case graph.Remove(subject):
            return f"{say(subject)} is removed"
        case graph.Create(kind, name, at, owner):
            new = words.article(f"new {words.kind(kind, speaker.vocabulary)}")
            named = f" ({words.spaced(name)})" if name else ""
            return f"{new}{named} appears at {say(at)}{f', owned by {say(owner)}' if owner is not None else ''}"
        case graph.Pair(relation, left, right, payload, on):
            kept = f", with {say(payload)}" if payload is not None else ""
            verb = words.spaced(relation)
            return f"{say(left)} {verb} {say(right)}{kept} {'from now on' if on else 'no longer'}"
        case graph.Write(name, record):
            return f"write down {say(record)}{f' as {words.spaced(name)}' if name else ''}"
        case graph.Strike(record):
            return f"strike out {say(record)}"
        case graph.Add(element, target):
            return f"add {say(element)} to {say(target)}"
        case _:
            assert_never(step)


def _offer(speaker: Wording, step: graph.Offer) -> Line:
    leads = tuple(f"action:{name}" for name, _ in step.actions)
    who = f"{speaker.phrase(step.by)} may act" if step.by is not None else "the player may act"
    ends = {
        None: ", as often as wanted",
        graph.Truth(value=True): ", as often as wanted",
    }
    until = ends.get(step.until) if step.until is None or isinstance(step.until, graph.Truth) else None
    text = f"{who}{until}" if until else f"{who}, until {speaker.clause(step.until)}" if step.until else who
    return Line(f"{words.sentence(text).removesuffix('.')}:", "", (), leads, ())


def _branch(speaker: Wording, step: graph.Branch) -> Line:
    then = read_steps(speaker, step.then)
    if step.orelse:
        then = (*then, Line("Otherwise:", "", (), (), read_steps(speaker, step.orelse)))
    return Line(f"{words.sentence(f'if {speaker.clause(step.condition)}').removesuffix('.')}:", "", (), (), then)


def _with(speaker: Wording, text: str, body: tuple[graph.Step, ...]) -> Line:
    return Line(f"{words.sentence(text).removesuffix('.')}:", "", (), (), read_steps(speaker, body))


def _called(verb: str, name: str, speaker: Wording, arguments: tuple[graph.Expr, ...]) -> str:
    given = words.listed([speaker.phrase(argument) for argument in arguments])
    return f"{verb} “{words.spaced(name)}”{f' with {given}' if given else ''}"


def _plain(text: str) -> Line:
    return Line(words.sentence(text), "", (), (), ())
