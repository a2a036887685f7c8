"""The ways to the steps of a procedure: what holds in each, and the names that are bound on it.

In: a procedure of a graph. Out: for each step the conditions on the way to it, all of them about the position in which
the procedure begins, and the names they speak of: parameters, choices, members of loops, dice. What a step reads after
others have changed it is not told apart; whoever looks for a position with a way tries it out in play.
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
    """The way to a step of the procedure `key`. `chosen` are the names that whoever takes an action decides about.

    `parameters` are all names that are open, `lets` those that stand for a value, `rolled` those that dice give.
    """

    key: str
    step: graph.Step | None
    parameters: tuple[graph.Parameter, ...]
    lets: tuple[tuple[str, graph.Expr], ...]
    conditions: tuple[graph.Expr, ...] = ()
    chosen: tuple[str, ...] = ()
    rolled: tuple[str, ...] = ()

    def with_assumption(self, condition: graph.Expr) -> "AccessPath":
        """Take a condition for granted from here on."""
        return replace(self, conditions=(*self.conditions, condition))

    def with_open_name(self, name: str, of: graph.Type) -> "AccessPath":
        """Leave a name open."""
        return replace(self, parameters=(*self.parameters, graph.Parameter(name, of)))


def access_paths(rules: graph.Graph, key: str) -> list[AccessPath]:
    """List the ways to all steps of a procedure, in their order."""
    procedure = rules.procedures[key]
    # Who reacts is not on move; everybody else is.
    reacts = procedure.what == "action" and not procedure.phases
    parameters = (PLAYER, *procedure.parameters) if reacts else procedure.parameters
    way = AccessPath(
        key, None, parameters, () if reacts else (ON_MOVE,), (), tuple(p.name for p in procedure.parameters)
    )
    return list(_paths_in(without_citations(procedure.body), way, rules))


def changed_access_paths(a: graph.Graph, b: graph.Graph, here: str, there: str) -> list[tuple[int, AccessPath]]:
    """List the ways to steps of a procedure that the other graph's does not have so, and in which graph each stands.

    Where a step has another in its place, the position has to tell the two apart. Ways to what does something come
    first.
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
    """Go through steps in their order."""
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
    """Let a name stand for what a die shows, or for what is drawn."""
    match step:
        case graph.Roll(name, domain, low, high):
            pips = graph.Number(low, high, rules.vocabulary.domains[domain].measure)
            return replace(way.with_open_name(name, pips), rolled=(*way.rolled, name))
        case graph.Draw("", name, _, _, graph.Number()):
            return replace(_chosen(way, step, rules), rolled=(*way.rolled, name))
        case _:
            return _chosen(way, step, rules)


def _chosen(way: AccessPath, step: graph.Choose | graph.Draw, rules: graph.Graph) -> AccessPath:
    """Let a name stand for what somebody chooses, or chance draws."""
    if not step.how:
        return _member(way, step.name, step.source, rules)
    shape: graph.ManyShape = "list" if step.how == "order" else "set"
    return way.with_open_name(step.name, graph.Many(shape, _member_type(step.source, way, rules)))


def _member(way: AccessPath, name: str, source: graph.Expr, rules: graph.Graph) -> AccessPath:
    """Let a name stand for a member of a collection, and what is asked of its members hold for it."""
    return way.with_open_name(name, _member_type(source, way, rules)).with_assumption(
        membership_condition(name, source)
    )


def membership_condition(name: str, source: graph.Expr) -> graph.Expr:
    """Write that a name stands for a member of a collection; what is asked of each member is asked of it by itself."""
    match source:
        case graph.Fold("gather", var, inner, where, None) if where is not None:
            return graph.Op("and", (graph.Op("in", (graph.Var(name), inner)), _renamed(where, var, name)))
        case _:
            return graph.Op("in", (graph.Var(name), source))


def _renamed(node: Any, old: str, new: str) -> Any:
    """Put another name for a name, but where it is bound anew."""
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
    """Add to a way what has to be so for its step to change anything."""
    match way.step:
        case graph.Mark(subject, owner, status, on):
            return way.with_assumption(graph.Is(subject, (graph.Test("status", owner, status),), negated=on))
        case graph.Assign(target, value):
            return way.with_assumption(graph.Op("!=", (target, value)))
        case _:
            return way


def _with_difference(way: AccessPath, counterpart: AccessPath) -> AccessPath:
    """Add to a way what has to differ between its step and the one that stands in its place in the other graph."""
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
            # What is chosen first shows where there is something to choose.
            several = graph.Fold("count", "each", source, None, None, None)
            return way.with_assumption(graph.Op(">", (several, graph.Num(Fraction(1), ""))))
        case _:
            return way


def call_of(procedure: graph.Procedure) -> graph.Step:
    """Return the step that calls a procedure, its parameters as arguments."""
    arguments = tuple(graph.Var(each.name) for each in procedure.parameters)
    if procedure.what == "resolution":
        return graph.Do(procedure.name, arguments)
    moment = procedure.event.removeprefix("end of ")
    return graph.End(moment) if moment != procedure.event else graph.Tell(procedure.event, arguments)
