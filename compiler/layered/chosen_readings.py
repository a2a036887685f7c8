"""The readings of disputes that a stack chooses.

In: a request, and the manifests of its layers. Out: the chosen reading of each dispute; problems where layers choose
differently, or where a chosen name is no dispute.
"""

from collections.abc import Iterable, Iterator, Mapping

from compiler.layered import nodes as layered
from compiler.layered.findings.layers import LeavesOffNothing
from compiler.layered.findings.readings import ReadingChosenTwice, UnknownReading
from compiler.layered.findings.relations import RemovedTarget
from compiler.layered.stack_request import OFF, StackRequest
from compiler.source import nodes as source
from compiler.source.finding import Finding
from compiler.source.span import NOWHERE
from compiler.source.suggestions import nearest_names


def choose_readings(request: StackRequest, manifests: Iterable[source.Layer]) -> dict[str, source.Word]:
    """Return the chosen readings: those of layers, overridden by those of the request."""
    chosen: dict[str, source.Word] = {}
    for manifest in manifests:
        for dispute, reading in manifest.readings:
            chosen[dispute.text] = reading
    for name, choice in request.readings:
        chosen[name] = source.Word(NOWHERE, choice)
    return chosen


def conflicting_readings(
    request: StackRequest, manifests: Iterable[source.Layer], reach: Mapping[str, frozenset[str]]
) -> Iterator[Finding]:
    """Yield a problem for each dispute for which layers choose different readings.

    None where the request decides, or a layer above all of them.
    """
    choosers: dict[str, list[tuple[str, source.Word, source.Word]]] = {}
    for manifest in manifests:
        for dispute, reading in manifest.readings:
            choosers.setdefault(dispute.text, []).append((manifest.name.text, dispute, reading))
    for name, chosen in choosers.items():
        if name in dict(request.readings):
            continue
        last = [
            (layer, dispute, reading)
            for layer, dispute, reading in chosen
            if not any(layer in reach[above] for above, *_ in chosen if above != layer)
        ]
        first = last[0]
        conflict = next((each for each in last[1:] if each[2].text != first[2].text), None)
        if conflict is not None:
            yield ReadingChosenTwice(
                conflict[2].span, first[2].span, name, (conflict[0], first[0]), (conflict[2].text, first[2].text)
            )


def undisputed_readings(
    request: StackRequest,
    manifests: Iterable[source.Layer],
    disputes: Mapping[str, layered.Dispute],
    known: Mapping[str, source.Layer],
) -> list[Finding]:
    """Return a problem for each reading of a name that is no dispute; `choose_layers` reports excluded layers."""
    manifests = tuple(manifests)
    named = [dispute for manifest in manifests for dispute, _ in manifest.readings]
    named += [source.Word(NOWHERE, name) for name, reading in request.readings if reading != OFF]
    companions = tuple(sorted(word.text for manifest in manifests for word in manifest.along))
    return [
        *(
            UnknownReading(word.span, word.text, "", nearest_names(word.text, disputes) or tuple(disputes))
            for word in named
            if word.text not in disputes
        ),
        *(
            LeavesOffNothing(NOWHERE, name, (), companions, is_loaded=False)
            for name in request.excluded_names
            if name not in disputes and name not in known
        ),
    ]


def removed_disputes(
    request: StackRequest,
    manifests: Iterable[source.Layer],
    removed: Mapping[str, source.Word],
    rules: Mapping[str, layered.Rule],
    reach: Mapping[str, frozenset[str]],
    disputes: Mapping[str, layered.Dispute],
) -> Iterator[Finding]:
    """Yield a problem for each reading of a dispute that a rule withdraws, unless the layer of the rule is above."""
    choices = [("", source.Word(NOWHERE, name)) for name, _ in request.readings if name in removed and name in disputes]
    choices += [
        (manifest.name.text, dispute)
        for manifest in manifests
        for dispute, _ in manifest.readings
        if dispute.text in removed and dispute.text in disputes
    ]
    for layer, dispute in choices:
        remover = removed[dispute.text]
        above = rules[remover.text].layer
        if not layer or above == layer or layer not in reach[above]:
            span = dispute.span if layer else remover.span
            target = disputes[dispute.text].node.label.span
            yield RemovedTarget(span, dispute.text, target, remover.span, remover.text, below=False)
