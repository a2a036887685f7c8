"""A procedure that nothing starts: an action never offered, a resolution never done, a hook never called.

What a layer above has withdrawn the start of is meant to rest there: it is done wherever that layer is not loaded.
"""

import re
from collections.abc import Iterator

from compiler.analysis.checks.offered_elsewhere import offered_elsewhere
from compiler.analysis.problems import NeverRuns, OfferedElsewhere, Problem
from compiler.analysis.readers_and_setters import is_whole_game, party_of, procedures_started, start_of
from compiler.analysis.step_reads import all_steps
from runtime.graph import nodes as graph

# An amendment that takes the step away which starts something.
TAKEN = re.compile(r"(?:withdraws|replaces) step (?:do|offer|tell) (\w+)")


def never_runs(stack: graph.Graph) -> Iterator[Problem]:
    """Find procedures that play never comes to; a stack without a sequence is no game yet."""
    if not is_whole_game(stack):
        return
    started = {start for step in all_steps(stack) for start in procedures_started(step)}
    # Where an action of another phase is offered, the one that should be is not missing besides.
    taken = {phase for each in offered_elsewhere(stack) if isinstance(each, OfferedElsewhere) for phase in each.offered}
    for procedure in stack.procedures.values():
        if procedure.what == "action" and procedure.phases and taken.issuperset(procedure.phases):
            continue
        if procedure.what == "sequence" or start_of(procedure) in started:
            continue
        if procedure.name not in withdrawn_starts(stack, procedure.origin.layer):
            yield NeverRuns(procedure.what, party_of(procedure), tuple(_able_to_tell(stack, procedure)))


def withdrawn_starts(stack: graph.Graph, layer: str) -> set[str]:
    """Name the procedures whose start rules of other layers take away."""
    verbs = (verb for rule in stack.rules.values() if rule.origin.layer != layer for verb, _ in rule.relations)
    return {found[1] for verb in verbs if (found := TAKEN.match(verb))}


def _able_to_tell(stack: graph.Graph, hook: graph.Procedure) -> Iterator[str]:
    """List the procedures that are given all the records that the event of a hook tells of, if there are any."""
    event = stack.vocabulary.events.get(hook.event)
    told = {part.type for part in event.parameters if isinstance(part.type, graph.RecordOf)} if event else set()
    for procedure in stack.procedures.values():
        if told and procedure.what in ("action", "resolution") and told <= {part.type for part in procedure.parameters}:
            yield party_of(procedure).label
