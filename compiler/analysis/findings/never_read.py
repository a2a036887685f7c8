"""Statuses, tracks, relations and records that are never set or read, statuses never cleared, charts never looked up.

Only a whole game is examined: a shared layer declares what others set. Facts of the scenario are set by its card.
"""

from collections.abc import Iterator

from compiler.analysis.checks import check_of_stack
from compiler.analysis.findings.never_reset import NeverCleared
from compiler.analysis.parties import Party, declaration_labels, party_label, procedure_party
from compiler.analysis.readers_and_setters import DeclaredName, is_whole_game, readers_of, setters_of
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence
from runtime.graph import nodes as graph
from runtime.graph.effects import effects_in
from runtime.graph.effects.primitives import SetStatus


@finding("R0510", "never-set", WARNING)
class NeverSet(Finding):
    """Something is read but never set in play. `kind`: status, track, relation, record."""

    kind: str
    name: str
    declared: graph.Origin | None
    readers: tuple[Party, ...]

    def sentence(self) -> Sentence:
        if self.kind in {"trait", "feature"}:
            message = f"{'no counter' if self.kind == 'trait' else 'no map'} has the {self.kind} `{self.name}`"
            advice = f"add `{self.name}` where it is missing, or remove its uses"
            return Sentence(message, declaration_labels(self.declared), advice, root=f"{self.kind} {self.name}")
        message, advice = (
            f"the {self.kind} `{self.name}` is used but never set in play",
            "set it in an action or a hook",
        )
        if self.name.startswith("scenario."):
            message = (
                f"the fact `{self.name}` is used, but no situation, position, example or procedure gives it a value"
            )
            advice = f"give it under `facts` of a situation, set it in an example with `set {self.name} to ..`"
        labels = (party_label(party, "used here") for party in self.readers[:4])
        return Sentence(
            message,
            (*declaration_labels(self.declared), *labels),
            f"{advice}, or remove its uses",
            root=f"{self.kind} {self.name}",
        )


@finding("R0511", "never-read", WARNING)
class NeverRead(Finding):
    """Something is set in play but never read."""

    kind: str
    name: str
    declared: graph.Origin | None
    setters: tuple[Party, ...]

    def sentence(self) -> Sentence:
        return Sentence(
            f"the {self.kind} `{self.name}` is set but never used",
            (
                *declaration_labels(self.declared),
                *(party_label(party, "set here") for party in self.setters[:4]),
            ),
            "write the rule that uses it, or stop setting it",
            root=f"{self.kind} {self.name}",
        )


@finding("R0512", "never-used", WARNING)
class NeverUsed(Finding):
    """Something is declared but neither set nor read."""

    kind: str
    name: str
    declared: graph.Origin | None

    def sentence(self) -> Sentence:
        message = f"the {self.kind} `{self.name}` is declared but never used"
        advice = "use it, or delete the declaration"
        return Sentence(message, declaration_labels(self.declared), advice, root=f"{self.kind} {self.name}")


@check_of_stack
def never_read(stack: graph.Graph) -> Iterator[NeverSet | NeverRead | NeverUsed | NeverCleared]:
    """Find declared names that are only set, only read, or unused."""
    if not is_whole_game(stack):
        return
    readers, setters = readers_of(stack), setters_of(stack)
    for declared_name in _declared(stack.vocabulary):
        by_card = declared_name.name.startswith("scenario.")
        origin = stack.vocabulary.origins.get(f"{declared_name.kind} {declared_name.name}")
        match readers.get(declared_name, ()), setters.get(declared_name, ()):
            case (), ():
                yield NeverUsed(*declared_name, origin)
            case (), set_by:
                yield NeverRead(*declared_name, origin, set_by)
            case read_by, () if not by_card:
                yield NeverSet(*declared_name, origin, read_by)
            case _ if declared_name.kind == "status" and not stack.vocabulary.flags[declared_name.name].until:
                marking = _marking(stack, declared_name.name, on=True)
                if marking and not _marking(stack, declared_name.name, on=False):
                    yield NeverCleared(*declared_name, origin, marking)
    for table in stack.tables.values():
        if not readers.get(DeclaredName("chart", table.name)):
            yield NeverUsed("chart", table.name, table.origin)


def _marking(stack: graph.Graph, status: str, *, on: bool) -> tuple[Party, ...]:
    """Return the procedures that set a status, or those that clear it."""
    return tuple(
        procedure_party(procedure)
        for procedure in stack.procedures.values()
        if any(
            effect.on is on and f"{effect.owner}.{effect.name}" == status
            for effect in effects_in(procedure.body, SetStatus)
        )
    )


def _declared(words: graph.Vocabulary) -> Iterator[DeclaredName]:
    yield from (DeclaredName("status", name) for name, flag in words.flags.items() if flag.what == "status")
    yield from (DeclaredName("track", name) for name in words.tracks)
    yield from (DeclaredName("relation", name) for name in words.relations)
    yield from (DeclaredName("record", name) for name in words.records)
