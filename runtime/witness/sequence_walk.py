"""Run the sequences of play of two stacks in positions of examples, with the same choices, until they diverge.

The input is the positions, and a machine of each stack; the output is a position, what was done there, and the next
decision or the changes in each stack. A run starts at the first step, with the facts of every situation card. Choices
and dice are drawn from a stream seeded by the place.

Two stacks may diverge because of any difference between them. Therefore a control runs beside the two: the second stack
with only the sequence as in the first one. If the control ends like the second stack, the sequence is not the cause,
and the run is discarded.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from runtime.answer.interpreter import Interpreter
from runtime.board.answer_errors import Unanswered
from runtime.graph import nodes as graph
from runtime.graph.procedure_pairs import ProcedurePair, with_first_body
from runtime.play.game import SEQUENCE
from runtime.play.labels import option_label, option_labels
from runtime.play.machine import Machine
from runtime.play.options import END, STOP, Decision
from runtime.play.playthrough import Playthrough, ProcedureFrame
from runtime.play.rule_faults import BrokenRules
from runtime.state.setup import from_position
from runtime.witness.example_corpus import ExamplePositions, PairedPosition, PlayDifference, could_stand
from runtime.witness.pool import PseudoRandom
from runtime.witness.set_up import NO_ANSWER, stop_text
from runtime.witness.snapshot import position_of
from runtime.witness.traced_run import Outcome, differing_things, state_of, summarize_events, with_dice
from runtime.witness.translated_position import missing_words

# Positions that are tried, runs in each, and decisions until a run is given up.
MOST_PLACES, RUNS_OF_PLACE, MOST_RUN_DECISIONS = 6, 3, 40
# The most options that are named in a difference.
MOST_NAMED_OPTIONS = 6


class SequenceWalk:
    """Two machines that run the same."""

    def __init__(self, places: ExamplePositions, machines: tuple[Machine, ...], *, is_single_change: bool) -> None:
        """Store the positions of both stacks' examples; `is_single_change`: only the sequence has changed."""
        self.graphs, self.pair_machines, self.places = places.graphs, machines, places.all_places
        self.answers = tuple(map(Interpreter, places.graphs))
        self.is_single_change = is_single_change

    def find(self, pair: ProcedurePair) -> tuple[PlayDifference | None, int]:
        """Return a run on which the sequences make a difference, and the number of runs started."""
        machines = (*self.pair_machines, *self._control(pair))
        places = sorted(self.places, key=lambda place: not _checks_order(place))[:MOST_PLACES]
        tried = 0
        for place in places:
            for number in range(RUNS_OF_PLACE):
                tried += 1
                walked = self._walk(machines, place, number)
                if walked is not None and could_stand(walked, self.answers):
                    return walked, tried
        return None, tried

    def _control(self, pair: ProcedurePair) -> tuple[Machine, ...]:
        """Build the control; empty if nothing else has changed, or only the first stack has a sequence."""
        if self.is_single_change or not pair.second_key:
            return ()
        second = self.graphs[1]
        rules = replace(second, procedures={**second.procedures, pair.second_key: with_first_body(self.graphs, pair)})
        try:
            return (Machine(rules, self.pair_machines[1].effect_evaluator),)
        except (KeyError, ValueError):  # The second stack cannot express the sequence of the first one.
            return ()

    def _walk(self, machines: Sequence[Machine], place: PairedPosition, number: int) -> PlayDifference | None:
        """Run the sequences in a position, with equal choices, until a decision, an option or a change differs."""
        # The control is set up like the second stack.
        positions = (*place.positions, place.positions[1])[: len(machines)]
        with suppress(AttributeError, *NO_ANSWER):
            playthroughs = [
                Playthrough(from_position(machine.graph, position), f"{place.name} {number}")
                for machine, position in zip(machines, positions, strict=True)
            ]
            for playthrough in playthroughs:
                playthrough.calls.append(ProcedureFrame(SEQUENCE, 0, {"player": playthrough.state.player}))
            return self._run(machines, place, playthroughs, PseudoRandom(f"{place.name} {SEQUENCE} {number}"))
        return None

    def _run(
        self, machines: Sequence[Machine], place: PairedPosition, playthroughs: list[Playthrough], chance: PseudoRandom
    ) -> PlayDifference | None:
        position: graph.Position | None = place.positions[place.which]
        home, entries = playthroughs[place.which], machines[place.which].programs.entries
        act = "the sequence of play"
        for _ in range(MOST_RUN_DECISIONS):
            rounds = [
                _Round(machine, playthrough, place) for machine, playthrough in zip(machines, playthroughs, strict=True)
            ]
            divergence = _divergence(rounds[0], rounds[1], *rounds[2:])
            is_controlled = len(rounds) > 2 and _divergence(rounds[1], rounds[2]) is None
            if divergence is not None:
                if is_controlled:
                    return None
                texts = with_dice(act, divergence, [rounds[0].dice, rounds[1].dice])
                return PlayDifference(place.example, place.which, *texts, position)
            decisions = [each.stop for each in rounds if isinstance(each.stop, Decision)]
            if len(decisions) < len(rounds) or (len(rounds) > 2 and not is_controlled):
                return None
            first = decisions[0]
            position = position_of(home.state, replace(place.positions[place.which], name="witness"))
            passing = [index for index, option in enumerate(first.options) if option.kind in {END, STOP}]
            # A sequence of play is long: always choosing an action does not advance it far.
            number = passing[0] if passing and chance.one_in(2) else chance.number_below(len(first.options))
            option_text = option_label(home.state, entries, first, first.options[number])
            act = f"{first.side}, asked for {first.question}: {option_text}"
            for machine, playthrough, decision in zip(machines, playthroughs, decisions, strict=True):
                machine.take(playthrough, decision.options[number])
        return None


class _Round:
    """The play of one machine up to its next decision, or up to what stops it."""

    def __init__(self, machine: Machine, playthrough: Playthrough, place: PairedPosition) -> None:
        since, thrown = len(playthrough.journal), len(playthrough.dice)
        self.stop = _advance(machine, playthrough, place)
        self.changes: Outcome = summarize_events(playthrough.state, playthrough.journal[since:])
        self.dice = [str(die.value) for die in playthrough.dice[thrown:] if die.domain]
        # What stops it as text: the question, and the options.
        self.question, self.options = f"{self.stop}", list[str]()
        if isinstance(self.stop, Decision):
            self.question = f"{self.stop.side} is asked: {self.stop.question}"
            self.options = list(option_labels(playthrough.state, machine.programs.entries, self.stop))

    def options_text(self, other: "_Round") -> str:
        """Return the question with the options that another machine does not have."""
        only = [option for option in self.options if option not in other.options]
        more = f" and {len(only) - MOST_NAMED_OPTIONS} more" if len(only) > MOST_NAMED_OPTIONS else ""
        options = f"open is {', '.join(only[:MOST_NAMED_OPTIONS])}{more}" if only else "with less open"
        return f"{self.question}, {options}"


def _divergence(first: _Round, second: _Round, control: _Round | None = None) -> tuple[str, str] | None:
    """Return how two machines diverge: in the state, in the question, or in the options."""
    slots = differing_things(first.changes, second.changes)
    if slots and control is not None:
        due = differing_things(second.changes, control.changes)
        slots = [slot for slot in slots if slot in due] or slots
    if slots:
        return state_of(first.changes, second.changes, slots), state_of(second.changes, first.changes, slots)
    if first.question != second.question:
        return first.question, second.question
    if first.options != second.options:
        return first.options_text(second), second.options_text(first)
    return None


def _advance(machine: Machine, playthrough: Playthrough, place: PairedPosition) -> Decision | str:
    try:
        return machine.run(playthrough) or "nothing more is asked"
    except BrokenRules as stopped:
        return stopped.fault.message
    except Unanswered as unanswered:
        # A position without what the stack has no words for may be why a question has no answer.
        if not stop_text(unanswered) or missing_words(place.positions[place.which], machine.graph):
            raise
        return stop_text(unanswered)


def _checks_order(place: PairedPosition) -> bool:
    return any(isinstance(line, graph.Order) for line in place.example.lines) if place.example else False
