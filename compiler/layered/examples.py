"""The examples of a stack: which run under it, which under a stack inside it, and which under others.

In: the catalog of all loaded layers, and the request. Out: the examples in the order of reading, and the problems of
the stacks and cards that examples name.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto

from compiler.layered import nodes as layered
from compiler.layered.cards import CardLayer
from compiler.layered.catalog import Catalog, sites_of
from compiler.layered.findings.layers import ExampleElsewhere
from compiler.layered.findings.patches import UnknownCell
from compiler.layered.layer_selection import chosen_layers
from compiler.layered.stack_request import StackRequest, parse_request
from compiler.source import nodes as source
from compiler.source.finding import Finding
from compiler.source.findings.files import TooLarge
from compiler.source.package import Library
from compiler.source.span import NOWHERE, Span


def list_examples(
    catalog: Catalog,
    request: StackRequest,
    manifests: tuple[source.Layer, ...],
    library: Library,
    card: CardLayer | None,
) -> tuple[tuple[layered.Example, ...], tuple[layered.NamedExamples, ...], frozenset[str], list[Finding]]:
    """Return the examples that run under exactly this stack, those of inner stacks, and the sites of others.

    By default an example runs under the stack of its layer. An example of a base need not hold under a variant of it,
    so that no other stack runs it; a book that prints it has to decide. An example on a card runs only where that card
    is on top; one among the special rules of a card is on that card.
    """
    layers, readings = frozenset(manifest.name.text for manifest in manifests), frozenset(request.readings)
    stack_examples: list[tuple[layered.Example, ...]] = []
    inner: list[layered.NamedExamples] = []
    shared: set[str] = set()
    problems: list[Finding] = []
    card_name, played = (card.scenario.name.text, card.scenario.uses.text) if card is not None else ("", "")
    same_stack, inner_stack, other_stack = _ExampleContext
    contexts: dict[str, tuple[frozenset[str], _ExampleContext]] = {}
    for (layer, stack_text, upon), examples in sites_of(catalog).items():
        is_card_rule = card is not None and layer == card_name
        problems += _unknown_cards(upon, examples, library)
        if not is_card_rule and upon != card_name:
            continue
        name = stack_text or (played if is_card_rule else layer)
        places = [example.node.under.span for example in examples if example.node.under]
        if name not in contexts:
            names, chosen, missing = _layers_and_readings(name, next(iter(places), NOWHERE), library)
            problems += missing
            within = names <= layers and chosen <= readings
            context = same_stack if (names, chosen) == (layers, readings) else inner_stack if within else other_stack
            contexts[name] = names, context
        names, context = contexts[name]
        if stack_text and names and not is_card_rule and layer not in names:
            problems += (ExampleElsewhere(place, name, layer) for place in places)
        if context is inner_stack:
            inner.append((name, examples))
        elif context is same_stack:
            stack_examples.append(examples)
        else:
            shared.add(layer)
    return in_reading_order(stack_examples, manifests), tuple(inner), frozenset(shared), problems


def _unknown_cards(upon: str, examples: Iterable[layered.Example], library: Library) -> Iterator[Finding]:
    """Report an unknown card at the examples on it; one that cannot be read is reported where it is wrong."""
    if upon and upon not in set(library.scenarios):
        places = (example.node.upon.span for example in examples if example.node.upon)
        yield from (UnknownCell(place, "situation", upon, tuple(library.scenarios), patched=False) for place in places)


def in_reading_order(
    sites: Sequence[tuple[layered.Example, ...]], manifests: tuple[source.Layer, ...]
) -> tuple[layered.Example, ...]:
    """Return the examples of several sites in the order of reading: layer by layer, a card last, and file by file."""
    if len(sites) == 1:
        return sites[0]
    rank = {manifest.name.text: number for number, manifest in enumerate(manifests)}
    last = len(rank)
    examples = (example for site in sites for example in site)
    return tuple(sorted(examples, key=lambda example: (rank.get(example.layer, last), example.node.span)))


class _ExampleContext(Enum):
    """The stack in which an example runs, relative to a given one."""

    HERE = auto()
    INSIDE = auto()
    ELSEWHERE = auto()


def _layers_and_readings(
    name: str, span: Span, library: Library
) -> tuple[frozenset[str], frozenset[tuple[str, str]], tuple[Finding, ...]]:
    """Return the layers and the readings of a stack."""
    request = parse_request(name)
    chosen, missing = chosen_layers(library.layers, request, library.database, span)
    named = tuple(each for each in missing if not isinstance(each, TooLarge))  # This is reported where it is compiled.
    return frozenset(part.name.text for part in chosen), frozenset(request.readings), named
