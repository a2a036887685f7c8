"""Counters that differ from all similar ones in one value: most often an error in a row of the chart.

In: a stack. Out: suspects. A word or a trait is compared among the counters of one layer that agree in all other
features, and among all with a common trait; a figure among those that agree in all traits and words, and in which
figures are zero, or, where these are few, in all words, where only a large excess counts. At least four have to agree
on another value, seven among those with a single common trait. A row with separate citations is taken as intended,
and so is a word or a trait that the other side of the counter has as well. A counter is reported once; the figures of a
reported one still count for others. A chart of more than a thousand counters is skipped.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace

from compiler.analysis.checks import check_of_stack
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.parties import Party, party_label
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence
from runtime.graph import nodes as graph


@finding("R0570", "counter-alone", WARNING)
class CounterAlone(Finding):
    """A counter has `value`, where all `count` similar ones of its chart have `common_value`."""

    counter: Party
    value: str
    common_value: str
    count: int

    def sentence(self) -> Sentence:
        name = self.counter.label
        message = (
            f"the counter `{name}` has `{self.value}`, but the {self.count} similar counters `{self.common_value}`"
        )
        advice = "correct its row, or give the row `cites:` of its own if it is printed so"
        return Sentence(message, (party_label(self.counter, "here"),), advice, root=f"counter {name}")


# The number of others that have to agree before a counter is an outlier, and the factor by which its figure has to
# exceed theirs.
_LIKE = 4
_WITH_TRAIT = 7
_FEWEST_DIFFERING, _MANY_DIFFERING = 2, 3
# The comparison is quadratic: in larger charts it takes minutes.
_MOST_COMPARED_COUNTERS = 1_000
IS = "trait "

# The features of a counter, apart from figures: a word as it is written, a trait or a zero as a truth value.
CounterRow = dict[str, str | bool]
# The other sides of counters, by the ids of these.
CounterRowsBySide = Mapping[str, Sequence[CounterRow]]


@check_of_stack
def counter_alone(stack: graph.Graph) -> Iterator[CounterAlone]:
    """Find counters with a figure, word or trait that no similar counter has."""
    writer = ExpressionWriter(stack.vocabulary)
    charts: dict[tuple[str, str], list[graph.Counter]] = defaultdict(list)
    for counter in stack.counters.values():
        charts[counter.kind, counter.origin.layer].append(_as_in_its_chart(counter))
    for counters in (each for each in charts.values() if len(each) <= _MOST_COMPARED_COUNTERS):
        traits = sorted({trait for counter in counters for trait in counter.traits})
        described = [(counter, _features(counter, traits, writer)) for counter in counters]
        sides = _other_sides(described)
        found = (*_by_features(described, sides), *_by_trait(described, sides))
        problems_by_label = {each.counter.label: each for each in reversed(found)}
        yield from problems_by_label.values()
        yield from _by_figures(described, problems_by_label.keys(), writer)


def _as_in_its_chart(counter: graph.Counter) -> graph.Counter:
    """Return a row without added factors: their values name counters one by one."""
    added = {*counter.first, *(each.name for each in counter.added)}
    return replace(counter, printed=tuple(each for each in counter.printed if each[0] not in added))


def _features(counter: graph.Counter, traits: Sequence[str], writer: ExpressionWriter) -> CounterRow:
    """Return the features of a counter: its words, its traits, and which of its figures are zero."""
    found: CounterRow = {f"{IS}{trait}": trait in counter.traits for trait in traits}
    for name, value in counter.printed:
        found[name] = value.value == 0 if isinstance(value, graph.Num) else writer.text(value)
    return found


def _by_features(
    described: Sequence[tuple[graph.Counter, CounterRow]], sides: CounterRowsBySide
) -> Iterator[CounterAlone]:
    """Find a word or a trait of one counter that differs from all that agree with it in every other feature."""
    for name in dict.fromkeys(name for _, features in described for name in features):
        groups: dict[Hashable, list[tuple[graph.Counter, CounterRow]]] = defaultdict(list)
        for counter, features in described:
            rest = frozenset((other, value) for other, value in features.items() if other != name)
            groups[rest].append((counter, features))
        bearers = sum(features.get(name) is True for _, features in described)
        for group in groups.values():
            counts = Counter(features.get(name) for _, features in group)
            [(usual, count)] = counts.most_common(1)
            for counter, features in group:
                value = features.get(name)
                # A trait that a single counter of a chart has is intended.
                is_intended = (value is True and bearers == 1) or _is_intended(counter, name, features, sides)
                if counts[value] == 1 and count >= _LIKE and not is_intended:
                    yield CounterAlone(_party(counter), _feature_text(name, value), _feature_text(name, usual), count)


def _other_sides(described: Sequence[tuple[graph.Counter, CounterRow]]) -> dict[str, list[CounterRow]]:
    """Return the features of the other sides of every counter: its back, and the counters of which it is the back."""
    features = {counter.id: found for counter, found in described}
    sides: dict[str, list[CounterRow]] = defaultdict(list)
    for counter, found in described:
        if counter.back in features:
            sides[counter.id].append(features[counter.back])
            sides[counter.back].append(found)
    return sides


def _is_intended(counter: graph.Counter, name: str, features: CounterRow, sides: CounterRowsBySide) -> bool:
    """Return whether a row cites its own source, or the other side of the counter agrees: an error affects one side."""
    return counter.singled_out or any(other.get(name) == features.get(name) for other in sides.get(counter.id, ()))


def _by_trait(
    described: Sequence[tuple[graph.Counter, CounterRow]], sides: CounterRowsBySide
) -> Iterator[CounterAlone]:
    """Find the one counter with a trait that lacks what all others with it have."""
    for trait in dict.fromkeys(name for _, features in described for name in features if name.startswith(IS)):
        bearers = [(counter, features) for counter, features in described if features[trait]]
        for name in dict.fromkeys(name for _, features in bearers for name in features if name != trait):
            values = Counter(features.get(name) for _, features in bearers)
            [(usual, count)] = values.most_common(1)
            if count < _WITH_TRAIT or count != len(bearers) - 1 or not (usual is True or isinstance(usual, str)):
                continue
            for counter, features in bearers:
                if features.get(name) != usual and not _is_intended(counter, name, features, sides):
                    yield CounterAlone(
                        _party(counter), _feature_text(name, features.get(name)), _feature_text(name, usual), count
                    )


def _by_figures(
    described: Sequence[tuple[graph.Counter, CounterRow]], reported_labels: Collection[str], writer: ExpressionWriter
) -> Iterator[CounterAlone]:
    """Find a figure far above the greatest, or below the least, of similar counters.

    If few, of those with its words.
    """
    groups: dict[Hashable, list[graph.Counter]] = defaultdict(list)
    wider: dict[Hashable, list[graph.Counter]] = defaultdict(list)
    for counter, features in described:
        groups[frozenset(features.items())].append(counter)
        wider[_words(features)].append(counter)
    for counter, features in (each for each in described if each[0].id not in reported_labels):
        close = groups[frozenset(features.items())]
        similar_counters, far = (
            (close, _FEWEST_DIFFERING) if len(close) > _LIKE else (wider[_words(features)], _MANY_DIFFERING)
        )
        # The faulty feature of a reported counter may exclude it from the similar ones.
        doubtful = [
            each for each in wider[_words(features)] if each.id in reported_labels and each not in similar_counters
        ]
        for name, value in () if counter.singled_out else counter.printed:
            figures = (_figure(each, name) for each in (*similar_counters, *doubtful) if each is not counter)
            others = [figure for figure in figures if figure is not None]
            if not isinstance(value, graph.Num) or len(others) < _LIKE:
                continue
            low, high = min(others, key=lambda each: each.value), max(others, key=lambda each: each.value)
            too_low = similar_counters is close and value.value * far < low.value
            if value.value > far * high.value or too_low:
                usual = f"{writer.text(low)} to {writer.text(high)}" if low != high else writer.text(low)
                value_text = f"{name} {writer.text(value)}"
                yield CounterAlone(_party(counter), value_text, f"{name} {usual}", len(others))


def _words(features: CounterRow) -> Hashable:
    """Return the words of a counter, without its traits and zeros."""
    return frozenset((name, value) for name, value in features.items() if isinstance(value, str))


def _figure(counter: graph.Counter, name: str) -> graph.Num | None:
    value = dict(counter.printed).get(name)
    return value if isinstance(value, graph.Num) else None


def _feature_text(name: str, value: Hashable) -> str:
    """Format a feature: `is wet`, `is not wet`, `pace 0`, `pace above 0`, `gait foot`."""
    match value:
        case bool() if name.startswith(IS):
            return name if value else f"no {name}"
        case bool():
            return f"{name} 0" if value else f"{name} above 0"
        case _:
            return f"{name} {value}" if value else f"no {name}"


def _party(counter: graph.Counter) -> Party:
    return Party(counter.id, "", counter.cites, counter.origin)
