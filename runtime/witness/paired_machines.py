"""Run procedures in positions of examples, with the same choices in two stacks, until they diverge.

The input is two machines, and procedures that differ and that no example shows; the output is for each a case: the
position, what was done, and the next decision or the changes in each stack. An action starts only where it is open; a
resolution or a hook is reached by an action if one leads to it, else called directly; a sequence of play starts at its
first step, with the facts of every situation card. Choices, arguments and dice are drawn from a stream seeded by the
place.

Two stacks may diverge because of any difference between them. Therefore a control runs beside the two: the second stack
with only the procedure as in the first one. If the control ends like the second stack, the procedure is not the cause,
and the run is discarded.
"""

from collections.abc import Sequence
from dataclasses import replace

from runtime.answer.expressions import everything
from runtime.answer.interpreter import Interpreter
from runtime.answer.value_text import value_text
from runtime.board.answer_errors import Unanswered
from runtime.graph import nodes as graph
from runtime.graph.call_graph import procedures_reached
from runtime.graph.procedure_pairs import ProcedurePair, with_first_body
from runtime.play.added_procedures import add_procedure
from runtime.play.game import SEQUENCE
from runtime.play.labels import option_label, option_labels
from runtime.play.machine import Machine
from runtime.play.options import END, STOP, Decision
from runtime.play.playthrough import Playthrough, ProcedureFrame
from runtime.play.rule_faults import BrokenRules
from runtime.state.setup import from_position
from runtime.witness.example_places import ExamplePositions, PairedPosition, PlayDifference, could_stand
from runtime.witness.instance import NO_ANSWER
from runtime.witness.play_summary import Outcome, differing_things, state_of, summarize_events, with_dice
from runtime.witness.pseudorandom import PseudoRandom
from runtime.witness.snapshot import position_of
from runtime.witness.translated_position import missing_words
from runtime.witness.unplayable import stop_text

# Positions of either sort that are tried for a procedure, beginnings in each, and decisions until a walk is given up.
TRIED_POSITIONS, BEGINNINGS_OF_POSITION, MOST_WALK_DECISIONS = 60, 3, 14
# A sequence of play has fewer starts and longer runs.
MOST_STARTS, LONG_WALK = 6, 40


class PairedMachines:
    """Two machines that run the same."""

    def __init__(self, places: ExamplePositions, machines: tuple[Machine, ...], *, is_single_change: bool) -> None:
        """Store the positions of both stacks' examples; `is_single_change`: only one procedure has changed."""
        self.graphs, self.pair_machines = places.graphs, machines
        self.answers = tuple(map(Interpreter, places.graphs))
        self.places, self.is_single_change = places.all_places, is_single_change

    def find(self, pair: ProcedurePair) -> tuple[PlayDifference | None, int]:
        """Return a run on which a procedure makes a difference, and the number of runs started."""
        machines = self._machines(pair)
        if SEQUENCE in pair[:2]:
            places = sorted(self.places, key=lambda place: not _checks_order(place))
            tries = (
                self._walk(machines, place, SEQUENCE, number, LONG_WALK)
                for place in places[:MOST_STARTS]
                for number in range(3)
            )
        else:
            keys = self._starting_keys(pair)
            nearest_places = sorted(self.places, key=lambda place: keys.isdisjoint(_example_actions(place)))
            # So many of what one of the two brings along, which is about what differs, and so many of what both have.
            tries = (
                self._walk(machines, place, key, number, MOST_WALK_DECISIONS)
                for shared in (False, True)
                for place in [each for each in nearest_places if each.common == shared][:TRIED_POSITIONS]
                for key in sorted(keys)
                for number in range(BEGINNINGS_OF_POSITION)
            )
        tried = 0
        for walked in tries:
            tried += 1
            if walked is not None and self._could_stand(walked):
                return walked, tried
        return None, tried

    def run_in_position(self, pair: ProcedurePair, place: PairedPosition) -> PlayDifference | None:
        """Run a procedure in one position; None if the stacks do not diverge."""
        machines = self._machines(pair)
        keys = [pair.first_key] if pair.first_key == pair.second_key else sorted(self._starting_keys(pair))
        walks = (
            self._walk(machines, place, key, number, MOST_WALK_DECISIONS)
            for key in keys
            for number in range(BEGINNINGS_OF_POSITION)
        )
        return next((walked for walked in walks if walked is not None and self._could_stand(walked)), None)

    def _could_stand(self, walked: PlayDifference) -> bool:
        return could_stand(walked, self.answers)

    def _machines(self, pair: ProcedurePair) -> tuple[Machine, ...]:
        """Return the machines of a run: the two, and the control if there is one."""
        return (*self.pair_machines, *self._control(pair))

    def _control(self, pair: ProcedurePair) -> tuple[Machine, ...]:
        """Build the control; empty if nothing else has changed, or only the first stack has the procedure."""
        if self.is_single_change or not pair.second_key:
            return ()
        second = self.graphs[1]
        rules = replace(second, procedures={**second.procedures, pair.second_key: with_first_body(self.graphs, pair)})
        try:
            return (Machine(rules, self.pair_machines[1].effect_evaluator),)
        except (KeyError, ValueError):  # The second stack cannot express the procedure of the first one.
            return ()

    def _starting_keys(self, pair: ProcedurePair) -> frozenset[str]:
        """Return what both stacks may start that reaches a procedure: itself, its event, actions."""
        first, second = self.graphs
        common_keys = first.procedures.keys() & second.procedures.keys()
        actions = [key for key in common_keys if key.startswith("action:") and not first.procedures[key].parameters]
        leading = {
            key
            for key in actions
            for stack, target_key in zip(self.graphs, pair[:2], strict=True)
            if target_key and target_key in procedures_reached(stack, [key])
        }
        if leading:
            return frozenset(leading)
        if pair.is_hook:
            events = (self.graphs[index].procedures[key].event for index, key in enumerate(pair[:2]) if key)
            return frozenset(
                f"event:{event}"
                for event in events
                if event in first.vocabulary.events and event in second.vocabulary.events
            )
        return frozenset({pair.first_key} if pair.first_key and pair.second_key else ())

    # ------------------------------------------------------------------ one run

    def _walk(
        self, machines: tuple[Machine, ...], place: PairedPosition, key: str, number: int, most: int
    ) -> PlayDifference | None:
        """Run a procedure in a position until the stacks diverge; None if they do not."""
        chance = PseudoRandom(f"{place.name} {key} {number}")
        try:
            playthroughs = [
                Playthrough(from_position(machine.graph, position), f"{place.name} {number}")
                for machine, position in zip(machines, _positions(place, len(machines)), strict=True)
            ]
            act = self._begin(machines, playthroughs, key, chance)
            if act is None:
                return None
            if not isinstance(act, str):
                return PlayDifference(place.example, place.which, *act, place.positions[place.which])
            return self._go_on(machines, place, playthroughs, act, chance, most)
        except (*NO_ANSWER, ValueError, AttributeError):
            return None

    def _begin(
        self, machines: tuple[Machine, ...], playthroughs: list[Playthrough], key: str, chance: PseudoRandom
    ) -> str | tuple[str, str, str] | None:
        """Start a procedure in all machines; None if that is impossible, a divergence if only one stack permits it."""
        if key == SEQUENCE:
            for playthrough in playthroughs:
                playthrough.calls.append(ProcedureFrame(SEQUENCE, 0, {"player": playthrough.state.player}))
            return "the sequence of play"
        sort, _, name = key.partition(":")
        state = playthroughs[0].state
        sides = everything(state, graph.Enum("side"))
        player = state.player or chance.pick(sides)
        parameters = self._parameters(sort, key, name)
        values = []
        for parameter in parameters:
            domain = everything(state, parameter.type)
            if not domain:
                return None
            values.append(chance.pick(list(domain)))
        if sort == "action":
            is_open = [
                machine.choices.searches[f"action:{name}"].is_open(playthrough.state, tuple(values), player)
                for machine, playthrough in zip(machines, playthroughs, strict=True)
            ]
            if is_open[0] != is_open[1]:
                if is_open[-1] == is_open[1] and len(is_open) > 2:
                    return None
                texts = ["may be begun" if each else "may not be begun" for each in is_open]
                return f"{name} by {player}", texts[0], texts[1]
            if not is_open[0]:
                return None
        for machine, playthrough in zip(machines, playthroughs, strict=True):
            names = {"player": player, **{p.name: value for p, value in zip(parameters, values, strict=True)}}
            playthrough.state.player = playthrough.state.player or player
            playthrough.calls.append(ProcedureFrame(self._program(machine, sort, key, name), 0, names))
        written = ", ".join(
            f"{p.name}: {value_text(state, v, p.type)}" for p, v in zip(parameters, values, strict=True)
        )
        return f"{'after ' if sort == 'event' else ''}{name}({written})"

    def _parameters(self, sort: str, key: str, name: str) -> Sequence[graph.Parameter]:
        if sort == "event":
            return self.graphs[0].vocabulary.events[name].parameters
        return self.graphs[0].procedures[key].parameters

    def _program(self, machine: Machine, sort: str, key: str, name: str) -> str:
        """Return the key of a program that raises an event; procedures have their own."""
        if sort == "event" and key not in machine.programs.entries:
            types = {p.name: p.type for p in machine.graph.vocabulary.events[name].parameters}
            add_procedure(machine, key, (graph.Tell(name, tuple(map(graph.Var, types))),), types)
        return key

    def _go_on(
        self,
        machines: tuple[Machine, ...],
        place: PairedPosition,
        playthroughs: list[Playthrough],
        act: str,
        chance: PseudoRandom,
        most: int,
    ) -> PlayDifference | None:
        """Choose the same options until a decision, an option or a change differs."""
        position: graph.Position | None = place.positions[place.which]
        home = playthroughs[place.which]
        last_act = act
        for _ in range(most):
            since = [len(playthrough.journal) for playthrough in playthroughs]
            thrown = [len(playthrough.dice) for playthrough in playthroughs[:2]]
            stops = [
                _advance(machine, playthrough, place)
                for machine, playthrough in zip(machines, playthroughs, strict=True)
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
            passes = most == LONG_WALK and passing and chance.one_in(2)
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


def _advance(machine: Machine, playthrough: Playthrough, place: PairedPosition) -> "Decision | str":
    try:
        return machine.run(playthrough) or "nothing more is asked"
    except BrokenRules as stopped:
        return stopped.fault.message
    except Unanswered as unanswered:
        # A position without what the stack has no words for may be why a question has no answer.
        if not stop_text(unanswered) or missing_words(place.positions[place.which], machine.graph):
            raise
        return stop_text(unanswered)


def _question_text(text: DecisionText) -> str:
    return text if isinstance(text, str) else f"{text[0]} is asked: {text[1]}"


def _options_text(text: DecisionText, only: list[str]) -> str:
    options = ", ".join(only[:6]) + (f" and {len(only) - 6} more" if len(only) > 6 else "")
    return f"{_question_text(text)}, {f'open is {options}' if only else 'with less open'}"


def _checks_order(place: PairedPosition) -> bool:
    return any(isinstance(line, graph.Order) for line in place.example.lines) if place.example else False


def _example_actions(place: PairedPosition) -> set[str]:
    lines = place.example.lines if place.example else ()
    return {f"action:{line.action}" for line in lines if isinstance(line, graph.Perform)}
