"""Check of an `order` line: run the sequence of play from an example's position and compare the order of its stations.

In: a machine and the playthrough of an example. Out: the stations reached while every player passes: each phase that
begins, each offer, each resolution, each turn. A player who may not pass takes the first option. The run is a copy:
the example's own position is unchanged unless the line ends with `STOP`, but forced dice are consumed.
"""

from collections.abc import Callable, Iterator

from runtime.graph import nodes as graph
from runtime.play.game import SEQUENCE
from runtime.play.machine import Machine
from runtime.play.options import END, STOP, Decision, Option
from runtime.play.pending_items import RoundsItem, StartedItem
from runtime.play.playthrough import OFFER_TAKEN, Playthrough
from runtime.play.programs import Program

# The limit of steps in a game in which every player passes; a real one executes a few thousand.
MOST_CHECKED_STEPS = 1_000_000


def order_mismatch(
    machine: Machine,
    playthrough: Playthrough,
    stations: tuple[graph.Station, ...],
    await_station: Callable[[graph.Station], None] = lambda _: None,
) -> tuple[str, str] | None:
    """Return (expected, actual) for the first station out of order; None if all are reached in order.

    `await_station` is called with each station before the game runs on to it, and with one that the game must not reach
    and does. Where the last one is `STOP`, the playthrough continues from the position at the station before it.
    """
    if SEQUENCE not in machine.graph.procedures:
        return "a sequence of play", "this stack has none"
    game = playthrough.copy()
    game.calls.clear()
    is_continued = stations[-1].what == graph.STOP
    expected_stations = stations[:-1] if is_continued else stations
    wrong = _first_deviation(_stations_reached(machine, game), expected_stations, await_station)
    playthrough.dice[:] = game.dice
    if is_continued and wrong is None:
        playthrough.state, playthrough.journal, playthrough.endings_checked_to = (
            game.state,
            game.journal,
            game.endings_checked_to,
        )
    return wrong


def _first_deviation(
    passed: Iterator[graph.Station], stations: tuple[graph.Station, ...], await_station: Callable[[graph.Station], None]
) -> tuple[str, str] | None:
    """Match the stations of a run with the wanted ones; runs to the end where the last ones have to be absent."""
    present_stations = [station for station in stations if not _is_absent(station)]
    for expected, absent_stations in _expected_stations(stations):
        await_station(expected or absent_stations[0])
        watched_stations = absent_stations if expected is None else [*absent_stations, *present_stations]
        reached, matched = _next_match(passed, watched_stations)
        if reached is not None and matched is not None and _is_absent(matched):
            await_station(matched)
            return station_text(matched), station_text(reached)
        if expected is not None and (reached is None or not _matches_station(reached, expected)):
            return station_text(expected), "the end of the game" if reached is None else station_text(reached)
    return None


def _expected_stations(
    stations: tuple[graph.Station, ...],
) -> Iterator[tuple[graph.Station | None, list[graph.Station]]]:
    """Yield each wanted station, None for the end of the game, with those that have to be absent before it."""
    absent_stations: list[graph.Station] = []
    for station in stations:
        if _is_absent(station):
            absent_stations.append(station)
        else:
            yield station, absent_stations
            absent_stations = []
    if absent_stations:
        yield None, absent_stations


def _next_match(
    passed: Iterator[graph.Station], watched_stations: list[graph.Station]
) -> tuple[graph.Station | None, graph.Station | None]:
    """Return the next station that is watched for, as it was reached and as it is written; None at the end."""
    for reached in passed:
        for watched in watched_stations:
            if _matches_station(reached, watched):
                return reached, watched
    return None, None


def _is_absent(station: graph.Station) -> bool:
    return station.what.startswith(graph.ABSENT)


def _matches_station(station: graph.Station, expected: graph.Station) -> bool:
    """Return whether a station matches a present or absent one; one without a side matches any side."""
    name = expected.what.removeprefix(graph.ABSENT), expected.name
    return (station.what, station.name) == name and expected.side in ("", station.side)


def station_text(station: graph.Station) -> str:
    """Format a station as an example writes it."""
    return f"{station.what} {station.name}{f' of {station.side}' if station.side else ''}"


def _stations_reached(machine: Machine, playthrough: Playthrough) -> Iterator[graph.Station]:
    """Run the sequence of play to its end and yield the stations it reaches."""
    playthrough.calls.append(machine.frame(SEQUENCE, {"player": playthrough.state.player}))
    for _ in range(MOST_CHECKED_STEPS):
        if not playthrough.calls:
            return
        call = playthrough.calls[-1]
        item = call.pending[0]
        step = machine.step_of(call) if isinstance(item, int) else item
        if isinstance(step, graph.Offer | graph.Choose):
            machine.execute(playthrough)  # Nothing is done; the machine notes that it came by.
            machine.end_pairs(playthrough)
            decision = machine.decide(playthrough, call)
            if isinstance(step, graph.Offer) and OFFER_TAKEN not in call.names:
                yield from (graph.Station("offer", name, decision.side) for name, _ in step.actions)
            machine.take(playthrough, _default_option(decision))
            continue
        machine.execute(playthrough)
        yield from _begun(playthrough, machine.program_of(call), step)
    raise machine.broken_rules(
        playthrough, f"nobody does anything, and after {MOST_CHECKED_STEPS:,} steps the game is not over"
    )


def _default_option(decision: Decision) -> Option:
    """Return the option to pass, or the first option where passing is not allowed."""
    return next((option for option in decision.options if option.kind in (END, STOP)), decision.options[0])


def _begun(playthrough: Playthrough, program: Program, step: graph.Step | StartedItem) -> Iterator[graph.Station]:
    """Yield the station that the executed step of a program began."""
    state = playthrough.state
    match step:
        case graph.Phase(phase):
            yield graph.Station("phase", phase, state.player)
        case graph.Do(resolution):
            player = str(playthrough.calls[-1].names.get("player", state.player))
            yield graph.Station("do", resolution, player)
        case RoundsItem(number, members, index) if index < len(members):
            loop = program.steps[number]
            if isinstance(loop, graph.Each) and loop.name == "turn":
                yield graph.Station("turn", str(state.turn), "")
