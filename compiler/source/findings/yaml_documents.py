"""YAML that is malformed, hides what it says, or lacks its shape."""

import re

from compiler.source.finding import WARNING, LocatedFinding, finding
from compiler.source.findings.literals import shortened_digits
from compiler.source.heads import DOCUMENT_KINDS
from compiler.source.sentence import Label, Sentence, choice_text, did_you_mean, list_words
from compiler.source.span import Span

_MOST_DIGITS = 6  # of numbers in data files, as in their schemas

_MOST_KEYS = 24  # of those that a file may have; no file has more

_YAML_ADVICE = {
    "alias": "write the value out where it is used; `*name` hides what a file says",
    "anchor": "write the value out where it is used; `&name` hides what a file says",
    "tag": "leave the `!` tag out: the schema knows what each value is",
    "merge": "write the keys out; `<<` hides what a file says",
}


@finding("R0602", "bad-yaml")
class BadYaml(LocatedFinding):
    """Malformed YAML; `message` is that of the YAML reader, `context` where the construct started, if known."""

    message: str
    context: Span | None

    def sentence(self) -> Sentence:
        others = (Label(self.context, "it began here"),) if self.context else ()
        advice = "look at the brackets, quotes and indentation right before this place"
        if "expected ':'" in self.message:
            advice = "write a colon and a blank behind each key, `title: Mill`, and indent what belongs to it"
        if "cannot start" in self.message:
            advice = (
                "indent by blanks, never by tabs, and put a text that begins with `@`, `%` or a backquote in quotes"
            )
        return Sentence(f"this is not YAML: {self.message}", (Label(self.span, "noticed here"), *others), advice)


@finding("R0603", "refused-yaml")
class RefusedYaml(LocatedFinding):
    """A YAML construct that obscures the content of a file: `construct` is alias, anchor, tag or merge."""

    construct: str

    def sentence(self) -> Sentence:
        article = "an" if self.construct[0] in "ae" else "a"
        message = f"{article} {self.construct} cannot be used here"
        advice = _YAML_ADVICE.get(self.construct, "write the value out")
        return self.sentence_here(message, f"{article} {self.construct}", advice, root=f"refused {self.span.file}")


@finding("R0604", "duplicate-key")
class DuplicateKey(LocatedFinding):
    """A repeated key of a mapping."""

    key: str
    first: Span

    def sentence(self) -> Sentence:
        message = f"the key `{self.key}` stands here twice"
        return Sentence(
            message, (Label(self.span, "again here"), Label(self.first, "first here")), "keep one of the two"
        )


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
        if self.key == "titles" and self.kind == "patch":
            advice = "write the title in the counter itself, `{id: m4_snow, title: M4 in snow, ..}`"
            return self.sentence_here("a patch has no key `titles`", "not known", advice, root=f"patch {self.key}")
        message = f"{_article(self.kind)} {self.kind} has no key `{self.key}`"
        advice = choice_text(self.candidates, self.known, f"{_article(self.kind)} {self.kind} may have", _MOST_KEYS)
        return self.sentence_here(message, "not known", advice, root=f"{self.kind} {self.key}")


@finding("R0606", "missing-key")
class MissingKey(LocatedFinding):
    """A required key that is absent; `span` is the mapping that lacks it, or the key that probably `is_misspelled`."""

    key: str
    kind: str
    is_misspelled: bool = False

    def sentence(self) -> Sentence:
        if self.is_misspelled:
            return self.sentence_here(
                f"this {self.kind} lacks `{self.key}`",
                "is this meant?",
                f"write `{self.key}: ...`",
            )
        return self.sentence_here(f"this {self.kind} lacks `{self.key}`", "here", f"add `{self.key}: ...`")


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
            message = f"{shortened_digits(large.group())} is larger than any number here"
            return self.sentence_here(message, "too large", f"numbers of data files have {_MOST_DIGITS} digits at most")
        message = f"this needs {expected} but holds {found}"
        if expected == "a list of names" and re.fullmatch(r"`[\w, -]+`", found):
            expected = f"`[{found[1:-1]}]`"
        by_keys = f" by its keys: `{{{', '.join(f'{key}: ..' for key in keys)}, ..}}`" if keys else ""
        advice = did_you_mean(self.candidates, f"write {expected}{by_keys}")
        return self.sentence_here(message, f"holds {found}", advice)


@finding("R0608", "unknown-document")
class UnknownDocument(LocatedFinding):
    """A YAML document with an unknown first key; `candidates` are near ones."""

    key: str
    candidates: tuple[str, ...]

    def sentence(self) -> Sentence:
        advice = did_you_mean(self.candidates, f"begin with {list_words(DOCUMENT_KINDS, 'or', len(DOCUMENT_KINDS))}")
        if self.key == "reported":
            advice = "nothing compares reported results any more: keep the file outside of the package"
        label = Label(self.span, "its first key says what a file is")
        return Sentence(f"a file cannot begin with `{self.key}`", (label,), advice)


@finding("R0609", "out-of-order", WARNING)
class OutOfOrder(LocatedFinding):
    """A number of the book that follows a higher or equal one in a register that is ordered."""

    label: str
    number: str
    above: Span
    last: str

    def sentence(self) -> Sentence:
        message = f"`{self.label}` has the number {self.number}, and stands behind {self.last}"
        advice = "give it back its printed number: `rulewright number` changes none and writes them in order"
        return Sentence(
            message, (Label(self.span, "changed by hand?"), Label(self.above, f"this has {self.last}")), advice
        )


def _article(noun: str) -> str:
    return "an" if noun[:1] in "aeiou" else "a"
