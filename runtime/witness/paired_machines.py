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
from runtime.answer.value_text import value_text
from runtime.graph import nodes as graph
from runtime.graph.call_graph import procedures_reached
from runtime.graph.procedure_pairs import ProcedurePair, taken_back
from runtime.play.choices import END, STOP, Decision
from runtime.play.flatten import flatten
from runtime.play.game import SEQUENCE
from runtime.play.labels import option_label, option_labels
from runtime.play.machine import Machine
from runtime.play.playthrough import Call, Playthrough
from runtime.play.rule_faults import BrokenRules
from runtime.state.setup import from_position
from runtime.witness.example_places import Place, Places, PlayDifference
from runtime.witness.fitness import NO_ANSWER
from runtime.witness.outcome import Outcome, differing_things, state_of, summarize_events, with_dice
from runtime.witness.pseudorandom import PseudoRandom
from runtime.witness.snapshot import position_of

# Positions of either sort that are tried for a procedure, beginnings in each, and decisions until a walk is given up.
POSITIONS, BEGINNINGS, DECISIONS = 60, 3, 14
# A sequence of play has fewer starts and longer runs.
GAMES, LONG = 6, 40


class PairedMachines:
    """Two machines that run the same."""

    def __init__(self, places: Places, machines: tuple[Machine, ...], *, alone: bool) -> None:
        """Store the positions of both stacks' examples; `alone`: only one procedure has changed."""
        self.graphs, self.pair_machines = places.graphs, machines
        self.places, self.alone = places.all_places, alone

    def find(self, pair: ProcedurePair) -> tuple[PlayDifference | None, int]:
        """Return a run on which a procedure makes a difference, and the number of runs started."""
        machines = self._machines(pair)
        if SEQUENCE in pair[:2]:
            places = sorted(self.places, key=lambda place: not _orders(place))
            tries = (
                self._walk(machines, place, SEQUENCE, number, LONG) for place in places[:GAMES] for number in range(3)
            )
        else:
            keys = self._leading_to(pair)
            near = sorted(self.places, key=lambda place: keys.isdisjoint(_begun(place)))
            # So many of what one of the two brings along, which is about what differs, and so many of what both have.
            tries = (
                self._walk(machines, place, key, number, DECISIONS)
                for shared in (False, True)
                for place in [each for each in near if each.common == shared][:POSITIONS]
                for key in sorted(keys)
                for number in range(BEGINNINGS)
            )
        tried = 0
        for walked in tries:
            tried += 1
            if walked is not None:
                return walked, tried
        return None, tried

    def taken_up(self, pair: ProcedurePair, place: Place) -> PlayDifference | None:
        """Run a procedure in one position; None if the stacks do not diverge."""
        machines = self._machines(pair)
        keys = [pair.here] if pair.here == pair.there else sorted(self._leading_to(pair))
        walks = (self._walk(machines, place, key, number, DECISIONS) for key in keys for number in range(BEGINNINGS))
        return next(filter(None, walks), None)

    def _machines(self, pair: ProcedurePair) -> tuple[Machine, ...]:
        """Return the machines of a run: the two, and the control if there is one."""
        return (*self.pair_machines, *self._control(pair))

    def _control(self, pair: ProcedurePair) -> tuple[Machine, ...]:
        """Build the control; empty if nothing else has changed, or only the first stack has the procedure."""
        if self.alone or not pair.there:
            return ()
        second = self.graphs[1]
        rules = replace(second, procedures={**second.procedures, pair.there: taken_back(self.graphs, pair)})
        try:
            return (Machine(rules, self.pair_machines[1].effect_evaluator),)
        except (KeyError, ValueError):  # The second stack cannot express the procedure of the first one.
            return ()

    def _leading_to(self, pair: ProcedurePair) -> frozenset[str]:
        """Return what both stacks may start that reaches a procedure: itself, its event, actions."""
        here, there = self.graphs
        both = here.procedures.keys() & there.procedures.keys()
        actions = [key for key in both if key.startswith("action:") and not here.procedures[key].parameters]
        leading = {
            key
            for key in actions
            for stack, wanted in zip(self.graphs, pair[:2], strict=True)
            if wanted and wanted in procedures_reached(stack, [key])
        }
        if leading:
            return frozenset(leading)
        if pair.is_hook:
            events = (self.graphs[at].procedures[key].event for at, key in enumerate(pair[:2]) if key)
            return frozenset(
                f"event:{event}"
                for event in events
                if event in here.vocabulary.events and event in there.vocabulary.events
            )
        return frozenset({pair.here} if pair.here and pair.there else ())

    # ------------------------------------------------------------------ one run

    def _walk(
        self, machines: tuple[Machine, ...], place: Place, key: str, number: int, most: int
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
                playthrough.calls.append(Call(SEQUENCE, 0, {"player": playthrough.state.player}))
            return "the sequence of play"
        sort, _, name = key.partition(":")
        state = playthroughs[0].state
        sides = everything(state, graph.Enum("side"))
        player = state.player or chance.pick(sides)
        parameters = self._parameters(sort, key, name)
        values = []
        for parameter in parameters:
            among = everything(state, parameter.type)
            if not among:
                return None
            values.append(chance.pick(list(among)))
        if sort == "action":
            is_open = [
                machine.choices.heads[name].is_open(playthrough.state, tuple(values), player)
                for machine, playthrough in zip(machines, playthroughs, strict=True)
            ]
            if is_open[0] != is_open[1]:
                if is_open[-1] == is_open[1] and len(is_open) > 2:
                    return None
                said = ["may be begun" if each else "may not be begun" for each in is_open]
                return f"{name} by {player}", said[0], said[1]
            if not is_open[0]:
                return None
        for machine, playthrough in zip(machines, playthroughs, strict=True):
            names = {"player": player, **{p.name: value for p, value in zip(parameters, values, strict=True)}}
            playthrough.state.player = playthrough.state.player or player
            playthrough.calls.append(Call(self._program(machine, sort, key, name), 0, names))
        written = ", ".join(
            f"{p.name}: {value_text(state, v, p.type)}" for p, v in zip(parameters, values, strict=True)
        )
        return f"{'after ' if sort == 'event' else ''}{name}({written})"

    def _parameters(self, sort: str, key: str, name: str) -> Sequence[graph.Parameter]:
        return (
            self.graphs[0].vocabulary.events[name].parameters
            if sort == "event"
            else self.graphs[0].procedures[key].parameters
        )

    def _program(self, machine: Machine, sort: str, key: str, name: str) -> str:
        """Return the key of a program that raises an event; procedures have their own."""
        if sort == "event" and key not in machine.programs.of:
            told = graph.Tell(name, tuple(graph.Var(p.name) for p in machine.graph.vocabulary.events[name].parameters))
            procedure = graph.Procedure("example", name, "", (), (), (told,), "", "", (), _NOWHERE)
            types = {p.name: p.type for p in machine.graph.vocabulary.events[name].parameters}
            machine.programs.of[key] = flatten(key, procedure, machine.graph, types)
        return key

    def _go_on(
        self,
        machines: tuple[Machine, ...],
        place: Place,
        playthroughs: list[Playthrough],
        act: str,
        chance: PseudoRandom,
        most: int,
    ) -> PlayDifference | None:
        """Choose the same options until a decision, an option or a change differs."""
        position: graph.Position | None = place.positions[place.which]
        home = playthroughs[place.which]
        done = act
        for _ in range(most):
            since = [len(playthrough.journal) for playthrough in playthroughs]
            thrown = [len(playthrough.dice) for playthrough in playthroughs[:2]]
            nows = [
                _advanced(machine, playthrough) for machine, playthrough in zip(machines, playthroughs, strict=True)
            ]
            changes = [summarize_events(c.state, c.journal[at:]) for c, at in zip(playthroughs, since, strict=True)]
            said = _parting(machines, nows, playthroughs, changes, (0, 1))
            controlled = len(nows) > 2 and _parting(machines, nows, playthroughs, changes, (1, 2)) is None
            if said is not None and controlled:
                return None
            if said is not None:
                fell = [[str(die.value) for die in each.dice[at:] if die.domain]
                        for each, at in zip(playthroughs, thrown, strict=False)]  # fmt: skip
                return PlayDifference(place.example, place.which, *with_dice(done, said, fell), position)
            decisions = [now for now in nows if isinstance(now, Decision)]
            if len(decisions) < len(nows) or (len(nows) > 2 and not controlled):
                return None
            first = decisions[0]
            position = position_of(home.state, replace(place.positions[place.which], name="witness"))
            passing = [at for at, option in enumerate(first.options) if option.what in {END, STOP}]
            # A sequence of play is long: always choosing an action does not advance it far.
            passes = most == LONG and passing and chance.one_in(2)
            number = passing[0] if passes else chance.number_below(len(first.options))
            shown = option_label(home.state, machines[place.which].programs.of, first, first.options[number])
            done = f"{first.side}, asked for {first.question}: {shown}"
            for machine, playthrough, now in zip(machines, playthroughs, decisions, strict=True):
                machine.take(playthrough, now.options[number])
        return None


# What stops a machine: a message; or the side that decides, the question, and the options.
DecisionText = str | tuple[str, str, tuple[str, ...]]
_NOWHERE = graph.Origin("", "", 0, 0, 0, 0)


def _positions(place: Place, many: int) -> tuple[graph.Position, ...]:
    """Return the position as each machine sets it up: the control like the second stack."""
    here, there = place.positions
    return (here, there, there)[:many]


def _parting(
    machines: tuple[Machine, ...],
    nows: "list[Decision | str]",
    playthroughs: list[Playthrough],
    changes: list[Outcome],
    two: tuple[int, int],
) -> tuple[str, str] | None:
    """Return how two of the runs diverge: in the decision, in the options, or in the state."""
    told = [
        now
        if isinstance(now, str)
        else (
            now.side,
            now.question,
            tuple(option_labels(playthroughs[at].state, machines[at].programs.of, now)),
        )
        for at, now in ((at, nows[at]) for at in two)
    ]
    one, other = (changes[at] for at in two)
    things = differing_things(one, other)
    if things and two == (0, 1) and len(changes) > 2:
        due = differing_things(other, changes[2])
        things = [thing for thing in things if thing in due] or things
    if things:
        return state_of(one, other, things), state_of(other, one, things)
    if told[0] == told[1]:
        return None
    if isinstance(told[0], str) or isinstance(told[1], str) or told[0][:2] != told[1][:2]:
        return _asked(told[0]), _asked(told[1])
    mine, theirs = told[0][2], told[1][2]
    return _open(told[0], [o for o in mine if o not in theirs]), _open(told[1], [o for o in theirs if o not in mine])


def _advanced(machine: Machine, playthrough: Playthrough) -> "Decision | str":
    try:
        return machine.run(playthrough) or "nothing more is asked"
    except BrokenRules as stopped:
        return stopped.fault.message


def _asked(told: DecisionText) -> str:
    return told if isinstance(told, str) else f"{told[0]} is asked: {told[1]}"


def _open(told: DecisionText, only: list[str]) -> str:
    shown = ", ".join(only[:6]) + (f" and {len(only) - 6} more" if len(only) > 6 else "")
    return f"{_asked(told)}, {f'open is {shown}' if only else 'with less open'}"


def _orders(place: Place) -> bool:
    return any(isinstance(line, graph.Order) for line in place.example.lines) if place.example else False


def _begun(place: Place) -> set[str]:
    lines = place.example.lines if place.example else ()
    return {f"action:{line.action}" for line in lines if isinstance(line, graph.Perform)}
