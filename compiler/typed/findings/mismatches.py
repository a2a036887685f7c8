"""Values, amounts and arguments of another type than is required."""

from compiler.source.finding import LocatedFinding, finding
from compiler.source.sentence import Label, Sentence, backquoted, list_words
from compiler.source.span import Span
from runtime.graph.words import article, counted_noun, has_article


@finding("R0401", "type-mismatch")
class TypeMismatch(LocatedFinding):
    """A value of one type where another is expected; `members` are the values of an expected enumeration.

    The same mismatch in several places has one cause more often than several: a declaration of the wrong type.
    """

    expected: str
    found: str
    members: tuple[str, ...] = ()

    def sentence(self) -> Sentence:
        one_of = (
            f"write a member of `{self.expected}`: {list_words(self.members, most=12)}"
            if self.members
            else _advice(self.expected, self.found)
        )
        message = f"expected {_a(self.expected)}, found {_a(self.found)}"
        return self.sentence_here(message, "here", one_of, root=message)


@finding("R0402", "measure-mismatch")
class MeasureMismatch(LocatedFinding):
    """Amounts of different measures combined, or an amount that lacks its measure."""

    expected: str
    found: str
    literal: str

    def sentence(self) -> Sentence:
        expected, found = (f"an amount in {each}" if each else "a bare number" for each in (self.expected, self.found))
        advice = f"write an amount in {self.expected}"
        if self.literal:
            advice = f"write `{self.literal}`"
        elif not self.found:
            advice = f"multiply it by `1 {self.expected}`"
        elif not self.expected:
            advice = f"divide it by `1 {self.found}`, or write `number(..)`"
        message = f"expected {expected}, found {found}"
        return self.sentence_here(message, "here", advice, root="" if self.literal else message)


@finding("R0403", "wrong-arity")
class WrongArity(LocatedFinding):
    """A term, function, table or action with too many or too few arguments; `written` is the correct form."""

    name: str
    expected: int
    found: int
    written: str = ""

    def sentence(self) -> Sentence:
        message = f"`{self.name}` takes {counted_noun(self.expected, 'argument')}, not {self.found}"
        advice = f"write `{self.written}`" if self.written else f"give it {counted_noun(self.expected, 'argument')}"
        return self.sentence_here(message, "here", advice)


@finding("R0408", "wrong-verb")
class WrongVerb(LocatedFinding):
    """A conclusion that is invalid for the form of its term: `adds` on a verdict, `is` on a sum."""

    term: str
    form: str
    verb: str
    valid_verbs: tuple[str, ...]

    def sentence(self) -> Sentence:
        message = f"a rule on `{self.term}` cannot say `{self.verb}`"
        advice = f"write {list_words(self.valid_verbs)}" if self.valid_verbs else ""
        return self.sentence_here(message, f"`{self.term}` is {article(self.form)}", advice)


@finding("R0601", "bad-cell")
class BadCell(LocatedFinding):
    """A cell, printed factor or fact that is not of its declared type."""

    value_name: str
    expected: str
    found: str

    def sentence(self) -> Sentence:
        content = self.found if has_article(self.found) else f"`{self.found}`" if self.found else "nothing"
        message = f"expected {_a(self.expected)} for {backquoted(self.value_name)}, found {content}"
        return self.sentence_here(message, "here")


@finding("R0409", "missing-field")
class MissingField(LocatedFinding):
    """A record, action or counter that lacks a required field; `in_chart`: other rows of its chart may lack it too."""

    construct: str
    missing: tuple[str, ...]
    in_chart: bool = False

    def sentence(self) -> Sentence:
        missing_fields = list_words(self.missing, "and")
        fields = ", ".join(f"{name}: .." for name in self.missing)
        # A column that a chart forgot is missing from all its counters.
        root = (
            f"{self.span.file} {missing_fields}" if self.in_chart else f"{self.construct} {missing_fields} {self.span}"
        )
        message = f"{self.construct} lacks {missing_fields}"
        return self.sentence_here(message, "here", f"add `{fields}`", root=root)


@finding("R0413", "one-at-most")
class OneAtMost(LocatedFinding):
    """An end of a relation with at most one member, as declared at `declared`, used where several are expected."""

    declared: Span
    relation: str
    end: str

    def sentence(self) -> Sentence:
        return Sentence(
            f"`{self.end}` is at most one piece, but a set is needed here",
            (Label(self.span, "not a set"), Label(self.declared, f"declared with `one {self.end}`")),
            f"test `has {self.end}` and use this piece alone, or declare the relation without `one {self.end}`",
            root=f"{self.relation} {self.end}",
        )


_WITHOUT_ARTICLE = {"yes or no", "something with fields", "nothing"}


def _a(expected: str) -> str:
    """Return a phrase for a member of a type; for a range, a number in it."""
    if expected.startswith(("set of ", "list of ")):
        return f"`{expected}`"
    if ".." in expected and not expected.startswith("a "):
        return f"a number in {expected}"
    if expected in _WITHOUT_ARTICLE or expected.startswith("one ") or not expected[:1].islower():
        return expected
    return article(expected)


def _advice(expected: str, found: str) -> str:
    """Return the advice for a value of another type."""
    match expected:
        case _ if expected.removeprefix("a ").removeprefix("set of ").removeprefix("list of ") == found != expected:
            return "put it in braces, `{..}`"
        case _ if found in {f"set of {expected}", f"list of {expected}"}:
            return "name one of its members, or write `some(x in SET where ..)`"
        case "yes or no":
            return "compare it with something, or test it with `is` or `has`"
        case "something with fields":
            return "name a piece, a hex, a side or a record"
        case _:
            return f"write {_a(expected)}"
