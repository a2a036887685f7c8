"""Read the use of the watched changes from a module that counted it.

In: the keys of the changes in a graph (reachable_changes.py), and the replay of a game. Out: the same `Use` for each as
use_tracer.py has of the machine.
"""

from collections import defaultdict
from collections.abc import Collection

from runtime.engine.recount import CountReader
from runtime.experiment.reachable_changes import ACTION, CHART, COUNTER, PHASE, STEP
from runtime.experiment.use_tracer import Use, clause_keys, counted_uses, faces_between, offer_key, side_key
from runtime.graph import nodes as graph
from runtime.state.position import State

Counts = defaultdict[str, list[int]]


def module_uses(rules: graph.Graph, keys: Collection[str], recount: CountReader, end: State) -> tuple[Use, ...]:
    """Return the use of the watched keys in the game that was counted last, and ended in this position."""
    counts: Counts = defaultdict(lambda: [0, 0, 0])
    _add_rules(counts, rules, recount)
    _add_calls(counts, recount)
    _add_offers(counts, recount)
    if recount.counts.faces_at:
        _add_faces(counts, rules, recount, end)
    return counted_uses(counts, keys)


def _add_rules(counts: Counts, rules: graph.Graph, recount: CountReader) -> None:
    """Add which rules were asked about, and which were live."""
    bits = recount.bits()
    for name, first_bit in recount.counts.first_bits.items():
        recorded = bits >> first_bit
        if not recorded & 1:
            continue
        if name in rules.tables:
            counts[f"{CHART}:{name}"][2] = 1
        for index, key in enumerate(clause_keys(rules, name), 1):
            counts[key][0] = 1
            counts[key][2] |= recorded >> index & 1


def _add_calls(counts: Counts, recount: CountReader) -> None:
    """Add the calls of resolutions and hooks, and the steps of the sequence of play."""
    steps = [
        f"{PHASE}:{name}" if kind == PHASE else f"{STEP}:{name}@{phase}" for kind, name, phase in recount.counts.steps
    ]
    for key, number in zip((*recount.counts.procedures, *steps), recount.calls(), strict=True):
        if number:
            counts[key][2] += number


def _add_offers(counts: Counts, recount: CountReader) -> None:
    """Add how often actions were offered, open and taken, everywhere and in each phase."""
    for offer in recount.offers():
        keys = [(f"{ACTION}:{action}", offer_key(action, offer.phase)) for action in offer.actions]
        for key in {key for pair in keys for key in pair}:
            counts[key][0] += offer.times
        for pair, is_open in zip(keys, offer.open, strict=True):
            for key in pair:
                counts[key][1] += offer.times * is_open
        for key in () if offer.taken_index is None else keys[offer.taken_index]:
            counts[key][2] += offer.times
            counts[side_key(key, offer.side)][2] += offer.times


def _add_faces(counts: Counts, rules: graph.Graph, recount: CountReader, end: State) -> None:
    """Add the counters that were shown, and those on the way to them from the first face of their pieces."""
    shown_names: set[str] = set()
    for piece, counter in recount.shown_counters():
        shown_names.update(faces_between(rules, end.sheets[piece].original_counter or counter, counter))
    for name in shown_names:
        counts[f"{COUNTER}:{name}"][2] = 1
