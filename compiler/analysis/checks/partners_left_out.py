"""Hooks that record something of a piece alone, where their like record it of the pieces it carries as well.

In: a stack. Out: findings. Where `entered(mover)` comes, other hooks change both the mover and the pieces that are
related to it, as its passengers. A hook is compared with those on its event, of which two have to do so, or with one
that changes the same status or track on another event.
"""

from collections import defaultdict
from collections.abc import Iterator

from compiler.analysis.omissions import PartnersLeftOut
from compiler.analysis.parties import procedure_party
from runtime.graph import nodes as graph
from runtime.graph.steps import nested_steps
from runtime.graph.walk import walk

# The number of statuses and tracks that hooks on an event have to change of partners, too.
FEWEST_PARTNER_CHANGES = 2


def partners_left_out(stack: graph.Graph) -> Iterator[PartnersLeftOut]:
    """Find such hooks, each change once."""
    whole: dict[tuple[str, str], set[str]] = defaultdict(set)  # By event and end of a relation: what both undergo.
    alone: list[tuple[graph.Procedure, str]] = []
    for hook in stack.procedures.values():
        if hook.what != "hook" or not hook.parameters or not isinstance(hook.parameters[0].type, graph.Piece):
            continue
        changes = _changes(hook, hook.parameters[0].name)
        for what, ends in changes.items():
            if ends == {""}:
                alone.append((hook, what))
            for end in ends - {""} if "" in ends else ():
                whole[hook.event, end].add(what)
    for hook, what in alone:
        for (event, end), changed in whole.items():
            others = changed - {what} if event == hook.event else set()
            if len(others) >= FEWEST_PARTNER_CHANGES or (what in changed and event != hook.event):
                like = sorted(others) if len(others) >= FEWEST_PARTNER_CHANGES else [what]
                name, _, side = end.partition(" ")
                relation = stack.vocabulary.relations[name]
                partners = relation.right.name if side == "right" else relation.left.name
                yield PartnersLeftOut(
                    procedure_party(hook), what, hook.parameters[0].name, partners, event, tuple(like)
                )
                break


def _changes(hook: graph.Procedure, piece: str) -> dict[str, set[str]]:
    """Return what a hook changes of a piece (the end "") and of its partners (the end of the relation)."""
    ends: dict[str, set[str]] = defaultdict(set, {piece: {""}})
    found: dict[str, set[str]] = defaultdict(set)
    for step in nested_steps(hook.body):
        match step:
            case graph.Loop(name, source):
                ends[name] = set(_ends(source, piece))
            case graph.Mark(graph.Var(name), owner, status, on):
                found[f"{'mark' if on else 'unmark'} {owner}.{status}"] |= ends[name]
            case graph.Assign(graph.Get(graph.Var(name), _, owner, track)) | graph.Add(
                _, graph.Get(graph.Var(name), _, owner, track)
            ):
                found[f"set {owner}.{track}"] |= ends[name]
            case _:
                pass
    return found


def _ends(source: graph.Expr, piece: str) -> Iterator[str]:
    """Yield the ends of relations whose pieces a set contains, and "" if it contains the piece itself."""
    for node in walk(source):
        match node:
            case graph.Get(graph.Var(name), "partners", owner, end) if name == piece:
                yield f"{owner} {end}"
            case graph.SetOf(elements) if graph.Var(piece) in elements:
                yield ""
