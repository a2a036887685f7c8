"""The text of one file, and changes of it by the spans of its trees."""

from dataclasses import dataclass, field

from compiler.source.span import Span


@dataclass(frozen=True, slots=True)
class Slice:
    """A stretch of a text, as offsets, and what is to stand there instead."""

    begin: int
    end: int
    text: str


@dataclass
class Text:
    """The text of a file."""

    name: str
    content: str
    starts: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Note where lines begin."""
        self.starts = [0]
        for line in self.content.split("\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)

    def begin(self, span: Span) -> int:
        """Give the offset at which a span begins."""
        return self.starts[span.line - 1] + span.column - 1

    def end(self, span: Span) -> int:
        """Give the offset at which a span ends."""
        return self.starts[span.end_line - 1] + span.end_column - 1

    def of(self, span: Span) -> str:
        """Give what stands in a span."""
        return self.content[self.begin(span) : self.end(span)]

    def between(self, one: Span, other: Span) -> str:
        """Give what stands between two spans."""
        return self.content[self.end(one) : self.begin(other)]

    def instead(self, span: Span, text: str) -> Slice:
        """Put something in the place of a span."""
        return Slice(self.begin(span), self.end(span), text)

    def joint(self, one: Span, other: Span, text: str) -> Slice:
        """Put something between two spans."""
        return Slice(self.end(one), self.begin(other), text)

    def before(self, span: Span, word: str) -> int | None:
        """Give the offset of a word that stands right before a span, blanks and brackets aside."""
        head = self.content[: self.begin(span)].rstrip(" \n(")
        return len(head) - len(word) if head.endswith(word) else None

    def edited(self, change: Slice) -> str:
        """Give the text with one change."""
        return self.content[: change.begin] + change.text + self.content[change.end :]

    def line(self, change: Slice) -> int:
        """Give the number of the line in which a change begins."""
        return self.content.count("\n", 0, change.begin) + 1
