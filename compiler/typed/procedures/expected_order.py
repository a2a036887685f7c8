"""Elaboration of `order phase combat of red, offer fire, turn 2`: the expected course of play in an example."""

from compiler.source import nodes as source
from compiler.source.origins import origin_of
from compiler.typed.context import Context
from compiler.typed.unknown_names import unknown_word
from runtime.graph import nodes as graph

WHAT = {"phase": "phase", "offer": "action", "do": "resolution"}


def type_order(line: source.Order, context: Context, layer: str) -> graph.Order:
    """Elaborate the stations of a line."""
    stations = tuple(_station(part, context, layer) for part in line.stations)
    end = (graph.Station(graph.STOP, "", ""),) if line.stop else ()
    return graph.Order((*stations, *end), origin_of(layer, line.span))


def _station(part: source.Station, context: Context, layer: str) -> graph.Station:
    env = context.env
    pools = {"phase": env.members("phase"), "offer": env.actions, "do": env.resolutions}
    if part.what in pools and part.name.text not in pools[part.what] and not _is_withdrawn(part, context):
        context.problems.append(unknown_word(WHAT[part.what], part.name, pools[part.what]))
    if part.side is not None and part.side.text not in env.members("side"):
        context.problems.append(unknown_word("side", part.side, env.members("side")))
    station_kind = f"{graph.ABSENT}{part.what}" if part.absent else part.what
    side = part.side.text if part.side else ""
    return graph.Station(station_kind, part.name.text, side, origin_of(layer, part.span))


def _is_withdrawn(part: source.Station, context: Context) -> bool:
    """Return whether a station that is expected to be absent was withdrawn: without the rule it would occur."""
    return part.absent and f"{WHAT[part.what]}:{part.name.text}" in context.env.withdrawn
