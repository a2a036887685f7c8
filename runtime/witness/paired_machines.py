"""Run the sequence of play in positions of examples, with the same choices in two stacks, until they diverge.

The input is two machines whose sequences of play differ; the output is a case: the position, what was done, and the
next decision or the changes in each stack. A sequence starts at its first step, with the facts of every situation card.
Choices and dice are drawn from a stream seeded by the place.

Two stacks may diverge because of any difference between them. Therefore a control runs beside the two: the second stack
with only the sequence as in the first one. If the control ends like the second stack, the sequence is not the cause,
and the run is discarded.
"""

from dataclasses import replace

from runtime.graph import nodes as graph
from runtime.graph.procedure_pairs import ProcedurePair, with_first_body
from runtime.play.choices import END, STOP, Decision
from runtime.play.game import SEQUENCE
from runtime.play.labels import option_label, option_labels
from runtime.play.machine import Machine
from runtime.play.playthrough import Playthrough, ProcedureFrame
from runtime.play.rule_faults import BrokenRules
from runtime.state.setup import from_position
from runtime.witness.example_places import ExamplePositions, PairedPosition, PlayDifference
from runtime.witness.instance import NO_ANSWER
from runtime.witness.play_summary import Outcome, differing_things, state_of, summarize_events, with_dice
from runtime.witness.pseudorandom import PseudoRandom
from runtime.witness.snapshot import position_of

# The number of positions of examples, of runs from each, and of decisions until a run is given up.
POSITIONS, RUNS, DECISIONS = 6, 3, 40


class PairedMachines:
    """Two machines that run their sequences of play."""

    def __init__(self, places: ExamplePositions, machines: tuple[Machine, ...], *, is_single_change: bool) -> None:
        """Store the positions of both stacks' examples; `is_single_change`: only one procedure has changed."""
        self.graphs, self.pair_machines = places.graphs, machines
        self.places, self.is_single_change = places.all_places, is_single_change

    def find(self, pair: ProcedurePair) -> tuple[PlayDifference | None, int]:
        """Return a run on which the sequence makes a difference, and the number of runs started."""
        machines = (*self.pair_machines, *self._control(pair))
        places = sorted(self.places, key=lambda place: not _checks_order(place))
        tries = (self._run(machines, place, number) for place in places[:POSITIONS] for number in range(RUNS))
        tried = 0
        for found in tries:
            tried += 1
            if found is not None:
                return found, tried
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

    def _run(self, machines: tuple[Machine, ...], place: PairedPosition, number: int) -> PlayDifference | None:
        """Run the sequence in a position until the stacks diverge; None if they do not."""
        chance = PseudoRandom(f"{place.name} {SEQUENCE} {number}")
        try:
            playthroughs = [
                Playthrough(from_position(machine.graph, position), f"{place.name} {number}")
                for machine, position in zip(machines, _positions(place, len(machines)), strict=True)
            ]
            for playthrough in playthroughs:
                playthrough.calls.append(ProcedureFrame(SEQUENCE, 0, {"player": playthrough.state.player}))
            return self._go_on(machines, place, playthroughs, chance)
        except (*NO_ANSWER, ValueError, AttributeError):
            return None

    def _go_on(
        self,
        machines: tuple[Machine, ...],
        place: PairedPosition,
        playthroughs: list[Playthrough],
        chance: PseudoRandom,
    ) -> PlayDifference | None:
        """Choose the same options until a decision, an option or a change differs."""
        position: graph.Position | None = place.positions[place.which]
        home = playthroughs[place.which]
        last_act = "the sequence of play"
        for _ in range(DECISIONS):
            since = [len(playthrough.journal) for playthrough in playthroughs]
            thrown = [len(playthrough.dice) for playthrough in playthroughs[:2]]
            stops = [
                _advance(machine, playthrough) for machine, playthrough in zip(machines, playthroughs, strict=True)
            ]
            changes = [
                summarize_events(c.state, c.journal[index:]) for c, index in zip(playthroughs, since, strict=True)
            ]
            divergence = _divergence(machines, stops, playthroughs, changes, (0, 1))
            controlled = len(stops) > 2 and _divergence(machines, stops, playthroughs, changes, (1, 2)) is None
            if divergence is not None and controlled:
                return None
            if divergence is not None:
                dice_by_stack = [[str(die.value) for die in each.dice[index:] if die.domain]
                        for each, index in zip(playthroughs, thrown, strict=False)]  # fmt: skip
                return PlayDifference(
                    place.example, place.which, *with_dice(last_act, divergence, dice_by_stack), position
                )
            decisions = [stop for stop in stops if isinstance(stop, Decision)]
            if len(decisions) < len(stops) or (len(stops) > 2 and not controlled):
                return None
            first = decisions[0]
            position = position_of(home.state, replace(place.positions[place.which], name="witness"))
            passing = [index for index, option in enumerate(first.options) if option.kind in {END, STOP}]
            # A sequence of play is long: always choosing an action does not advance it far.
            passes = passing and chance.one_in(2)
            number = passing[0] if passes else chance.number_below(len(first.options))
            option_text = option_label(home.state, machines[place.which].programs.entries, first, first.options[number])
            last_act = f"{first.side}, asked for {first.question}: {option_text}"
            for machine, playthrough, stop in zip(machines, playthroughs, decisions, strict=True):
                machine.take(playthrough, stop.options[number])
        return None


# What stops a machine: a message; or the side that decides, the question, and the options.
DecisionText = str | tuple[str, str, tuple[str, ...]]


def _positions(place: PairedPosition, many: int) -> tuple[graph.Position, ...]:
    """Return the position as each machine sets it up: the control like the second stack."""
    first, second = place.positions
    return (first, second, second)[:many]


def _divergence(
    machines: tuple[Machine, ...],
    stops: "list[Decision | str]",
    playthroughs: list[Playthrough],
    changes: list[Outcome],
    indexes: tuple[int, int],
) -> tuple[str, str] | None:
    """Return how two of the runs diverge: in the decision, in the options, or in the state."""
    decision_texts = [
        stop
        if isinstance(stop, str)
        else (
            stop.side,
            stop.question,
            tuple(option_labels(playthroughs[index].state, machines[index].programs.entries, stop)),
        )
        for index, stop in ((index, stops[index]) for index in indexes)
    ]
    first, second = (changes[index] for index in indexes)
    slots = differing_things(first, second)
    if slots and indexes == (0, 1) and len(changes) > 2:
        due = differing_things(second, changes[2])
        slots = [slot for slot in slots if slot in due] or slots
    if slots:
        return state_of(first, second, slots), state_of(second, first, slots)
    if decision_texts[0] == decision_texts[1]:
        return None
    if (
        isinstance(decision_texts[0], str)
        or isinstance(decision_texts[1], str)
        or decision_texts[0][:2] != decision_texts[1][:2]
    ):
        return _question_text(decision_texts[0]), _question_text(decision_texts[1])
    first_options, second_options = decision_texts[0][2], decision_texts[1][2]
    return _options_text(decision_texts[0], [o for o in first_options if o not in second_options]), _options_text(
        decision_texts[1], [o for o in second_options if o not in first_options]
    )


def _advance(machine: Machine, playthrough: Playthrough) -> "Decision | str":
    try:
        return machine.run(playthrough) or "nothing more is asked"
    except BrokenRules as stopped:
        return stopped.fault.message


def _question_text(text: DecisionText) -> str:
    return text if isinstance(text, str) else f"{text[0]} is asked: {text[1]}"


def _options_text(text: DecisionText, only: list[str]) -> str:
    options = ", ".join(only[:6]) + (f" and {len(only) - 6} more" if len(only) > 6 else "")
    return f"{_question_text(text)}, {f'open is {options}' if only else 'with less open'}"


def _checks_order(place: PairedPosition) -> bool:
    return any(isinstance(line, graph.Order) for line in place.example.lines) if place.example else False
