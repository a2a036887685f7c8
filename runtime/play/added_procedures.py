"""Procedures beside those of the rules, which no rule calls: the lines of an example, one offer, one event.

In: a machine, and steps. Out: their program, under a key of its own, in the machine; frames that run it are like all
others.
"""

from collections.abc import Iterable, Mapping

from runtime.graph import nodes as graph
from runtime.graph.canonical import node_text
from runtime.graph.predeclared_types import SIDE
from runtime.play.machine import Machine
from runtime.play.playthrough import Names, Playthrough, ProcedureFrame
from runtime.play.programs import program_of


def add_procedure(machine: Machine, key: str, steps: Iterable[graph.Step], types: Mapping[str, graph.Type]) -> None:
    """Add a procedure of these steps, or replace the one with its key; `types` are those of the names bound before.

    `player` is one of these names in any case. A playthrough in which a replaced procedure runs cannot go on.
    """
    procedure = graph.Procedure("example", key, "", (), (), tuple(steps), "", "", (), graph.NO_ORIGIN)
    machine.programs.entries[key] = program_of(key, procedure, machine.graph, {"player": SIDE, **types})
    machine.closures.pop(key, None)


def begin_offer(machine: Machine, playthrough: Playthrough, offer: graph.Offer, names: Names) -> ProcedureFrame:
    """Push the call of a procedure that is one offer, and return its frame; `decide` and `run` continue with it.

    `names` are the bindings of its free names, and of `player`, the side on move. Equal offers share one procedure,
    which is never replaced, so that every playthrough can go on. A `must` of the offer restricts nothing: it is an
    obligation in procedures of the rules only.
    """
    key = f"offer#{node_text(offer)}"  # Messages name a procedure by what precedes the sign.
    if key not in machine.programs.entries:
        add_procedure(machine, key, (offer,), {})
    frame = machine.frame(key, dict(names))
    playthrough.calls.append(frame)
    return frame
