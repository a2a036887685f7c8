"""Whether an action that an example takes would be offered, where its offer must not end before something is so.

In: a machine, a playthrough with nothing running, and an action with the choices at its head made. Out: why it would
not be offered; None where it would, or where nothing can meet the offer any more, and everything is open.
"""

from runtime.graph import nodes as graph
from runtime.graph.free_names import free_names
from runtime.play.machine import Machine
from runtime.play.playthrough import Call, Playthrough
from runtime.play.refusal_reason import RefusalReason
from runtime.play.tryout_playthrough import TryoutPlaythrough

KNOWN = {"player"}


def obligation_refusal(machine: Machine, playthrough: Playthrough, begun: Call) -> RefusalReason | None:
    """Return what could not come to hold any more after an action; None if some offer of it leaves it open.

    An offer that speaks of names of the procedure around it is not looked at: an example has none of them.
    """
    if not machine.obligations.offers:
        return None
    refused: RefusalReason | None = None
    for key, at, offer in _offers(machine, begun.key.removeprefix("action:")):
        call = Call(key, at, {"player": begun.names["player"]})
        if not offer.must or free_names((offer.until, offer.keeping, offer.by)) - KNOWN:
            return None
        if machine.choices.site(call).side(playthrough.state, call.names) != begun.names["player"]:
            continue
        refused = _missed(machine, playthrough, call, begun, offer)
        if refused is None:
            return None
    return refused


def _offers(machine: Machine, action: str) -> list[tuple[str, int, graph.Offer]]:
    """List the offers that have an action."""
    return [
        (key, at, step)
        for key, program in machine.programs.of.items()
        for at, step in enumerate(program.code)
        if isinstance(step, graph.Offer) and any(name == action for name, _ in step.actions)
    ]


def _missed(
    machine: Machine, playthrough: Playthrough, call: Call, begun: Call, offer: graph.Offer
) -> RefusalReason | None:
    """Return how an offer is missed once an action is over, if it is certain that nothing else can follow."""
    trial = TryoutPlaythrough.copy_of(playthrough)
    trial.calls = [call, Call(begun.key, begun.at, dict(begun.names))]
    lookahead = machine.obligations.make_search(offer, 0)
    if lookahead.can_be_met_after(trial, None, 1) is not False:
        return None
    trial.calls = trial.calls[:1]
    if machine.obligations.make_search(offer, 0).can_be_met_after(trial, None, 1) is False:
        return None
    return RefusalReason(offer.until, "", {"player": begun.names["player"]}, after=lookahead.missed)
