"""Check the `always` facts of a stack after each step of a game.

The input is a playthrough before and after each step; the output is each fact that held before a step and does not hold
when somebody decides next, or when play ends, with the step that broke it. Between these, a procedure may still restore
a fact, as an act of an example may. Facts about printed values alone are left out: no step changes them.
"""

from runtime.answer.breaches import breach_of
from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.graph.always_facts import printed_kinds
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.read_sets import reads_of
from runtime.play.pending_items import StartedItem
from runtime.play.playthrough import Playthrough
from runtime.state.change import undo
from runtime.state.event_slots import written_slots
from runtime.state.position import State
from runtime.state.record import Value

# What may break a fact: a step, or the end of a moment.
ExecutedStep = graph.Step | StartedItem


@frozen_dataclass
class BrokenFact:
    """A fact that a step broke: the step of procedure `key`, None where none did, as where the end of a phase resets.

    `culprits` are the members that violate it, in `state`, the position after the step.
    """

    fact: graph.Always
    key: str
    step: ExecutedStep | None
    culprits: tuple[Value, ...]
    state: State
    source: str
    board: graph.Board | None


class FactMonitor:
    """A monitor of the facts of one game after another."""

    def __init__(self, rules: graph.Graph, answers: Interpreter) -> None:
        """Compute what each fact reads; None where any step may change it."""
        reads = reads_of(rules)
        self.facts = [
            (fact, reads.reads_of_expression(fact.condition)) for fact in rules.always if not printed_kinds(fact)
        ]
        self.answers = answers
        self.broken: dict[str, BrokenFact] = {}

    def check(
        self,
        playthrough: Playthrough,
        since: int,
        key: str,
        step: ExecutedStep | None,
        source: str,
        board: graph.Board | None,
    ) -> None:
        """Check the facts that the events of a step, those from an index of the journal on, may have changed."""
        events, kinds, before = playthrough.journal[since:], playthrough.state.kind, None
        changed = {slot for event in events for slot in written_slots(event, kinds)}
        for fact, reads in self.facts if changed else ():
            if reads is not None and changed.isdisjoint(reads):
                continue
            breach = breach_of(self.answers, playthrough.state, fact)
            if breach is None:
                self.broken.pop(fact.label, None)
            elif fact.label not in self.broken:
                before = before or _state_before(playthrough, since)
                if breach_of(self.answers, before, fact) is None:
                    self.broken[fact.label] = BrokenFact(
                        fact, key, step, breach.culprits, playthrough.state.copy(), source,
                        board,
                    )  # fmt: skip

    def take_broken(self) -> list[BrokenFact]:
        """Return the facts that were broken since the last call, and not restored."""
        found = list(self.broken.values())
        self.broken.clear()
        return found


def _state_before(playthrough: Playthrough, since: int) -> State:
    """Return the position before the events from an index of the journal on."""
    state = playthrough.state.copy()
    for event in reversed(playthrough.journal[since:]):
        undo(state, event)
    return state
