"""Pairs of pieces at the start of a situation: `relations: {rides: [{mount: coach, riders: [imp, imp]}]}` of a force.

In: the entries of a card, and the pieces of the force. Out: pairs of names of pieces. A counter denotes the next piece
of that counter which no earlier pair of the relation has. Reports unknown relations, ends and pieces, too few pieces,
and pieces of a kind that the relation does not have.
"""

from collections.abc import Iterable, Iterator

from compiler.source import nodes as source
from compiler.typed.environment import Environment
from compiler.typed.findings.mismatches import BadCell, MissingField
from compiler.typed.unknown_names import check_known
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass

Pair = tuple[str, str, str]


def type_pairs(
    env: Environment, entries: Iterable[source.NamedEntry], pieces: tuple[tuple[str, str], ...]
) -> tuple[Pair, ...]:
    """Return the pairs of a force with these pieces, each a counter and a name."""
    pool = _UnrelatedPieces(env, pieces, set())
    return tuple(pair for entry in entries for pair in _of_entry(env, entry, pool))


@frozen_dataclass
class _UnrelatedPieces:
    """The pieces of a force, and those that a relation has already."""

    env: Environment
    pieces: tuple[tuple[str, str], ...]
    paired_pieces: set[tuple[str, str]]

    def take(self, relation: str, end: graph.Parameter, word: source.Scalar) -> str | None:
        """Return the named piece, or the next of that counter; None after a problem."""
        matches = [(counter, name) for counter, name in self.pieces if word.text in (counter, name)]
        free = [(counter, name) for counter, name in matches if (relation, name) not in self.paired_pieces]
        if not matches:
            self.env.report_unknown("piece of this force", word, (word for piece in self.pieces for word in piece))
        elif not free:
            every = {1: "the only", 2: "both"}.get(len(matches), f"all {len(matches)}")
            message = f"{every} `{word.text}` of this force {'is' if len(matches) == 1 else 'are'} already in a pair"
            self.env.report_invalid(word.span, message, "delete this pair, or add one more to the force")
        elif isinstance(end.type, graph.Piece) and (kind := self.env.counters[free[0][0]][0]) not in end.type.kinds:
            self.env.problems.append(BadCell(word.span, end.name, " or ".join(end.type.kinds), kind))
        else:
            self.paired_pieces.add((relation, free[0][1]))
            return free[0][1]
        return None


def _of_entry(env: Environment, entry: source.NamedEntry, pool: _UnrelatedPieces) -> Iterator[Pair]:
    """Yield the pairs of one entry; where one end has several pieces, the other has one."""
    relation = env.relations.get(entry.name.text)
    if relation is None:
        env.report_unknown("relation", entry.name, env.relations)
        return
    if relation.payload is not None:
        message = f"a situation cannot have pairs of `{relation.name}`, which keeps a `{relation.payload.name}`"
        env.report_invalid(entry.name.span, message, "delete the pair, and set it in play")
        return
    ends = (relation.left, relation.right)
    names = [end.name for end in ends]
    values = {word.text: value for word, value in entry.fields}
    for word, _ in entry.fields:
        check_known(env, f"end of {relation.name}", word, names)
    missing = tuple(name for name in names if name not in values)
    if missing:
        env.problems.append(MissingField(entry.name.span, relation.name, missing))
        return
    left_words, right_words = ([*_scalars(values[name])] for name in names)
    if min(len(left_words), len(right_words)) != 1:
        message = f"this line of `{relation.name}` has several pieces at both ends"
        help_text = "write a separate line for each piece of one end"
        env.report_invalid(entry.span, message, help_text)
        return
    lefts = [pool.take(relation.name, relation.left, word) for word in left_words]
    rights = [pool.take(relation.name, relation.right, word) for word in right_words]
    for left in filter(None, lefts):
        for right in filter(None, rights):
            yield relation.name, left, right


def _scalars(value: source.Value) -> Iterator[source.Scalar]:
    """List the scalars of a value: itself, or those of a list."""
    match value:
        case source.Scalar():
            yield value
        case source.ValueList(items=items):
            for item in items:
                yield from _scalars(item)
        case source.ValueMap():
            pass


def check_placements(env: Environment, forces: Iterable[source.Force]) -> None:
    """Report unknown places, and names that two placed pieces have."""
    places = {flag.name for flag in env.flags.values() if flag.what == "place"}
    names: set[str] = set()
    placed = [piece for force in forces for piece in force.placed]
    for piece in placed:
        if piece.place is not None:
            check_known(env, "place", piece.place, places)
        if piece.name is None:
            continue
        if piece.name.text in names:
            message = f"two pieces of this situation are named `{piece.name.text}`"
            env.report_invalid(piece.name.span, message, "rename one of them")
        names.add(piece.name.text)
