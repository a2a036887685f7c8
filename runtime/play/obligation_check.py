"""Check of an example's action against the obligation of its offer (`must`).

In: a machine, a playthrough without a running procedure, and an action with the choices at its head made. Out: why it
would not be offered; None where it would, or where the obligation cannot be met at all, so that every option is open.
"""

from runtime.graph import nodes as graph
from runtime.graph.free_names import free_names
from runtime.play.machine import Machine
from runtime.play.playthrough import Call, Playthrough
from runtime.play.refusal_reason import RefusalReason
from runtime.play.tryout_playthrough import TryoutPlaythrough

KNOWN = {"player"}


def obligation_refusal(machine: Machine, playthrough: Playthrough, action_call: Call) -> RefusalReason | None:
    """Return the obligation that cannot be met after an action; None if some offer admits it.

    An offer that reads names of its procedure is skipped, as an example does not have them.
    """
    if not machine.obligations.offers:
        return None
    refused: RefusalReason | None = None
    for key, offset, offer in _offers(machine, action_call.key.removeprefix("action:")):
        call = Call(key, offset, {"player": action_call.names["player"]})
        if not offer.must or free_names((offer.until, offer.keeping, offer.by)) - KNOWN:
            return None
        if machine.choices.site(call).side(playthrough.state, call.names) != action_call.names["player"]:
            continue
        refused = _missed(machine, playthrough, call, action_call, offer)
        if refused is None:
            return None
    return refused


def _offers(machine: Machine, action: str) -> list[tuple[str, int, graph.Offer]]:
    """Return the offers that contain an action."""
    return [
        (key, offset, step)
        for key, program in machine.programs.entries.items()
        for offset, step in enumerate(program.code)
        if isinstance(step, graph.Offer) and any(name == action for name, _ in step.actions)
    ]


def _missed(
    machine: Machine, playthrough: Playthrough, call: Call, action_call: Call, offer: graph.Offer
) -> RefusalReason | None:
    """Return the reason if an offer is certain to be missed after an action, else None."""
    trial = TryoutPlaythrough.copy_of(playthrough)
    trial.calls = [call, Call(action_call.key, action_call.offset, dict(action_call.names))]
    lookahead = machine.obligations.make_search(offer, 0)
    if lookahead.can_be_met_after(trial, None, 1) is not False:
        return None
    trial.calls = trial.calls[:1]
    if machine.obligations.make_search(offer, 0).can_be_met_after(trial, None, 1) is False:
        return None
    return RefusalReason(offer.until, "", {"player": action_call.names["player"]}, after=lookahead.missed_playthrough)
