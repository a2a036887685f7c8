"""The heads of the documents of a YAML file: what each is, and its name, without parsing it where that is possible.

In: the text of a `.yaml` file. Out: for each document the word before its first colon, or what stands there, the word
behind it, and the span of its name. A list of what there is needs no more of most files. A document is parsed if its
kind may be named by a later key, as other tools sort keys.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from compiler.source.files import split_lines
from compiler.source.span import Span

if TYPE_CHECKING:
    from compiler.source.nodes import Value

DOCUMENT_KINDS = ("table", "pieces", "patch", "layer", "book", "numbers", "sources", "board", "outline", "scenario",
                  "position")  # fmt: skip
_FIRST_KEY = re.compile(r"(?:---)?[ \t{]*[\"']?(\w[\w .-]*?)[\"']?[ \t]*:[ \t]*[\"']?([\w-]*)")
_BRACKETS = frozenset("[{")
_KIND_KEY = re.compile(rf"(?:^|[{{,])[ \t]*[\"']?(?:{'|'.join(DOCUMENT_KINDS)})[\"']?[ \t]*:", re.MULTILINE)
_POSITION_KEY = re.compile(r"(?:^|[{,])[ \t]*[\"']?position[\"']?[ \t]*:", re.MULTILINE)
# The most characters of a first key, or of a line that is none.
MOST_SHOWN = 30

Head = tuple[str, str, Span]


def document_heads(text: str, name: str) -> list[Head]:
    """Return the kind, the name and the span of each document."""
    heads = list(_first_lines(text, name))
    if not any(_may_be_later(kind, text) for kind, _, _ in heads):
        return heads
    from compiler.source.yaml_reader import read_yaml  # noqa: PLC0415 -- few files need the parser

    parsed_heads = [head for document in read_yaml(text, name)[0] if (head := _head_of(document))]
    return parsed_heads if len(parsed_heads) == len(heads) else heads


def _may_be_later(kind: str, text: str) -> bool:
    """Return whether a later key than the first may name the kind of a document."""
    return bool(_POSITION_KEY.search(text) if kind in DOCUMENT_KINDS else _KIND_KEY.search(text)) and kind != "position"


def _head_of(document: "Value") -> Head | None:
    """Return the kind, the name and the span of a parsed document; None if its kind is unknown."""
    from compiler.source.nodes import Scalar, ValueMap  # noqa: PLC0415 -- few files need the parser
    from compiler.source.shape import kind_of  # noqa: PLC0415 -- as above

    kind = kind_of(document)
    named = document.get(kind) if kind and isinstance(document, ValueMap) else None
    return (kind, named.text, named.span) if kind and isinstance(named, Scalar) else None


def _first_lines(text: str, name: str) -> Iterator[Head]:
    """Yield the first key of each document with its value, or what stands there, from the first significant line."""
    expects_head, opening = True, None
    for number, line in enumerate(split_lines(text), 1):
        if line.startswith("---"):
            if opening:
                yield opening
            expects_head, opening = True, None
        plain = line.strip()
        if not expects_head or not plain.removeprefix("---") or plain.startswith(("#", "%")):
            continue
        start_of_line: Head = plain[:MOST_SHOWN], "", Span(name, number, 1, number, len(line) + 1)
        if _BRACKETS.issuperset(plain.removeprefix("---")):
            opening = opening or start_of_line  # The key stands in a later line.
            continue
        expects_head, opening = False, None
        first = _FIRST_KEY.match(line)
        if first:
            start, end = first.span(2 if first[1] in DOCUMENT_KINDS else 1)
            yield first[1][:MOST_SHOWN], first[2], Span(name, number, start + 1, number, end + 1)
        else:
            yield start_of_line
    if opening:
        yield opening
