"""Enumeration of the choices of an action that involve one piece, as actor or target.

In: a playthrough in which an action has just begun, and the piece. Out: `HeadPrefix` for each combination of choices
that contains the piece, executed up to the first die. Of choices of several pieces at most two sets are tried: the
piece alone, where that is legal, else a maximal set; without the piece a maximal set as well.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.play.option_trials import OWN, OptionTrials, TrialPlaythrough
from runtime.play.options import PICK, STOP_ADDING, Option
from runtime.state.record import Record, Value


class ChosenValue(NamedTuple):
    """A choice made: its name, value and type (the type of the set for several members)."""

    name: str
    value: Value
    type: graph.Type


class HeadPrefix(NamedTuple):
    """A sequence of choices, as options and values, with the resulting playthrough and the one before the last."""

    options: tuple[Option, ...]
    chosen: tuple[ChosenValue, ...]
    takes_piece: bool
    trial: TrialPlaythrough
    previous_trial: TrialPlaythrough


ValuePredicate = Callable[[Value], bool]


def _skip_none(_: Value) -> bool:
    """Skip no value."""
    return False


def _piece_fields(rules: graph.Graph, record: str) -> tuple[str, ...]:
    """Return the names of the fields of a record that hold a piece, or a set or list of pieces."""
    types = {each.name: each.type for each in rules.vocabulary.records[record].fields}
    return tuple(
        name
        for name, type_ in types.items()
        if isinstance(type_.of if isinstance(type_, graph.Many) else type_, graph.Piece)
    )


class PieceChoiceSearch:
    """The enumeration for one piece."""

    def __init__(self, trials: OptionTrials, piece: int, *, declining: bool = False) -> None:
        """Prepare the enumeration; `declining`: other sides decline offers after a choice."""
        self.trials = trials
        self.piece = piece
        self.declining = declining

    def successors(self, prefix: HeadPrefix, skip: ValuePredicate = _skip_none) -> Iterator[HeadPrefix]:
        """Yield the extensions of a prefix; `skip` returns whether a hex need not be tried."""
        step = self._choice(prefix)
        if step is None:
            if prefix.takes_piece:
                yield prefix
        elif step.how:
            yield from self._sets(prefix, step, skip)
        else:
            yield from self._members(prefix, step, skip)

    def takes_piece(self, option: Option) -> bool:
        """Return whether an offered action has the piece as an argument."""
        parameters = self.trials.machine.programs.entries[f"action:{option.name}"].procedure.parameters
        return any(
            isinstance(parameter.type, graph.Piece) and value == self.piece
            for parameter, value in zip(parameters, option.value, strict=True)
        )

    def _choice(self, prefix: HeadPrefix) -> graph.Choose | None:
        """Return the current choice of an action; None where all its choices are made."""
        playthrough = prefix.trial.playthrough
        if prefix.trial.status != OWN:
            return None
        call = playthrough.calls[-1]
        program = self.trials.machine.program_of(call)
        step = program.steps[call.offset]
        return step if isinstance(step, graph.Choose) and call.offset < program.head_length else None

    def _takes_later(self, prefix: HeadPrefix) -> bool:
        """Return whether a later choice can take a piece."""
        call = prefix.trial.playthrough.calls[-1]
        program = self.trials.machine.program_of(call)
        rest = zip(
            program.steps[call.offset + 1 : program.head_length], program.members[call.offset + 1 :], strict=False
        )
        return any(isinstance(step, graph.Choose) and self._may_be_about_pieces(member) for step, member in rest)

    def _may_be_about_pieces(self, member: graph.Type | None) -> bool:
        """Return whether a member of a choice is a piece, or a record with a piece or pieces."""
        if isinstance(member, graph.RecordOf):
            return bool(_piece_fields(self.trials.machine.graph, member.name))
        return isinstance(member, graph.Piece)

    def _is_about(self, value: Value) -> bool:
        """Return whether a chosen record has the piece in a field, or among the pieces of one."""
        if not isinstance(value, Record):
            return False
        fields = (value.fields.get(name) for name in _piece_fields(self.trials.machine.graph, value.type))
        return any(self.piece in each if isinstance(each, tuple) else each == self.piece for each in fields)

    def _members(self, prefix: HeadPrefix, step: graph.Choose, skip: ValuePredicate) -> Iterator[HeadPrefix]:
        """Yield the choice of the piece where it is legal, else of each member."""
        playthrough, member = prefix.trial.playthrough, self._member(prefix)
        pick = Option(PICK, step.name, self.piece)
        if isinstance(member, graph.Piece) and not prefix.takes_piece and self.trials.is_open(playthrough, pick):
            yield from self._taken(prefix, pick, member, skip, takes_piece=True)
            return
        is_record, goes_on = isinstance(member, graph.RecordOf), prefix.takes_piece or self._takes_later(prefix)
        if not goes_on and not is_record:
            return
        for option in self.trials.options(playthrough):
            if isinstance(member, graph.Hex) and skip(option.value):
                continue
            takes = is_record and self._is_about(option.value)
            if takes or goes_on:
                yield from self._taken(prefix, option, member, skip, takes_piece=takes)

    def _taken(
        self,
        prefix: HeadPrefix,
        option: Option,
        member: graph.Type | None,
        skip: ValuePredicate,
        *,
        takes_piece: bool = False,
    ) -> Iterator[HeadPrefix]:
        """Yield the prefix after one choice, if the playthrough continues."""
        trial = self.trials.take(prefix.trial.playthrough, option, declining=self.declining)
        if trial is not None:
            chosen = (*prefix.chosen, ChosenValue(option.name, option.value, member or graph.Nothing()))
            yield from self.successors(
                HeadPrefix((*prefix.options, option), chosen, prefix.takes_piece or takes_piece, trial, prefix.trial),
                skip,
            )

    def _sets(self, prefix: HeadPrefix, step: graph.Choose, skip: ValuePredicate) -> Iterator[HeadPrefix]:
        """Yield the choice of the piece alone, else of a maximal set.

        What may stay out of a set may be in a later one instead.
        """
        member = self._member(prefix)
        if not isinstance(member, graph.Piece) or prefix.takes_piece:
            yield from self._extended(prefix, step, self._grown(prefix, step, lambda _: True), skip)
            return
        pick = Option(PICK, step.name, self.piece)
        alone = self._grown(prefix, step, lambda option: option == pick)
        yield from self._extended(prefix, step, alone or self._grown(prefix, step, lambda _: True), skip)
        if alone is not None and step.how == "any" and self._takes_later(prefix):
            yield from self._extended(prefix, step, self._grown(prefix, step, lambda _: False), skip)

    def _extended(
        self, prefix: HeadPrefix, step: graph.Choose, extension: HeadPrefix | None, skip: ValuePredicate
    ) -> Iterator[HeadPrefix]:
        """Yield the prefixes after a choice of a set, if that is legal and can still take the piece."""
        if extension is None:
            return
        member = self._member(prefix)
        value = tuple(option.value for option in extension.options[len(prefix.options) :] if option.kind == PICK)
        takes = prefix.takes_piece or (isinstance(member, graph.Piece) and self.piece in value)
        if not takes and not self._takes_later(prefix):
            return
        type_ = graph.Many("set", member or graph.Nothing())
        chosen = (*prefix.chosen, ChosenValue(step.name, value, type_))
        yield from self.successors(extension._replace(chosen=chosen, takes_piece=takes), skip)

    def _grown(self, prefix: HeadPrefix, step: graph.Choose, accepts: Callable[[Option], bool]) -> HeadPrefix | None:
        """Return the prefix after adding all wanted members that are open; None where that is not legal."""
        trial, place, options = prefix.trial, prefix.trial.playthrough.calls[-1].offset, prefix.options
        before = trial
        while (
            trial.status == OWN
            and trial.playthrough.calls
            and trial.playthrough.calls[-1].offset == place
            and self._choice_is(trial, step)
        ):
            open_options = self.trials.options(trial.playthrough)
            members = [option for option in open_options if option.kind == PICK and accepts(option)]
            if not members and STOP_ADDING not in open_options:
                return None
            option = members[0] if members else STOP_ADDING
            next_trial = self.trials.take(trial.playthrough, option)
            if next_trial is None:
                return None
            before, trial, options = trial, next_trial, (*options, option)
        return HeadPrefix(options, prefix.chosen, prefix.takes_piece, trial, before)

    def _choice_is(self, trial: TrialPlaythrough, step: graph.Choose) -> bool:
        call = trial.playthrough.calls[-1]
        return self.trials.machine.step_of(call) is step

    def _member(self, prefix: HeadPrefix) -> graph.Type | None:
        call = prefix.trial.playthrough.calls[-1]
        return self.trials.machine.program_of(call).members[call.offset]
