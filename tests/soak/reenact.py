"""Replay the game of a module in the machine of runtime/play: its choices are known, so that options are not searched.

The input is the log of a `NativeGame`, and a machine, which may have listeners; the output is the playthrough of the
game as the machine plays it, with its choices marked; the dice are thrown again. A difference between the module and
the machine is detected.
"""

from collections.abc import Callable, Iterator
from itertools import count

from runtime.engine.game import NativeGame, TakenValue
from runtime.engine.values import MemoryReader
from runtime.graph import nodes as graph
from runtime.graph.budget import open_budget, suspended_budget
from runtime.graph.layout import ABSENT64, RATIO_NUMBER, RECORD_PLACE, UNLOGGED
from runtime.play.choices import ChoicePoint, Offering, Site
from runtime.play.game import Game
from runtime.play.options import END_OFFER, PICK, STOP_ADDING, Option
from runtime.play.playthrough import Playthrough, ProcedureFrame
from runtime.state.record import Value


class OtherGameError(Exception):
    """The machine does not reach the state of the module: one of them is wrong, or the log is incomplete."""


ChoiceHook = Callable[[Playthrough, Site, Option], None]


def reenact_module_game(game: Game, native: NativeGame, seed: str, watching: ChoiceHook) -> Playthrough:
    """Replay a game that a module has played to its end from this seed; return its playthrough, with the same dice.

    `watching` is called for each choice, with the playthrough before it.
    """
    playthrough = game.start(seed)
    _carry_out(game, playthrough, native, watching)
    die_values = [die.value for die in playthrough.dice]
    if die_values != [value for _, value in native.dice()]:
        raise OtherGameError("other dice were thrown")
    return playthrough


def _carry_out(game: Game, playthrough: Playthrough, native: NativeGame, watching: ChoiceHook) -> None:
    reader, entries = native.memory_reader(), iter(native.choices_taken())
    steps = count()
    has_more = True
    while has_more:
        with open_budget():  # Each decision has a budget, as where the machine plays.
            has_more = _carry_on(game, playthrough, reader, entries, steps, watching)
    if next(entries, None) is not None:
        raise OtherGameError("the machine asks less often")


def _carry_on(
    game: Game,
    playthrough: Playthrough,
    reader: MemoryReader,
    entries: Iterator[TakenValue],
    steps: Iterator[int],
    watching: ChoiceHook,
) -> bool:
    """Run to the next decision, and make it; False if the game is over."""
    call = game.run_to_decision(playthrough, 0, steps)
    game.end_pairs(playthrough)
    if call is None:
        return False
    site = game.choices.site(call)
    if game.tracer is not None:
        with suspended_budget():
            game.tracer.decision_reached(playthrough, call, site)
    entry = next(entries, None)
    if entry is None:
        raise OtherGameError("the machine asks once more")
    option = _option_taken(site, playthrough, call, reader, entry)
    if entry.choice_count > playthrough.choice_count:
        watching(playthrough, site, option)
        playthrough.mark()
    game.apply_option(playthrough, call, site, option)
    return True


def _option_taken(
    site: Site, playthrough: Playthrough, call: ProcedureFrame, reader: MemoryReader, entry: TakenValue
) -> Option:
    """Return the option that was taken at a decision."""
    if entry.value == ABSENT64:
        return END_OFFER if isinstance(site, Offering) else STOP_ADDING
    if isinstance(site, Offering):
        return site.option_numbered(playthrough.state, call.names, entry.value)
    assert isinstance(site, ChoicePoint)
    return Option(PICK, site.step.name, _decode_value(site, playthrough, reader, entry))


def _decode_value(site: ChoicePoint, playthrough: Playthrough, reader: MemoryReader, entry: TakenValue) -> Value:
    """Decode a value that was chosen."""
    member = site.member
    assert member is not None
    if entry.written_as == UNLOGGED:
        raise OtherGameError(f"what is chosen for {site.question} is no value of its own")
    if entry.written_as == RECORD_PLACE and isinstance(member, graph.RecordOf):
        return playthrough.state.records[member.name][entry.value]
    if entry.written_as == RATIO_NUMBER:
        return reader.read_number(entry.value, is_ratio=True)
    return reader.decode(entry.value, member, "")
