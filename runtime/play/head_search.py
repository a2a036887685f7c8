"""Enumeration of the choices of an action that involve one piece, as actor or target.

In: a playthrough in which an action has just begun, and the piece. Out: `HeadPrefix` for each combination of choices
that contains the piece, executed up to the first die. Of choices of several pieces at most two sets are tried: the
piece alone, where that is legal, else a maximal set; without the piece a maximal set as well.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.play.choices import Option
from runtime.play.option_trials import OWN, OptionTrials, TrialPlaythrough
from runtime.play.options import PICK, STOP_ADDING
from runtime.state.record import Value


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
    now: TrialPlaythrough
    before: TrialPlaythrough


Skip = Callable[[Value], bool]


def skip_none(_: Value) -> bool:
    """Skip no value."""
    return False


class HeadSearch:
    """The enumeration for one piece."""

    def __init__(self, trials: OptionTrials, piece: int, *, declining: bool = False) -> None:
        """Prepare the enumeration; `declining`: other sides decline offers after a choice."""
        self.trials = trials
        self.piece = piece
        self.declining = declining

    def successors(self, way: HeadPrefix, skip: Skip = skip_none) -> Iterator[HeadPrefix]:
        """Yield the extensions of a prefix; `skip` returns whether a hex need not be tried."""
        step = self._choice(way)
        if step is None:
            if way.takes_piece:
                yield way
        elif step.how:
            yield from self._sets(way, step, skip)
        else:
            yield from self._members(way, step, skip)

    def is_given(self, option: Option) -> bool:
        """Return whether an offered action has the piece as an argument."""
        parameters = self.trials.machine.programs.of[f"action:{option.name}"].procedure.parameters
        return any(
            isinstance(parameter.type, graph.Piece) and value == self.piece
            for parameter, value in zip(parameters, option.value, strict=True)
        )

    def _choice(self, way: HeadPrefix) -> graph.Choose | None:
        """Return the current choice of an action; None where all its choices are made."""
        playthrough = way.now.playthrough
        if way.now.stands != OWN:
            return None
        call = playthrough.calls[-1]
        program = self.trials.machine.programs.of[call.key]
        step = program.code[call.at]
        return step if isinstance(step, graph.Choose) and call.at < program.prefix else None

    def _takes_later(self, way: HeadPrefix) -> bool:
        """Return whether a later choice can take a piece."""
        call = way.now.playthrough.calls[-1]
        program = self.trials.machine.programs.of[call.key]
        rest = zip(program.code[call.at + 1 : program.prefix], program.members[call.at + 1 :], strict=False)
        return any(isinstance(step, graph.Choose) and isinstance(member, graph.Piece) for step, member in rest)

    def _members(self, way: HeadPrefix, step: graph.Choose, skip: Skip) -> Iterator[HeadPrefix]:
        """Yield the choice of the piece where it is legal, else of each member."""
        playthrough, member = way.now.playthrough, self._member(way)
        mine = Option(PICK, step.name, self.piece)
        if isinstance(member, graph.Piece) and not way.takes_piece and self.trials.is_open(playthrough, mine):
            yield from self._taken(way, mine, member, skip, takes_piece=True)
            return
        if not way.takes_piece and not self._takes_later(way):
            return
        for option in self.trials.options(playthrough):
            if isinstance(member, graph.Hex) and skip(option.value):
                continue
            yield from self._taken(way, option, member, skip)

    def _taken(
        self, way: HeadPrefix, option: Option, member: graph.Type | None, skip: Skip, *, takes_piece: bool = False
    ) -> Iterator[HeadPrefix]:
        """Yield the prefix after one choice, if the playthrough continues."""
        now = self.trials.take(way.now.playthrough, option, declining=self.declining)
        if now is not None:
            chosen = (*way.chosen, ChosenValue(option.name, option.value, member or graph.Nothing()))
            yield from self.successors(
                HeadPrefix((*way.options, option), chosen, way.takes_piece or takes_piece, now, way.now), skip
            )

    def _sets(self, way: HeadPrefix, step: graph.Choose, skip: Skip) -> Iterator[HeadPrefix]:
        """Yield the choice of the piece alone, else of a maximal set."""
        member = self._member(way)
        if not isinstance(member, graph.Piece) or way.takes_piece:
            grown = self._grown(way, step, lambda _: True)
        else:
            alone = Option(PICK, step.name, self.piece)
            grown = self._grown(way, step, lambda option: option == alone)
            if grown is None:
                grown = self._grown(way, step, lambda _: True)
        if grown is None:
            return
        value = tuple(option.value for option in grown.options[len(way.options) :] if option.what == PICK)
        takes = way.takes_piece or (isinstance(member, graph.Piece) and self.piece in value)
        if not takes and not self._takes_later(way):
            return
        type_ = graph.Many("set", member or graph.Nothing())
        chosen = (*way.chosen, ChosenValue(step.name, value, type_))
        yield from self.successors(grown._replace(chosen=chosen, takes_piece=takes), skip)

    def _grown(self, way: HeadPrefix, step: graph.Choose, wanted: Callable[[Option], bool]) -> HeadPrefix | None:
        """Return the prefix after adding all wanted members that are open; None where that is not legal."""
        at, place, options = way.now, way.now.playthrough.calls[-1].at, way.options
        before = at
        while (
            at.stands == OWN
            and at.playthrough.calls
            and at.playthrough.calls[-1].at == place
            and self._choice_is(at, step)
        ):
            shown = self.trials.options(at.playthrough)
            members = [option for option in shown if option.what == PICK and wanted(option)]
            if not members and STOP_ADDING not in shown:
                return None
            option = members[0] if members else STOP_ADDING
            then = self.trials.take(at.playthrough, option)
            if then is None:
                return None
            before, at, options = at, then, (*options, option)
        return HeadPrefix(options, way.chosen, way.takes_piece, at, before)

    def _choice_is(self, now: TrialPlaythrough, step: graph.Choose) -> bool:
        call = now.playthrough.calls[-1]
        return self.trials.machine.programs.of[call.key].code[call.at] is step

    def _member(self, way: HeadPrefix) -> graph.Type | None:
        call = way.now.playthrough.calls[-1]
        return self.trials.machine.programs.of[call.key].members[call.at]
