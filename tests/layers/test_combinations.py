"""What combinations of layers answer and remove, in whatever order and under whatever names they are loaded."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from compiler.compile import compile_stack
from compiler.source.finding import Finding
from compiler.source.span import Span
from runtime.examples.run import run_examples
from tests.layers.combination import Combination, combinations, renamed_stack, written

POSITION = """
  row A, B bog
  piece C: dray at A
  piece W: dray at A (wheeled)
  piece X: dray at A (wheeled, tall)
  piece T: dray at A (tired)
  piece S: dray at A (tired, tall)
"""
GAME, CASES = combinations("combinations.rules")


# Every second combination has names of the opposite order.
@pytest.mark.parametrize(
    ("combination", "renamed"), [pytest.param(case, bool(index % 2), id=case.name) for index, case in enumerate(CASES)]
)
def test_a_combination(combination: Combination, renamed: bool, tmp_path: Path) -> None:
    letters = "zyxwvutsrq" if renamed else "abcdefghij"
    names = {layer.name: f"{letter}_{layer.name}" for letter, layer in zip(letters, combination.layers, strict=False)}
    examples: dict[str, str] = {}
    for number, (stack, verb, text) in enumerate(combination.expectations):
        if verb == "ask":
            example = f'example "{number}" under {renamed_stack(stack, names)} {{{POSITION}  ask {text}\n}}\n'
            layer = [part for part in stack.split("+") if "=" not in part][-1]
            examples[layer] = examples.get(layer, "") + example
    library = written(GAME, combination, tmp_path, examples, names)
    for stack in dict.fromkeys(stack for stack, *_ in combination.expectations):
        result = compile_stack(library, renamed_stack(stack, names))
        findings = Counter(place for problem in result.problems for place in _places(problem))
        expected = {verb: text for other, verb, text in combination.expectations if other == stack}
        assert findings == (combination.announced if "refused" in expected else Counter()), result.problems
        if result.graph is None:
            continue
        assert result.typed is not None
        assert "gone" not in expected or expected["gone"] == removed_text(result.typed.layered.removed_by)
        failures = [run.failures for run in run_examples(result.graph) if run.failures]
        assert not failures
        game, *options = stack.split("+")
        other = compile_stack(library, renamed_stack("+".join([game, *reversed(options)]), names))
        assert other.graph is not None
        assert other.graph.hash == result.graph.hash


def _places(problem: Finding) -> Iterator[tuple[str, str, int]]:
    """Yield the class of a problem with the layer and line of each party that did something; 0 in a manifest."""
    spans: Iterable[Span] = getattr(problem, "spans", ())
    for span in spans or (getattr(problem, name) for name in ("span", "other", "first") if hasattr(problem, name)):
        file = Path(span.file)
        line = 0 if file.name == "layer.yaml" else span.line
        yield type(problem).__name__, file.parent.name.partition("_")[2], line


def removed_text(removed: Mapping[str, str]) -> str:
    """Return what is removed, and by what, as combinations say it."""
    return ", ".join(f"{label} by {remover}" for label, remover in sorted(removed.items())) or "nothing"
