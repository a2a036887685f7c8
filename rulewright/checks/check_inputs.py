"""The inputs of a check of a stack, except the stack's own examples.

Many findings do not depend on these examples: proofs of rules, cards, the stacks of other examples. While the hash of
all other inputs is unchanged, these are not recomputed. An example belongs to a stack if it runs under exactly this
stack, without a card.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from itertools import accumulate

from compiler.layered.layer_selection import choose_layers, layers_of_stack
from compiler.layered.stack_request import parse_request
from compiler.source.comments import without_comments
from compiler.source.nodes import Example
from compiler.source.package import Library
from rulewright.library.example_targets import examples_of, stack_content


def meaning_without_examples(library: Library, stack: str) -> bytes:
    """Return a hash of all files' names and contents, without comments, layout and the stack's own examples."""
    examples_by_file: dict[str, list[Example]] = defaultdict(list)
    for example in _own_examples(library, stack):
        examples_by_file[example.span.file].append(example)
    texts = library.texts
    hashed = hashlib.sha256()
    for name in sorted(texts):
        meaning = (
            _hash_without_examples(texts[name], examples_by_file[name])
            if name in examples_by_file
            else texts.content_named(name).meaning_hash
        )
        hashed.update(f"{name} {meaning}\n".encode())
    return hashed.digest()


def _own_examples(library: Library, stack: str) -> Iterable[Example]:
    identity = stack_content(library, stack)
    membership: dict[str, bool] = {}
    for layer in (each.name.text for each in layers_of_stack(library, stack)):
        for example in examples_of(library, layer):
            example_stack = example.under.text if example.under else layer
            if example_stack not in membership:
                _, missing = choose_layers(library.layers, parse_request(example_stack))
                membership[example_stack] = not missing and stack_content(library, example_stack) == identity
            if membership[example_stack] and not example.upon:
                yield example


def _hash_without_examples(text: str, examples: Iterable[Example]) -> str:
    """Hash a text without some examples, whose spans refer to the text as normalized by the parser."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    lines = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    parts, offset = [], 0
    for example in sorted(examples, key=lambda each: each.span):
        span = example.span
        parts.append(text[offset : lines[span.line - 1] + span.column - 1])
        offset = lines[span.end_line - 1] + span.end_column - 1
    parts.append(text[offset:])
    return hashlib.sha256(without_comments("".join(parts)).encode()).hexdigest()
