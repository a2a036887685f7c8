"""Convert a position to one that can be set up: pieces that are counters, records as procedures create them.

The input is a witness, a test that it passes, and the graphs of the stacks; the output is a candidate that passes too,
in which each piece is a counter of a chart or similar to one, and records have members where procedures add some; or,
if none passes, the unchanged candidate. Parts that cannot be set up are reported (`remarks`), which is better than no
witness.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from runtime.graph import nodes as graph
from runtime.graph.type_of import SIDE
from runtime.graph.walk import walk
from runtime.witness.candidate import Candidate, with_argument, with_hexes, with_piece, with_piece_as
from runtime.witness.pool import DomainPool
from runtime.witness.shrinking import CandidatePredicate

# The number of counters that are tried for a piece, and of pieces for an empty set.
MOST_TRIED_COUNTERS = 40
MOST_SET_MEMBERS = 8
# Neighbors in a chart are similar: this many are skipped.
STRIDE = 7

EMPTY_SET = graph.SetOf(())

Graphs = Sequence[graph.Graph]
PrintedExpressions = dict[str, graph.Expr]


def possible_position(
    candidate: Candidate, holds: CandidatePredicate, materials: DomainPool, graphs: Graphs
) -> Candidate:
    """Replace pieces by counters and add members to records, wherever the test still passes."""
    for index in range(len(candidate.arguments)):
        candidate = _as_created(candidate, index, holds, materials, graphs)
    for piece in candidate.position.pieces:
        if not _is_like(piece, graphs):
            before = candidate
            candidates = (with_piece_as(before, each) for each in _similar_pieces(piece, graphs, materials))
            candidate = next(filter(holds, candidates), candidate)
    return candidate


def _as_created(
    candidate: Candidate, index: int, holds: CandidatePredicate, materials: DomainPool, graphs: Graphs
) -> Candidate:
    """Convert a record that is an argument to one that procedures create."""
    argument = candidate.arguments[index]
    if not isinstance(argument, graph.New) or argument.record not in materials.words.records:
        return candidate
    candidate = next(filter(holds, _with_acting_sides(candidate, argument, materials)), candidate)
    for _, field in _empty_sets(argument, graphs, always=False):
        record = candidate.arguments[index]
        assert isinstance(record, graph.New)
        candidate = next(filter(holds, _members(candidate, record, field, materials)), candidate)
    return candidate


def impossible_parts(candidate: Candidate, graphs: Graphs) -> tuple[str, ...]:
    """Return the parts of a candidate that cannot be set up, as text."""
    strange = [piece.name for piece in candidate.position.pieces if not _is_like(piece, graphs)]
    texts = [f"no counter of the chart is like {name}" for name in strange]
    for argument in candidate.arguments:
        if isinstance(argument, graph.New):
            texts += [
                f"in play no {record.name} has empty {field.name}"
                for record, field in _empty_sets(argument, graphs, always=True)
            ]
    return tuple(texts)


# ---------------------------------------------------------------------- pieces


def _is_like(piece: graph.PieceAt, graphs: Graphs) -> bool:
    """Return whether a counter is similar to a piece: equal side, traits and words, numbers within the columns."""
    chart = [counter for each in graphs for counter in each.counters.values() if counter.kind == piece.kind]
    if not chart:
        return True
    if piece.counter and not piece.printed and not piece.traits:
        return any(each.id == piece.counter and each.owner in {"", piece.owner} for each in chart)
    counters = [each.counters[piece.counter] for each in graphs if piece.counter in each.counters][:1]
    printed = {**(dict(counters[0].printed) if counters else {}), **dict(piece.printed)}
    traits = {*piece.traits, *(counters[0].traits if counters else ())}
    ranges = _ranges(chart)
    is_within_ranges = all(_is_within_range(ranges[name], value) for name, value in printed.items() if name in ranges)
    return is_within_ranges and any(
        each.owner in {"", piece.owner}
        and traits == {*each.traits}
        and printed.keys() == dict(each.printed).keys()
        and _words(printed) == _words(dict(each.printed))
        for each in chart
    )


def _words(printed: PrintedExpressions) -> PrintedExpressions:
    """Return the printed values except numbers."""
    return {name: value for name, value in printed.items() if not isinstance(value, graph.Num)}


def _ranges(chart: list[graph.Counter]) -> dict[str, list[graph.Num]]:
    """Return the numbers of each column."""
    found: dict[str, list[graph.Num]] = {}
    for counter in chart:
        for name, value in counter.printed:
            if isinstance(value, graph.Num):
                found.setdefault(name, []).append(value)
    return found


def _is_within_range(column: list[graph.Num], value: graph.Expr) -> bool:
    numbers = [each.value for each in column]
    return not isinstance(value, graph.Num) or min(numbers) <= value.value <= max(numbers)


def _similar_pieces(piece: graph.PieceAt, graphs: Graphs, materials: DomainPool) -> Iterator[graph.PieceAt]:
    """Return counters in place of a piece, the most similar first; then these with the numbers of the piece."""
    chart = [
        each
        for each in materials.stack.counters.values()
        if each.kind == piece.kind and each.owner in {"", piece.owner}
    ]
    numbers = {name: value for name, value in piece.printed if isinstance(value, graph.Num)}
    for counter in sorted(chart, key=lambda each: (_difference_counts(piece, each), each.id))[:MOST_TRIED_COUNTERS]:
        printed = dict(counter.printed)
        plain_piece = replace(piece, printed=(), traits=())
        if all(counter.id in each.counters for each in graphs):
            yield replace(plain_piece, counter=counter.id)
        else:
            yield replace(plain_piece, counter="", printed=counter.printed, traits=counter.traits)
        varied = {name: value for name, value in numbers.items() if name in printed and value != printed[name]}
        if varied:
            yield replace(plain_piece, counter="", printed=tuple({**printed, **varied}.items()), traits=counter.traits)


def _difference_counts(piece: graph.PieceAt, counter: graph.Counter) -> tuple[int, int]:
    """Return the numbers of traits and words, and of numbers, in which a counter differs from a piece."""
    printed = dict(counter.printed)
    other = [value for name, value in piece.printed if printed.get(name) != value]
    words = sum(not isinstance(value, graph.Num) for value in other)
    return len({*piece.traits} ^ {*counter.traits}) + 2 * words, len(other) - words


# ---------------------------------------------------------------------- records


def _empty_sets(argument: graph.New, graphs: Graphs, *, always: bool) -> list[tuple[graph.Record, graph.Parameter]]:
    """Return the empty sets of a record that get members at its creation: at some places or, if `always`, at all.

    Records are created by procedures, and by questions that these query.
    """
    argument_fields = dict(argument.fields)
    record = next(
        each.vocabulary.records[argument.record] for each in graphs if argument.record in each.vocabulary.records
    )
    created_fields = [
        dict(node.fields)
        for each in graphs
        for node in walk((each.procedures, each.rules))
        if isinstance(node, graph.New) and node.record == argument.record
    ]
    created_fields = [each for each in created_fields if _agree(argument_fields, each)] or created_fields
    enough = all if always else any
    return [
        (record, field)
        for field in record.fields
        if argument_fields.get(field.name) == EMPTY_SET
        and created_fields
        and enough(each.get(field.name, EMPTY_SET) != EMPTY_SET for each in created_fields)
    ]


def _agree(argument_fields: PrintedExpressions, created_fields: PrintedExpressions) -> bool:
    """Return whether a procedure may create a record like this: the constants it writes are equal, no field is missing.

    Computed fields may have any value, including an empty set.
    """
    plain = (graph.Member, graph.Truth, graph.Num)
    written = all(
        value == argument_fields.get(name) for name, value in created_fields.items() if isinstance(value, plain)
    )
    return written and argument_fields.keys() == created_fields.keys()


def _members(
    candidate: Candidate, new: graph.New, field: graph.Parameter, materials: DomainPool
) -> Iterator[Candidate]:
    """Return members for a set of pieces of a record: existing pieces, then new ones.

    They have the side and the place that members have in examples.
    """
    match field.type:
        case graph.Many(_, graph.Piece(kinds)):
            pass
        case _:
            return
    seen = list(_member_properties(new, field.name, materials))
    sides = _member_sides(new, {has_side for has_side, _ in seen}, materials)
    member_names = {
        part.name
        for _, value in new.fields
        if isinstance(value, graph.SetOf)
        for part in value.elements
        if isinstance(part, graph.Spot)
    }
    pieces = [each for each in candidate.position.pieces if not kinds or each.kind in kinds]
    yield from (
        _with_set_member(candidate, new, field, each.name)
        for each in pieces
        if each.name not in member_names and each.owner in sides
    )
    kind = (kinds or tuple(materials.words.kinds))[0]
    wider, hexes = _with_members(candidate, new, {is_in_hex for _, is_in_hex in seen}, materials)
    chart = [each for each in materials.counters.get(kind, ()) if not each.owner or each.owner in sides]
    for number in range(MOST_SET_MEMBERS):
        fresh = materials.make_piece(wider, kind, kind, hexes[number % len(hexes)])
        if chart:
            fresh = materials.with_counter(replace(fresh, owner=""), chart[number * STRIDE % len(chart)])
        owner = fresh.owner if fresh.owner in sides else next(iter(sides), fresh.owner)
        yield _with_set_member(with_piece(wider, replace(fresh, owner=owner)), new, field, fresh.name)


def _field_of_type(new: graph.New, materials: DomainPool, type_: graph.Type) -> str:
    """Return the first field of a record of a type, "" if there is none."""
    return next((each.name for each in materials.words.records[new.record].fields if each.type == type_), "")


def _member_properties(new: graph.New, field: str, materials: DomainPool) -> Iterator[tuple[bool, bool]]:
    """Return for each member in examples: whether it has the side of the record, and is in the hex of the record."""
    side, place = _field_of_type(new, materials, SIDE), _field_of_type(new, materials, graph.Hex())
    for example in materials.stack.examples:
        pieces = {piece.name: piece for piece in example.position.pieces}
        records = (node for node in walk(example.lines) if isinstance(node, graph.New) and node.record == new.record)
        for fields in (dict(node.fields) for node in records):
            side_value, hex_value, members = fields.get(side), fields.get(place), fields.get(field, EMPTY_SET)
            for each in members.elements if isinstance(members, graph.SetOf) else ():
                if isinstance(each, graph.Spot) and each.name in pieces:
                    piece = pieces[each.name]
                    yield side_value == graph.Member("side", piece.owner), hex_value == graph.Spot("hex", piece.at)


def _member_sides(new: graph.New, side_matches: set[bool], materials: DomainPool) -> tuple[str, ...]:
    """Return the sides that members may have; `side_matches`: whether those of examples have the side of the record."""
    side = dict(new.fields).get(_field_of_type(new, materials, SIDE))
    if not isinstance(side, graph.Member):
        return materials.sides or ("",)
    return tuple(
        each for each in (side.name, *materials.sides) if not side_matches or (each == side.name) in side_matches
    )


def _with_members(
    candidate: Candidate, new: graph.New, hex_matches: set[bool], materials: DomainPool
) -> tuple[Candidate, tuple[str, ...]]:
    """Return the hexes where members may be, on a wider board if necessary.

    `hex_matches`: whether in the record's own hex.
    """
    hexes = candidate.position.board.hexes
    record_hex = dict(new.fields).get(_field_of_type(new, materials, graph.Hex()))
    if not isinstance(record_hex, graph.Spot) or len(hex_matches) != 1:
        return candidate, tuple(hexes)
    if True in hex_matches:
        return candidate, (record_hex.name,)
    names = {*hexes, *(piece.name for piece in candidate.position.pieces)}
    if len(hexes) == 1:
        free = next(each for each in materials.hex_names(len(names) + 1) if each not in names)
        candidate = with_hexes(candidate, [free])
    return candidate, tuple(each for each in candidate.position.board.hexes if each != record_hex.name)


def _with_acting_sides(candidate: Candidate, new: graph.New, materials: DomainPool) -> Iterator[Candidate]:
    """Replace the side of a record by sides that have counters, if it has none."""
    named = _field_of_type(new, materials, SIDE)
    side = dict(new.fields).get(named)
    owners = {counter.owner for counter in materials.stack.counters.values()} - {""}
    if isinstance(side, graph.Member) and owners and side.name not in owners:
        yield from (_with_field(candidate, new, named, graph.Member("side", each)) for each in sorted(owners))


def _with_set_member(candidate: Candidate, new: graph.New, field: graph.Parameter, member: str) -> Candidate:
    """Add a piece to a set of a record that is an argument."""
    return _with_field(candidate, new, field.name, graph.SetOf((graph.Spot("piece", member),)))


def _with_field(candidate: Candidate, new: graph.New, field: str, value: graph.Expr) -> Candidate:
    """Replace a field of a record that is an argument."""
    fields = tuple((name, value if name == field else old) for name, old in new.fields)
    return with_argument(candidate, candidate.arguments.index(new), replace(new, fields=fields))
