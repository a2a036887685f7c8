"""Pairs that remain when one of their pieces is removed: nothing ends them, and the removal does not check for them.

Only a whole game is examined, and each end of a relation separately. An end is not reported if `ends when` tests
whether it is gone, if a rule or a step tests that (the pair is meant to be handled later), or if every procedure that
removes such pieces reads the relation or ends pairs of it: itself, in what it calls or in a hook on what it announces,
or in what each of its callers calls and announces.
"""

from collections.abc import Iterator, Mapping, Sequence, Set

from compiler.analysis.checks import check_of_stack
from compiler.analysis.parties import Party, declaration_labels, party_label, procedure_party
from compiler.analysis.readers_and_setters import is_whole_game
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence
from runtime.graph import nodes as graph
from runtime.graph.call_graph import procedures_called, procedures_reached
from runtime.graph.effects import effects_in, effects_of
from runtime.graph.effects.primitives import RelatePieces, RemovePiece
from runtime.graph.steps import nested_steps
from runtime.graph.walk import nodes_of, walk


@finding("R0585", "pair-outlives", WARNING)
class PairOutlives(Finding):
    """Pairs of the relation `name` remain when the piece at the end `role` is removed, as `removers` do."""

    name: str
    role: str
    declared: graph.Origin | None
    removers: tuple[Party, ...]

    def sentence(self) -> Sentence:
        return Sentence(
            f"a pair of `{self.name}` remains after its {self.role} is removed",
            (
                *declaration_labels(self.declared),
                *(party_label(party, "removed here") for party in self.removers[:4]),
            ),
            f"write `ends when {self.role} is gone` in the relation, or end the pair where the piece is removed",
            root=f"relation {self.name}",
        )


@check_of_stack
def pair_outlives(stack: graph.Graph) -> Iterator[PairOutlives]:
    """Find relations whose pairs may remain."""
    relations = stack.vocabulary.relations
    if not is_whole_game(stack) or not relations:
        return
    nodes_by_key = {key: list(walk(each)) for key, each in stack.procedures.items()}
    looking = _RelationReaders(stack, nodes_by_key)
    all_nodes = [*(node for nodes in nodes_by_key.values() for node in nodes), *walk((stack.rules, stack.terms))]
    after = {_partner(node.subject) for node in all_nodes if isinstance(node, graph.Is) and _is_gone(node.tests)}
    paired = {effect.relation for effect in effects_in(stack.procedures, RelatePieces) if effect.on}
    for name, relation in relations.items():
        for role, kinds in _loose_ends(name, relation, after) if name in paired else ():
            removers = tuple(
                procedure_party(procedure)
                for key, procedure in stack.procedures.items()
                if _removes(procedure, kinds, stack) and not looking.reads_relation(name, key)
            )
            if removers:
                yield PairOutlives(name, role, stack.vocabulary.origins.get(f"relation {name}"), removers)


def _loose_ends(
    name: str, relation: graph.Relation, after: Set[tuple[str, str]]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the ends of a relation that are pieces, with their kinds, if nothing tests whether the piece is gone.

    `after` are the ends, by relation, that a rule or a step tests.
    """
    for end, role in (("left", relation.left), ("right", relation.right)):
        if isinstance(role.type, graph.Piece) and not _ended(relation, role.name) and (name, end) not in after:
            yield role.name, role.type.kinds


class _RelationReaders:
    """Which procedures read a relation, directly or through what they reach."""

    def __init__(self, stack: graph.Graph, nodes_by_key: Mapping[str, Sequence[object]]) -> None:
        self.stack, self.nodes_by_key = stack, nodes_by_key
        self.reached = {key: procedures_reached(stack, [key]) for key in stack.procedures}
        self.callers: dict[str, list[str]] = {}
        for key, procedure in stack.procedures.items():
            # A sequence of play reaches everything: that it reads the relation is irrelevant for a single removal.
            for each in dict.fromkeys(procedures_called(stack, procedure.body)) if procedure.what != "sequence" else ():
                self.callers.setdefault(each, []).append(key)

    def reads_relation(self, relation: str, key: str) -> bool:
        """Return whether a procedure, or each of its callers, reads a relation."""
        if self._reaches(relation, key):
            return True
        callers = self.callers.get(key, [])
        sequences = (each for each in self.stack.procedures.values() if each.what == "sequence")
        is_outside_sequences = not any(key in procedures_called(self.stack, each.body) for each in sequences)
        return bool(callers) and is_outside_sequences and all(self._reaches(relation, each) for each in callers)

    def _reaches(self, relation: str, key: str) -> bool:
        return any(_looks(node, relation) for each in self.reached[key] for node in self.nodes_by_key[each])


def _is_gone(tests: object) -> bool:
    return any(node.what == "gone" for node in nodes_of(graph.Test, tests))


def _ended(relation: graph.Relation, role: str) -> bool:
    """Return whether `ends when` tests whether a piece is gone."""
    return any(node.subject == graph.Var(role) and _is_gone(node.tests) for node in nodes_of(graph.Is, relation.ends))


def _partner(subject: object) -> tuple[str, str]:
    match subject:
        case graph.Get(_, "partner" | "partners", relation, end):
            return relation, end
        case _:
            return "", ""


def _looks(node: object, relation: str) -> bool:
    match node:
        case graph.Get(_, _, owner) | graph.Has(_, _, owner):
            return owner == relation
        case _:
            ended = (each.relation for each in effects_of(node) if isinstance(each, RelatePieces) and not each.on)
            return relation in ended


def _removes(procedure: graph.Procedure, kinds: tuple[str, ...], stack: graph.Graph) -> bool:
    """Return whether a procedure may remove a piece of one of these kinds for good, by the types of its names."""
    bound = graph.parameter_types(procedure.parameters)
    sources: dict[str, graph.Expr] = {}
    for step in nested_steps(procedure.body):
        match step:
            case graph.Choose(name=name, source=source) | graph.Loop(name=name, source=source):
                sources[name] = source
            case _:
                for name in _removed_names(step):
                    found = _kinds(bound.get(name), sources.get(name), stack)
                    if found is not None and (not found or not kinds or found & set(kinds)):
                        return True
    return False


def _removed_names(step: graph.Step) -> Iterator[str]:
    """Yield the names of the pieces that a step removes for good."""
    for effect in effects_of(step):
        match effect:
            case RemovePiece(for_good=True, piece=graph.Var(name)):
                yield name
            case _:
                pass


def _kinds(of_type: object, source: graph.Expr | None, stack: graph.Graph) -> set[str] | None:
    """Return the kinds of piece that a name may denote, empty for any kind; None where that is unknown."""
    if isinstance(of_type, graph.Piece):
        return set(of_type.kinds)
    for node in walk(source) if source is not None else ():
        match node:
            case graph.Pieces(kinds) | graph.All(graph.Piece(kinds)):
                return set(kinds)
            case graph.Get(_, "partners", relation, end):
                role = getattr(stack.vocabulary.relations[relation], end)
                return set(role.type.kinds) if isinstance(role.type, graph.Piece) else None
            case _:
                pass
    return None
