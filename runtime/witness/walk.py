"""Search for a candidate that meets an objective, from a bare one, by repairing one failing condition after the other.

The input is an objective, which proposes changes to candidates; the output is the first candidate that meets it within
the budget, or None. This is a focused random walk, as in WalkSAT (Selman, Kautz and Cohen, Noise Strategies for
Improving Local Search, 1994): each step repairs a condition that fails, drawn at random, and is accepted in any case;
after some steps the walk starts again. All choices are drawn from one stream, so that the same objective yields the
same candidate. A fitness that only accepts what comes nearer was measured, and is not worth its code:
docs/architecture.md.

A repair traces an expression down to what a position states. Not every expression permits this: the hexes that a search
over the map reaches, or the pieces in a zone, correspond to nothing that could be printed or marked. Where no repair is
known one thing is changed at random: a word, a track, a pair, an argument, a piece, or its place. (Of 29 guarded rules
of an operational game, repairs alone made 21 live, and with random changes where no repair is known 28; of 101 rules of
four other games none was lost.)
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import cycle

from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.state.record import Value
from runtime.witness import candidate as changes
from runtime.witness.candidate import Candidate, empty_candidate, with_piece
from runtime.witness.extension import add_partner
from runtime.witness.pool import MOST_POOL_PIECES, DomainPool, PseudoRandom
from runtime.witness.repair import Repairer
from runtime.witness.set_up import NO_ANSWER, Instance, instance_of, satisfies_invariants
from runtime.witness.stored_values import track_of
from runtime.witness.translated_position import with_facts

# The number of hexes of a row, which is extended only where a distance requires it.
HEXES_OF_ROW = 4
# For rules that read the neighborhood of a hex, there are three rows of three, with arguments from the middle on: a hex
# with all its neighbors, and two that have another one in common.
SIDE_OF_GRID, INSIDE_OUT = 3, (4, 5, 2, 1, 3, 7, 8, 0, 6)

# The number of steps after which a walk starts again.
STEPS_OF_WALK = 120


@frozen_dataclass
class Objective:
    """The objective of a search for a term: a proposal, and a test of an instance."""

    name: str
    term: graph.Term
    propose: Callable[[Repairer, Instance], Candidate | None]
    is_met: Callable[[Instance], bool]


@frozen_dataclass
class SearchContext:
    """The context of a search, which callers with many searches of one graph pass in."""

    answers: Interpreter
    materials: DomainPool
    most_steps: int = STEPS_OF_WALK


def search_candidates(
    rules: graph.Graph,
    objective: Objective,
    budget: int,
    tools: SearchContext | None = None,
    seeds: Sequence[Candidate] = (),
) -> Instance | None:
    """Return a candidate that meets the objective, set up; None after `budget` candidates.

    Each walk starts from the next of the `seeds`; when all were tried, from a bare candidate, cyclically.
    """
    chance = PseudoRandom(f"{rules.stack} {objective.name}")
    tools = tools or SearchContext(Interpreter(rules), DomainPool(rules, chance))
    materials = tools.materials.with_stream(chance)
    current: Instance | None = None
    steps, is_sound = 0, False
    starts = cycle((*seeds, None))
    for _ in range(budget):
        if current is None or steps > tools.most_steps:
            current, steps = None, 0
            candidate = next(starts) or initial_candidate(materials, objective.term)
        else:
            candidate = propose_candidate(objective, current, materials, is_sound=is_sound)
        instance = None if candidate is None else instance_of(tools.answers, candidate)
        steps += 1
        if instance is None:
            continue
        is_sound = satisfies_invariants(instance)
        if is_sound and objective.is_met(instance):
            return instance
        current = instance
    return None


def initial_candidate(materials: DomainPool, term: graph.Term) -> Candidate | None:
    """Build a bare row with a piece for each piece parameter and some arguments; None if they cannot be built."""
    chance = materials.chance
    player = chance.pick_or_none(materials.sides) if "player" in materials.clock else None
    phase = chance.pick_or_none(materials.phases) if "phase" in materials.clock else None
    square = term.name in materials.map_readers and chance.one_in(2)
    names = materials.hex_names(SIDE_OF_GRID * SIDE_OF_GRID if square else HEXES_OF_ROW)
    candidate = empty_candidate(
        materials.stack.stack, player or "", phase or "", names, SIDE_OF_GRID if square else HEXES_OF_ROW
    )
    candidate = replace(candidate, position=with_facts(candidate.position, materials.facts))
    hexes = tuple(names[place] for place in INSIDE_OUT) if square else tuple(names)
    arguments: list[graph.Expr] = []
    # Hexes become arguments in their order, starting at some hex: most questions are about neighbors.
    hex_index = chance.number_below(2)
    for parameter in term.parameters:
        match parameter.type:
            case graph.Piece():
                kind = materials.kind_of(parameter.type)
                piece = materials.make_piece(candidate, kind, parameter.name, hexes[chance.number_below(2)])
                candidate = with_piece(candidate, piece)
                arguments.append(graph.Spot("piece", piece.name))
            case graph.Hex():
                arguments.append(graph.Spot("hex", hexes[min(hex_index, len(hexes) - 1)]))
                hex_index += 1
            case other:
                value = materials.make_value(other, candidate)
                if value is None and not isinstance(other, graph.Many):
                    return None
                arguments.append(graph.SetOf(()) if value is None else value)
    return Candidate(candidate.position, tuple(arguments))


def propose_candidate(
    objective: Objective, current: Instance, materials: DomainPool, *, is_sound: bool
) -> Candidate | None:
    """Propose a change to an instance: a repair, or a random change if none is known.

    `is_sound`: the position of the instance could stand on a table, so that no fact needs a repair.
    """
    types = tuple(parameter.type for parameter in objective.term.parameters)
    repairer = Repairer(current, materials, types)
    facts = () if is_sound else materials.stack.always
    broken = [fact.condition for fact in facts if current.value(fact.condition, {}) is not True]
    try:
        repaired = (
            repairer.propose_repair(materials.chance.pick(broken), {}, want=True)
            if broken
            else objective.propose(repairer, current)
        )
    except NO_ANSWER:
        repaired = None
    return repaired or random_change(repairer)


# Not every kind of change is possible: a map without hexes has no hexsides, an empty one no pieces.
TRIES = 8


def random_change(repairer: Repairer) -> Candidate | None:
    """Return a candidate that differs in one thing; None if no change was found."""
    for _ in range(TRIES):
        found = repairer.chance.pick(REPAIRS)(repairer)
        if found is not None and found != repairer.candidate:
            return found
    return None


def _argument(repairer: Repairer) -> Candidate | None:
    """Change an argument."""
    if not repairer.types:
        return None
    place = repairer.chance.number_below(len(repairer.types))
    value = repairer.materials.make_value(repairer.types[place], repairer.candidate)
    return None if value is None else changes.with_argument(repairer.candidate, place, value)


def _flag(repairer: Repairer) -> Candidate | None:
    """Print or mark a word on something that can have it; or remove it."""
    flag = repairer.chance.pick_or_none(tuple(repairer.stack.vocabulary.flags.values()))
    if flag is None:
        return None
    want = repairer.chance.one_in(2)
    if flag.what == "path":
        return repairer.repair_path(flag.name, _hex(repairer), want=want)
    subject = _subject(repairer, flag.owner)
    test = graph.Test(flag.what, flag.owner, flag.name)
    return None if subject is None else repairer.set_flag(subject, test, want=want)


def _note(repairer: Repairer) -> Candidate | None:
    """Set a track."""
    track = repairer.chance.pick_or_none(tuple(repairer.stack.vocabulary.tracks.values()))
    value = None if track is None else repairer.materials.make_value(track.type, repairer.candidate)
    if track is None or value is None:
        return None
    subject: Value = repairer.chance.pick_or_none(repairer.materials.sides)
    if track.owner not in {"game", "scenario", "side"}:
        subject = _subject(repairer, track.owner)
    stored = None if subject is None else track_of(repairer, track, subject)
    return None if stored is None else stored.write(value)


def _clock(repairer: Repairer) -> Candidate | None:
    """Change the side on move, or the phase."""
    field, words = repairer.chance.pick((("player", repairer.materials.sides), ("phase", repairer.materials.phases)))
    word = repairer.chance.pick_or_none(words)
    return None if word is None else changes.with_clock(repairer.candidate, field, word)


def _pair(repairer: Repairer) -> Candidate | None:
    """Add the relation of two pieces, or remove it."""
    relation = repairer.chance.pick_or_none(tuple(repairer.stack.vocabulary.relations.values()))
    if relation is None:
        return None
    related = [pair for pair in repairer.candidate.position.pairs if pair[0] == relation.name]
    if related and repairer.chance.one_in(2):
        return changes.without_pair(repairer.candidate, *repairer.chance.pick(related)[:3])
    end = repairer.chance.pick(("left", "right"))
    end_type = (relation.left if end == "right" else relation.right).type
    subject = _subject(repairer, repairer.materials.kind_of(end_type))
    return add_partner(repairer, relation.name, end, subject) if isinstance(subject, int) else None


def _another_piece(repairer: Repairer) -> Candidate | None:
    """Add a piece."""
    kinds = tuple(repairer.materials.words.kinds)
    if not kinds or len(repairer.candidate.position.pieces) >= MOST_POOL_PIECES:
        return None
    kind = repairer.chance.pick(kinds)
    space = repairer.state.board.names[_hex(repairer)]
    return changes.with_piece(
        repairer.candidate, repairer.materials.make_piece(repairer.candidate, kind, "other", space)
    )


def _counter(repairer: Repairer) -> Candidate | None:
    """Replace a piece by another counter of its kind."""
    piece = _piece(repairer)
    counters = [] if piece is None else repairer.materials.counters.get(piece.kind, [])
    return None if piece is None else repairer.change_counter(piece, counters)


def _moved(repairer: Repairer) -> Candidate | None:
    """Move a piece."""
    piece = _piece(repairer)
    space = repairer.state.board.names[_hex(repairer)]
    return None if piece is None else changes.with_piece_as(repairer.candidate, replace(piece, at=space))


REPAIRS: tuple[Callable[[Repairer], Candidate | None], ...] = (
    _argument, _flag, _flag, _note, _clock, _pair, _another_piece, _counter, _moved,
)  # fmt: skip


def _hex(repairer: Repairer) -> int:
    return repairer.chance.number_below(len(repairer.state.board.names))


def _piece(repairer: Repairer, kind: str = "") -> graph.PieceAt | None:
    pieces = [piece for piece in repairer.candidate.position.pieces if kind in ("", piece.kind)]
    return repairer.chance.pick_or_none(pieces)


def _subject(repairer: Repairer, owner: str) -> Value:
    """Return a random subject of a word; None if there is none."""
    board = repairer.state.board
    match owner:
        case "hex":
            return _hex(repairer)
        case "hexside":
            place = _hex(repairer)
            return board.side(place, repairer.chance.pick(board.beside[place])) if board.beside[place] else None
        case kind:
            of_kind = [number for number, sheet in enumerate(repairer.state.sheets) if sheet.kind == kind]
            return repairer.chance.pick_or_none(of_kind)
