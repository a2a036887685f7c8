"""The heads of the documents of a YAML file: what each is, and its name, without parsing it.

In: the text of a `.yaml` file. Out: for each document the word before its first colon, the word behind it, and the span
of that word. A list of what there is needs no more of most files.
"""

import re
from collections.abc import Iterator

from compiler.source.files import split_lines
from compiler.source.span import Span

_FIRST_KEY = re.compile(r"(?:---)?[ \t{]*[\"']?([a-z]+)[\"']?[ \t]*:[ \t]*[\"']?([\w-]*)")

Head = tuple[str, str, Span]


def document_heads(text: str, name: str) -> Iterator[Head]:
    """Yield the kind, the name and the span of each document, from its first significant line."""
    expects_head = True
    for number, line in enumerate(split_lines(text), 1):
        if line.startswith("---"):
            expects_head = True
        plain = line.strip()
        if not expects_head or not plain or plain == "---" or plain.startswith(("#", "%")):
            continue
        expects_head = False
        first = _FIRST_KEY.match(line)
        if first:
            yield first[1], first[2], Span(name, number, first.start(2) + 1, number, first.end(2) + 1)
        else:
            yield "", "", Span(name, number, 1, number, len(line) + 1)
