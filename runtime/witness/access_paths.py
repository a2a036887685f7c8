"""Compute the access paths to the steps of a procedure: the path condition, and the names bound on the path.

The input is a procedure of a graph; the output is for each step the conditions on the path to it, all about the
position in which the procedure starts, and their names: parameters, choices, members of loops, dice. Effects of earlier
steps on what a step reads are ignored; a search for a position with a path verifies it in play.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from typing import Any

from runtime.graph import nodes as graph
from runtime.graph.procedure_pairs import single_step, without_citations
from runtime.graph.type_of import SIDE, member_of, type_of
from runtime.witness.rule_difference import difference_condition

PLAYER = graph.Parameter("player", SIDE)
ON_MOVE = ("player", graph.GameTrack("game", "player"))


@dataclass(frozen=True, slots=True)
class AccessPath:
    """The access path to a step of the procedure `key`. `chosen` are the names decided by the player of an action.

    `parameters` are all free names, `lets` those bound to a value, `rolled` those determined by dice.
    """

    key: str
    step: graph.Step | None
    parameters: tuple[graph.Parameter, ...]
    lets: tuple[tuple[str, graph.Expr], ...]
    conditions: tuple[graph.Expr, ...] = ()
    chosen: tuple[str, ...] = ()
    rolled: tuple[str, ...] = ()

    def with_assumption(self, condition: graph.Expr) -> "AccessPath":
        """Add an assumption to the path condition."""
        return replace(self, conditions=(*self.conditions, condition))

    def with_open_name(self, name: str, of: graph.Type) -> "AccessPath":
        """Add a free name."""
        return replace(self, parameters=(*self.parameters, graph.Parameter(name, of)))


def access_paths(rules: graph.Graph, key: str) -> list[AccessPath]:
    """Return the access paths to all steps of a procedure, in their order."""
    procedure = rules.procedures[key]
    # The side that reacts is not on move; in all other cases the acting side is.
    reacts = procedure.what == "action" and not procedure.phases
    parameters = (PLAYER, *procedure.parameters) if reacts else procedure.parameters
    way = AccessPath(
        key, None, parameters, () if reacts else (ON_MOVE,), (), tuple(p.name for p in procedure.parameters)
    )
    return list(_paths_in(without_citations(procedure.body), way, rules))


def changed_access_paths(a: graph.Graph, b: graph.Graph, here: str, there: str) -> list[tuple[int, AccessPath]]:
    """Return the paths to steps of a procedure that differ from those of the other graph, each with its graph.

    Where a step has a counterpart, the position has to distinguish the two. Paths to effects come first.
    """
    found = [access_paths(rules, key) if key else [] for rules, key in ((a, here), (b, there))]
    known = [{_as_text(way) for way in each} for each in found]
    apart = [[way for way in mine if _as_text(way) not in other]
             for mine, other in zip(found, reversed(known), strict=True)]  # fmt: skip
    told = []
    for which, mine in enumerate(apart):
        others = apart[1 - which]
        for number, way in enumerate(mine):
            counterpart = others[number] if number < len(others) else None
            told.append((which, _with_difference(way, counterpart) if counterpart is not None else way))
    told = [(which, _taking_effect(way)) for which, way in told]
    return sorted(told, key=lambda each: (isinstance(each[1].step, graph.Let | graph.Roll | graph.Draw), -each[0]))


def _paths_in(body: Sequence[graph.Step], way: AccessPath, rules: graph.Graph) -> Iterator[AccessPath]:
    """Traverse steps in their order."""
    for step in body:
        if not isinstance(step, graph.Choose):
            yield replace(way, step=single_step(step))
        match step:
            case graph.Let(name, value):
                way = replace(way, lets=(*way.lets, (name, value)))
            case graph.Legal(condition):
                way = way.with_assumption(condition)
            case graph.Choose(_, name):
                way = replace(_chosen(way, step, rules), chosen=(*way.chosen, name), step=step)
                yield way
            case graph.Roll() | graph.Draw():
                way = _with_random_name(way, step, rules)
            case graph.Loop(name, source, inner):
                yield from _paths_in(inner, _member(way, name, source, rules), rules)
            case graph.Branch(condition, then, orelse):
                denied = graph.Op("not", (condition,))
                yield from _paths_in(then, way.with_assumption(condition), rules)
                yield from _paths_in(orelse, way.with_assumption(denied), rules)
                if then and isinstance(then[-1], graph.Stop):
                    way = way.with_assumption(denied)
                elif orelse and isinstance(orelse[-1], graph.Stop):
                    way = way.with_assumption(condition)
            case graph.Stop():
                return
            case _:
                pass


def _with_random_name(way: AccessPath, step: graph.Roll | graph.Draw, rules: graph.Graph) -> AccessPath:
    """Bind a name to the result of a die, or to a drawn member."""
    match step:
        case graph.Roll(name, domain, low, high):
            pips = graph.Number(low, high, rules.vocabulary.domains[domain].measure)
            return replace(way.with_open_name(name, pips), rolled=(*way.rolled, name))
        case graph.Draw("", name, _, _, graph.Number()):
            return replace(_chosen(way, step, rules), rolled=(*way.rolled, name))
        case _:
            return _chosen(way, step, rules)


def _chosen(way: AccessPath, step: graph.Choose | graph.Draw, rules: graph.Graph) -> AccessPath:
    """Bind a name to a choice, or to drawn members."""
    if not step.how:
        return _member(way, step.name, step.source, rules)
    shape: graph.ManyShape = "list" if step.how == "order" else "set"
    return way.with_open_name(step.name, graph.Many(shape, _member_type(step.source, way, rules)))


def _member(way: AccessPath, name: str, source: graph.Expr, rules: graph.Graph) -> AccessPath:
    """Bind a name to a member of a collection, and assume the condition on its members."""
    return way.with_open_name(name, _member_type(source, way, rules)).with_assumption(
        membership_condition(name, source)
    )


def membership_condition(name: str, source: graph.Expr) -> graph.Expr:
    """Return the condition that a name is a member of a collection; a filter becomes a condition on the name."""
    match source:
        case graph.Fold("gather", var, inner, where, None) if where is not None:
            return graph.Op("and", (graph.Op("in", (graph.Var(name), inner)), _renamed(where, var, name)))
        case _:
            return graph.Op("in", (graph.Var(name), source))


def _renamed(node: Any, old: str, new: str) -> Any:
    """Substitute a name for a free name."""
    match node:
        case graph.Var(name):
            return graph.Var(new) if name == old else node
        case graph.Fold(_, var) if var in {old, new}:
            return replace(node, source=_renamed(node.source, old, new))
        case tuple():
            return tuple(_renamed(part, old, new) for part in node)
        case _ if is_dataclass(node) and not isinstance(node, type):
            return replace(node, **{each.name: _renamed(getattr(node, each.name), old, new) for each in fields(node)})
        case _:
            return node


def _member_type(source: graph.Expr, way: AccessPath, rules: graph.Graph) -> graph.Type:
    names: dict[str, graph.Type] = {each.name: each.type for each in way.parameters}
    for name, value in way.lets:
        names[name] = type_of(value, names, rules)
    return member_of(type_of(source, names, rules))


def _as_text(way: AccessPath) -> str:
    return repr((way.step, way.parameters, way.lets, way.conditions))


def _taking_effect(way: AccessPath) -> AccessPath:
    """Add the condition under which the step of a path changes anything."""
    match way.step:
        case graph.Mark(subject, owner, status, on):
            return way.with_assumption(graph.Is(subject, (graph.Test("status", owner, status),), negated=on))
        case graph.Assign(target, value):
            return way.with_assumption(graph.Op("!=", (target, value)))
        case _:
            return way


def _with_difference(way: AccessPath, counterpart: AccessPath) -> AccessPath:
    """Add the condition under which the step of a path and its counterpart in the other graph differ."""
    match way.step, counterpart.step:
        case (graph.Legal(one), graph.Legal(other)) | (graph.Branch(one), graph.Branch(other)) | (
            graph.Let(_, one), graph.Let(_, other)
        ) | (graph.Assign(_, one), graph.Assign(_, other)) if one != other:  # fmt: skip
            return way.with_assumption(difference_condition(one, other))
        case (graph.Choose("", name, one), graph.Choose("", twin_name, other)) | (
            graph.Draw("", name, one), graph.Draw("", twin_name, other)
        ) if name == twin_name:  # fmt: skip
            return way.with_assumption(graph.Op("not", (membership_condition(name, other),)))
        case graph.Choose(_, _, source), _:
            # The choice is visible where there is something to choose.
            several = graph.Fold("count", "each", source, None, None, None)
            return way.with_assumption(graph.Op(">", (several, graph.Num(Fraction(1), ""))))
        case _:
            return way


def call_of(procedure: graph.Procedure) -> graph.Step:
    """Return the step that calls a procedure with its parameters as arguments."""
    arguments = tuple(graph.Var(each.name) for each in procedure.parameters)
    if procedure.what == "resolution":
        return graph.Do(procedure.name, arguments)
    moment = procedure.event.removeprefix("end of ")
    return graph.End(moment) if moment != procedure.event else graph.Tell(procedure.event, arguments)
