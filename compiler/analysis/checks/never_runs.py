"""Procedures that nothing starts: actions never offered, resolutions never called, hooks of events never announced.

A procedure whose start a layer above has withdrawn is unused on purpose: it runs where that layer is not loaded.
"""

import re
from collections.abc import Iterator

from compiler.analysis.checks.offered_elsewhere import offered_elsewhere
from compiler.analysis.parties import procedure_party
from compiler.analysis.problems import NeverRuns, OfferedElsewhere, Problem
from compiler.analysis.readers_and_setters import is_whole_game
from compiler.analysis.step_reads import all_steps
from runtime.graph import nodes as graph
from runtime.graph.call_graph import procedures_started, start_of

# An amendment that removes the step which starts a procedure.
STEP_AMENDMENT = re.compile(r"(?:withdraws|replaces) step (?:do|offer|tell) (\w+)")


def never_runs(stack: graph.Graph) -> Iterator[Problem]:
    """Find procedures that play never reaches; none in a stack without a sequence, which is no game yet."""
    if not is_whole_game(stack):
        return
    started = {start for step in all_steps(stack) for start in procedures_started(step)}
    # Where an action of another phase is offered by mistake, the one that should be offered is not a second finding.
    offered_phases = {
        phase for each in offered_elsewhere(stack) if isinstance(each, OfferedElsewhere) for phase in each.offered
    }
    for procedure in stack.procedures.values():
        if procedure.what == "action" and procedure.phases and offered_phases.issuperset(procedure.phases):
            continue
        if procedure.what == "sequence" or start_of(procedure) in started:
            continue
        if procedure.name not in withdrawn_starts(stack, procedure.origin.layer):
            yield NeverRuns(procedure.what, procedure_party(procedure), tuple(_possible_announcers(stack, procedure)))


def withdrawn_starts(stack: graph.Graph, layer: str) -> set[str]:
    """Return the names of procedures whose start is removed by rules of other layers."""
    verbs = (verb for rule in stack.rules.values() if rule.origin.layer != layer for verb, _ in rule.relations)
    return {found[1] for verb in verbs if (found := STEP_AMENDMENT.match(verb))}


def _possible_announcers(stack: graph.Graph, hook: graph.Procedure) -> Iterator[str]:
    """List the procedures with parameters for all the records that the event of a hook has, if it has any."""
    event = stack.vocabulary.events.get(hook.event)
    record_types = {part.type for part in event.parameters if isinstance(part.type, graph.RecordOf)} if event else set()
    for procedure in stack.procedures.values():
        if (
            record_types
            and procedure.what in ("action", "resolution")
            and record_types <= {part.type for part in procedure.parameters}
        ):
            yield procedure_party(procedure).label
