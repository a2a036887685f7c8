"""Elaboration of situation cards: the map, the facts of the scenario, forces and their entry, victory.

In: a `source.Scenario`, and the boards of the library. Out: a `ResolvedCard` with its `graph.Scenario`.

A card with boards that are known by their outlines only is composed of these: all its numbers of hexes are checked, and
it lists the missing boards. It cannot be played without them.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from compiler.layered import nodes as layered
from compiler.layered.card_parts import with_part
from compiler.source import nodes as source
from compiler.source.finding import Finding
from compiler.source.origins import origin_of
from compiler.source.span import Span
from compiler.typed.context import Context
from compiler.typed.environment import Environment, type_text
from compiler.typed.findings.invalid_constructs import InvalidConstruct
from compiler.typed.findings.mismatches import TypeMismatch
from compiler.typed.findings.names import UnknownName
from compiler.typed.laws import context_for
from compiler.typed.situations.areas import AreaContext, build_ground, entry_hexes, hexes_of
from compiler.typed.situations.initial_pairs import check_placements, type_pairs
from compiler.typed.situations.maps import ComposedMap, check_connections, hexes_by_number, join_boards
from compiler.typed.situations.misprints import board_misprints, card_misprints
from compiler.typed.situations.pieces import notes_of_placed
from compiler.typed.situations.setups import elaborate_fact, hex_state, side_tracks, with_spots
from compiler.typed.source_lists import listed_twice, span_of_list
from compiler.typed.unknown_names import check_known, unknown_counter, unknown_word
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.predeclared_types import HEXES
from runtime.graph.roster import list_roster

# Parts of a card that examples may protect: each, if reverted, results in another card with the same map.
PUT_BACK = frozenset(
    (
        "turns", "order", "set_up", "facts", "regions", "hexes", "sides", "sets_up", "enters", "placed", "relations",
    )
)  # fmt: skip


@frozen_dataclass
class Boards:
    """The available boards, and outlines of others."""

    printed: Mapping[str, source.Board]
    outlines: Mapping[str, source.Outline]

    def outlined_boards(self, card: source.Scenario) -> tuple[str, ...]:
        """Return the boards of a card that are known by their outlines only."""
        names = dict.fromkeys(placement.board.text for placement in card.map)
        return tuple(name for name in names if name not in self.printed and name in self.outlines)

    def boards_of_map(self, placements: Iterable[source.BoardPlacement]) -> Mapping[str, source.Board]:
        """Return the boards of a map; a missing one is replaced by its bare outline."""
        names = sorted({placement.board.text for placement in placements})
        boards: dict[str, source.Board] = {}
        for name in names:
            outline, board = self.outlines.get(name), self.printed.get(name)
            if board is not None:
                boards[name] = board
            elif outline is not None:
                boards[name] = _board_of(outline)
        if len(boards) == len(names):
            return boards
        # A missing board is looked up among all boards, for a similar name.
        return boards | {name: board for name in self.printed if (board := self.printed.get(name))}


def _board_of(outline: source.Outline) -> source.Board:
    return source.Board(outline.span, outline.name, outline.title, outline.cites, outline.numbering, (), (), (), ())


@frozen_dataclass
class ResolvedCard:
    """A situation card of the graph, and the hexes of its map by all their numbers."""

    card: graph.Scenario
    labels: Mapping[str, str]


def build_card(
    env: Environment,
    node: source.Scenario,
    boards: Boards,
    changed: Iterable[layered.CardChange],
    parts: Iterable[layered.ChangedPart],
) -> ResolvedCard:
    """Elaborate a situation card on its composed map."""
    parts = tuple(parts)
    problems_before = len(env.problems)
    printed = boards.boards_of_map(node.map)
    names_of_boards = dict.fromkeys(placement.board.text for placement in node.map)
    is_complete = all(name in printed for name in names_of_boards)
    joined = join_boards(env, node.name.text, node.map, printed, node.links)
    check_connections(env, joined, [printed[name] for name in names_of_boards if name in printed])
    ground = build_ground(env, joined, node.regions)
    context = with_spots(env, context_for(env, {}), joined.board, ())
    facts = _facts(ground, context, node)
    _check_sides(env, node)
    check_placements(env, node.forces)
    corrected_parts = [part for part in parts if part.key[0] in PUT_BACK]
    scenario = graph.Scenario(
        name=node.name.text,
        title=node.title,
        stack=node.uses.text,
        board=joined.board,
        turns=node.turns,
        set_up=tuple(word.text for word in node.set_up),
        order=tuple(word.text for word in node.order),
        facts=facts,
        forces=tuple(_force(ground, force, number) for number, force in enumerate(node.forces)),
        cites=tuple(word.text for word in node.cites),
        gaps=node.gaps,
        waits_for=boards.outlined_boards(node),
        origin=origin_of(node.name.text, node.name.span),
        corrections=tuple(map(_correction, changed)),
        other_corrections=tuple(_part_correction(env, node, joined, part) for part in corrected_parts),
        lines=tuple((part, origin_of(node.name.text, span)) for part, span in _lines(node)),
        notes=_start_notes(ground, context, node),
    )
    if len(env.problems) == problems_before:
        _check_turns(env, node)
        _check_set_up(env, node)
        if any(part.key[0] in ("turns", "sets_up", "enters") for part in parts):
            _check_entries(env, node)
    if not is_complete:
        env.problems[problems_before:] = [part for part in env.problems[problems_before:] if not _misses_hexes(part)]
    if len(env.problems) == problems_before:
        for name in names_of_boards:
            env.problems += board_misprints(printed[name], hexes_by_number(printed[name]))
        kinds = {name: kind for name, (kind, *_) in env.counters.items()}
        env.problems += card_misprints(node, joined.labels, kinds)
    return ResolvedCard(scenario, joined.labels)


def _check_sides(env: Environment, node: source.Scenario) -> None:
    """Report words that are no side: of who sets up, of the order of moves, and of forces."""
    sides = env.members("side")
    for word in (*node.set_up, *node.order, *(force.side for force in node.forces)):
        check_known(env, "side", word, sides)


def _check_turns(env: Environment, node: source.Scenario) -> None:
    """Report a side with forces that `order` omits; an entry without forces is probably meant to be it."""
    ordered = {word.text for word in node.order}
    forces = {force.side.text: force.side for force in reversed(node.forces)}
    idle_words = [word for word in node.order if word.text not in forces]
    for word in forces.values():
        if len(ordered) == len(node.order) > 0 and word.text not in ordered:
            message = f"{word.text} has forces, but is missing in `order`"
            if len(idle_words) == 1:
                instead = idle_words[0]
                advice = f"write `{word.text}` instead of `{instead.text}`, which has no forces"
                env.report_invalid(instead.span, message, advice)
            else:
                advice = f"write `{word.text}` where it moves in `order`"
                env.report_invalid(span_of_list([word.span for word in node.order]), message, advice)


def _check_set_up(env: Environment, node: source.Scenario) -> None:
    """Report a side with forces to set up that `set_up` omits.

    Without a `set_up`, sides set up in the order of moves.
    """
    named = {word.text for word in node.set_up}
    # Errors in `set_up` itself are reported elsewhere.
    is_reported = node.set_up == node.order or len(named) < len(node.set_up)
    for force in () if is_reported else node.forces:
        if force.sets_up and force.side.text not in named:
            named.add(force.side.text)
            message = f"{force.side.text} has forces to set up, but is missing in `set_up`"
            advice = f"write `{force.side.text}` where it sets up in `set_up`"
            env.report_invalid(span_of_list([word.span for word in node.set_up]), message, advice)


def _check_entries(env: Environment, node: source.Scenario) -> None:
    """Report forces of a changed card that enter after the last turn, or that set up and enter as well."""
    for force in node.forces:
        if force.enters is not None and not 1 <= force.enters.turn <= node.turns:
            message = f"this force enters in turn {force.enters.turn}, but the last turn is {node.turns}"
            env.report_invalid(force.enters.span, message, "correct `turns` or `enters`")
        if force.enters is not None and force.sets_up:
            message = "this force both sets up before the game and enters later"
            advice = "remove one of the two, with `expect` and no `now`"
            env.report_invalid(force.sets_up[0].span, message, advice)


def _misses_hexes(problem: Finding) -> bool:
    """Return whether a missing board may be the cause of a problem."""
    match problem:
        case UnknownName(category="hex" | "region" | "board of this map") | InvalidConstruct():
            return True
        case _:
            return False


def _correction(change: layered.CardChange) -> graph.Correction:
    cites = tuple(word.text for word in change.cites)
    return graph.Correction(change.force, change.unit, change.was, cites, origin_of(change.layer, change.span))


def _facts(ground: AreaContext, context: Context, node: source.Scenario) -> tuple[tuple[str, graph.Expr], ...]:
    """Elaborate the values that a card sets: its facts, then its regions."""
    facts = []
    for word, value in node.facts:
        fact = _fact(ground, context, word, value)
        if fact is not None:
            facts.append(fact)
    for region in node.regions:
        name = region.name.text
        facts.append((f"scenario.{name}", _set_of_hexes(ground.regions[name])))
    return tuple(facts)


def _part_correction(
    env: Environment, node: source.Scenario, joined: ComposedMap, change: layered.ChangedPart
) -> graph.PartCorrection:
    """Return a card with one part as before a correction; what is invalid then is omitted."""
    before = with_part(node, change.key, change.name, change.was)
    quiet_env = replace(env, problems=[])
    ground = build_ground(quiet_env, joined, before.regions)
    context = with_spots(quiet_env, context_for(quiet_env, {}), joined.board, ())
    facts = _facts(ground, context, before)
    return graph.PartCorrection(
        part=change.title,
        turns=before.turns,
        set_up=tuple(word.text for word in before.set_up),
        order=tuple(word.text for word in before.order),
        facts=tuple((name, value) for name, value in facts if name in env.tracks),
        forces=tuple(_force(ground, force, number) for number, force in enumerate(before.forces)),
        cites=tuple(word.text for word in change.cites),
        origin=origin_of(change.layer, change.span),
        notes=_start_notes(ground, context, before),
    )


def _start_notes(ground: AreaContext, context: Context, node: source.Scenario) -> graph.StartNotes:
    """Elaborate the statuses and tracks with which hexes and sides start; of a hex, the last entry counts."""
    hex_entries: list[source.HexEntry] = []
    for entry in node.hexes:
        hex_entries += _entries_of_region(ground, entry)
    side_entries = [replace(entry, properties=_relabeled_properties(ground, entry)) for entry in node.sides]
    marks, tracks = hex_state(context, hex_entries)
    return graph.StartNotes(marks, tracks, side_tracks(context, side_entries))


def _relabeled_properties(
    ground: AreaContext, entry: source.HexEntry | source.SideEntry
) -> tuple[tuple[source.Word, source.Value], ...]:
    return tuple((word, _relabeled(ground, value)) for word, value in entry.properties)


def _entries_of_region(ground: AreaContext, entry: source.HexEntry) -> Iterator[source.HexEntry]:
    """Yield an entry for each hex of a region, or for the hex that it names."""
    name = entry.hex.text
    properties = _relabeled_properties(ground, entry)
    for hex_ in ground.regions.get(name) or (ground.map.labels.get(name, name),):
        yield replace(entry, hex=replace(entry.hex, text=hex_), properties=properties)


def _set_of_hexes(hexes: Iterable[str]) -> graph.Expr:
    return graph.SetOf(tuple(graph.Spot("hex", name) for name in hexes))


def _fact(
    ground: AreaContext, context: Context, word: source.Word, value: source.Value | tuple[source.Area, ...]
) -> tuple[str, graph.Expr] | None:
    """Elaborate a fact; a set of hexes may be an area."""
    if isinstance(value, source.ValueList):
        named = [item for item in value.items if isinstance(item, source.Scalar)]
        ground.env.problems += listed_twice(named)
    if not isinstance(value, tuple):
        return elaborate_fact(context, word, _relabeled(ground, value))
    track = context.env.tracks.get(f"scenario.{word.text}")
    if track is None:
        names = context.env.track_names("scenario")
        return context.env.report(unknown_word("track of the scenario", word, names), None)
    if track.type != HEXES:
        return context.env.report(TypeMismatch(value[0].span, type_text(track.type), type_text(HEXES)), None)
    return f"scenario.{word.text}", _set_of_hexes(hexes_of(ground, value))


def _relabeled(ground: AreaContext, value: source.Value) -> source.Value:
    """Return a value in which each number printed on a hex is replaced by the name of the hex."""
    match value:
        case source.Scalar(span=span, text=text, start=start):
            return source.Scalar(span, ground.map.labels.get(text, text), start)
        case source.ValueList(span=span, items=items):
            return source.ValueList(span, tuple(_relabeled(ground, item) for item in items))
        case _:
            return value


def _check_owners(env: Environment, force: source.Force) -> None:
    """Report unknown counters in a force, and those of another side: if all are, at the side."""
    foreign_counters: list[tuple[source.Word, str]] = []
    owners = set[str]()
    side = force.side.text
    for word in (*(word for word, _ in force.units), *(placed.unit for placed in force.placed)):
        if word.text not in env.counters:
            env.problems.append(unknown_counter(word, env.counters, env))
            continue
        for owner in env.counters[word.text][1][:1]:
            owners.add(owner)
            if owner != side:
                foreign_counters.append((word, owner))
    if len(owners) == 1 and len({word.text for word, _ in foreign_counters}) > 1:
        message = f"this force of {side} has only counters of {owners.pop()}"
        env.report_invalid(force.side.span, message, "correct its `side`, or its counters")
        return
    for word, owner in foreign_counters:
        message = f"the counter `{word.text}` of {owner} is in a force of {side}"
        advice = f"move it to a force of {owner}, or correct the `side` of this force"
        env.report_invalid(word.span, message, advice, f"owner {force.span}")


def _lines(node: source.Scenario) -> Iterator[tuple[str, Span]]:
    """Yield the spans of the parts of a card, by their keys in `graph.Scenario.lines`."""
    yield from ((part, words[0].span) for part, words in (("order", node.order), ("set_up", node.set_up)) if words)
    yield from ((name.text if "." in name.text else f"scenario.{name.text}", name.span) for name, _ in node.facts)
    yield from ((f"scenario.{region.name.text}", region.name.span) for region in node.regions)
    yield from ((f"notes of {entry.hex.text}", entry.hex.span) for entry in node.hexes)
    yield from ((f"notes of {entry.side.text}", entry.side.span) for entry in node.sides)
    for number, force in enumerate(node.forces):
        yield f"force {number}", force.side.span
        yield from ((f"force {number} {word.text}", word.span) for word, _ in force.units)


def _force(ground: AreaContext, force: source.Force, number: int) -> graph.Force:
    """Elaborate the pieces that enter in the same way."""
    env = ground.env
    _check_owners(env, force)
    area: tuple[str, ...] = ()
    turn = 0
    if force.enters is not None:
        area, turn = entry_hexes(ground, force.enters), force.enters.turn
    elif force.sets_up:
        area = hexes_of(ground, force.sets_up)
    context = with_spots(env, context_for(env, {}), ground.map.board, ())
    placed = []
    for piece in force.placed:
        label = ground.find_hex(piece.at)
        if label is None or piece.unit.text not in env.counters:
            continue
        place, name = piece.place.text if piece.place else "", piece.name.text if piece.name else ""
        notes = notes_of_placed(context, piece.unit, piece.notes)
        placed.append(graph.Posted(piece.unit.text, label, place, name, *notes))
    graph_force = graph.Force(
        side=force.side.text,
        title=force.group or "",
        units=tuple((word.text, count) for word, count in force.units if word.text in env.counters),
        placed=tuple(placed),
        area=area,
        turn=turn,
        cites=(),
    )
    return replace(graph_force, pairs=type_pairs(env, force.relations, tuple(list_roster(graph_force, number))))


def regions_as_tracks(node: source.Scenario) -> list[source.Track]:
    """Return declarations of the regions of a card as tracks, so that its conditions may read `scenario.NAME`."""
    tracks = []
    for region in node.regions:
        hexes = source.ManyType(region.span, "set", source.NameType(region.span, (source.Word(region.span, "hex"),)))
        owner, empty_set = source.Word(region.name.span, "scenario"), source.SetLiteral(region.span, ())
        tracks.append(source.Track(region.span, owner, region.name, hexes, empty_set, None))
    return tracks


def victory_rules(node: source.Scenario, term: str, side: str) -> list[source.Rule]:
    """Return the lines of a card's victory conditions as rules of `term` that offer a level to its parameter `side`."""
    rules = []
    for line in node.victory:
        label = source.Word(line.level.span, f"victory-{line.side.text}-{line.level.text}".lower().replace("_", "-"))
        level = source.Quoted(line.level.span, line.level.text)
        head = source.Word(line.side.span, term)
        is_side = source.Compare(
            line.span, "=", source.Name(line.side.span, side), source.Name(line.side.span, line.side.text)
        )
        guard = source.Both(line.span, (is_side, line.condition))
        conclusion = source.Conclusion(line.span, head, None, "offers", level)
        prose = f"{line.side.text.capitalize()} reaches {line.level.text} under its victory conditions."
        rules.append(source.Rule(line.span, label, node.cites, prose, conclusion, (), (), (), guard))
    return rules
