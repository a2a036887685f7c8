"""Parse the text of a module: nested blocks `type:name { .. }` with text in the innermost.

In: the text of a `.blk` file. Out: blocks with their spans. No reference is resolved and no value evaluated.
Reports braces that do not match, blocks without a type, and blocks that exceed the limits of depth and number.
"""

import re
from dataclasses import dataclass

from compiler.source.span import Span
from rulewright.exchange.notes import Notes
from runtime.graph.frozen_dataclass import frozen_dataclass

MOST_BLOCK_NESTING = 32
MOST_BLOCKS = 50_000

_BRACE = re.compile(r"[{}]")


@frozen_dataclass
class Block:
    """A block: its type without punctuation, its name, and the blocks or the text inside.

    A block whose type begins with `!` is a reference; its text is a path: `factions.north` refers to `north`.
    """

    span: Span
    type: str
    name: str
    children: tuple["Block", ...]
    text: str
    is_reference: bool

    @property
    def display_text(self) -> str:
        """Return the text; of a reference, the last part of its path."""
        head, dot, name = self.text.partition(".")
        return (name if dot else head).strip().lower() if self.is_reference else self.text

    def child(self, name: str) -> "Block | None":
        """Return the inner block of a name; None if there is none."""
        return next((block for block in self.children if block.name == name), None)

    def child_word(self, name: str, default: str = "") -> str:
        """Return the text of the inner block of a name; `default` if there is none."""
        found = self.child(name)
        return found.display_text if found is not None else default


@dataclass(slots=True)
class _Open:
    """A block whose closing brace has not been parsed yet."""

    span: Span
    type: str
    name: str
    children: list[Block]


def read_blocks(text: str, file: str, notes: Notes) -> tuple[Block, ...]:
    """Parse all blocks of a file; empty, with a note, if the file is malformed."""
    lines = _LineOffsets(text, file)
    stack = [_Open(lines.span(0, 0), "", "", [])]
    start = count = 0
    for brace in _BRACE.finditer(text):
        if brace[0] == "{":
            head = text[start : brace.start()]
            begins = start + len(head) - len(head.lstrip())
            kind, colon, name = (part.strip() for part in head.strip().lower().partition(":"))
            count += 1
            if len(stack) > MOST_BLOCK_NESTING or count > MOST_BLOCKS or not kind or not colon:
                message = (
                    "blocks lie too deep, or are too many" if kind and colon else "`type:name` should stand before `{`"
                )
                notes.add_invalid(lines.span(begins, brace.end()), file, message)
                return ()
            stack.append(_Open(lines.span(begins, brace.start()), kind, name, []))
        elif len(stack) == 1:
            notes.add_invalid(lines.span(brace.start(), brace.end()), file, "no block ends here")
            return ()
        else:
            block = stack.pop()
            words = text[start : brace.start()].strip()
            if words and block.children:
                notes.add_omission(lines.span(start, brace.start()), block.name, f"words beside blocks: {words[:40]}")
            _note_duplicates(block, notes)
            plain, reference = block.type.lstrip("!"), block.type.startswith("!")
            children = tuple(block.children)
            stack[-1].children.append(
                Block(block.span, plain, block.name, children, "" if children else words, reference)
            )
        start = brace.end()
    if len(stack) > 1:
        notes.add_invalid(stack[-1].span, file, "this block does not end")
        return ()
    if rest := text[start:].strip():
        notes.add_invalid(lines.span(start, len(text)), file, f"`type:name {{` should stand here, not `{rest[:40]}`")
    return tuple(stack[0].children)


def _note_duplicates(parent: _Open, notes: Notes) -> None:
    """Record a note for each duplicate name in a block; readers use the first. `_` denotes a block without a name."""
    seen: set[str] = set()
    for block in parent.children:
        if block.name in seen and block.name != "_":
            notes.add_omission(block.span, block.name, f"stands twice in `{parent.name}`; the first holds")
        seen.add(block.name)


@dataclass(slots=True)
class _LineOffsets:
    """A text that converts offsets to spans."""

    text: str
    file: str

    def span(self, start: int, end: int) -> Span:
        """Return the span of the text between two offsets."""
        line = self.text.count("\n", 0, start) + 1
        column = start - self.text.rfind("\n", 0, start)
        return Span(self.file, line, column, line, column + max(1, end - start))
