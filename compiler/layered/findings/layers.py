"""Layers that are missing, exclude each other, or are left off."""

from compiler.layered.findings.reference import ReferenceFinding
from compiler.source.finding import WARNING, Finding, LocatedFinding, finding
from compiler.source.sentence import MOST_NAMES, Label, Sentence, choice_text, list_words
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
        message = f"there is no layer `{self.name}`"
        if self.is_incompatible:
            message = f"{message}, so `not with` has no effect here"
        advice = choice_text(nearest_names(self.name, self.candidates), self.candidates, "the layers are", MOST_NAMES)
        severity = WARNING if self.is_incompatible else None
        return self.sentence_here(
            message,
            "named here",
            advice,
            root=f"layer {self.name}",
            names=() if self.is_incompatible else (self.name,),
            severity=severity,
        )


@finding("R0302", "layer-cycle")
class LayerCycle(Finding):
    """Layers are based on, or above, each other in a cycle: `spans` are the declarations."""

    spans: tuple[Span, ...]
    names: tuple[str, ...]

    def sentence(self) -> Sentence:
        listed = list_words(self.names, "and")
        return Sentence(
            f"the layers {listed} are based on each other" if self.names[1:] else f"{listed} is based on itself",
            tuple(Label(span, "named here") for span in self.spans[:MOST_NAMES]),
            "delete one of these names",
        )


@finding("R0303", "layers-exclude")
class LayersExclude(LocatedFinding):
    """A layer declares `not with` another that is loaded too; `below` if it is based on that one."""

    layer: str
    other: str
    below: bool = False

    def sentence(self) -> Sentence:
        layer, other = self.layer, self.other
        message = f"`{layer}` cannot be used together with `{other}`"
        advice = f"leave out `{layer}` or `{other}`"
        if self.below:
            message = f"`{layer}` excludes `{other}`, on which it is based"
            advice = f"take `{other}` out of `not with`, or base `{layer}` on another layer"
        root = " ".join(sorted((layer, other)))
        return self.sentence_here(message, "excluded here", advice, root=root)


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
        name, needed = self.name, list_words(self.dependents, "and")
        others = tuple(each for each in self.companions if each != name)
        reason = "this stack does not include it by default"
        advice = (
            f"what is included by default is {list_words(others, 'and', 12)}"
            if others
            else f"delete `{name}=off`: no layer of this stack includes another by default"
        )
        if self.is_loaded and needed:
            reason = f"{needed} {'are' if len(self.dependents) > 1 else 'is'} based on it"
            advice = f"leave out {needed} as well, or keep `{name}`"
        elif self.parties:
            reason = f"{list_words(self.parties, 'and')} cannot be used together without it"
            advice = "leave one of these out"
        elif self.is_loaded:
            reason = "the stack also names it"
            advice = f"leave out `{name}`, or `{name}=off`"
        return self.sentence_here(
            f"`{name}` cannot be left off: {reason}", "left off here", advice, root=f"left off {name}"
        )


@finding("R0320", "example-elsewhere")
class ExampleElsewhere(LocatedFinding, ReferenceFinding):
    """An example that runs under a stack without its layer, so that it would never run."""

    stack: str
    layer: str

    def sentence(self) -> Sentence:
        message = (
            f"this example of `{self.layer}` never runs, as its stack `{self.stack}` does not contain `{self.layer}`"
        )
        advice = f"name a stack that contains `{self.layer}`, or move the example to a layer of `{self.stack}`"
        return self.sentence_here(message, "its stack", advice)
