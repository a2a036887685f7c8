"""Choose the layers of a stack: the requested ones, all that they are based on, and joint layers.

The input is the manifests of a library and a request (stack_request.py); the output is manifests in canonical order,
lowest first, and the problems found. The order is topological by `on` and `above`, then by kind, then by name; only
the place of insertions depends on it, and only on what the layers declare (insertions.py).
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from compiler.layered.findings.layers import LayerCycle, LayersExclude, LeavesOffNothing, UnknownLayer
from compiler.layered.stack_request import StackRequest, parse_request
from compiler.query.database import Database
from compiler.source import nodes as source
from compiler.source.finding import Finding
from compiler.source.findings.files import TooLarge
from compiler.source.package import Library
from compiler.source.span import NOWHERE, Span
from compiler.source.suggestions import nearest_names
from runtime.graph.closure import transitive_closure

MOST_LAYERS = 100
LAYER_KINDS = ("base", "rulings", "optional", "experimental", "variant", "scenario", "joint")


def chosen_layers(
    manifests: Mapping[str, source.Layer], request: StackRequest, database: Database, span: Span = NOWHERE
) -> tuple[tuple[source.Layer, ...], list[Finding]]:
    """Return the layers of a request as `choose_layers` does, memoized: many stacks request the same."""
    make = partial(choose_layers, manifests, request)
    found = database.derive("layers", (manifests,), make, request.layers, request.excluded_names)
    return choose_layers(manifests, request, span) if found[1] else found


def layers_of_stack(library: Library, stack: str) -> tuple[source.Layer, ...]:
    """Return the layers of a stack by its name, lowest first; its problems are reported where it is compiled."""
    return chosen_layers(library.layers, parse_request(stack), library.database)[0]


def layer_names_of(library: Library, stack: str) -> frozenset[str]:
    """Return the names of the layers of a stack."""
    return frozenset(layer.name.text for layer in layers_of_stack(library, stack))


def choose_layers(
    manifests: Mapping[str, source.Layer], request: StackRequest, span: Span = NOWHERE
) -> tuple[tuple[source.Layer, ...], list[Finding]]:
    """Return the layers that a request loads, lowest first, and the problems of the selection."""
    problems: list[Finding] = []
    layers: dict[str, source.Layer] = {}
    _add(manifests, layers, [(name, span) for name in request.layers], problems)
    _add_joints(manifests, layers)
    skipped = set(request.excluded_names)
    while companions := _companions(manifests, layers, skipped):
        skipped |= {name for name, _ in companions}
        _add(manifests, layers, companions, problems)
        _add_joints(manifests, layers)
    problems.extend(_ineffective_omissions(manifests, layers, request, span))
    beneath = reachable_layers(tuple(layers.values()))
    for layer in layers.values():
        unknown = (word for word in layer.above if word.text not in manifests)
        problems.extend(UnknownLayer(word.span, word.text, nearest_names(word.text, manifests)) for word in unknown)
        itself = (word for word in (*layer.on, *layer.above) if word.text == layer.name.text)
        problems.extend(LayerCycle((word.span,), (word.text,)) for word in itself)
        problems.extend(
            LayersExclude(word.span, layer.name.text, word.text, word.text in beneath[layer.name.text])
            for word in layer.not_with
            if word.text in layers
        )
    if len(layers) > MOST_LAYERS:
        # Each layer is compiled upon those below it; a family of games with all its options has about forty.
        widest = layers[request.layers[-1]].name.span if request.layers[-1] in layers else span
        return (), [*problems, TooLarge(widest, "layers", MOST_LAYERS)]
    ordered, cycle = _order(layers, layers_below(manifests, layers))
    if cycle:
        spans = tuple(
            word.span for name in cycle for word in (*layers[name].on, *layers[name].above) if word.text in cycle
        )
        problems.append(LayerCycle(spans, tuple(cycle)))
    return ordered, problems


def _add(
    manifests: Mapping[str, source.Layer],
    layers: dict[str, source.Layer],
    pending: list[tuple[str, Span]],
    problems: list[Finding],
) -> None:
    """Add layers and all that they are based on."""
    while pending:
        name, span = pending.pop()
        manifest = manifests.get(name)
        if manifest is None:
            problems.append(UnknownLayer(span, name, nearest_names(name, manifests)))
        elif name not in layers:
            layers[name] = manifest
            pending.extend((word.text, word.span) for word in manifest.on)


def _companions(
    manifests: Mapping[str, source.Layer], layers: Mapping[str, source.Layer], skipped: set[str]
) -> list[tuple[str, Span]]:
    """Return the companions of the chosen layers, except those that are excluded or incompatible with one of them."""
    exclusions = {word.text for layer in layers.values() for word in layer.not_with}
    found: list[tuple[str, Span]] = []
    for layer in sorted(layers.values(), key=lambda layer: layer.name.text):
        for word in layer.along:
            manifest = manifests.get(word.text)
            is_candidate = word.text not in layers and word.text not in skipped and word.text not in exclusions
            if is_candidate and not (manifest and any(other.text in layers for other in manifest.not_with)):
                found.append((word.text, word.span))
    return found


def _ineffective_omissions(
    manifests: Mapping[str, source.Layer], layers: Mapping[str, source.Layer], request: StackRequest, span: Span
) -> Iterator[LeavesOffNothing]:
    """Return excluded layers that are no companions, or that a chosen layer requires."""
    companions = tuple(sorted({word.text for layer in layers.values() for word in layer.along}))
    for name in request.excluded_names:
        needed = tuple(
            sorted(
                layer.name.text
                for layer in layers.values()
                if layer.name.text not in companions
                and layer.kind.text != "joint"
                and any(below.text == name for below in layer.on)
            )
        )
        if name in layers:
            joint = layers[name].kind.text == "joint" and name not in request.layers
            parties = tuple(word.text for word in layers[name].on) if joint else ()
            yield LeavesOffNothing(span, name, needed, companions, is_loaded=True, parties=parties)
        elif name not in companions and name in manifests:
            yield LeavesOffNothing(span, name, (), companions, is_loaded=False)


def unknown_exclusions(
    manifests: Mapping[str, source.Layer], layers: tuple[source.Layer, ...]
) -> Iterator[UnknownLayer]:
    """Yield a problem for each misspelled layer in `not with`; without a similar name it may be unavailable."""
    for word in (word for layer in layers for word in layer.not_with if word.text not in manifests):
        if similar_names := nearest_names(word.text, manifests):
            yield UnknownLayer(word.span, word.text, similar_names, is_incompatible=True)


def unknown_joints(manifests: Mapping[str, source.Layer], layers: tuple[source.Layer, ...]) -> Iterator[UnknownLayer]:
    """Yield a problem for each joint layer without effect, as a layer in `on` is unknown: likely one of these."""
    layer_names = [layer.name.text for layer in layers]
    for joint in (layer for layer in manifests.values() if layer.kind.text == "joint"):
        unknown_words = [word for word in joint.on if word.text not in manifests]
        if unknown_words and all(
            word.text in layer_names or nearest_names(word.text, layer_names) for word in joint.on
        ):
            yield from (
                UnknownLayer(word.span, word.text, nearest_names(word.text, layer_names)) for word in unknown_words
            )


def _add_joints(manifests: Mapping[str, source.Layer], layers: dict[str, source.Layer]) -> None:
    """Add each joint layer whose parties are all chosen; one joint may complete another."""
    grew = True
    while grew:
        grew = False
        for name, manifest in sorted(manifests.items()):
            joint = manifest.kind.text == "joint" and name not in layers
            if joint and manifest.on and all(word.text in layers for word in manifest.on):
                layers[name] = manifest
                grew = True


def _order(
    layers: Mapping[str, source.Layer], above: Mapping[str, frozenset[str]]
) -> tuple[tuple[source.Layer, ...], list[str]]:
    """Sort topologically by `on` and `above`; return also a cycle if there is one."""
    ordered: dict[str, source.Layer] = {}
    rest = dict(layers)
    while rest:
        ready = [layer for name, layer in rest.items() if not (above[name] - {name}) & rest.keys()]
        if not ready:
            return (*ordered.values(), *rest.values()), sorted(rest)
        first = min(ready, key=lambda layer: (_rank(layer), layer.name.text))
        ordered[first.name.text] = rest.pop(first.name.text)
    return tuple(ordered.values()), []


def _rank(layer: source.Layer) -> int:
    return LAYER_KINDS.index(layer.kind.text) if layer.kind.text in LAYER_KINDS else len(LAYER_KINDS)


def reachable_layers(layers: tuple[source.Layer, ...]) -> dict[str, frozenset[str]]:
    """Return, for each layer, the names that it may refer to: itself and its transitive bases."""
    below = {layer.name.text: layer.on for layer in layers}
    reached = _reached(below, below)
    return {name: others | {name} for name, others in reached.items()}


def layers_below(manifests: Mapping[str, source.Layer], names: Iterable[str]) -> dict[str, frozenset[str]]:
    """Return, for some layers of a library, the names of those below each, by `on` or by `above`.

    Layers that were not chosen count, too: the relation is transitive through them.
    """
    return _reached({name: (*layer.on, *layer.above) for name, layer in manifests.items()}, names)


def declared_above(manifests: Mapping[str, source.Layer]) -> dict[str, frozenset[str]]:
    """Return, for each layer of a library, the names of those below it by `above`, transitively."""
    return _reached({name: layer.above for name, layer in manifests.items()}, manifests)


def _reached(below: Mapping[str, tuple[source.Word, ...]], names: Iterable[str]) -> dict[str, frozenset[str]]:
    """Compute the transitive closure of a relation between layers."""

    def directly_below(name: str) -> list[str]:
        return [word.text for word in below.get(name, ())]

    return {name: frozenset(transitive_closure(directly_below(name), directly_below)) for name in names}
