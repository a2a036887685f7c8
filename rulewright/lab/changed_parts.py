"""The parts that a stack adds to another one, each under the name by which ablation removes it.

In: the packages, two stacks, and the played card. Out: labels (rulewright/library/ablation.py): of rules and rulings,
actions, phases and other procedures, of charts with patched cells, of the card, and of kinds of pieces whose counters
are changed.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from compiler.layered.layer_selection import layers_of_stack
from compiler.source import nodes as source
from compiler.source.package import LayerSource, Library, load_layer
from rulewright.games.scenarios import enclosing_folder, load_scenario
from rulewright.lab.experiment import ExperimentStack
from rulewright.library import ablation
from rulewright.library.stack_names import named_stack
from rulewright.library.stacks import open_packages
from rulewright.system.errors import UsageError

# Each part is one more set of rules to play; a process holds all of them, with some 50 MB for a large one.
MOST_PARTS = 24


def stacks_without_parts(
    scenario: str, rules: Sequence[str], packages: Sequence[Path], card: str, baseline_index: int
) -> tuple[list[ExperimentStack], list[str]]:
    """Return the last of some stacks without each part that it adds to the first, and why others are not played.

    `baseline_index` is the index of the whole stack in the experiment; `card` is the name of the played card.
    """
    stacks, refusals = list[ExperimentStack](), list[str]()
    for label in changed_parts(scenario, rules, packages, card):
        loaded = load_scenario(scenario, rules[-1], packages, (label,))
        if loaded.graph is None or loaded.is_broken:
            refusals.append(f"not played without {label}: {loaded.diagnostics[0].message}")
        else:
            stacks.append(ExperimentStack(f"{rules[-1]} without {label}", loaded.graph, (baseline_index,)))
    return stacks, refusals


def changed_parts(scenario: str, rules: Sequence[str], packages: Sequence[Path], card: str) -> tuple[str, ...]:
    """Return the parts that the last of some stacks adds to the first; `UsageError` if none or too many."""
    if len(rules) < 2:
        raise UsageError("`--which` asks which of the changed rules it was: name two `--rules`, the changed ones last")
    (stack, folders), (against, others) = named_stack(rules[-1]), named_stack(rules[0])
    library = open_packages((*packages, *folders, *others, *enclosing_folder(scenario))).library
    labels = tuple(_labels(library, stack, against, card))
    if not labels:
        raise UsageError(f"`--which`: {stack} adds no rule, action, chart or part of the situation to {against}")
    if len(labels) > MOST_PARTS:
        raise UsageError(
            f"`--which` plays without each of {MOST_PARTS} parts at most, and {stack} adds {len(labels)} to {against}: "
            "name some of them, or cases and tables, with `--ablate`"
        )
    return labels


def _labels(library: Library, stack: str, against: str, card: str) -> Iterator[str]:
    """Yield the labels of the added parts; what several layers change has the name of its layer."""
    chosen, below = ([each.name.text for each in layers_of_stack(library, name)] for name in (stack, against))
    layers = {name: load_layer(library, name)[0] for name in chosen}
    names = {name: ablation.names_of_layer(layer) for name, layer in layers.items()}
    shared = set(ablation.shared_names(names))
    for name in chosen:
        for label in dict.fromkeys(_parts_of_layer(layers[name], card)) if name not in below else ():
            yield ablation.qualified_name(label, name) if (label, name) in shared else label


def _parts_of_layer(layer: LayerSource, card: str) -> Iterator[str]:
    for statement in layer.statements():
        for law in statement.laws if isinstance(statement, source.Case) else (statement,):
            labels = list(ablation.statement_labels(law))
            yield from labels[:1] if isinstance(law, source.Rule | source.Ruling) else labels
            yield from ablation.conduct_labels(law, layer.layer.name.text)
    yield from (patch.table.text for patch in layer.table_patches if patch.set)
    yield from (patch.card.text for patch in layer.card_patches if patch.card.text == card)
    yield from (patch.kind.text for patch in layer.piece_patches)
