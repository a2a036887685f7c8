"""Attribute findings to changes of the topmost layer, with advice for the author of that layer.

In: the findings of a stack, and the stack. Out: the same findings with other spans and advice. If a party of a
finding is in the topmost layer, its span comes first. Otherwise, if the stack without that layer has no such finding,
the span of the change that causes it comes first: the one that refers to, or removes, what the finding mentions. Advice
to edit a file of another layer is replaced by what the topmost layer can declare: an exception, a replacement, a patch.
A finding that the stack has without the layer states so, and its owner: another option of the stack, or the game.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from compiler.layered.layer_selection import choose_layers, layer_names_of
from compiler.layered.procedure_table import reference_to
from compiler.layered.stack_request import parse_request
from compiler.report.diagnostic import Diagnostic
from compiler.source import nodes as source
from compiler.source.package import LayerSource, Library, load_layer
from compiler.source.sentence import Label, Severity
from compiler.source.span import Span
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.walk import walk

# The codes whose advice is valid for any layer that may refer to all parties, or mentions no place.
ADVISED = frozenset({"R0301", "R0303", "R0310", "R0311", "R0312", "R0313", "R0314", "R0321", "R0325", "R0518"})
BACKQUOTED = re.compile(r"`([^`]*)`")
HYPHENATED_NAME = re.compile(r"[A-Za-z_][\w]*(?:-[\w]+)*")
# Identifiers of kinds, which do not identify a thing: two changes of resolutions need not concern the same one.
SORTS = frozenset({"action", "after", "end", "of", "phase", "reaction", "resolution", "rule", "sequence", "step"})
SO_WITHOUT = "the same happens without `{layer}`"
OTHER_ADVICE = "correct this change in `{layer}`, or write an exception, a replacement or a patch there"
MOST_ATTRIBUTED = 3  # the most changes that a finding lists


@frozen_dataclass
class _AttributedChange:
    """A declaration or change in a layer: its span, and the identifiers in it and in what it replaces."""

    span: Span
    words: frozenset[str]


@dataclass(frozen=True)
class _TopLayer:
    """The topmost layer of a stack, and the layers below it."""

    library: Library
    layer: str
    below: tuple[str, ...]

    @cached_property
    def files_below(self) -> frozenset[str]:
        """Return the files of the layers below."""
        return frozenset(file.name for layer in self.below for file in self.library.files[layer])

    @cached_property
    def changes(self) -> tuple[_AttributedChange, ...]:
        """Return all declarations and changes of the layer."""
        return tuple(_changes(self))

    @cached_property
    def examples_below(self) -> tuple[Span, ...]:
        """Return the examples of the layers below that run only in stacks with this layer."""
        spans = list[Span]()
        for layer in self.below:
            for node in source.nested_laws(load_layer(self.library, layer)[0].statements()):
                under = node.under if isinstance(node, source.Example) else None
                if under and self.layer in parse_request(under.text).layers:
                    spans.append(node.span)
        return tuple(spans)

    @cached_property
    def known_nodes(self) -> dict[str, Any]:
        """Return the nodes that the layers below declare, by label or name of a procedure."""
        read = [load_layer(self.library, layer)[0] for layer in self.below]
        return {name: node for part in read for name, node in _named_nodes(part)}

    def contains(self, place: Label) -> bool:
        """Return whether a party is in the layer or on a card, and in no layer below."""
        return place.span.file not in self.files_below


def top_layer_of(library: Library, stack: str) -> _TopLayer | None:
    """Return the topmost layer among those that a stack is requested by; None for a game without options."""
    request = parse_request(stack)
    layers, missing = choose_layers(library.layers, request)
    names = [layer.name.text for layer in layers]
    named = [name for name in names if name in request.layers]
    if missing or not named or library.layers[named[-1]].kind.text == "base":
        return None
    return _TopLayer(library, named[-1], tuple(name for name in names if name != named[-1]))


def _stack_without_top(top: _TopLayer, stack: str) -> str:
    """Return the name of the stack without its topmost layer."""
    request = parse_request(stack)
    left = [name for name in request.layers if name != top.layer]
    beneath = [word.text for word in top.library.layers[top.layer].on]
    return "+".join(dict.fromkeys((*left, *beneath)))


def attribute_findings(
    found: Iterable[Diagnostic], top: _TopLayer | None, stack: str, below: Callable[[str], Iterable[Diagnostic] | None]
) -> list[Diagnostic]:
    """Attribute findings to the topmost layer; `below` returns the findings of the stack without it.

    `below` returns None for a stack that does not compile. The cause of a finding is then unknown: no change is named.
    """
    every = list(found)
    if top is None:
        return every
    brought = _top_layer_files(top, stack)
    strangers = any(each.spans and not any(map(top.contains, each.spans)) for each in every)
    lower = _stack_without_top(top, stack)
    below_top = below(lower) if strangers else ()
    known = frozenset((each.code, each.message) for each in below_top or ())

    def attribute_below(found: Diagnostic) -> Diagnostic:
        """Attribute a finding that the stack has without the layer: to another layer of the stack, or to its owner."""
        other = top_layer_of(top.library, lower)
        (placed,) = attribute_findings((found,), other, lower, below) if other else (_address_owner(found, top),)
        return replace(placed, help="; ".join(filter(None, (SO_WITHOUT.format(layer=top.layer), placed.help))))

    placed = list[Diagnostic]()
    for diagnostic in every:
        of_others = _is_of_others(diagnostic, top)
        if brought.intersection(label.span.file for label in diagnostic.spans[:1]) or (below_top is None and of_others):
            placed.append(diagnostic)
        elif of_others and (diagnostic.code, diagnostic.message) in known:
            placed.append(attribute_below(diagnostic))
        else:
            placed.append(_attribute_finding(diagnostic, top))
    return sorted(placed, key=lambda found: _rank(found, top))


def _rank(found: Diagnostic, top: _TopLayer) -> tuple[bool, bool]:
    """Return the rank of a finding: errors come first, then what is about the layer alone."""
    return found.severity is not Severity.ERROR, not all(map(top.contains, found.spans))


def _top_layer_files(top: _TopLayer, stack: str) -> frozenset[str]:
    """Return the files of layers that only the topmost one requires; findings in them belong to these layers."""
    left = layer_names_of(top.library, _stack_without_top(top, stack))
    return frozenset(file.name for layer in top.below if layer not in left for file in top.library.files[layer])


def _is_of_others(found: Diagnostic, top: _TopLayer) -> bool:
    """Return whether no party of a finding is in the layer."""
    return bool(found.spans) and not any(map(top.contains, found.spans))


def _address_owner(found: Diagnostic, top: _TopLayer) -> Diagnostic:
    """Address the advice of a finding to the owner of the layer that contains it."""
    owner = _owner(found.spans[0], top)
    return replace(found, help=f"for the author of `{owner}`: {found.help}") if found.help else found


def _attribute_finding(found: Diagnostic, top: _TopLayer) -> Diagnostic:
    if not found.spans or top.contains(found.spans[0]):
        return found
    if any(each.contains(found.spans[0].span) for each in top.examples_below):
        return found  # Without the layer the example does not run, so that nothing is known about its cause.
    own_labels = [each for each in found.spans if top.contains(each)]
    others = [each for each in found.spans if not top.contains(each)]
    if not own_labels:
        note = f"caused by something in `{top.layer}`"
        own_labels = [Label(span, note) for span in _causes(found, top)]
    help_ = found.help if found.code in ADVISED or not others else OTHER_ADVICE.format(layer=top.layer)
    return replace(found, spans=(*own_labels, *others), help=help_)


def _owner(place: Label, top: _TopLayer) -> str:
    names = [layer for layer in top.below for file in top.library.files[layer] if file.name == place.span.file]
    return names[0] if names else place.span.file


def _causes(found: Diagnostic, top: _TopLayer) -> list[Span]:
    """Return the places of the changes that share most identifiers with a finding; of none of them, the manifest."""
    words = set[str]()
    for text in (found.message, *(label.text for label in found.spans)):
        for quoted in BACKQUOTED.findall(text):
            words.update(HYPHENATED_NAME.findall(quoted))
    words -= SORTS
    shared = {change: len(words & change.words) for change in top.changes}
    most = max(shared.values(), default=0)
    if most or len(top.changes) == 1:
        return [change.span for change, count in shared.items() if count == most][:MOST_ATTRIBUTED]
    return [top.library.layers[top.layer].name.span]


def _changes(top: _TopLayer) -> Iterator[_AttributedChange]:
    read = load_layer(top.library, top.layer)[0]
    for _, node in _named_nodes(read):
        yield _AttributedChange(_place(node), _words(node) | _amended_names(node, top))
    others: list[Any] = [each for each in read.statements() if not isinstance(each, source.Law | source.Conduct)]
    others += [*read.table_patches, *read.piece_patches, *read.card_patches, *read.tables, *read.charts]
    yield from (_AttributedChange(node.span, _words(node)) for node in others)
    for dispute, reading in read.layer.readings:
        yield _AttributedChange(reading.span, frozenset({dispute.text, reading.text}))


def _named_nodes(layer: LayerSource) -> Iterator[tuple[str, Any]]:
    """Yield the rules, rulings and procedures of a layer, by name."""
    for node in source.nested_laws(layer.statements()):
        match node:
            case source.Rule(label=label) | source.Ruling(label=label):
                yield label.text, node
            case source.Insert(phase=phase):
                yield reference_to(phase), node
            case source.Define(name=name):
                yield name.text.replace("_", "-"), node
            case _ if isinstance(node, source.Conduct) and not isinstance(node, source.Beside):
                yield reference_to(node), node
            case _:
                pass


def _place(node: Any) -> Span:
    word = getattr(node, "label" if isinstance(node, source.Rule | source.Ruling) else "name", None)
    return word.span if isinstance(word, source.Word) else node.span


def _amended_names(node: Any, top: _TopLayer) -> frozenset[str]:
    """Return the identifiers in what a node replaces, withdraws, or is an exception to."""
    aims: list[str] = []
    match node:
        case source.Rule(relations=relations, amends=amends):
            aims += (amendment.target.within.source_text for amendment in amends)
            aims += (word.text for part in relations for word in part.labels)
            aims += (each.source_text for part in relations for each in part.procedures)
        case source.Action() | source.Resolution() | source.Reaction() | source.Hook() | source.Phase():
            if node.replaces is not None:
                aims.append(node.replaces.target.source_text)
        case _:
            pass
    return frozenset().union(*(_words(top.known_nodes[aim]) for aim in aims if aim in top.known_nodes))


def _words(node: object) -> frozenset[str]:
    """Return the names and labels in a statement."""
    words = (part.text for part in walk(node) if isinstance(part, source.Word))
    return frozenset(name for word in words for name in HYPHENATED_NAME.findall(word))
