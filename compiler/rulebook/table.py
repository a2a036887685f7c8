"""The part of a procedure that players perform at the table, without the bookkeeping of a computer.

The input is the steps of a procedure; the output is those that a player performs: choices, dice, what moves, appears,
is removed or gets a marker, notes of a side, a hex or the game that last or that rules read, and procedures with any of
these that are run. Excluded are statuses and flags that are not visible,
other notes, records, and events for other rules, unless a choice has no other effect. A name of a value computed before
is expanded where the value is still the same there; otherwise its step is included: after *A moves*, "the hex of A" is
another one. Empty containers are excluded, too.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from compiler.analysis.written_slots import WriteSets, bodies_by_start
from compiler.rulebook.sentences import wording_of
from compiler.rulebook.steps import ProcedureLine, read_steps
from runtime.graph import nodes as graph
from runtime.graph.effects import effects_of
from runtime.graph.effects.primitives import (
    AddMember,
    PrimitiveEffect,
    SetStatus,
    SetValue,
    StrikeRecord,
    WriteRecord,
)
from runtime.graph.free_names import bound_names, free_names, substitute
from runtime.graph.printed_cites import HOUSE
from runtime.graph.related_procedures import rulings_on
from runtime.graph.slots import PositionSlot
from runtime.graph.steps import inner_bodies, nested_steps
from runtime.graph.type_of import type_of
from runtime.graph.walk import nodes_of, walk
from runtime.graph.wording import Wording

# Notes of these that last are kept by players: a score, a treasury, the owner of a space. Those of pieces are their
# spent points and the like, and those of a scenario are printed on its card.
NOTED_OWNERS = ("side", "hex", "game")
CONTAINERS = (graph.Loop, graph.Each, graph.Phase, graph.Branch)


def table_lines(book: graph.Graph, procedure: graph.Procedure) -> tuple[ProcedureLine, ...]:
    """Convert what a player does in a procedure to lines."""
    wording = wording_of(book, procedure.parameters)
    return read_steps(
        wording, steps_at_table(wording, procedure.body, frozenset({f"{procedure.what}:{procedure.name}"}))
    )


def is_printed(book: graph.Graph, key: str) -> bool:
    """Return whether the book prints a procedure: not one that only a computer writes down, without a sentence."""
    procedure = book.procedures[key]
    return bool(procedure.prose or any(rulings_on(book, key)) or table_lines(book, procedure))


def steps_at_table(
    wording: Wording, steps: tuple[graph.Step, ...], call_path: frozenset[str]
) -> tuple[graph.Step, ...]:
    """Return the steps that a player performs; `call_path` are the resolutions on the call path."""
    writes = WriteSets(wording.rules, bodies_by_start(wording.rules))
    visible = _Selection(wording, writes)
    performed_steps = visible.steps(steps, call_path)
    chosen = {step.name for step in nodes_of(graph.Choose, steps)}
    if without_effect := frozenset(chosen - visible.names_read):
        return _Selection(wording, writes, without_effect).steps(steps, call_path)
    return performed_steps


@dataclass(slots=True)
class _Selection:
    """Selects the steps that are performed; those that read a name of `shown_names` are among them.

    `writes` has what steps change. With `all_notes` every note and record is selected. `names_read` collects
    the names that selected steps read, except for choices and restrictions of choices.
    """

    wording: Wording
    writes: WriteSets
    shown_names: frozenset[str] = frozenset()
    all_notes: bool = False
    names_read: set[str] = field(default_factory=set)

    def steps(self, steps: tuple[graph.Step, ...], call_path: frozenset[str]) -> tuple[graph.Step, ...]:
        """Return the selected steps; `call_path` are the resolutions on the call path."""
        selected: list[graph.Step] = []
        for step in reversed([*self._candidates(steps, call_path)]):
            if not isinstance(step, graph.Let) or any(step.name in free_names(later) for later in selected):
                selected.insert(0, step)
        return tuple(selected)

    def _candidates(self, steps: tuple[graph.Step, ...], call_path: frozenset[str]) -> Iterator[graph.Step]:
        """Yield the selected steps, and those that compute values for them that change later."""
        rest = list(steps)
        rolled: set[str] = set()
        runs = Counter(step.resolution for step in steps if isinstance(step, graph.Do))
        while rest:
            step = rest.pop(0)
            if isinstance(step, graph.Let):
                value = _expanded_value(self.wording, step)
                if self._keeps_value(step.name, value, tuple(rest)):
                    rest = [substitute(each, {step.name: value}) for each in rest]
                else:
                    yield step
                continue
            # The written step: its text says the name, or with what a pair is related, without any effect of it.
            if isinstance(step, graph.Write) and step.name:
                rest = [substitute(each, {step.name: graph.Var(step.record.record)}) for each in rest]
                step = graph.Write("", step.record)
            if isinstance(step, graph.Roll | graph.Draw):
                rolled.add(step.name)
            selected_step = self._selected_step(step, frozenset(rolled), call_path)
            if isinstance(step, graph.Do) and runs[step.resolution] > 1 and selected_step:
                selected_step = step  # Without its arguments it would be equal to the others.
            if selected_step is not None:
                # The steps inside add their own names: those that are not selected do not count.
                if not isinstance(step, graph.Choose | graph.Legal):
                    self.names_read |= free_names(_head(step) if isinstance(step, CONTAINERS) else step)
                yield selected_step

    def _selected_step(self, step: graph.Step, rolled: frozenset[str], call_path: frozenset[str]) -> graph.Step | None:
        """Return one step, with the steps inside it that are performed; None if there is nothing to perform."""
        match step:
            case graph.Tell():
                return None
            case graph.Pair(relation, left, right, _, on):
                return graph.Pair(relation, left, right, None, on)
            case graph.Do(resolution, arguments, cited):
                amounts = tuple(argument for argument in arguments if isinstance(argument, graph.Num))
                return graph.Do(resolution, amounts, cited) if self._is_run(resolution, call_path) else None
            case graph.Offer(actions, decider, until, cited):
                # A note that the offer waits for is a short condition: "until the player has played a card".
                bound = until is not None and not isinstance(until, graph.Truth | graph.Get | graph.GameTrack)
                return graph.Offer(actions, decider, graph.Truth(value=False), cited) if bound else step
            case graph.Loop() | graph.Each() | graph.Phase() | graph.Branch():
                return self._container(step, call_path)
            case _:
                effects = effects_of(step)
                is_performed = any(self._is_performed(effect, step, rolled) for effect in effects)
                return step if is_performed or not effects else None

    def _is_performed(self, effect: PrimitiveEffect[graph.Expr], step: graph.Step, rolled: frozenset[str]) -> bool:
        """Return whether players perform an effect of a step; all but notes, statuses and records they always do."""
        match effect:
            case SetValue() | AddMember():
                track = self.wording.vocabulary.tracks.get(f"{effect.owner}.{effect.name}")
                is_rolled = not rolled.isdisjoint(free_names(step))
                return is_rolled or self._is_noted(track) or self._is_wanted(step, track)
            case SetStatus(owner, status):
                flag = self.wording.vocabulary.flags.get(f"{owner}.{status}")
                is_visible = flag is not None and (bool(flag.marker) or flag.until == "game")
                return is_visible or self._is_wanted(step)
            case WriteRecord() | StrikeRecord():
                return self._is_wanted(step)
            case _:
                return True

    def _container(
        self, step: graph.Loop | graph.Each | graph.Phase | graph.Branch, call_path: frozenset[str]
    ) -> graph.Step | None:
        """Return a step with those steps of its body that are performed; None if there are none, except for a phase."""
        match step:
            case graph.Loop(name, source, body):
                selected_steps = self._body(step, body, call_path)
                return graph.Loop(name, source, selected_steps) if selected_steps else None
            case graph.Each(name, source, body, cited):
                selected_steps = self._body(step, body, call_path)
                return graph.Each(name, source, selected_steps, cited) if selected_steps else None
            case graph.Phase(name, title, body, cited):
                return graph.Phase(name, title, self._body(step, body, call_path), cited)
            case graph.Branch(condition, then, orelse):
                then_steps, else_steps = (self._body(step, part, call_path) for part in (then, orelse))
                if then_steps:
                    return graph.Branch(condition, then_steps, else_steps)
                return graph.Branch(graph.Op("not", (condition,)), else_steps, ()) if else_steps else None

    def _is_wanted(self, step: graph.Step, track: graph.Track | None = None) -> bool:
        """Return whether a note or record is all that a choice does; notes that end by themselves are not counted."""
        return (track is None or track.lasts) and (self.all_notes or not self.shown_names.isdisjoint(free_names(step)))

    def _is_noted(self, track: graph.Track | None) -> bool:
        """Return whether players keep a note of a side, a hex or the game.

        They keep those that last, except for states of play, and of the others those that rules read, such as a truce
        until the end of the turn: without them the effect of a step would be missing.
        """
        if track is None or track.owner not in NOTED_OWNERS:
            return False
        if not track.lasts:
            return (track.owner, track.name) in _tracks_of_rules(self.wording.rules)
        return not isinstance(track.type, graph.YesNo | graph.Enum) or track.owner != "game"

    def _is_run(self, resolution: str, call_path: frozenset[str]) -> bool:
        key = f"resolution:{resolution}"
        procedure = self.wording.rules.procedures.get(key)
        if procedure is None or key in call_path:
            return True
        return any(_Selection(self.wording, self.writes).steps(procedure.body, call_path | {key}))

    def _body(
        self, container: graph.Step, body: tuple[graph.Step, ...], call_path: frozenset[str]
    ) -> tuple[graph.Step, ...]:
        """Return the selected steps of a body; with all notes if its condition or set reads a shown name."""
        all_notes = self.all_notes or not self.shown_names.isdisjoint(free_names(_head(container)))
        selection = _Selection(self.wording, self.writes, self.shown_names, all_notes, self.names_read)
        return selection.steps(body, call_path)

    def _keeps_value(self, name: str, value: graph.Expr, steps: tuple[graph.Step, ...]) -> bool:
        """Return whether an expression has the same value wherever these steps, which follow it, read its name."""
        if not any(name in free_names(step) for step in steps):
            return True
        return not bound_names(steps) & free_names(value) and self._is_unchanged(name, value, steps, frozenset())

    def _is_unchanged(
        self, name: str, value: graph.Expr, steps: tuple[graph.Step, ...], changed: frozenset[PositionSlot]
    ) -> bool:
        """Return whether none of the steps that read a name comes after a change of its value; `changed` before them.

        The body of a loop may have been executed before.
        """
        for step in steps:
            reads_here = name in free_names(_head(step) if isinstance(step, CONTAINERS) else step)
            if reads_here and not self.writes.is_unchanged(value, changed):
                return False
            repeated = self.writes.changed_slots((step,)) if isinstance(step, graph.Loop | graph.Each) else ()
            if not all(self._is_unchanged(name, value, body, changed.union(repeated)) for body in inner_bodies(step)):
                return False
            changed |= self.writes.changed_slots((step,))
        return True


def _tracks_of_rules(book: graph.Graph) -> frozenset[tuple[str, str]]:
    """Return owner and name of the tracks that decide something.

    Those are the tracks that rules with a source read, and the numbers that conditions of actions read, such as points.
    """
    sourced_rules = (rule for rule in book.rules.values() if any(cite != HOUSE for cite in rule.cites))
    read = {key for rule in sourced_rules for key in _tracks_in((rule.guard, rule.value))}
    for procedure in book.procedures.values():
        for step in nested_steps(procedure.body):
            if isinstance(step, graph.Legal):
                read |= {key for key in _tracks_in(step) if _is_number(book, key)}
    return frozenset(read)


def _tracks_in(node: object) -> Iterator[tuple[str, str]]:
    return ((each.owner, each.name) for each in walk(node) if isinstance(each, graph.Get | graph.GameTrack))


def _is_number(book: graph.Graph, key: tuple[str, str]) -> bool:
    track = book.vocabulary.tracks.get(".".join(key))
    return track is not None and isinstance(track.type, graph.Number)


def _head(container: graph.Step) -> graph.Expr | None:
    """Return the condition or the set of a step with steps inside; None for a phase."""
    return container.condition if isinstance(container, graph.Branch) else getattr(container, "source", None)


def _expanded_value(wording: Wording, let: graph.Let) -> graph.Expr:
    """Return the expression that stands for a value computed before; a new record is called by its type."""
    record = next((node.record for node in nodes_of(graph.New, let.value)), "")
    type_ = type_of(let.value, wording.names, wording.rules)
    if isinstance(type_, graph.RecordOf) or record:
        return graph.Var(type_.name if isinstance(type_, graph.RecordOf) else record)
    return let.value
