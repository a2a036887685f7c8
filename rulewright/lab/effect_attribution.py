"""The attribution of an effect to changed rules, by ablation of groups of them, then of single rules of a group.

In: a stack, the stack it is compared with, and the summary of an experiment with both. Out: an `AblationResult`
for each removed group and rule. Actions, phases, changed parts of the card and changed counters are removed like rules.
A group is a layer, what a layer adds to a case or to a chart, or what it changes on the card; the members of a group
are tested if its removal changes who wins, or levels. What is claimed of one search is false in one of 20 at most: each
level of groups has an equal part of the error, within a level each unit as much as it has of all rules, and within a
unit each interval.

A unit that cannot be removed alone, as others depend on it, is reported with the reason; the members of such a group
are tested.

Of two units of which each suffices for the effect, neither has an effect when it is removed. So `attribute_alone` does
the reverse: it keeps one unit and removes all others, with the same intervals.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path

from compiler.layered.layer_selection import layers_of_stack
from compiler.source import nodes as source
from compiler.source.package import LayerSource, Library, load_layer
from rulewright.errors import UsageError
from rulewright.games import enclosing_folder, load_scenario
from rulewright.lab.experiment import Experiment, ExperimentStack
from rulewright.lab.unused_parts import is_unused, labels_without_influence, unused_labels
from rulewright.library import ablation
from rulewright.library.stack_names import named_stack
from rulewright.library.stacks import Stack, open_packages
from runtime.experiment.differences import ArmDifference, interval_count
from runtime.experiment.mean_interval import ERROR
from runtime.experiment.reachable_changes import CHART, DEFAULT, RULE, changes_of
from runtime.experiment.stopping import are_wins_same
from runtime.experiment.summary import Summary
from runtime.graph import nodes as graph

Run = Callable[[Experiment, str], Summary]
# The most stacks of one experiment: a process caches this many (runtime/experiment/plan.py).
AT_ONCE = 24
FOUND, SMALL, OPEN, UNUSED, REFUSED = "found", "small", "open", "unused", "refused"
PLAYED_VERDICTS = (FOUND, SMALL, OPEN)
NO_INFLUENCE = "it was part of no game, and no player simulated one"


@dataclass(frozen=True, slots=True)
class AblationUnit:
    """Rules and cells that are removed together; `parts` are those that may be removed alone."""

    name: str
    labels: tuple[str, ...]
    parts: tuple["AblationUnit", ...] = ()


# What differs from the first stack and is not among the units, such as the layers that only the first stack has.
THE_REST = AblationUnit("none of these parts", ())


@dataclass(frozen=True, slots=True)
class AblationResult:
    """The effect of removing a unit: the differences from the whole stack, one for each seating that plays the search.

    `state`: found (an effect is established, if `of_levels` one on levels only),
    small (the effect on who wins is shown to be less than the margin), open, unused (no part was ever live, done or in
    play, so no games were played; with a `reason`, this certainly had no influence), or refused (the rules without it
    do not compile, or fail in every game: `reason`). `broken_pairs` is the number of excluded pairs of games, in which
    the rules failed.
    """

    unit: AblationUnit
    state: str
    effects: tuple[ArmDifference, ...] = ()
    reason: str = ""
    of_levels: bool = False
    broken_pairs: int = 0


def changed_units(scenario: str, rules: Sequence[str], packages: Sequence[Path], card: str) -> tuple[AblationUnit, ...]:
    """Return the units that the last requested stack adds to the first; of changed cards, only the one played."""
    if len(rules) < 2:
        raise UsageError("`--which` asks which of the changed rules it was: name two `--rules`, the changed ones last")
    (stack, folders), (against, others) = named_stack(rules[-1]), named_stack(rules[0])
    package_set = open_packages((*packages, *folders, *others, *enclosing_folder(scenario)))
    return ablation_units(package_set.library, stack, against, card)


def ablation_units(library: Library, stack: str, against: str, card: str) -> tuple[AblationUnit, ...]:
    """Return the units that a stack adds to another one; each of several layers is a group. `card`: "" for any."""
    chosen, others = ([each.name.text for each in layers_of_stack(library, name)] for name in (stack, against))
    added = [name for name in chosen if name not in others]
    below = {label for name in others for label in _labels(load_layer(library, name)[0])}
    units = [AblationUnit(name, *_of_layer(load_layer(library, name)[0], below, card)) for name in added]
    names = {name: ablation.names_of_layer(load_layer(library, name)[0]) for name in chosen}
    units = _qualify_names(units, set(ablation.shared_names(names)))
    full = [each for each in units if each.labels]
    if not full:
        adds = ", ".join(added) or "no layer"
        raise UsageError(
            f"`--which`: {stack} adds {adds} to {against}, and no rule, action, cell or part of the card that could be "
            "left out"
        )
    return full[0].parts if len(full) == 1 else tuple(full)


def _qualify_names(layers: Sequence[AblationUnit], ambiguous_labels: Set[tuple[str, str]]) -> list[AblationUnit]:
    """Qualify the names of what several layers change by the layer, so that it is removed from that layer only."""
    groups = Counter(each.name for layer in layers for each in layer.parts)

    def qualified_unit(unit: AblationUnit, layer: str) -> AblationUnit:
        labels = tuple(
            ablation.qualified_name(each, layer) if (each, layer) in ambiguous_labels else each for each in unit.labels
        )
        is_shared = groups[unit.name] > 1 or (unit.labels == (unit.name,) != labels)
        name = ablation.qualified_name(unit.name, layer) if is_shared else unit.name
        return AblationUnit(name, labels, tuple(qualified_unit(each, layer) for each in unit.parts))

    return [
        AblationUnit(
            each.name,
            qualified_unit(each, each.name).labels,
            tuple(qualified_unit(part, each.name) for part in each.parts),
        )
        for each in layers
    ]


def _labels(read: LayerSource) -> set[str]:
    return {label for statement in read.statements() for label in ablation.statement_labels(statement)}


def _of_layer(read: LayerSource, below: set[str], card: str) -> tuple[tuple[str, ...], tuple[AblationUnit, ...]]:
    """Return the labels of a layer, and its cases, charts, parts of the card and single rules as units."""
    cases: dict[str, list[str]] = {}
    single: list[str] = []
    layer = read.layer.name.text
    for statement in read.statements():
        if isinstance(statement, source.Case):
            labels = cases.setdefault(statement.label.text, [])
            labels += [label for law in statement.laws for label in _outermost(law)]
        else:
            single += (*_outermost(statement), *ablation.conduct_labels(statement, layer))
    for patch in read.table_patches:
        cases.setdefault(patch.table.text, [])
    tables = list(cases)
    cells = [name for name in ablation.patched_cells(read) if "[" in name]
    for name in cells:
        if name.partition("[")[0] in tables:
            cases[name.partition("[")[0]].append(name)
    found = [
        AblationUnit(f"{name} (case or chart)", tuple(each), _single(each)) for name, each in cases.items() if each
    ]
    of_cards: defaultdict[str, list[str]] = defaultdict(list)
    of_counters: defaultdict[str, list[str]] = defaultdict(list)
    for patched in (each for each in read.card_patches if card in ("", each.card.text)):
        of_cards[patched.card.text] += ablation.card_parts(patched)
    for printed in read.piece_patches:
        of_counters[printed.kind.text] += ablation.patched_counters(printed)
    for kind, groups in (("card", of_cards), ("counters", of_counters)):
        found += [
            AblationUnit(f"{name} ({kind})", tuple(dict.fromkeys(names)), _single(names))
            for name, names in groups.items()
            if names
        ]
    found = [each.parts[0] if len(each.parts) == 1 else each for each in found] + list(_single(single))
    known = tuple(each for each in found if not set(each.labels) <= below)
    return tuple(label for each in known for label in each.labels), known


def _outermost(statement: source.Statement) -> list[str]:
    """Return the label of a rule or a ruling, and those of the rules of a dispute's readings."""
    found = list(ablation.statement_labels(statement))
    return found[:1] if isinstance(statement, source.Rule | source.Ruling) else found


def _single(names: Sequence[str]) -> tuple[AblationUnit, ...]:
    return tuple(AblationUnit(name, (name,)) for name in dict.fromkeys(names))


@dataclass(frozen=True, slots=True)
class _Design:
    """How units are played: the stacks beside them, of which the last is the baseline, and what is removed for each.

    `label_error` is the part of the error for each rule of a unit; smaller effects than the `margin` do not matter.
    """

    beside: tuple[ExperimentStack, ...]
    removed_labels: Callable[[AblationUnit], tuple[str, ...]]
    label_error: float
    margin: float
    is_alone: bool = False


class EffectAttribution:
    """The search for the units that cause an effect, level by level."""

    def __init__(self, experiment: Experiment, scenario: str, stack: str, packages: Sequence[Path], run: Run) -> None:
        """Store the experiment, whose last stack is the whole one, and the function that runs others."""
        self.experiment = experiment
        self.scenario = scenario
        self.stack = stack
        self.packages = packages
        self.run = run
        names = experiment.players()
        self.seatings = tuple(experiment.seatings[names.index(name)] for name in searched_players(names))

    def attribute(self, found: Sequence[AblationUnit], summary: Summary) -> Iterator[AblationResult]:
        """Yield the results of removing each unit, and each part of those that are found or refused."""
        layers, graphs = self._changed_layers(), [stack.graph for stack in self.experiment.stacks]
        unused = unused_labels(summary, graphs[-1], layers)
        players = {name for seating in self.experiment.seatings for _, name in seating}
        without_influence = labels_without_influence(summary, graphs, layers, players)
        label_count = sum(len(each.labels) for each in found)
        last = self.experiment.stacks[-1]
        design = _Design(
            (ExperimentStack(last.name, last.graph, None),),
            lambda unit: unit.labels,
            label_error(found, label_count),
            summary.margin,
        )
        level = list(found)
        while level:
            tried = [each for each in level if not is_unused(each.labels, unused)]
            results = list(self._level(tried, design))
            yield from results
            left = [each for each in level if each not in tried]
            certain = [each for each in left if is_unused(each.labels, without_influence)]
            yield from (AblationResult(each, UNUSED, reason=NO_INFLUENCE) for each in certain)
            left = [each for each in left if each not in certain]
            if level == list(found) and not any(each.state == FOUND for each in results) and pairs_differ(summary):
                # Players may have evaluated rules that were never live; only these can cause the effect.
                results += (further_results := list(self._level(left, design)))
                yield from further_results
            else:
                yield from (AblationResult(each, UNUSED) for each in left)
            level = [part for each in results if each.state in (FOUND, REFUSED) for part in each.unit.parts]

    def attribute_alone(self, found: Sequence[AblationUnit], summary: Summary) -> Iterator[AblationResult]:
        """Yield the results of each unit without all others, and of each part of those that are found or refused.

        Units that were never live are played, too: others may have prevented it. If the last stack without all units
        differs from the first one, it is played as `THE_REST`, and the units are compared with it.
        """
        labels = tuple(dict.fromkeys(label for each in found for label in each.labels))
        first, rest = self.experiment.stacks[0], self._loaded(labels)
        beside = [ExperimentStack(first.name, first.graph, None)]
        if rest.graph and not rest.is_broken and can_differ(first.graph, rest.graph):
            beside.append(ExperimentStack(THE_REST.name, rest.graph, 0))
        has_rest = len(beside) > 1
        design = _Design(
            tuple(beside),
            lambda unit: tuple(label for label in labels if label not in unit.labels),
            label_error(found, len(labels) + has_rest),
            summary.margin,
            is_alone=True,
        )
        level = list(found)
        while level:
            results = list(self._level(level, design))
            yield from results
            level = [part for each in results if each.state in (FOUND, REFUSED) for part in each.unit.parts]
            design = replace(design, beside=design.beside[-1:])

    def _changed_layers(self) -> list[LayerSource]:
        """Return the sources of the layers of the last stack."""
        library = self._loaded(()).library
        return [load_layer(library, each.name)[0] for each in self.experiment.stacks[-1].graph.layers]

    def _loaded(self, removed_labels: tuple[str, ...]) -> Stack:
        return load_scenario(self.scenario, self.stack or None, self.packages, removed_labels)

    def _level(self, level: Sequence[AblationUnit], design: _Design) -> Iterator[AblationResult]:
        stacks: list[tuple[AblationUnit, graph.Graph]] = []
        for unit in level:
            loaded = self._loaded(design.removed_labels(unit))
            if loaded.graph is None or loaded.is_broken:
                yield AblationResult(unit, REFUSED, reason=loaded.diagnostics[0].message)
            elif design.is_alone and not can_differ(design.beside[-1].graph, loaded.graph):
                yield AblationResult(unit, REFUSED, reason="without the other parts no game comes to it")
            else:
                stacks.append((unit, loaded.graph))
        for first in range(0, len(stacks), AT_ONCE):
            batch = stacks[first : first + AT_ONCE]
            what = "each alone of" if design.is_alone else "without each of"
            summary = self.run(self._experiment(design, batch), f"{self.scenario}, rules {what} {len(batch)}")
            gaps: defaultdict[str, list[ArmDifference]] = defaultdict(list)
            for gap in summary.differences:
                gaps[gap.rules].append(gap)
            units = [unit for unit, _ in batch]
            if len(design.beside) > 1:
                units.insert(0, THE_REST)
                design = replace(design, beside=design.beside[-1:])
            for unit in units:
                if unit.name in gaps:
                    result = self._result(unit, gaps[unit.name], design)
                    complete_pairs = sum(gap.pairs for gap in result.effects)
                    yield replace(result, broken_pairs=summary.games * len(self.seatings) - complete_pairs)
                else:
                    yield AblationResult(unit, REFUSED, reason=_why_broken(unit, summary), broken_pairs=summary.games)

    def _result(self, unit: AblationUnit, gaps: Sequence[ArmDifference], design: _Design) -> AblationResult:
        """Return the effect of a unit, with intervals that have its part of the error."""
        error = design.label_error * max(1, len(unit.labels)) / len(self.seatings)
        sides = self.experiment.sides()
        effects = tuple(gap.with_error(error / interval_count(sides, gap.lead.largest_lead)) for gap in gaps)
        change_wins = any(share.is_established for gap in effects for share in gap.shares)
        change_levels = any(gap.lead.is_established for gap in effects)
        are_small = all(are_wins_same(gap, design.margin) for gap in effects)
        state = FOUND if change_wins or change_levels else SMALL if are_small else OPEN
        return AblationResult(unit, state, effects, of_levels=change_levels and not change_wins)

    def _experiment(self, design: _Design, batch: Sequence[tuple[AblationUnit, graph.Graph]]) -> Experiment:
        beside = design.beside
        # A baseline that was played before is the first stack of an experiment.
        beside = (replace(beside[0], baseline_index=None), *beside[1:])
        stacks = (*beside, *(ExperimentStack(unit.name, each, len(beside) - 1) for unit, each in batch))
        experiment = self.experiment
        # Nothing is asked of these games but how they end, so no machine carries out what a module has played.
        return Experiment(
            stacks,
            self.seatings,
            experiment.seed,
            experiment.side,
            experiment.player_code,
            experiment.engine,
            counted_games=0,
        )


def can_differ(first: graph.Graph, second: graph.Graph) -> bool:
    """Return whether games of two graphs can differ: not if the second one only adds questions and charts.

    Nothing asks them, as then that would differ, too.
    """
    watched, uncounted = changes_of(first, second)
    of_new_terms = {label for name, term in second.terms.items() if name not in first.terms for label in term.rules}
    return bool(uncounted) or any(
        change.first_key
        or not (change.kind in (CHART, DEFAULT) or (change.kind == RULE and change.name in of_new_terms))
        for change in watched
    )


def _why_broken(unit: AblationUnit, summary: Summary) -> str:
    """Return why no pair of games was completed: the rules of one of the two stacks fail."""
    faults = sorted(summary.faults, key=lambda fault: fault.rules != unit.name)
    example = f", for instance {faults[0].message}" if faults else ""
    return f"the rules break in each of {summary.games} pairs of games{example}"


def searched_players(names: Sequence[str]) -> tuple[str, ...]:
    """Return the seatings that play a search, of the names of all: the last one, and that with exchanged sides."""
    exchanged = ",".join(reversed(names[-1].split(",")))
    is_swapped = exchanged != names[-1] and exchanged in names
    return (exchanged, names[-1]) if is_swapped else (names[-1],)


def searched_differences(summary: Summary) -> list[ArmDifference]:
    """Return the differences between the last stack and the one it is compared with, of those who play a search."""
    players = searched_players([arm.players for arm in summary.arms])
    last = {(gap.rules, gap.than) for gap in summary.differences[-1:]}
    return [gap for gap in summary.differences if gap.players in players and (gap.rules, gap.than) in last]


def pairs_differ(summary: Summary) -> bool:
    """Return whether any pair of games of the last stack and the one it is compared with differs."""
    return any(not gap.are_all_equal for gap in searched_differences(summary))


def label_error(units: Sequence[AblationUnit], label_count: int) -> float:
    """Return the part of the error for each rule: each level of groups has as much, and each of so many rules."""
    return ERROR / (depth_of_units(units) * max(1, label_count))


def depth_of_units(units: Sequence[AblationUnit]) -> int:
    """Return how many levels of groups there are."""
    return 1 + max((depth_of_units(unit.parts) for unit in units if unit.parts), default=0)
