"""Convert a position to one that can be set up: pieces that are counters, records as procedures create them.

The input is a witness, a test that it passes, and the graphs of the stacks; the output is a candidate that passes too,
in which each piece is a counter of a chart or similar to one, and records have members where procedures add some; or,
if none passes, the unchanged candidate. Parts that cannot be set up are reported (`remarks`), which is better than no
witness.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from runtime.graph import nodes as graph
from runtime.graph.walk import walk
from runtime.witness.candidate import Candidate, with_argument, with_hexes, with_piece, with_piece_as
from runtime.witness.domain_pool import DomainPool

# The number of counters that are tried for a piece, and of pieces for an empty set.
MOST_COUNTERS = 40
MOST_MEMBERS = 8
# Neighbors in a chart are similar: this many are skipped.
STRIDE = 7

NONE = graph.SetOf(())
SIDE = graph.Enum("side")

Test = Callable[[Candidate], bool]
Graphs = Sequence[graph.Graph]
Printed = dict[str, graph.Expr]


def possible_position(candidate: Candidate, holds: Test, materials: DomainPool, graphs: Graphs) -> Candidate:
    """Replace pieces by counters and add members to records, wherever the test still passes."""
    for place in range(len(candidate.arguments)):
        candidate = _played(candidate, place, holds, materials, graphs)
    for piece in candidate.position.pieces:
        if not _is_like(piece, graphs):
            before = candidate
            candidates = (with_piece_as(before, each) for each in _likes(piece, graphs, materials))
            candidate = next(filter(holds, candidates), candidate)
    return candidate


def _played(candidate: Candidate, place: int, holds: Test, materials: DomainPool, graphs: Graphs) -> Candidate:
    """Convert a record that is an argument to one that procedures create."""
    argument = candidate.arguments[place]
    if not isinstance(argument, graph.New) or argument.record not in materials.words.records:
        return candidate
    candidate = next(filter(holds, _acting(candidate, argument, materials)), candidate)
    for _, field in _empty(argument, graphs, always=False):
        now = candidate.arguments[place]
        assert isinstance(now, graph.New)
        candidate = next(filter(holds, _members(candidate, now, field, materials)), candidate)
    return candidate


def impossible_parts(candidate: Candidate, graphs: Graphs) -> tuple[str, ...]:
    """Return the parts of a candidate that cannot be set up, as text."""
    strange = [piece.name for piece in candidate.position.pieces if not _is_like(piece, graphs)]
    said = [f"no counter of the chart is like {name}" for name in strange]
    for argument in candidate.arguments:
        if isinstance(argument, graph.New):
            said += [
                f"in play no {record.name} has empty {field.name}"
                for record, field in _empty(argument, graphs, always=True)
            ]
    return tuple(said)


# ---------------------------------------------------------------------- pieces


def _charts(graphs: Graphs, kind: str) -> list[graph.Counter]:
    """Return the counters of a kind, as each stack prints them."""
    return [counter for each in graphs for counter in each.counters.values() if counter.kind == kind]


def _is_like(piece: graph.PieceAt, graphs: Graphs) -> bool:
    """Return whether a counter is similar to a piece: equal side, traits and words, numbers within the columns."""
    chart = _charts(graphs, piece.kind)
    if not chart:
        return True
    if piece.counter and not piece.printed and not piece.traits:
        return any(each.id == piece.counter and each.owner in {"", piece.owner} for each in chart)
    own = [each.counters[piece.counter] for each in graphs if piece.counter in each.counters][:1]
    printed = {**(dict(own[0].printed) if own else {}), **dict(piece.printed)}
    traits = {*piece.traits, *(own[0].traits if own else ())}
    ranges = _ranges(chart)
    inside = all(_within(ranges[name], value) for name, value in printed.items() if name in ranges)
    return inside and any(
        each.owner in {"", piece.owner}
        and traits == {*each.traits}
        and printed.keys() == dict(each.printed).keys()
        and _words(printed) == _words(dict(each.printed))
        for each in chart
    )


def _words(printed: Printed) -> Printed:
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


def _within(column: list[graph.Num], value: graph.Expr) -> bool:
    numbers = [each.value for each in column]
    return not isinstance(value, graph.Num) or min(numbers) <= value.value <= max(numbers)


def _likes(piece: graph.PieceAt, graphs: Graphs, materials: DomainPool) -> Iterator[graph.PieceAt]:
    """Return counters in place of a piece, the most similar first; then these with the numbers of the piece."""
    chart = [each for each in materials.stack.counters.values()
             if each.kind == piece.kind and each.owner in {"", piece.owner}]  # fmt: skip
    numbers = {name: value for name, value in piece.printed if isinstance(value, graph.Num)}
    for counter in sorted(chart, key=lambda each: (_unlike(piece, each), each.id))[:MOST_COUNTERS]:
        printed = dict(counter.printed)
        bare = replace(piece, printed=(), traits=())
        if all(counter.id in each.counters for each in graphs):
            yield replace(bare, counter=counter.id)
        else:
            yield replace(bare, counter="", printed=counter.printed, traits=counter.traits)
        varied = {name: value for name, value in numbers.items() if name in printed and value != printed[name]}
        if varied:
            yield replace(bare, counter="", printed=tuple({**printed, **varied}.items()), traits=counter.traits)


def _unlike(piece: graph.PieceAt, counter: graph.Counter) -> tuple[int, int]:
    """Return the numbers of traits and words, and of numbers, in which a counter differs from a piece."""
    printed = dict(counter.printed)
    other = [value for name, value in piece.printed if printed.get(name) != value]
    words = sum(not isinstance(value, graph.Num) for value in other)
    return len({*piece.traits} ^ {*counter.traits}) + 2 * words, len(other) - words


# ---------------------------------------------------------------------- records


def _empty(argument: graph.New, graphs: Graphs, *, always: bool) -> list[tuple[graph.Record, graph.Parameter]]:
    """Return the empty sets of a record that get members at its creation: at some places or, if `always`, at all.

    Records are created by procedures, and by questions that these query.
    """
    given = dict(argument.fields)
    record = next(each.vocabulary.records[argument.record] for each in graphs
                  if argument.record in each.vocabulary.records)  # fmt: skip
    made = [dict(node.fields) for each in graphs for node in walk((each.procedures, each.rules))
            if isinstance(node, graph.New) and node.record == argument.record]  # fmt: skip
    made = [each for each in made if _agree(given, each)] or made
    enough = all if always else any
    return [
        (record, field) for field in record.fields
        if given.get(field.name) == NONE and made and enough(each.get(field.name, NONE) != NONE for each in made)
    ]  # fmt: skip


def _agree(given: Printed, made: Printed) -> bool:
    """Return whether a procedure may create a record like this: the constants it writes are equal, no field is missing.

    Computed fields may have any value, including an empty set.
    """
    plain = (graph.Member, graph.Truth, graph.Num)
    written = all(value == given.get(name) for name, value in made.items() if isinstance(value, plain))
    return written and given.keys() == made.keys()


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
    seen = list(_seen(new, field.name, materials))
    sides = _of_the_sides(new, {own for own, _ in seen}, materials)
    taken = {part.name for _, value in new.fields if isinstance(value, graph.SetOf)
             for part in value.elements if isinstance(part, graph.Spot)}  # fmt: skip
    fits = [each for each in candidate.position.pieces if not kinds or each.kind in kinds]
    yield from (
        _filled(candidate, new, field, each.name) for each in fits if each.name not in taken and each.owner in sides
    )
    kind = (kinds or tuple(materials.words.kinds))[0]
    wider, hexes = _with_members(candidate, new, {there for _, there in seen}, materials)
    chart = [each for each in materials.counters.get(kind, ()) if not each.owner or each.owner in sides]
    for number in range(MOST_MEMBERS):
        fresh = materials.make_piece(wider, kind, kind, hexes[number % len(hexes)])
        if chart:
            fresh = materials.as_counter(replace(fresh, owner=""), chart[number * STRIDE % len(chart)])
        owner = fresh.owner if fresh.owner in sides else next(iter(sides), fresh.owner)
        yield _filled(with_piece(wider, replace(fresh, owner=owner)), new, field, fresh.name)


def _named(new: graph.New, materials: DomainPool, of: graph.Type) -> str:
    """Return the first field of a record of a type, "" if there is none."""
    return next((each.name for each in materials.words.records[new.record].fields if each.type == of), "")


def _seen(new: graph.New, field: str, materials: DomainPool) -> Iterator[tuple[bool, bool]]:
    """Return for each member in examples: whether it has the side of the record, and is in the hex of the record."""
    side, place = _named(new, materials, SIDE), _named(new, materials, graph.Hex())
    for example in materials.stack.examples:
        pieces = {piece.name: piece for piece in example.position.pieces}
        made = (node for node in walk(example.lines) if isinstance(node, graph.New) and node.record == new.record)
        for given in (dict(node.fields) for node in made):
            of, at, members = given.get(side), given.get(place), given.get(field, NONE)
            for each in members.elements if isinstance(members, graph.SetOf) else ():
                if isinstance(each, graph.Spot) and each.name in pieces:
                    piece = pieces[each.name]
                    yield of == graph.Member("side", piece.owner), at == graph.Spot("hex", piece.at)


def _of_the_sides(new: graph.New, own: set[bool], materials: DomainPool) -> tuple[str, ...]:
    """Return the sides that members may have; `own`: whether those of examples have the side of the record."""
    side = dict(new.fields).get(_named(new, materials, SIDE))
    if not isinstance(side, graph.Member):
        return materials.sides or ("",)
    known = [each for each in materials.sides if each in _owners(materials.stack)] or materials.sides
    return tuple(each for each in (side.name, *known) if not own or (each == side.name) in own)


def _with_members(
    candidate: Candidate, new: graph.New, there: set[bool], materials: DomainPool
) -> tuple[Candidate, tuple[str, ...]]:
    """Return the hexes where members may be, on a wider board if necessary.

    `there`: whether in the record's own hex.
    """
    hexes = candidate.position.board.hexes
    own = dict(new.fields).get(_named(new, materials, graph.Hex()))
    if not isinstance(own, graph.Spot) or len(there) != 1:
        return candidate, tuple(hexes)
    if True in there:
        return candidate, (own.name,)
    taken = {*hexes, *(piece.name for piece in candidate.position.pieces)}
    if len(hexes) == 1:
        free = next(each for each in materials.hex_names(len(taken) + 1) if each not in taken)
        candidate = with_hexes(candidate, [free])
    return candidate, tuple(each for each in candidate.position.board.hexes if each != own.name)


def _owners(rules: graph.Graph) -> set[str]:
    """Return the sides that have counters."""
    return {counter.owner for counter in rules.counters.values()} - {""}


def _acting(candidate: Candidate, new: graph.New, materials: DomainPool) -> Iterator[Candidate]:
    """Replace the side of a record by sides that have counters, if it has none."""
    named = _named(new, materials, SIDE)
    side, owners = dict(new.fields).get(named), _owners(materials.stack)
    if isinstance(side, graph.Member) and owners and side.name not in owners:
        yield from (_with_field(candidate, new, named, graph.Member("side", each)) for each in sorted(owners))


def _filled(candidate: Candidate, new: graph.New, field: graph.Parameter, member: str) -> Candidate:
    """Add a piece to a set of a record that is an argument."""
    return _with_field(candidate, new, field.name, graph.SetOf((graph.Spot("piece", member),)))


def _with_field(candidate: Candidate, new: graph.New, field: str, value: graph.Expr) -> Candidate:
    """Replace a field of a record that is an argument."""
    fields = tuple((name, value if name == field else old) for name, old in new.fields)
    return with_argument(candidate, candidate.arguments.index(new), replace(new, fields=fields))
