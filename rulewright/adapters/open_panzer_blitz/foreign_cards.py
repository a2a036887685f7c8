"""Convert a foreign situation to a scenario card.

In: the tree of a situation, the boards and units of its package, and the mapping. Out: the text of a card of
one of our stacks; what cannot be expressed is noted and listed on the card under `gaps:`.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

from compiler.source.nodes import Scalar, ValueList, ValueMap
from compiler.source.span import Span
from rulewright.adapters.open_panzer_blitz.forces import Army, ImportedForce, forces_of
from rulewright.adapters.open_panzer_blitz.foreign_boards import ConvertedFile, region_name, wrapped_list
from rulewright.adapters.open_panzer_blitz.foreign_counters import ForeignCounters
from rulewright.adapters.open_panzer_blitz.foreign_map import ForeignMap, join_boards
from rulewright.adapters.open_panzer_blitz.foreign_nodes import ForeignBoard, ForeignCard
from rulewright.adapters.open_panzer_blitz.package_mapping import CardStack, PackageMapping
from rulewright.adapters.open_panzer_blitz.victory import CardSeat, InexpressibleError, VictoryScope
from rulewright.exchange.notes import Notes
from rulewright.exchange.tree_reader import SkipPart, find_entry, list_at, listed_words, map_at, number_at, text_at
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.hexes import Coordinates

MOST_TURNS = 100


@frozen_dataclass
class CardContext:
    """The context of converting a card: boards, counters and the mapping."""

    boards: Mapping[str, ForeignBoard]
    counters: ForeignCounters
    mapping: PackageMapping


def write_card(card: ForeignCard, context: CardContext, notes: Notes) -> ConvertedFile | None:
    """Convert one card; None, with a note of the reason, if it cannot be converted."""
    tree, mapping = card.tree, context.mapping
    card_notes = Notes()
    try:
        turns = number_at(tree, "turns", card_notes)
        if not 0 < turns <= MOST_TURNS:
            card_notes.add_invalid(tree.span, "turns", f"{turns} turns are none, or too many")
            raise SkipPart
        armies = _armies(tree, mapping, card_notes)
        game = _game(card.key, tree, armies, mapping, card_notes)
        rows = _rows(tree, context, card_notes)
        foreign_map = join_boards(rows, mapping)
        forces = [
            force for army in armies for force in forces_of(army, foreign_map, (context.counters, game), card_notes)
        ]
        if any(not any(force.side == army.side for force in forces) for army in armies):
            card_notes.add_omission(
                tree.span, card.key, "a side of this card has no unit that our games know; it was left out"
            )
            raise SkipPart
        order = [_order(tree, key, armies, card_notes) for key in ("play_order_each_turn", "setup_order")]
        judge = _judge(armies, forces, foreign_map, game, card_notes)
        levels = {
            army.side: _levels(seat, judge, mapping, card_notes) for army, seat in zip(armies, judge.seats, strict=True)
        }
    except SkipPart:
        notes.entries += card_notes.entries
        return None
    name = f"{mapping.prefix}{region_name(card.key)}"
    title = text_at(tree, "name", card_notes, card.key)
    lines = [
        f"scenario: {name}",
        f"title: {json.dumps(title, ensure_ascii=False)}",
        f"uses: {game.uses}",
        f"map: [{', '.join(_row(row, mapping) for row in rows)}]",
        f"turns: {turns}",
        f"set_up: [{', '.join(order[1])}]",
        f"order: [{', '.join(order[0])}]",
        *_facts(tree, judge, (game, order[0], forces)),
        *_regions(judge, foreign_map),
        *_gaps(card_notes),
        "forces:",
        *(line for force in forces for line in _force(force, foreign_map)),
        "victory:" if any(levels.values()) else "",
        *(line for side, found in levels.items() for line in _victory(side, found)),
    ]
    notes.entries += card_notes.entries
    return ConvertedFile(name, "\n".join(line for line in lines if line) + "\n")


# ---------------------------------------------------------------- reading


def _armies(tree: ValueMap, mapping: PackageMapping, notes: Notes) -> tuple[Army, ...]:
    """Return the sides of a card; a side that the mapping lacks, or a duplicate, skips the card."""
    found: list[Army] = []
    for part in list_at(tree, "sides", notes):
        if not isinstance(part, ValueMap):
            notes.add_invalid(part.span, "sides", "keys and values should stand here")
            raise SkipPart
        faction = text_at(part, "faction", notes)
        side = mapping.factions.get(faction)
        if side is None:
            notes.add_omission(part.span, faction, "our games do not know this nation; the card was left out")
            raise SkipPart
        found.append(Army(part, text_at(part, "side", notes), side))
    if len({army.side for army in found}) != len(found) or len(found) != 2:
        notes.add_omission(tree.span, "sides", "a card of ours has two sides; this one was left out")
        raise SkipPart
    return tuple(found)


def _game(key: str, tree: ValueMap, armies: tuple[Army, ...], mapping: PackageMapping, notes: Notes) -> CardStack:
    """Return the first game of the mapping with the sides and the card prefix of a situation."""
    sides = {army.side for army in armies}
    for game in mapping.games:
        if sides == game.sides and key.startswith(game.cards):
            return game
    notes.add_omission(tree.span, key, f"no stack of the mapping is for {' against '.join(sorted(sides))}")
    raise SkipPart


def _rows(tree: ValueMap, context: CardContext, notes: Notes) -> list[list[tuple[ForeignBoard, bool]]]:
    rows: list[list[tuple[ForeignBoard, bool]]] = []
    for row in list_at(tree, "boards", notes):
        rows.append([])
        for part in row.items if isinstance(row, ValueList) else ():
            key = find_entry(part, "board")
            board = context.boards.get(key.text) if isinstance(key, Scalar) else None
            if board is None:
                notes.add_invalid(part.span, "boards", "this board is not in the package; the card was left out")
                raise SkipPart
            inverted = find_entry(part, "inverted")
            rows[-1].append((board, isinstance(inverted, Scalar) and inverted.text == "true"))
    if not rows or not all(rows):
        notes.add_invalid(tree.span, "boards", "a card without boards was left out")
        raise SkipPart
    return rows


def _order(tree: ValueMap, key: str, armies: tuple[Army, ...], notes: Notes) -> list[str]:
    """Return an order of the sides; any other value, such as a random order, becomes that of the file, with a note."""
    value = find_entry(tree, key)
    sides = {army.key: army.side for army in armies}
    order = [sides[text] for text, _ in listed_words(value) if text in sides]
    if sorted(order) != sorted(sides.values()):
        order = list(sides.values())
        notes.add_omission(
            value.span if value else tree.span, key, f"not an order of the sides; {', '.join(order)} stands for it"
        )
    return order


# ---------------------------------------------------------------- victory


def _judge(
    armies: tuple[Army, ...], forces: list[ImportedForce], foreign_map: ForeignMap, game: CardStack, notes: Notes
) -> VictoryScope:
    seats = []
    for army in armies:
        own_forces = [force for force in forces if force.side == army.side]
        kinds: dict[str, int] = {}
        for force in own_forces:
            for key, number in force.keys.items():
                kinds[key] = kinds.get(key, 0) + number
        counted = sum(number for key, number in kinds.items() if key not in foreign_map.mapping.uncounted)
        victory = find_entry(army.tree, "victory")
        tree = victory if isinstance(victory, ValueMap) else ValueMap(army.tree.span, ())
        objectives = {word.text: value for word, value in map_at(tree, "objectives", notes)}
        levels = tuple(level for level in list_at(tree, "levels", notes) if isinstance(level, ValueMap))
        seats.append(CardSeat(army.side, counted, kinds, objectives, levels))
    trial = VictoryScope(tuple(seats), foreign_map, game.controls, Notes())
    for seat in seats:
        for level in seat.levels:
            with suppress(InexpressibleError):
                trial.level_condition(level, seat)
    # Units can depart only where a level that can be expressed states by which way; only then are departures no losses.
    return VictoryScope(tuple(seats), foreign_map, game.controls, notes, has_exit=trial.map_exit is not None)


def _levels(seat: CardSeat, judge: VictoryScope, mapping: PackageMapping, notes: Notes) -> dict[str, str]:
    """Translate the victory levels of a side to conditions; a level that cannot be expressed is noted and omitted."""
    found: dict[str, str] = {}
    for tree in seat.levels:
        level = text_at(tree, "level", notes, "")
        level_name = mapping.levels.get(level)
        if level_name is None:
            notes.add_omission(tree.span, level or "level", "the mapping does not know this level")
            continue
        try:
            found[level_name] = judge.level_condition(tree, seat)
        except InexpressibleError as untold:
            notes.add_omission(untold.span, f"{seat.side} {level_name}", f"victory is not told: {untold.subject}")
    if not seat.levels:
        notes.add_omission(Span("", 0, 0, 0, 0), seat.side, "no victory conditions")
    return found


# ---------------------------------------------------------------- writing


def _row(row: Iterable[tuple[ForeignBoard, bool]], mapping: PackageMapping) -> str:
    return f"[{', '.join(mapping.board_name(board.key) + (' turned' if inverted else '') for board, inverted in row)}]"


def _facts(
    tree: ValueMap, judge: VictoryScope, known: tuple[CardStack, list[str], list[ImportedForce]]
) -> Iterator[str]:
    """Yield the lines of the tracks of a card: the attackers, their goals, and the tracks that the mapping sets."""
    game, order, forces = known
    attackers = [side for side in order if judge.controlled_hexes.get(side)] or order[:1]
    goals = {point for points in judge.controlled_hexes.values() for point in points}
    if judge.map_exit is not None and not goals:
        goals = set(judge.map_exit[1])
    if not goals:
        goals = _middle(force.points for force in forces if force.side not in attackers and force.points)
        judge.notes.add_changed(tree.span, "objectives", "players make for the middle of the defenders' area")
    listed = ", ".join(attackers)
    yield "facts:"
    environment = text_at(tree, "environment", judge.notes, "")
    for track, value in {**game.facts, **game.environments.get(environment, {})}.items():
        yield f"  {track}: {f'[{listed}]' if value == '$attackers' else value}"
    if judge.map_exit is not None:
        yield wrapped_list(f"  {judge.foreign_map.mapping.ways_out}", _names(judge.map_exit[1], judge.foreign_map))
    if goals:
        yield wrapped_list("  objectives", _names(goals, judge.foreign_map))


def _middle(areas: Iterable[frozenset[Coordinates]]) -> set[Coordinates]:
    """Return the hex nearest to the mean of the largest area; empty if there is no area."""
    area = max(areas, key=len, default=frozenset[Coordinates]())
    if not area:
        return set()
    column, row = (sum(point[axis] for point in area) / len(area) for axis in (0, 1))
    return {min(area, key=lambda point: (abs(point[0] - column) + abs(point[1] - row), point))}


def _regions(judge: VictoryScope, foreign_map: ForeignMap) -> Iterator[str]:
    if judge.regions:
        yield "regions:"
    for name, points in judge.regions.items():
        yield wrapped_list(f"  {name}", _names(points, foreign_map))


def _gaps(notes: Notes) -> Iterator[str]:
    """Yield the lines of `gaps:`, with everything that the card does not express."""
    sentences = dict.fromkeys(f"{note.subject}: {note.text}" for note in notes.entries)
    if sentences:
        yield "gaps:"
    for sentence in sentences:
        yield f"  - {json.dumps(sentence, ensure_ascii=False)}"


def _force(force: ImportedForce, foreign_map: ForeignMap) -> Iterator[str]:
    yield f"  - side: {force.side}"
    if force.title:
        yield f"    group: {json.dumps(force.title, ensure_ascii=False)}"
    yield f"    units: {{{', '.join(f'{unit}: {number}' for unit, number in force.units.items())}}}"
    if force.turn:
        yield (
            wrapped_list("    enters: {hexes", _names(force.points or frozenset(), foreign_map))
            + f", turn: {force.turn}}}"
        )
    else:
        yield f"    sets_up: {_where(force.points if force.points is not None else foreign_map.all_hexes, foreign_map)}"


def _where(points: frozenset[Coordinates], foreign_map: ForeignMap) -> str:
    """Format an area: by boards if it contains all of their unshared hexes, otherwise by hexes."""
    inner = {point for point in foreign_map.names if len(foreign_map.boards[point]) == 1}
    boards = sorted({foreign_map.boards[point][0] for point in points & inner})
    rim = {point for board in boards for point in inner if foreign_map.boards[point] == (board,)} - points
    if boards and not rim:
        return f"{{boards: [{', '.join(boards)}]}}"
    return wrapped_list("{hexes", _names(points, foreign_map)).strip() + "}"


def _names(points: Iterable[Coordinates], foreign_map: ForeignMap) -> list[str]:
    return [foreign_map.names[point] for point in sorted(points, key=lambda point: (point[1], point[0]))]


def _victory(side: str, levels: Mapping[str, str]) -> Iterator[str]:
    if levels:
        yield f"  {side}:"
    for level, condition in levels.items():
        yield f'    {level}: "{condition}"'
