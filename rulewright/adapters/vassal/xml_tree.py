"""Parse XML by expat into elements with line and column.

In: the bytes of a file. Out: its root `Element`; None, with a note, for a file that is broken or beyond the limits. A
file that declares entities is rejected, so that none is expanded and no other file is read.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from compiler.source.span import Span
from rulewright.exchange.notes import Notes

MOST_XML_NESTING = 400
MOST_ELEMENTS = 1_000_000
# Names are copied into many files; the longest attributes of published modules have some thousand characters.
LONGEST_ATTRIBUTE = 1_000_000


@dataclass(slots=True)
class Element:
    """An element: the last part of its tag, its attributes, its children and its text."""

    tag: str
    span: Span
    attributes: dict[str, str]
    children: list["Element"] = field(default_factory=list)
    text: str = ""

    def get(self, name: str, default: str = "") -> str:
        """Return an attribute; `default` if it is missing."""
        return self.attributes.get(name, default)

    def is_true(self, name: str, *, default: bool = False) -> bool:
        """Return whether an attribute is `true`; `default` if it is missing."""
        return self.attributes.get(name, str(default).lower()) == "true"

    def children_named(self, *tags: str) -> Iterator["Element"]:
        """Yield the children with one of some tags."""
        return (each for each in self.children if each.tag in tags)

    def descendants(self) -> Iterator["Element"]:
        """Yield all elements below this one, in document order."""
        pending = list(reversed(self.children))
        while pending:
            element = pending.pop()
            yield element
            pending.extend(reversed(element.children))


class _Refused(Exception):  # noqa: N818 control flow out of expat's callbacks
    """Content that is rejected: the reason, and the place where it begins, behind which expat is when it has ended."""


@dataclass(slots=True)
class _Builder:
    """The open elements, from the outermost."""

    file: str
    parser: expat.XMLParserType
    root: Element | None = None
    open: list[Element] = field(default_factory=list)
    texts: list[list[str]] = field(default_factory=list)
    count: int = 0

    def begin(self, tag: str, attributes: dict[str, str]) -> None:
        """Open an element."""
        self.count += 1
        if self.count > MOST_ELEMENTS:
            raise _Refused(f"more than {MOST_ELEMENTS:,} elements", self.current_span())
        if len(self.open) >= MOST_XML_NESTING:
            raise _Refused(f"an element inside of {MOST_XML_NESTING} others", self.current_span())
        if long := next((name for name, value in attributes.items() if len(value) > LONGEST_ATTRIBUTE), ""):
            reason = f"the attribute `{long[:40]}` has more than {LONGEST_ATTRIBUTE:,} characters"
            raise _Refused(reason, self.current_span())
        element = Element(tag.rpartition(".")[2], self.current_span(), attributes)
        if self.open:
            self.open[-1].children.append(element)
        elif self.root is None:
            self.root = element
        self.open.append(element)
        self.texts.append([])

    def end(self, _: str) -> None:
        """Close the innermost element."""
        self.open.pop().text = "".join(self.texts.pop())

    def add(self, text: str) -> None:
        """Add text to the innermost element."""
        if self.texts:
            self.texts[-1].append(text)

    def current_span(self) -> Span:
        """Return the current span of the parser."""
        line, column = self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1
        return Span(self.file, line, column, line, column + 1)


def parse_xml(content: bytes, file: str, notes: Notes) -> Element | None:
    """Parse a file; None, with a note, if it is not well-formed or declares entities."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    builder = _Builder(file, parser)

    def refuse(*_: object) -> None:
        raise _Refused("declares entities, which are not read", builder.current_span())

    parser.EntityDeclHandler = refuse
    parser.UnparsedEntityDeclHandler = refuse
    parser.StartElementHandler = builder.begin
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.add
    try:
        parser.Parse(content, True)  # noqa: FBT003 expat knows no keywords
    except expat.ExpatError as error:
        place = Span(file, error.lineno, error.offset + 1, error.lineno, error.offset + 2)
        notes.add_invalid(place, "XML", expat.ErrorString(error.code))
        return None
    except _Refused as refused:
        reason, place = refused.args
        notes.add_invalid(place, "XML", reason)
        return None
    except (ValueError, LookupError) as error:
        notes.add_invalid(builder.current_span(), "XML", str(error))
        return None
    return builder.root
