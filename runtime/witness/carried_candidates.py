"""Convert a candidate for one term to candidates for another: a term that queries a differing one may differ, too."""

from collections.abc import Iterator, Sequence

from runtime.graph import nodes as graph
from runtime.witness.candidate import Candidate, with_hexes, with_piece
from runtime.witness.domain_pool import DomainPool
from runtime.witness.guided_search import SearchResult
from runtime.witness.pseudorandom import PseudoRandom

# The least number of hexes to choose from.
NEIGHBORS = 3


def candidates_for_term(
    stack: graph.Graph, name: str, find: SearchResult, materials: DomainPool, fillers: Sequence[str]
) -> Iterator[Candidate]:
    """Return candidates for the term `name`: arguments by name, else by type, once for each possible parameter.

    `fillers` are names for hexes that are missing.
    """
    source_parameters, parameters = stack.terms[find.term].parameters, stack.terms[name].parameters
    values_by_parameter = {
        (each.name, each.type): value for each, value in zip(source_parameters, find.candidate.arguments, strict=True)
    }
    values_by_type = {each.type: value for each, value in zip(source_parameters, find.candidate.arguments, strict=True)}
    same = {
        index: values_by_parameter[each.name, each.type]
        for index, each in enumerate(parameters)
        if (each.name, each.type) in values_by_parameter
    }
    open_ = [index for index, each in enumerate(parameters) if index not in same and each.type in values_by_type]
    assignments = [{**same, index: values_by_type[parameters[index].type]} for index in open_] or [same]
    if len(open_) > 1:
        assignments.append({**same, **{index: values_by_type[parameters[index].type] for index in open_}})
    materials = materials.with_stream(PseudoRandom(f"{name} {find.term}"))
    for assignment in assignments:
        candidate = _fill_parameters(parameters, assignment, find.candidate, materials, fillers)
        if candidate is not None:
            yield candidate


def _fill_parameters(
    parameters: Sequence[graph.Parameter],
    assignment: dict[int, graph.Expr],
    candidate: Candidate,
    materials: DomainPool,
    fillers: Sequence[str],
) -> Candidate | None:
    """Choose values for the parameters without one; pieces are added where there are none."""
    wide = candidate
    if len(candidate.position.board.hexes) < NEIGHBORS:
        free = {piece.name for piece in candidate.position.pieces}
        wide = with_hexes(candidate, [each for each in fillers[: 2 * NEIGHBORS] if each not in free][:NEIGHBORS])
    values = []
    for index, each in enumerate(parameters):
        value = assignment[index] if index in assignment else materials.make_value(each.type, wide)
        if value is None and isinstance(each.type, graph.Piece):
            hexes = tuple(wide.position.board.hexes)
            piece = materials.make_piece(wide, materials.kind_of(each.type), each.name, materials.chance.pick(hexes))
            wide, value = with_piece(wide, piece), graph.Spot("piece", piece.name)
        if value is None:
            return None
        values.append(value)
    return Candidate(wide.position, tuple(values))
