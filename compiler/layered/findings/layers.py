"""Layers that are missing, exclude each other, or are left off."""

from compiler.layered.findings.reference import ReferenceFinding
from compiler.source.finding import Finding, LocatedFinding, finding
from compiler.source.sentence import MOST_NAMES, Label, Sentence, Severity, did_you_mean, list_words
from compiler.source.span import Span
from compiler.source.suggestions import nearest_names


@finding("R0301", "unknown-layer")
class UnknownLayer(LocatedFinding):
    """A stack, or `on` of a layer, refers to an unknown layer. `span` is NOWHERE for the command line.

    `is_incompatible` if the layer is declared incompatible with it, which alone prevents nothing.
    """

    name: str
    candidates: tuple[str, ...]
    is_incompatible: bool = False

    def sentence(self) -> Sentence:
        if self.is_incompatible:
            message = f"there is no layer `{self.name}`, so this keeps nothing apart"
            return self.sentence_here(
                message,
                "named here",
                did_you_mean(self.candidates),
                root=f"layer {self.name}",
                severity=Severity.WARNING,
            )
        near_names = nearest_names(self.name, self.candidates)
        message = f"there is no layer `{self.name}`"
        advice = did_you_mean(
            near_names, f"the layers are {list_words(self.candidates, 'and', 12)}" if self.candidates else ""
        )
        return self.sentence_here(message, "named here", advice, root=f"layer {self.name}", names=(self.name,))


@finding("R0302", "layer-cycle")
class LayerCycle(Finding):
    """Layers are based on, or above, each other in a cycle: `spans` are the declarations."""

    spans: tuple[Span, ...]
    names: tuple[str, ...]

    def sentence(self) -> Sentence:
        listed = list_words(self.names, "and")
        return Sentence(
            f"the layers {listed} stand on each other in a circle" if self.names[1:] else f"{listed} stands on itself",
            tuple(Label(span, "named here") for span in self.spans[:MOST_NAMES]),
            "take one of these names away",
        )


@finding("R0303", "layers-exclude")
class LayersExclude(LocatedFinding):
    """A layer declares `not with` another that is loaded too; `below` if it is based on that one."""

    layer: str
    other: str
    below: bool = False

    def sentence(self) -> Sentence:
        if self.below:
            message = f"`{self.layer}` stands on `{self.other}` and says that it does not go together with it"
            labels = (Label(self.span, f"named here, though `{self.layer}` cannot be without it"),)
            advice = f"take `{self.other}` out of `not with`, or let `{self.layer}` stand on another layer"
            return Sentence(message, labels, advice, root=" ".join(sorted((self.layer, self.other))))
        message = f"`{self.layer}` does not go together with `{self.other}`"
        labels = (Label(self.span, f"`{self.layer}` says so here"),)
        return Sentence(
            message,
            labels,
            f"leave out `{self.layer}` or `{self.other}`",
            root=" ".join(sorted((self.layer, self.other))),
        )


@finding("R0330", "leaves-off-nothing")
class LeavesOffNothing(LocatedFinding):
    """A stack excludes a layer that is no companion, or that is requested all the same (`is_loaded`).

    `dependents` are the chosen layers that are based on it; `companions` those that are included by default and could
    be excluded; `parties` the layers that load it together, if it is a joint layer that the stack does not request.
    """

    name: str
    dependents: tuple[str, ...]
    companions: tuple[str, ...]
    is_loaded: bool
    parties: tuple[str, ...] = ()

    def sentence(self) -> Sentence:
        name, needed = self.name, self.dependents
        others = tuple(each for each in self.companions if each != name)
        reason, note = "it does not come along with this stack", "left off here"
        help_ = (
            f"what comes along and can be left off is {list_words(others, 'and', 12)}"
            if others
            else "no layer of this stack brings another along"
        )
        if self.is_loaded and needed:
            reason = f"{list_words(needed, 'and')} {'stand' if len(needed) > 1 else 'stands'} on it"
            help_ = f"leave {'them' if len(needed) > 1 else 'that'} out as well, or leave `{name}` in"
        elif self.parties:
            reason = f"it is loaded with {list_words(self.parties, 'and')}, which would not fit together without it"
            help_ = "leave one of these out"
        elif self.is_loaded:
            reason, note = "the stack asks for it as well", "both in the name of this stack"
            help_ = f"leave out `{name}`, or `{name}=off`"
        return self.sentence_here(f"`{name}` cannot be left off: {reason}", note, help_, root=f"left off {name}")


@finding("R0320", "example-elsewhere")
class ExampleElsewhere(LocatedFinding, ReferenceFinding):
    """An example that runs under a stack without its layer, so that it would never run."""

    stack: str
    layer: str

    def sentence(self) -> Sentence:
        message = f"this example stands in `{self.layer}`, which is no part of `{self.stack}`"
        advice = f"name a stack with `{self.layer}` in it, or move the example"
        return self.sentence_here(message, "runs under this stack", advice)
