"""Tracks that procedures only count up, or only down, until a prohibition stops it, and that nothing resets.

In: a whole game. Out: findings. A track like `unit.spent`, of what a unit has moved, is reset when a turn ends; one
without that forbids the action for the rest of the game. A track that is meant so says `until end of game`.
"""

from collections.abc import Iterator

from compiler.analysis.checks import check_of_stack
from compiler.analysis.parties import Party, declaration_labels, party_label, procedure_party
from compiler.analysis.readers_and_setters import is_whole_game
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence
from runtime.graph import nodes as graph
from runtime.graph.effects import effects_in
from runtime.graph.effects.primitives import SetValue
from runtime.graph.operators import MIRRORED
from runtime.graph.verbs import rule_answer
from runtime.graph.walk import nodes_of, walk


@finding("R0524", "never-cleared", WARNING)
class NeverCleared(Finding):
    """Play sets a status that is neither removed nor has a declared end, or counts a track toward a prohibition."""

    kind: str
    name: str
    declared: graph.Origin | None
    setters: tuple[Party, ...]

    def sentence(self) -> Sentence:
        message, remedy = f"the {self.kind} `{self.name}` is never removed once it is set", "remove it with `unmark`"
        if self.kind == "track":
            message = f"the track `{self.name}` counts toward a prohibition and is never reset"
            remedy = "set it back in a step"
        setters = (party_label(party, "set here") for party in self.setters[:4])
        advice = f"write how long it lasts, as in `until end of turn` or `until end of game`, or {remedy}"
        labels = (*declaration_labels(self.declared), *setters)
        return Sentence(message, labels, advice, root=f"{self.kind} {self.name}")


# The comparisons that hold once their left side has grown, and those that hold once it has shrunk.
HIGH, LOW = frozenset({">", ">="}), frozenset({"<", "<=", "="})


@check_of_stack
def never_reset(stack: graph.Graph) -> Iterator[NeverCleared]:
    """Find tracks of pieces and sides that count toward a prohibition, without an end."""
    if not is_whole_game(stack):
        return
    for track in stack.vocabulary.tracks.values():
        if track.until or track.owner not in {*stack.vocabulary.kinds, "side"}:
            continue
        name = f"{track.owner}.{track.name}"
        operator, counting = _counting(stack, track)
        if operator and _forbids(stack, track, HIGH if operator == "+" else LOW):
            yield NeverCleared("track", name, stack.vocabulary.origins.get(f"track {name}"), counting)


def _counting(stack: graph.Graph, track: graph.Track) -> tuple[str, tuple[Party, ...]]:
    """Return the only operator by which procedures change a track, with these; "" if a step sets it otherwise."""
    operators: set[str] = set()
    parties: dict[str, Party] = {}
    for procedure in stack.procedures.values():
        for effect in effects_in(procedure.body, SetValue):
            if not effect.in_record and (effect.owner, effect.name) == (track.owner, track.name):
                sums = {
                    node.op
                    for node in nodes_of(graph.Op, effect.value)
                    if node.op in {"+", "-"} and _is_of(node.arguments[0], track)
                }
                operators |= sums or {""}
                parties[procedure.name] = procedure_party(procedure)
    [operator] = operators if len(operators) == 1 else [""]
    return operator, tuple(parties.values())


def _forbids(stack: graph.Graph, track: graph.Track, comparisons: frozenset[str]) -> bool:
    """Return whether a prohibition holds once the track has got far enough."""
    prohibitions = (
        rule
        for rule in stack.rules.values()
        if rule_answer(rule) is False and any(stack.terms[term].form == "verdict" for term in rule.terms)
    )
    return any(
        isinstance(node, graph.Op) and node.op in MIRRORED and _compared_op(node, track) in comparisons
        for rule in prohibitions
        for node in walk(rule.guard)
    )


def _compared_op(node: graph.Op, track: graph.Track) -> str:
    """Return the comparison with the track on its left side; "" if the track is on neither side."""
    left, right = (any(_is_of(each, track) for each in walk(side)) for side in node.arguments)
    return "" if left == right else node.op if left else MIRRORED[node.op]


def _is_of(node: object, track: graph.Track) -> bool:
    return isinstance(node, graph.Get) and node.what == "track" and (node.owner, node.name) == (track.owner, track.name)
