"""Type position files and situation cards."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from compiler.source import nodes as source
from compiler.source.suggest import nearest
from compiler.typed.context import Context
from compiler.typed.grid import inline_board
from compiler.typed.laws import context_for, origin_of
from compiler.typed.maps import join_boards
from compiler.typed.names import CLOCK
from compiler.typed.pieces import property_value, put_piece, yaml_value
from compiler.typed.problems import BadCell, Misplaced, MissingField, UnknownFlag, UnknownName
from compiler.typed.unknown import no_such
from compiler.typed.world import World
from runtime.graph import nodes as graph

HEX = graph.Hex()
Facts = tuple[tuple[str, graph.Expr], ...]


def build_position(
    world: World, node: source.Position, boards: Mapping[str, source.Board]
) -> tuple[graph.Position, Context]:
    """Resolve a position file; also give the surroundings in which questions about it are typed."""
    if isinstance(node.board, source.InlineBoard):
        board = inline_board(world, node.board).board(node.name.text)
    else:
        board, _ = join_boards(world, node.name.text, node.board, boards)
    context = context_for(world, {"player": graph.Enum("side")})
    context = _with_spots(world, context, board, ((piece.name, piece.type) for piece in node.pieces))
    pieces = tuple(
        piece
        for entry in node.pieces
        if (piece := put_piece(context, entry.name.text, entry.type, entry.side, entry.at, entry.place,
                               entry.properties)) is not None
    )  # fmt: skip
    facts, clock = _game_facts(context, node.game)
    marks, tracks = _hex_notes(context, node.hexes)
    made = graph.Position(
        name=node.name.text,
        stack=node.stack.text,
        board=board,
        pieces=pieces,
        facts=(*facts, *_records(context, node.records)),
        hex_marks=marks,
        hex_tracks=tracks,
        pairs=_pairs(context, node.relations),
        turn=int(clock.get("turn", "1")) if clock.get("turn", "1").isdigit() else 1,
        player=clock.get("player", ""),
        phase=clock.get("phase", ""),
    )
    return made, context


def _with_spots(
    world: World,
    context: Context,
    board: graph.Board,
    pieces: Iterable[tuple[source.Word, source.Word]],
) -> Context:
    spots = {name: graph.Spot("hex", name) for name in board.hexes}
    kinds: dict[str, graph.Type | None] = dict.fromkeys(board.hexes, HEX)
    for word, type_ in pieces:
        if word.text in spots:
            world.problems.append(Misplaced(word.span, word.text, "this name is taken in the position"))
        kind = world.counters[type_.text][0] if type_.text in world.counters else type_.text
        spots[word.text] = graph.Spot("piece", word.text)
        kinds[word.text] = graph.Piece((kind,)) if kind in world.kinds else None
    return replace(context, spots=spots, spot_kinds=kinds)


def _game_facts(context: Context, given: Iterable[tuple[source.Word, source.Value]]) -> tuple[Facts, dict[str, str]]:
    """Clock settings, and tracks of the game and the scenario."""
    world = context.world
    facts: list[tuple[str, graph.Expr]] = []
    clock: dict[str, str] = {}
    for word, value in given:
        if word.text in CLOCK and isinstance(value, source.Scalar):
            clock[word.text] = value.text
            pool = world.members("side" if word.text == "player" else "phase")
            if word.text != "turn" and value.text not in pool:
                world.problems.append(no_such(word.text, value, pool))
            continue
        found = _fact(context, word, value)
        if found is not None:
            facts.append(found)
    return tuple(facts), clock


def _fact(context: Context, word: source.Word, value: source.Value) -> tuple[str, graph.Expr] | None:
    world = context.world
    for owner in ("scenario", "game"):
        track = world.tracks.get(f"{owner}.{word.text}")
        if track is not None:
            found = yaml_value(context, value, track.type, word.text)
            return (f"{owner}.{word.text}", found) if found is not None else None
    pool = [track.name for track in world.tracks.values() if track.owner in {"scenario", "game"}]
    world.problems.append(no_such("track of the game", word, pool))
    return None


def _hex_notes(
    context: Context, entries: Iterable[source.HexEntry]
) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str, graph.Expr], ...]]:
    marks: list[tuple[str, str]] = []
    tracks: list[tuple[str, str, graph.Expr]] = []
    world = context.world
    for entry in entries:
        if entry.hex.text not in context.spots:
            world.problems.append(no_such("hex", entry.hex, context.spots))
            continue
        for word, value in entry.properties:
            flag = world.flags.get(f"hex.{word.text}")
            track = world.tracks.get(f"hex.{word.text}")
            if flag is not None:
                if not (isinstance(value, source.Scalar) and value.text == "no"):
                    marks.append((entry.hex.text, word.text))
            elif track is not None:
                found = property_value(context, value, track.type, word)
                if found is not None:
                    tracks.append((entry.hex.text, word.text, found))
            else:
                pool = [f.name for f in world.flags.values() if f.owner == "hex"]
                pool += [t.name for t in world.tracks.values() if t.owner == "hex"]
                world.problems.append(UnknownFlag(word.span, "hex", word.text, nearest(word.text, pool)))
    return tuple(marks), tuple(tracks)


def _pairs(
    context: Context, entries: Iterable[source.NamedEntry]
) -> tuple[tuple[str, str, str, graph.Expr | None], ...]:
    found: list[tuple[str, str, str, graph.Expr | None]] = []
    world = context.world
    for entry in entries:
        relation = world.relations.get(entry.name.text)
        if relation is None:
            world.problems.append(no_such("relation", entry.name, world.relations))
            continue
        given = {word.text: (word, value) for word, value in entry.fields}
        ends: dict[str, str] = {}
        payload = None
        for name, (word, value) in given.items():
            if name in {relation.left.name, relation.right.name} and isinstance(value, source.Scalar):
                if value.text not in context.spots:
                    world.problems.append(no_such("piece", value, context.spots))
                ends[name] = value.text
            elif relation.payload is not None and name == relation.payload.name:
                payload = property_value(context, value, relation.payload.type, word)
            else:
                pool = [relation.left.name, relation.right.name]
                world.problems.append(UnknownName(word.span, f"end of {relation.name}", name, nearest(name, pool)))
        needed = [end.name for end in (relation.left, relation.right, relation.payload) if end]
        missing = tuple(name for name in needed if name not in given)
        if missing:
            world.problems.append(MissingField(entry.name.span, relation.name, missing))
        elif len(ends) == 2:
            found.append((relation.name, ends[relation.left.name], ends[relation.right.name], payload))
    return tuple(found)


def _records(context: Context, entries: Iterable[source.NamedEntry]) -> Facts:
    """Records in play, as facts named "record.TYPE"."""
    found: list[tuple[str, graph.Expr]] = []
    for entry in entries:
        if entry.name.text not in context.world.records:
            context.problems.append(no_such("record", entry.name, context.world.records))
            continue
        value = source.ValueMap(entry.span, entry.fields)
        made = yaml_value(context, value, graph.RecordOf(entry.name.text), entry.name.text)
        if made is not None:
            found.append((f"record.{entry.name.text}", made))
    return tuple(found)


def build_scenario(world: World, node: source.Scenario, boards: Mapping[str, source.Board]) -> graph.Scenario:
    """Resolve a situation card on its joined map."""
    board, printed_on = join_boards(world, node.name.text, node.map, boards)
    context = _with_spots(world, context_for(world, {}), board, ())
    facts = tuple(found for word, value in node.facts if (found := _fact(context, word, value)) is not None)
    sides = world.members("side")
    for word in (*node.order, *(force.side for force in node.forces)):
        if word.text not in sides:
            world.problems.append(no_such("side", word, sides))
    return graph.Scenario(
        name=node.name.text,
        title=node.title,
        stack=node.uses.text,
        board=board,
        turns=node.turns,
        order=tuple(word.text for word in node.order),
        facts=facts,
        forces=tuple(_force(world, force, board, printed_on) for force in node.forces),
        cites=tuple(word.text for word in node.cites),
        prose="",
        origin=origin_of(node.name.text, node.name.span),
    )


def _force(world: World, force: source.Force, board: graph.Board, printed_on: Mapping[str, str]) -> graph.Force:
    units = [(word, count) for word, count in force.units]
    for word in (*(word for word, _ in units), *(placed.unit for placed in force.placed)):
        if word.text not in world.counters:
            world.problems.append(no_such("counter", word, world.counters))
    for placed in force.placed:
        if placed.at.text not in board.hexes:
            world.problems.append(no_such("hex", placed.at, board.hexes))
    area: tuple[str, ...] = ()
    turn = 0
    if force.enters is not None:
        area, turn = _entry(world, force.enters, board, printed_on), force.enters.turn
    elif force.sets_up:
        chosen: set[str] = set()
        for part in force.sets_up:
            chosen |= set(_area(world, part, board, printed_on))
        area = tuple(name for name in board.hexes if name in chosen)
    return graph.Force(
        side=force.side.text,
        title=force.group or "",
        units=tuple((word.text, count) for word, count in units if word.text in world.counters),
        placed=tuple((placed.unit.text, placed.at.text) for placed in force.placed),
        area=area,
        turn=turn,
        cites=(),
    )


def _area(world: World, area: source.Area, board: graph.Board, printed_on: Mapping[str, str]) -> list[str]:
    """The hexes that satisfy everything an area names."""
    wanted: set[str] = set(board.hexes)
    if area.boards:
        names = {word.text for word in area.boards}
        wanted &= {name for name in board.hexes if printed_on[name] in names}
    if area.regions:
        inside: set[str] = set()
        for word in area.regions:
            if word.text not in board.regions:
                world.problems.append(no_such("region", word, board.regions))
            inside |= set(board.regions.get(word.text, ()))
        wanted &= inside
    if area.hexes:
        for word in area.hexes:
            if word.text not in board.hexes:
                world.problems.append(no_such("hex", word, board.hexes))
        wanted &= {word.text for word in area.hexes}
    # Columns and rows are counted from one, as they are printed.
    if area.columns is not None:
        wanted &= {n for n, at in board.hexes.items() if area.columns.low <= at[0] + 1 <= area.columns.high}
    if area.rows is not None:
        wanted &= {n for n, at in board.hexes.items() if area.rows.low <= at[1] + 1 <= area.rows.high}
    if area.where is not None:
        world.problems.append(
            Misplaced(area.where.span, "where", "areas are named by board, region, hexes, columns or rows")
        )
    if not wanted:
        world.problems.append(BadCell(area.span, "area", "at least one hex", "none"))
    return [name for name in board.hexes if name in wanted]


def _entry(world: World, entry: source.Entry, board: graph.Board, printed_on: Mapping[str, str]) -> tuple[str, ...]:
    """The hexes of an edge, or those named."""
    if entry.hexes:
        return tuple(word.text for word in entry.hexes if word.text in board.hexes)
    pool = {name: at for name, at in board.hexes.items()
            if entry.board is None or printed_on[name] == entry.board.text}  # fmt: skip
    columns = [at[0] for at in pool.values()] or [0]
    rows = [at[1] for at in pool.values()] or [0]
    edges = {
        "west": lambda at: at[0] == min(columns),
        "east": lambda at: at[0] == max(columns),
        "north": lambda at: at[1] == min(rows),
        "south": lambda at: at[1] == max(rows),
    }
    word = entry.edge
    if word is None or word.text not in edges:
        span = word.span if word else entry.span
        name = word.text if word else "nothing"
        world.problems.append(UnknownName(span, "edge", name, nearest(name, edges) or tuple(edges)))
        return ()
    return tuple(name for name, at in pool.items() if edges[word.text](at))


def victory_rules(node: source.Scenario, term: str) -> list[source.Rule]:
    """Every line of a card's victory conditions, as a rule that offers a level to a side."""
    rules = []
    for line in node.victory:
        label = source.Word(line.side.span, f"victory-{line.side.text}-{line.level.text}".lower().replace("_", "-"))
        level = source.Quoted(line.level.span, line.level.text)
        head = source.Word(line.side.span, term)
        guard = source.Both(
            line.span,
            (
                source.Compare(
                    line.span, "=", source.Name(line.side.span, "owner"), source.Name(line.side.span, line.side.text)
                ),
                line.condition,
            ),
        )
        conclusion = source.Conclusion(line.span, head, None, "offers", level)
        prose = f"{line.side.text.capitalize()} reaches {line.level.text} under its victory conditions."
        rules.append(source.Rule(line.span, label, node.cites, prose, conclusion, (), (), (), guard))
    return rules
