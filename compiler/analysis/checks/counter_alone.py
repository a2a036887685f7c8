"""A counter that stands alone among those like it: most often a slip in its row of the chart.

In: a stack. Out: suspicions. A figure is compared among the counters of one layer that agree in all traits and words,
and in which figures are zero; a word or a trait among those that agree in all the others. At least four have to agree
on something else. A row with citations of its own is taken as meant, and so are its neighbors' differences from it.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence

from compiler.analysis.duties import CounterAlone
from compiler.analysis.parties import Party
from compiler.analysis.problems import Problem
from compiler.analysis.words import Writer
from runtime.graph import nodes as graph

# So many others have to agree before one stands out, and its figure has to lie so many times beyond theirs.
LIKE = 4
FAR = 2
IS = "is "

# What a counter is, apart from figures: a word as it is written, a trait or a zero as yes or no.
Features = dict[str, str | bool]


def counter_alone(stack: graph.Graph) -> Iterator[Problem]:
    """Find counters whose figure, word or trait nobody like them has."""
    writer = Writer(stack.vocabulary)
    charts: dict[tuple[str, str], list[graph.Counter]] = defaultdict(list)
    for counter in stack.counters.values():
        charts[counter.kind, counter.origin.layer].append(counter)
    for counters in charts.values():
        traits = sorted({trait for counter in counters for trait in counter.traits})
        described = [(counter, _features(counter, traits, writer)) for counter in counters]
        yield from _by_features(described)
        yield from _by_figures(described, writer)


def _features(counter: graph.Counter, traits: Sequence[str], writer: Writer) -> Features:
    """Describe a counter by its words, its traits, and which of its figures are zero."""
    found: Features = {f"{IS}{trait}": trait in counter.traits for trait in traits}
    for name, value in counter.printed:
        found[name] = value.value == 0 if isinstance(value, graph.Num) else writer.text(value)
    return found


def _by_features(described: Sequence[tuple[graph.Counter, Features]]) -> Iterator[CounterAlone]:
    """Find a word or a trait that one counter has otherwise than all that agree with it in everything else."""
    for name in dict.fromkeys(name for _, features in described for name in features):
        groups: dict[Hashable, list[tuple[graph.Counter, str | bool | None]]] = defaultdict(list)
        for counter, features in described:
            rest = frozenset((other, value) for other, value in features.items() if other != name)
            groups[rest].append((counter, features.get(name)))
        bearers = sum(features.get(name) is True for _, features in described)
        for group in groups.values():
            counts = Counter(value for _, value in group)
            [(usual, count)] = counts.most_common(1)
            for counter, value in group:
                # What only one counter of a chart is, it was given on purpose.
                meant = counter.singled_out or (value is True and bearers == 1)
                if counts[value] == 1 and count >= LIKE and not meant:
                    yield CounterAlone(_party(counter), _shown(name, value), _shown(name, usual), count)


def _by_figures(described: Sequence[tuple[graph.Counter, Features]], writer: Writer) -> Iterator[CounterAlone]:
    """Find a figure that is more than twice the greatest, or less than half the least, of those like it."""
    groups: dict[Hashable, list[graph.Counter]] = defaultdict(list)
    for counter, features in described:
        groups[frozenset(features.items())].append(counter)
    for group in groups.values():
        for name in dict.fromkeys(name for counter in group for name, _ in counter.printed):
            figures = [(counter, figure) for counter in group if (figure := _figure(counter, name)) is not None]
            for counter, figure in figures:
                others = sorted((each for other, each in figures if other is not counter), key=lambda each: each.value)
                if len(others) < LIKE or counter.singled_out:
                    continue
                low, high = others[0], others[-1]
                if figure.value > FAR * high.value or figure.value * FAR < low.value:
                    usual = (
                        f"{name} {writer.text(low)} to {writer.text(high)}"
                        if low != high
                        else f"{name} {writer.text(low)}"
                    )
                    yield CounterAlone(_party(counter), f"{name} {writer.text(figure)}", usual, len(others))


def _figure(counter: graph.Counter, name: str) -> graph.Num | None:
    value = dict(counter.printed).get(name)
    return value if isinstance(value, graph.Num) else None


def _shown(name: str, value: Hashable) -> str:
    """Write a feature: `is wet`, `is not wet`, `pace 0`, `pace above 0`, `gait foot`."""
    match value:
        case bool() if name.startswith(IS):
            return name if value else f"is not {name.removeprefix(IS)}"
        case bool():
            return f"{name} 0" if value else f"{name} above 0"
        case _:
            return f"{name} {value}" if value else f"no {name}"


def _party(counter: graph.Counter) -> Party:
    return Party(counter.id, "", counter.cites, counter.origin)
