"""Say where two stacks answer differently: term by term, rule by rule, with a small position each.

In: two graphs. Out: for each term that a change can reach, how often the answers differed over the family
of positions looked at, and the differences grouped by who is responsible. The family is driven to every
changed rule in turn (its guard made true) and on from there; where the arguments are few, all are asked.
Counts are of that family: they say how broad a change is, not how often it would matter in play.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice, product

from runtime.graph import nodes as graph
from runtime.witness import decisive, objectives
from runtime.witness.both import Compared, compare
from runtime.witness.chance import Chance
from runtime.witness.changed import Changed, changed, touched
from runtime.witness.materials import Materials
from runtime.witness.mend import Mender
from runtime.witness.position_file import position_file, question_text
from runtime.witness.search import Objective, Scene, search, start
from runtime.witness.setting import Setting, with_argument
from runtime.witness.shrink import shrink

# Positions looked at for each changed rule and term: many where little has changed, few where two games
# are compared, so that a comparison takes seconds.
LEAST, MOST, ALL = 80, 400, 8_000
# So many differences for a rule are enough to look at the next one.
ENOUGH = 4
# So many of another term's differences of a kind are tried on the terms that ask it.
BORROWED = 4
# Arguments that can all be listed are all asked, up to so many combinations.
MOST_LISTED = 2_000


@dataclass(frozen=True, slots=True)
class Case:
    """One question that two stacks answer differently: the position file, and both answers in words."""

    question: str
    file: str
    a: str
    b: str


@dataclass(frozen=True, slots=True)
class Group:
    """Differences with the same rules responsible; `witness` is a smallest one."""

    summary: str
    rules: tuple[str, ...]
    differs: int
    witness: Case


@dataclass(frozen=True, slots=True)
class TermDifference:
    """`differs` of `of` positions looked at. `only` is "a" or "b" where one stack has no such term."""

    term: str
    differs: int
    of: int
    groups: tuple[Group, ...]
    only: str


@dataclass(frozen=True, slots=True)
class Difference:
    """All terms that differ, or are in one stack only; and changed rules that spoke but never changed an answer."""

    terms: tuple[TermDifference, ...]
    idle: tuple[str, ...]


def diff(a: graph.Graph, b: graph.Graph, only: str = "") -> Difference:
    """Compare two stacks; `only` limits the comparison to one term."""
    changes = changed(a, b)
    reach = {name: labels for name, labels in touched(a, b, changes).items() if only in {"", name}}
    families: dict[str, _Family] = {}
    terms = []
    for name, labels in reach.items():
        families[name] = _Family(a, b, name, changes)
        terms.append(families[name].difference(labels, list(families.values())))
    alone = [(name, "a") for name in a.terms if name not in b.terms]
    alone += [(name, "b") for name in b.terms if name not in a.terms]
    listed = (TermDifference(name, 0, 0, (), side) for name, side in alone if only in {"", name})
    seen = {label for term in terms for group in term.groups for label in group.rules}
    spoke = {label for family in families.values() for label in family.spoke}
    shared = a.terms.keys() & b.terms.keys()
    idle = sorted(
        label for label in spoke - seen if (rule := b.rules.get(label) or a.rules.get(label)) and shared & {*rule.terms}
    )
    return Difference((*(term for term in terms if term.groups), *listed), tuple(idle))


class _Family:
    """The positions looked at for one term."""

    def __init__(self, a: graph.Graph, b: graph.Graph, term: str, changes: Changed) -> None:
        self.a, self.b = a, b
        self.term = term
        self.changes = changes
        self.counters = frozenset(a.counters.keys() & b.counters.keys())
        self.budget = max(LEAST, min(MOST, ALL // max(1, len(changes.every()))))
        self.seen: set[tuple[str, str]] = set()
        self.spoke: set[str] = set()
        self.found: dict[tuple[str, ...], list[tuple[Setting, Compared, graph.Graph]]] = {}

    def difference(self, labels: frozenset[str], others: list["_Family"]) -> TermDifference:
        """Look at the family and group what was found; `others` have looked at what this term may ask."""
        for stack in (self.a, self.b):
            for setting in self._borrowed(stack, labels, others):
                self._look(stack, setting)
            for setting in self._listed(stack):
                self._look(stack, setting)
            own = [label for label in stack.terms[self.term].rules if label in labels]
            for label in own:
                self._drive(stack, f"differ {self.term} {label}", stack.rules[label])
            if labels - set(own):
                self._drive(stack, f"differ {self.term}", None)
        self._fold()
        differs = sum(len(cases) for cases in self.found.values())
        groups = sorted((self._group(key) for key in self.found), key=lambda group: (-group.differs, group.rules))
        return TermDifference(self.term, differs, len(self.seen), tuple(groups), "")

    def _fold(self) -> None:
        """Count a difference with several rules responsible under fewer of them, where those were seen to suffice."""
        for labels in sorted(self.found, key=lambda labels: (-len(labels), labels)):
            fewer = [other for other in self.found if set(other) < set(labels)]
            if fewer:
                self.found[min(fewer, key=lambda other: (len(other), other))] += self.found.pop(labels)

    def _look(self, stack: graph.Graph, setting: Setting) -> Compared | None:
        """Ask both stacks, once for each position."""
        nameless = replace(setting.position, stack="")
        key = question_text(stack.terms[self.term], setting.arguments), position_file(nameless, stack.vocabulary)
        if key in self.seen:
            return None
        compared = compare(self.a, self.b, self.term, setting, self.changes)
        if compared is None:
            return None
        self.seen.add(key)
        self.spoke |= compared.changed
        if compared.differ:
            self.found.setdefault(compared.labels, []).append((setting, compared, stack))
        return compared

    def _drive(self, stack: graph.Graph, name: str, rule: graph.Rule | None) -> None:
        """Let a rule decide the answer, if one is named, and wander about there, looking at everything."""
        term = stack.terms[self.term]
        rules = [stack.rules[label] for label in term.rules]
        needs = [] if rule is None else decisive.needs_of(stack, term, rule)
        differences = 0

        def grade(scene: Scene) -> float:
            return decisive.grade(needs, scene) if needs else 1.0

        def propose(mender: Mender, scene: Scene) -> Setting | None:
            chance = mender.chance
            needed = decisive.propose(needs, mender, scene) if needs else None
            if needed is not None:
                return needed
            if term.parameters and chance.once_in(3):
                place = chance.below(len(term.parameters))
                value = mender.materials.value(term.parameters[place].type, scene.setting)
                twice = isinstance(value, graph.Spot) and value in scene.setting.arguments
                return None if value is None or twice else with_argument(scene.setting, place, value)
            other = chance.pick_or_none([each for each in rules if each is not rule])
            given = objectives.delayed(scene)
            return None if other is None else mender.live(term, other, given, want=chance.once_in(3))

        def met(scene: Scene) -> bool:
            nonlocal differences
            compared = self._look(stack, scene.setting)
            differences += compared is not None and compared.differ
            return differences >= ENOUGH

        search(stack, Objective(name, term, grade, propose, met, self.counters), self.budget)

    def _borrowed(self, stack: graph.Graph, labels: frozenset[str], others: list["_Family"]) -> Iterator[Setting]:
        """Ask this term where a term that it may ask was answered differently, with the same arguments by name."""
        chance = Chance(self.term)
        materials = Materials(stack, chance, self.counters)
        parameters = stack.terms[self.term].parameters
        for other in others:
            names = [parameter.name for parameter in stack.terms[other.term].parameters]
            for responsible, cases in other.found.items():
                for setting, _, home in cases[:BORROWED] if labels.issuperset(responsible) else ():
                    known = dict(zip(names, setting.arguments, strict=True))
                    values = [known.get(each.name) or materials.value(each.type, setting) for each in parameters]
                    if home is stack and all(value is not None for value in values):
                        yield Setting(setting.position, tuple(value for value in values if value is not None))

    def _listed(self, stack: graph.Graph) -> Iterator[Setting]:
        """List all arguments, if they can be listed and are not too many."""
        materials = Materials(stack, Chance(self.term), self.counters)
        bare = start(materials, stack.terms[self.term])
        choices = [_choices(parameter.type, stack) for parameter in stack.terms[self.term].parameters]
        if not choices or any(choice is None for choice in choices):
            return
        rows = list(islice(product(*(choice for choice in choices if choice is not None)), MOST_LISTED + 1))
        if len(rows) <= MOST_LISTED:
            yield from (Setting(bare.position, row) for row in rows)

    def _group(self, labels: tuple[str, ...]) -> Group:
        """Write a group down: who is responsible, what changes, and the smallest case found."""
        cases = self.found[labels]
        setting, compared, stack = cases[0]

        def holds(candidate: Setting) -> bool:
            again = compare(self.a, self.b, self.term, candidate, self.changes)
            return again is not None and again.differ and again.labels == labels

        small = shrink(setting, holds)
        compared = compare(self.a, self.b, self.term, small, self.changes) or compared
        file = position_file(small.position, stack.vocabulary)
        witness = Case(question_text(stack.terms[self.term], small.arguments), file, compared.here, compared.there)
        return Group(self._summary(labels, compared), labels, len(cases), witness)

    def _summary(self, labels: tuple[str, ...], compared: Compared) -> str:
        """Say in a sentence what changes, and in the rules' own words why."""
        reasons = []
        for label in labels:
            rule = self.b.rules.get(label) or self.a.rules.get(label)
            if label in self.changes.only_a:
                reasons.append(f"without {label}")
            elif rule is not None and rule.prose:
                reasons.append(f"{label}: {rule.prose}")
            else:
                reasons.append(label)
        return f"{compared.there} instead of {compared.here} ({'; '.join(reasons)})"


def _choices(of: graph.Type, stack: graph.Graph) -> list[graph.Expr] | None:
    """List the values of a type, None if they cannot be listed."""
    words = stack.vocabulary
    match of:
        case graph.YesNo():
            return [graph.Truth(value=False), graph.Truth(value=True)]
        case graph.Enum(name) if name in words.enums:
            return [graph.Member(name, word.name) for word in words.enums[name].members]
        case graph.Scale(name):
            return [graph.Place(name, *place) for place in words.scales[name].places]
        case graph.Number(int(low), int(high), measure):
            return [graph.Num(Fraction(value), measure) for value in range(low, high + 1)]
        case _:
            return None
