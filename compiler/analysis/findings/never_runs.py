"""Procedures that nothing starts: actions never offered, resolutions never called, hooks of events never announced.

A procedure whose start a layer above has withdrawn is unused on purpose: it runs where that layer is not loaded.
"""

import re
from collections.abc import Iterator

from compiler.analysis.checks import check_of_stack
from compiler.analysis.findings.offered_elsewhere import OfferedElsewhere, offered_elsewhere
from compiler.analysis.parties import Party, party_label, procedure_party
from compiler.analysis.readers_and_setters import is_whole_game
from compiler.analysis.step_reads import all_steps
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import MOST_NAMES, Sentence, list_words
from runtime.graph import nodes as graph
from runtime.graph.call_graph import procedures_started, start_of


@finding("R0514", "never-runs", WARNING)
class NeverRuns(Finding):
    """No step starts this procedure, an action, resolution or hook; `announcers` have what its event announces."""

    kind: str
    procedure: Party
    announcers: tuple[str, ...]

    def sentence(self) -> Sentence:
        starts = {"action": "offered", "resolution": "done", "hook": "run, as no step tells its event"}
        known = f", such as {list_words(self.announcers)}," if 0 < len(self.announcers) <= MOST_NAMES else ""
        remedy = {"action": "`offer` it", "resolution": "`do` it", "hook": "`tell` its event"}
        message = f"`{self.procedure.label}` is never {starts.get(self.kind, 'started')}"
        labels = (party_label(self.procedure, "declared here"),)
        advice = f"{remedy.get(self.kind, 'start it')} in a procedure{known}, or delete the {self.kind}"
        return Sentence(message, labels, advice, root=self.procedure.label if self.kind == "hook" else "")


# An amendment that removes the step which starts a procedure.
_STEP_AMENDMENT = re.compile(r"(?:withdraws|replaces) step (?:do|offer|tell) (\w+)")


@check_of_stack
def never_runs(stack: graph.Graph) -> Iterator[NeverRuns]:
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
        if procedure.name not in _withdrawn_starts(stack, procedure.origin.layer):
            yield NeverRuns(procedure.what, procedure_party(procedure), tuple(_possible_announcers(stack, procedure)))


def _withdrawn_starts(stack: graph.Graph, layer: str) -> set[str]:
    """Return the names of procedures whose start is removed by rules of other layers."""
    verbs = (verb for rule in stack.rules.values() if rule.origin.layer != layer for verb, _ in rule.relations)
    return {found[1] for verb in verbs if (found := _STEP_AMENDMENT.match(verb))}


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
