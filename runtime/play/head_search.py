"""Go through the choices of an action in every way that takes one piece: as who acts, as what it is done to.

In: a playthrough in which an action was just begun, and the piece. Out: `HeadPrefix` for each combination of choices
that can be made with the piece among them, carried out as far as nothing is left to chance. Of choices of many pieces
two are made: the piece alone, where that may be, else all that may be added to each other; for want of the piece all
as well.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.play.choices import Option
from runtime.play.option_trials import OWN, OptionTrials, TrialPlaythrough
from runtime.play.options import PICK, STOP_ADDING
from runtime.state.record import Value


class ChosenValue(NamedTuple):
    """What was chosen: the name of the choice, the value, and its type (that of the set for many)."""

    name: str
    value: Value
    type: graph.Type


class HeadPrefix(NamedTuple):
    """Choices that were made, as options and as values; where that led; the playthrough before the last of them."""

    options: tuple[Option, ...]
    chosen: tuple[ChosenValue, ...]
    takes_piece: bool
    now: TrialPlaythrough
    before: TrialPlaythrough


Skip = Callable[[Value], bool]


def skip_none(_: Value) -> bool:
    """Leave nothing out."""
    return False


class HeadSearch:
    """Makes the choices of actions with one piece among them."""

    def __init__(self, trials: OptionTrials, piece: int, *, declining: bool = False) -> None:
        """Look for one piece; `declining`: others decline what they are offered behind a choice."""
        self.trials = trials
        self.piece = piece
        self.declining = declining

    def successors(self, way: HeadPrefix, skip: Skip = skip_none) -> Iterator[HeadPrefix]:
        """List the ways on from where an action stands; `skip` says of hexes that they need not be tried."""
        step = self._choice(way)
        if step is None:
            if way.takes_piece:
                yield way
        elif step.how:
            yield from self._sets(way, step, skip)
        else:
            yield from self._members(way, step, skip)

    def is_given(self, option: Option) -> bool:
        """Return whether an action that is offered is for the piece."""
        parameters = self.trials.machine.programs.of[f"action:{option.name}"].procedure.parameters
        return any(
            isinstance(parameter.type, graph.Piece) and value == self.piece
            for parameter, value in zip(parameters, option.value, strict=True)
        )

    def _choice(self, way: HeadPrefix) -> graph.Choose | None:
        """Return the choice at which an action stands, None where all its choices are made."""
        playthrough = way.now.playthrough
        if way.now.stands != OWN:
            return None
        call = playthrough.calls[-1]
        program = self.trials.machine.programs.of[call.key]
        step = program.code[call.at]
        return step if isinstance(step, graph.Choose) and call.at < program.prefix else None

    def _takes_later(self, way: HeadPrefix) -> bool:
        """Return whether a choice behind the one at hand could take a piece."""
        call = way.now.playthrough.calls[-1]
        program = self.trials.machine.programs.of[call.key]
        rest = zip(program.code[call.at + 1 : program.prefix], program.members[call.at + 1 :], strict=False)
        return any(isinstance(step, graph.Choose) and isinstance(member, graph.Piece) for step, member in rest)

    def _members(self, way: HeadPrefix, step: graph.Choose, skip: Skip) -> Iterator[HeadPrefix]:
        """Choose the piece where it may be chosen, else each member in turn."""
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
        """Go on after one choice."""
        now = self.trials.take(way.now.playthrough, option, declining=self.declining)
        if now is not None:
            chosen = (*way.chosen, ChosenValue(option.name, option.value, member or graph.Nothing()))
            yield from self.successors(
                HeadPrefix((*way.options, option), chosen, way.takes_piece or takes_piece, now, way.now), skip
            )

    def _sets(self, way: HeadPrefix, step: graph.Choose, skip: Skip) -> Iterator[HeadPrefix]:
        """Choose the piece alone, else all that go together."""
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
        """Add the members that are wanted, one after the other, and stop; None where that cannot be."""
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
