"""Elaboration of position files.

In: a position as parsed. Out: a graph.Position, whose names are all bound, and the context (hexes and pieces as names)
in which questions about it are elaborated. The runtime sets it up (runtime/state/setup.py).
"""

from collections.abc import Iterable, Mapping

from compiler.source import nodes as source
from compiler.source.amounts import amount_of
from compiler.typed.context import Context
from compiler.typed.environment import Environment
from compiler.typed.findings.mismatches import BadCell, MissingField
from compiler.typed.findings.names import UnknownFlag, UnknownName
from compiler.typed.laws import context_for
from compiler.typed.situations.grid import inline_board_builder
from compiler.typed.situations.maps import join_boards
from compiler.typed.situations.pieces import build_piece, is_flag_set, property_value, yaml_value
from compiler.typed.unknown_names import check_known, unknown_word
from compiler.typed.values.names import CARD, CLOCK_TYPES
from runtime.graph import nodes as graph

HEX = graph.Hex()
# Rules may compute with parts of a turn; a position is in one.
TURN, TURNS = (graph.Number(low, 1000, "", is_whole=True) for low in (0, 1))
Facts = tuple[tuple[str, graph.Expr], ...]


def build_position(
    env: Environment, node: source.Position, boards: Mapping[str, source.Board]
) -> tuple[graph.Position, Context]:
    """Elaborate a position file, and return the context of questions about it as well."""
    if isinstance(node.board, source.InlineBoard):
        builder = inline_board_builder(env, node.board)
        builder.connect(node.links)
        board = builder.build_board(node.name.text)
    else:
        board = join_boards(env, node.name.text, node.board, boards, node.links).board
    context = context_for(env, {"player": graph.Enum("side")})
    context = with_spots(env, context, board, ((piece.name, piece.type) for piece in node.pieces))
    pieces = tuple(
        piece
        for entry in node.pieces
        if (piece := build_piece(context, entry.name.text, entry.type, entry.side, entry.at, entry.place,
                               entry.properties)) is not None
    )  # fmt: skip
    facts, clock = _game_facts(context, node.game)
    marks, tracks = hex_state(context, node.hexes)
    position = graph.Position(
        name=node.name.text,
        stack=node.stack.text,
        board=board,
        pieces=pieces,
        facts=(
            *facts,
            *_records(context, node.records),
            *((f"{side}.{track}", value) for side, track, value in side_tracks(context, node.sides)),
        ),
        hex_marks=marks,
        hex_tracks=tracks,
        pairs=_pairs(context, node.relations),
        turn=int(amount_of(clock.get("turn", "1")) or 0),
        player=clock.get("player", ""),
        phase=clock.get("phase", ""),
    )
    return position, context


def with_spots(
    env: Environment, context: Context, board: graph.Board, pieces: Iterable[tuple[source.Word, source.Word]]
) -> Context:
    """Return the context with the names of a board's hexes and of pieces."""
    spots = {name: graph.Spot("hex", name) for name in board.hexes}
    context = context._replace(spots=spots, spot_kinds=dict.fromkeys(board.hexes, HEX))
    return with_pieces(env, context, pieces, "position")


def with_pieces(
    env: Environment, context: Context, pieces: Iterable[tuple[source.Word, source.Word]], place: str
) -> Context:
    """Return the context with the names of pieces, each with its type."""
    spots, kinds = dict(context.spots), dict(context.spot_kinds)
    for word, type_ in pieces:
        if word.text in spots:
            message = f"the name `{word.text}` is used twice in this {place}"
            advice = "rename one of the two, be it a hex or a piece"
            env.report_invalid(word.span, message, advice)
        kind = env.counters[type_.text][0] if type_.text in env.counters else type_.text
        spots[word.text] = graph.Spot("piece", word.text)
        kinds[word.text] = graph.Piece((kind,)) if kind in env.kinds else None
    return context._replace(spots=spots, spot_kinds=kinds)


def _game_facts(context: Context, entries: Iterable[tuple[source.Word, source.Value]]) -> tuple[Facts, dict[str, str]]:
    """Elaborate clock settings, facts that every card sets, and tracks of the game and the scenario."""
    env = context.env
    facts: list[tuple[str, graph.Expr]] = []
    clock: dict[str, str] = {}
    for word, value in entries:
        if word.text in CLOCK_TYPES:
            if not isinstance(value, source.Scalar):
                env.problems.append(BadCell(value.span, word.text, "one word or number", "a list or a mapping"))
                continue
            if word.text == "turn":
                if yaml_value(context, value, TURN, "turn") is not None:
                    clock["turn"] = value.text.strip()
                continue
            clock[word.text] = value.text
            pool = env.members("side" if word.text == "player" else "phase")
            check_known(env, word.text, value, pool)
            continue
        if word.text in CARD:
            setting = yaml_value(context, value, TURNS if word.text == "turns" else CARD[word.text], word.text)
            found = None if setting is None else (f"scenario.{word.text}", setting)
        else:
            found = elaborate_fact(context, word, value)
        if found is not None:
            facts.append(found)
    return tuple(facts), clock


def elaborate_fact(context: Context, word: source.Word, value: source.Value) -> tuple[str, graph.Expr] | None:
    """Elaborate the value of a track of the scenario or the game; None after a problem."""
    env = context.env
    for owner in ("scenario", "game"):
        track = env.tracks.get(f"{owner}.{word.text}")
        if track is not None:
            found = yaml_value(context, value, track.type, word.text)
            return (f"{owner}.{word.text}", found) if found is not None else None
    pool = env.track_names("scenario", "game")
    return env.report(unknown_word("track of the game", word, pool), None)


def hex_state(
    context: Context, entries: Iterable[source.HexEntry]
) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str, graph.Expr], ...]]:
    """Elaborate the statuses and tracks of hexes: pairs of hex and status, and hex, track and value."""
    marks: list[tuple[str, str]] = []
    tracks: list[tuple[str, str, graph.Expr]] = []
    env = context.env
    for entry in entries:
        if not check_known(env, "hex", entry.hex, context.spots):
            continue
        for word, value in entry.properties:
            flag = env.flags.get(f"hex.{word.text}")
            track = env.tracks.get(f"hex.{word.text}")
            if flag is not None:
                if is_flag_set(context, value, word):
                    marks.append((entry.hex.text, word.text))
            elif track is not None:
                found = property_value(context, value, track.type, word)
                if found is not None:
                    tracks.append((entry.hex.text, word.text, found))
            else:
                pool = [*env.flag_names("hex"), *env.track_names("hex")]
                env.problems.append(UnknownFlag(word.span, "hex", word.text, tuple(pool)))
    return tuple(marks), tuple(tracks)


def side_tracks(context: Context, entries: Iterable[source.SideEntry]) -> tuple[tuple[str, str, graph.Expr], ...]:
    """Elaborate tracks of sides: side, track and value."""
    found: list[tuple[str, str, graph.Expr]] = []
    env = context.env
    sides = env.members("side")
    track_names = env.track_names("side")
    for entry in entries:
        if not check_known(env, "side", entry.side, sides):
            continue
        for word, value in entry.properties:
            track = env.tracks.get(f"side.{word.text}")
            if track is None:
                env.report_unknown("track of a side", word, track_names)
            elif (expression := property_value(context, value, track.type, word)) is not None:
                found.append((entry.side.text, word.text, expression))
    return tuple(found)


def _pairs(
    context: Context, entries: Iterable[source.NamedEntry]
) -> tuple[tuple[str, str, str, graph.Expr | None], ...]:
    found: list[tuple[str, str, str, graph.Expr | None]] = []
    env = context.env
    for entry in entries:
        relation = env.relations.get(entry.name.text)
        if relation is None:
            env.report_unknown("relation", entry.name, env.relations)
            continue
        fields = {word.text: (word, value) for word, value in entry.fields}
        ends, payload = _pair_fields(context, relation, fields.values())
        needed = [end.name for end in (relation.left, relation.right, relation.payload) if end]
        missing = tuple(name for name in needed if name not in fields)
        if missing:
            env.problems.append(MissingField(entry.name.span, relation.name, missing))
        elif len(ends) == 2:
            pair = (relation.name, ends[relation.left.name], ends[relation.right.name])
            if repeated := _repeated_partner(relation, pair, found):
                advice = "delete one of these pairs"
                env.report_invalid(entry.span, repeated, advice)
            found.append((*pair, payload))
    return tuple(found)


def _pair_fields(
    context: Context, relation: graph.Relation, fields: Iterable[tuple[source.Word, source.Value]]
) -> tuple[dict[str, str], graph.Expr | None]:
    """Elaborate the fields of a pair: the pieces at its ends by their names, and its payload."""
    ends: dict[str, str] = {}
    payload = None
    types = {each.name: each.type for each in (relation.left, relation.right)}
    for word, value in fields:
        name = word.text
        if name in types:
            spot = yaml_value(context, value, types[name], name)
            ends |= {name: spot.name} if isinstance(spot, graph.Spot) else {}
        elif relation.payload is not None and name == relation.payload.name:
            payload = property_value(context, value, relation.payload.type, word)
        else:
            context.env.problems.append(UnknownName(word.span, f"end of {relation.name}", name, tuple(types)))
    return ends, payload


def _repeated_partner(
    relation: graph.Relation, pair: tuple[str, str, str], pairs: Iterable[tuple[str, str, str, graph.Expr | None]]
) -> str:
    """Return the message for a pair whose piece has the only partner that it admits already; "" if there is none."""
    _, left, right = pair
    same = [(a, b) for name, a, b, _ in pairs if name == relation.name]
    if (left, right) in same:
        return f"`{left}` and `{right}` are paired twice"
    if relation.one == "left" and any(b == right for _, b in same):
        return f"`{right}` has two partners `{relation.left.name}`, but `{relation.name}` allows only one"
    if relation.one == "right" and any(a == left for a, _ in same):
        return f"`{left}` has two partners `{relation.right.name}`, but `{relation.name}` allows only one"
    return ""


def _records(context: Context, entries: Iterable[source.NamedEntry]) -> Facts:
    """Elaborate the records in play, as facts named "record.TYPE"."""
    found: list[tuple[str, graph.Expr]] = []
    for entry in entries:
        if entry.name.text not in context.env.records:
            context.problems.append(unknown_word("record", entry.name, context.env.records))
            continue
        value = source.ValueMap(entry.span, entry.fields)
        expression = yaml_value(context, value, graph.RecordOf(entry.name.text), entry.name.text)
        if expression is not None:
            found.append((f"record.{entry.name.text}", expression))
    return tuple(found)
