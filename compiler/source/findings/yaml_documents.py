"""YAML that is malformed, hides what it says, or lacks its shape."""

import re

from compiler.source.finding import WARNING, LocatedFinding, finding
from compiler.source.findings.literals import shortened_digits
from compiler.source.heads import DOCUMENT_KINDS
from compiler.source.sentence import Label, Sentence, choice_text, did_you_mean, list_words
from compiler.source.span import Span
from runtime.graph.words import article

_MOST_DIGITS = 6  # of numbers in data files, as in their schemas

_MOST_KEYS = 24  # of those that a file may have; no file has more

_WITHOUT_INDIRECTION = "write the value itself where it is used"
_REFUSED_ADVICE = {
    "tag": "leave out the tag: the declaration states the type of each value",
    "merge": "write out the keys themselves",
}

# What the reader of YAML reports, as regular expressions, with its cause and cure; the first that matches is told.
_FAULTS = {
    "expected ',' or": ("a comma or a closing bracket is missing", "add the comma or bracket before this place"),
    "expected ':'|simple key": ("a key has no colon", "write a colon and a blank after each key, as in `title: Mill`"),
    "mapping values": ("a colon cannot stand here", "put a text that contains a colon in quotes"),
    "cannot start|tab": (
        "a value cannot begin with this character",
        "indent with blanks, not tabs, and put a text that begins with `@`, `%` or a backquote in quotes",
    ),
    "end of stream|end of file": ("the file ends too early", "close the quote or bracket that is still open"),
}
_INDENTATION = "this line has another indentation than the lines that it belongs to", "correct its indentation"
_OTHER_FAULT = "this cannot stand here", "look at the quotes, brackets and indentation before this place"


@finding("R0602", "bad-yaml")
class BadYaml(LocatedFinding):
    """Malformed YAML; `message` is that of the YAML reader, `context` where the construct started, if known.

    `before` is the line up to the place.
    """

    message: str
    context: Span | None
    before: str = ""

    def sentence(self) -> Sentence:
        fault, advice = _OTHER_FAULT
        if _is_about_indentation(self.message, self.before):
            fault, advice = _INDENTATION
        else:
            for pattern, words in _FAULTS.items():
                if re.search(pattern, self.message):
                    fault, advice = words
                    break
        others = (Label(self.context, "the beginning of this part"),) if self.context else ()
        return self.sentence_here(f"this is not valid YAML: {fault}", "noticed here", advice, *others)


def _is_about_indentation(message: str, before: str) -> bool:
    """Return whether the fault is at the beginning of a line, or at the colon behind its first word."""
    if "mapping values" in message:
        return re.fullmatch(r"\s*(- )?[^\s:]+", before) is not None
    return not before.strip() and re.search("expected key|block end|'-' indicator", message) is not None


@finding("R0603", "refused-yaml")
class RefusedYaml(LocatedFinding):
    """A YAML construct that obscures the content of a file: `construct` is alias, anchor, tag or merge."""

    construct: str

    def sentence(self) -> Sentence:
        message = f"{article(self.construct)} is not allowed in files of rules"
        advice = _REFUSED_ADVICE.get(self.construct, _WITHOUT_INDIRECTION)
        return self.sentence_here(message, f"the {self.construct}", advice, root=f"refused {self.span.file}")


@finding("R0604", "duplicate-key")
class DuplicateKey(LocatedFinding):
    """A repeated key of a mapping."""

    key: str
    first: Span

    def sentence(self) -> Sentence:
        message = f"the key `{self.key}` is given twice"
        return self.sentence_here(message, "again here", "delete one of the two", Label(self.first, "first here"))


@finding("R0605", "unknown-key")
class UnknownKey(LocatedFinding):
    """A key that a file of this kind does not have; `candidates` are keys that it may be a misspelling of.

    `known` are all keys.
    """

    key: str
    kind: str
    candidates: tuple[str, ...]
    known: tuple[str, ...]

    def sentence(self) -> Sentence:
        message = f"{article(self.kind)} has no key `{self.key}`"
        advice = choice_text(self.candidates, self.known, "its keys are", _MOST_KEYS)
        if self.key == "titles" and self.kind == "patch":
            advice = "write the title in the counter itself, as in `{id: m4_snow, title: M4 in snow, ..}`"
        return self.sentence_here(message, "unknown key", advice, root=f"{self.kind} {self.key}")


@finding("R0606", "missing-key")
class MissingKey(LocatedFinding):
    """A required key that is absent; `span` is the mapping that lacks it, or the key that probably `is_misspelled`."""

    key: str
    kind: str
    is_misspelled: bool = False

    def sentence(self) -> Sentence:
        note, verb = ("perhaps a misspelling of it", "write") if self.is_misspelled else ("here", "add")
        return self.sentence_here(f"this {self.kind} lacks `{self.key}`", note, f"{verb} `{self.key}: ..`")


@finding("R0607", "bad-shape")
class BadShape(LocatedFinding):
    """A value of another shape than its place requires.

    `expected` is a phrase for what is required, `found` for what is there; `keys` are the required keys of a mapping,
    `candidates` what may have been meant. `is_number`: a whole number is required or allowed, up to the common limit.
    """

    expected: str
    found: str
    keys: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    is_number: bool = False

    def sentence(self) -> Sentence:
        expected, found, keys = self.expected, self.found, self.keys
        if self.is_number and (large := re.search(rf"(?<![-\d])(?<!\d\.)\d{{{_MOST_DIGITS + 1},}}", found)):
            message = f"{shortened_digits(large.group())} is too large"
            return self.sentence_here(message, "here", f"write a number with at most {_MOST_DIGITS} digits")
        advice = ""
        if expected == "a list of names" and re.fullmatch(r"`[\w, -]+`", found):
            advice = f"write `[{found[1:-1]}]`"
        elif expected.startswith("`") and expected.count("`") == 2:
            advice = f"write {expected}"
        elif keys:
            advice = f"write its keys, `{{{', '.join(f'{key}: ..' for key in keys)}, ..}}`"
        return self.sentence_here(f"expected {expected}, found {found}", "here", did_you_mean(self.candidates, advice))


@finding("R0608", "unknown-document")
class UnknownDocument(LocatedFinding):
    """A YAML document with an unknown first key; `candidates` are near ones."""

    key: str
    candidates: tuple[str, ...]

    def sentence(self) -> Sentence:
        advice = did_you_mean(self.candidates, f"begin with {list_words(DOCUMENT_KINDS, 'or', len(DOCUMENT_KINDS))}")
        if self.key == "reported":
            advice = "move the file out of the package: reported results are no longer compared"
        return self.sentence_here(f"a file cannot begin with the key `{self.key}`", "unknown key", advice)


@finding("R0609", "out-of-order", WARNING)
class OutOfOrder(LocatedFinding):
    """A number of the book that follows a higher or equal one in a register that is ordered."""

    label: str
    number: str
    above: Span
    last: str

    def sentence(self) -> Sentence:
        message = f"`{self.label}` has the number {self.number}, but comes after {self.last}"
        advice = "restore the number under which it was printed"
        return self.sentence_here(message, "perhaps changed by hand", advice, Label(self.above, self.last))
