"""Conditions on what any piece has done since a moment, asked of the pieces on the map alone.

In: a stack. Out: findings. `none(u in all unit where u is fired)` forgets who has fired and is lost since: what has
happened has to be recorded for the side or the game. A condition that asks as well for what a piece is now, as its hex
or a status without an end, is about the pieces left, and so is one on kinds that play never removes. A law that also
reads a record of a side or the game with the same end is taken as complete.
"""

from collections.abc import Iterator

from compiler.analysis.checks import check_of_stack
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.parties import Party, party_label, procedure_party
from compiler.analysis.step_reads import expressions_of_rule, expressions_read
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence
from runtime.graph import nodes as graph
from runtime.graph.effects import effects_of
from runtime.graph.effects.primitives import RemovePiece
from runtime.graph.steps import nested_steps
from runtime.graph.walk import walk


@finding("R0701", "asked-of-the-left", WARNING)
class AskedOfTheLeft(Finding):
    """A `rule` asks whether any piece has done `deed`, and counts only those that are still on the map."""

    rule: Party
    deed: str

    def sentence(self) -> Sentence:
        return Sentence(
            f"`{self.rule.label}` looks for `{self.deed}` only on pieces on the map, not on pieces lost since",
            (party_label(self.rule, "here"),),
            f"record it in a track of the side or the game that ends when `{self.deed}` does, and test that track",
        )


_UNLIMITED = frozenset({"", "game"})
_LASTING_GIVEN = frozenset({"side", "kind"})
_LASTING_TESTS = frozenset({"trait", "kind", "status"})


@check_of_stack
def deeds_asked_of_the_left(stack: graph.Graph) -> Iterator[AskedOfTheLeft]:
    """Find such conditions, each deed of a law once."""
    removed = _removed_kinds(stack)
    moments = {name: flag.until for name, flag in stack.vocabulary.flags.items() if flag.what == "status"}
    moments |= {name: track.until for name, track in stack.vocabulary.tracks.items()}
    for party, expressions in _laws(stack):
        remembered = {moments[f"{node.owner}.{node.name}"] for node in walk(expressions) if _is_of_side_or_game(node)}
        deeds: dict[str, None] = {}
        for node in walk(expressions):
            match node:
                case graph.Fold("some" | "none" | "count", source=graph.Pieces(kinds, None)):
                    if not kinds or removed.intersection(kinds):
                        deeds |= dict.fromkeys(_deeds(node, moments))
                case _:
                    pass
        yield from (AskedOfTheLeft(party, deed) for deed in deeds if moments[deed] not in remembered)


def _laws(stack: graph.Graph) -> Iterator[tuple[Party, tuple[graph.Expr, ...]]]:
    """List the rules and procedures with the expressions that they read."""
    writer = ExpressionWriter(stack.vocabulary)
    for rule in stack.rules.values():
        yield writer.rule_party(rule), expressions_of_rule(rule)
    for procedure in stack.procedures.values():
        steps = nested_steps(procedure.body)
        yield procedure_party(procedure), tuple(expr for step in steps for expr in expressions_read(step))


def _is_of_side_or_game(node: object) -> bool:
    match node:
        case graph.GameTrack("game", name):
            return name not in {"turn", "player", "phase"}
        case graph.Get(_, "track", "side", _):
            return True
        case _:
            return False


def _deeds(fold: graph.Fold, moments: dict[str, str]) -> list[str]:
    """Return the deeds that a fold asks of its members; none if it asks for anything that may change otherwise."""
    member, deeds, uses, known_uses = graph.Var(fold.var), [], 0, 0
    for node in walk((fold.where, fold.body)):
        match node:
            case graph.Get(base, "track", owner, name) if base == member:
                deeds.append(f"{owner}.{name}")
                known_uses += 1
            case graph.Get(base, what, _, name) if base == member and (what == "printed" or name in _LASTING_GIVEN):
                known_uses += 1
            case graph.Is(subject, tests) if subject == member and all(test.what in _LASTING_TESTS for test in tests):
                deeds += (f"{test.owner}.{test.name}" for test in tests if test.what == "status")
                known_uses += 1
            case graph.Var(name) if name == fold.var:
                uses += 1
    is_past = all(moments[deed] not in _UNLIMITED for deed in deeds)
    return deeds if uses == known_uses and is_past else []


def _removed_kinds(stack: graph.Graph) -> set[str]:
    """Return the kinds of which play certainly removes pieces."""
    found: set[str] = set()
    for procedure in stack.procedures.values():
        kinds = {each.name: each.type.kinds for each in procedure.parameters if isinstance(each.type, graph.Piece)}
        for step in nested_steps(procedure.body):
            match step:
                case graph.Choose(name=name, source=source) | graph.Loop(name, source):
                    kinds[name] = _kinds(source)
                case _:
                    pass
            for effect in effects_of(step):
                if isinstance(effect, RemovePiece) and isinstance(effect.piece, graph.Var):
                    found.update(kinds.get(effect.piece.name, ()))
    return found


def _kinds(source: graph.Expr) -> tuple[str, ...]:
    match source:
        case graph.Fold("gather", source=inner, body=None):
            return _kinds(inner)
        case graph.Pieces(kinds):
            return kinds
        case _:
            return ()
