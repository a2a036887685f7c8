"""Clarifications without an example that confirms them.

An example belongs to a clarification if it is in its braces or behind it in the file (several clarifications may share
one), or if it mentions the ruling. A stack has only the examples that run under it, so only rulings of its topmost
layer are examined, and only without options, readings or a scenario: other layers have separate stacks.
"""

from collections.abc import Iterator

from compiler.analysis.checks import check_of_examples
from compiler.analysis.laws import layers_below
from compiler.analysis.parties import Party, party_label, ruling_party
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence
from runtime.graph import nodes as graph


@finding("R0517", "unshown-clarification", WARNING)
class UnshownClarification(Finding):
    """A clarification has no example, without which nothing tests it."""

    ruling: Party

    def sentence(self) -> Sentence:
        advice = f"write an `example` after it, or one with `because {self.ruling.label}`"
        return Sentence(f"the clarification `{self.ruling.label}` has no example", (party_label(self.ruling),), advice)


Text = graph.Ruling | graph.Rule | graph.Example


@check_of_examples
def unshown_clarification(stack: graph.Graph) -> Iterator[UnshownClarification]:
    """Find clarifications without an example."""
    top = stack.layers[-1].name
    if not _is_alone(stack) or stack.scenario is not None:
        return
    named = {example.protects for example in stack.examples} | set(_expected_labels(stack)) | set(_followed(stack))
    for ruling in stack.rulings.values():
        if (ruling.kind, ruling.origin.layer) == ("clarification", top) and not named & {ruling.label, *ruling.rules}:
            yield UnshownClarification(ruling_party(ruling))


def _is_alone(stack: graph.Graph) -> bool:
    """Return whether a stack consists of its topmost layer and what that imports."""
    below, top = layers_below(stack), stack.layers[-1].name
    return "=" not in stack.stack and below.keys() <= below[top] | {top}


def _expected_labels(stack: graph.Graph) -> Iterator[str]:
    """List the labels that checks expect as reasons."""
    for example in stack.examples:
        for line in example.lines:
            if isinstance(line, graph.Check | graph.Perform):
                yield from line.reasons


def _followed(stack: graph.Graph) -> Iterator[str]:
    """List the rulings that precede an example, with no other text than clarifications in between."""
    laws = [rule for rule in stack.rules.values() if not rule.ruling]
    texts: list[Text] = [*stack.rulings.values(), *laws, *stack.examples]
    next_text: Text | None = None
    for text in sorted(texts, key=_text_place, reverse=True):
        if next_text is not None and next_text.origin.file != text.origin.file:
            next_text = None
        if isinstance(text, graph.Ruling) and isinstance(next_text, graph.Example):
            yield text.label
            next_text = next_text if text.kind == "clarification" else text
        else:
            next_text = text


def _text_place(text: Text) -> tuple[str, int, int]:
    return text.origin.file, text.origin.line, text.origin.column
