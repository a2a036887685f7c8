"""Which of the changes between two stacks a play, or an answer of an example, comes out differently for.

In: what both stacks asked on the way, in the order in which it was settled, and what came of it. Out: labels of
changes as `changed` has them, of notes as `track unit.spent`: those behind the first question that is answered
differently, those that spoke on what one stack alone asked, the pieces' counters, and the notes that part.
"""

from collections.abc import Iterable, Iterator

from runtime.graph import nodes as graph
from runtime.graph.walk import walk
from runtime.trial.divergence import TracedAnswers, rule_difference
from runtime.witness.label_changes import counter_label, term_label
from runtime.witness.outcome import StateSlot


def note_changes(a: graph.Graph, b: graph.Graph) -> frozenset[str]:
    """List what play keeps that both stacks have and that lasts, begins, holds or ends otherwise."""
    return frozenset(_notes(a, b))


def _notes(a: graph.Graph, b: graph.Graph) -> Iterator[str]:
    here, there = a.vocabulary, b.vocabulary
    for key, track in here.tracks.items():
        other = there.tracks.get(key)
        if other is not None and (track.type, track.initial, track.until) != (other.type, other.initial, other.until):
            yield f"track {key}"
    for key, flag in here.flags.items():
        if flag.what == "status" and key in there.flags and flag.until != there.flags[key].until:
            yield f"status {key}"
    for name, relation in here.relations.items():
        if name in there.relations and relation != there.relations[name]:
            yield f"relation {name}"


class Attribution:
    """Knows what differs between two stacks."""

    def __init__(
        self,
        graphs: tuple[graph.Graph, graph.Graph],
        changes: frozenset[str],
        following: frozenset[str] = frozenset(),
    ) -> None:
        """Begin with the labels of all changes that answers rest on; those `following` only read another stage."""
        self.graphs = graphs
        self.changes = changes
        self.following = following
        self.notes = note_changes(*graphs)

    def of_answers(self, one: TracedAnswers, other: TracedAnswers, clashing: Iterable[str] = ()) -> tuple[str, ...]:
        """Name the changes behind the first answer that differs, else those among `clashing`."""
        for question, mine in one.items():
            if question in other and other[question].value != mine.value:
                rules = rule_difference(*self.graphs, question[0], mine, other[question])
                spoke = mine.rules | other[question].rules | {term_label(question[0])}
                found = self._known({*rules.rules_here, *rules.rules_there}) or self._known(spoke)
                if found and self.following.issuperset(found):
                    return self.of_unshared(one, other) or found
                if found:
                    return found
        return self._known(clashing)

    def of_unshared(self, one: TracedAnswers, other: TracedAnswers) -> tuple[str, ...]:
        """Name the changes among the rules that spoke on what only one stack asked, else the defaults of that."""
        pairs = ((one, other), (other, one))
        alone = [answer for mine, others in pairs for key, answer in mine.items() if key not in others]
        apart = {label for mine in alone for label in mine.rules}
        return self._known(apart) or self._known(_unsaid(one, other))

    def of_pieces(self, counters: Iterable[str]) -> tuple[str, ...]:
        """Name the counters in a position that are printed differently."""
        return self._known(map(counter_label, counters))

    def of_factors(self, nodes: object) -> tuple[str, ...]:
        """Name what layers added to kinds that is read, and that begins or goes otherwise."""
        read = (node for node in walk(nodes) if isinstance(node, graph.Get) and node.what == "printed")
        return self._known(f"factor {node.owner}.{node.name}" for node in read)

    def of_things(self, things: Iterable[StateSlot]) -> tuple[str, ...]:
        """List the tracks, statuses and relations among these slots whose declarations differ between the stacks."""
        keys = {f"{sort} {thing.key}" for thing in things for sort in ("track", "status", "relation")}
        return tuple(sorted(keys & self.notes))

    def only_change(self) -> tuple[str, ...]:
        """Name the only change there is, if there is no other: it is the cause of whatever differs."""
        every = self.changes | self.notes
        return tuple(every) if len(every) == 1 else ()

    def _known(self, labels: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(self.changes.intersection(labels)))


def _unsaid(one: TracedAnswers, other: TracedAnswers) -> Iterator[str]:
    """Name the terms that one stack alone asked, in case no rule answered and the default is what has changed."""
    yield from (term_label(name) for name, _ in one.keys() ^ other.keys())
