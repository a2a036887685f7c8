"""Values, amounts and arguments of another type than is required."""

from compiler.source.finding import LocatedFinding, finding
from compiler.source.sentence import Label, Sentence, backquoted, list_words
from compiler.source.span import Span
from runtime.graph.words import counted_noun


@finding("R0401", "type-mismatch")
class TypeMismatch(LocatedFinding):
    """A value of one type where another is expected; `members` are the values of an expected enumeration."""

    expected: str
    found: str
    members: tuple[str, ...] = ()

    def sentence(self) -> Sentence:
        one_of = (
            f"the members of `{self.expected}` are {list_words(self.members, 'and', 12)}"
            if self.members
            else _advice(self.expected, self.found)
        )
        return self.sentence_here(f"this needs {self.expected} but is {self.found}", f"is {self.found}", one_of)


@finding("R0402", "measure-mismatch")
class MeasureMismatch(LocatedFinding):
    """Amounts of different measures combined, or an amount that lacks its measure."""

    expected: str
    found: str
    literal: str

    def sentence(self) -> Sentence:
        found_measure = self.found or "a bare number"
        advice = "give it in the one measure; amounts of different measures never mix"
        if not self.found:
            advice = (
                f"multiply it by one of them, `1 {self.expected} * ..`; a value behind `for` is `4 {self.expected}`"
            )
        elif not self.expected:
            advice = f"divide it by one of them, `.. / 1 {self.found}`, or take `number(..)` of it"
        return self.sentence_here(
            f"this needs {self.expected or 'a bare number'} but is {found_measure}",
            f"is {found_measure}",
            f"write `{self.literal}`" if self.literal else advice,
        )


@finding("R0403", "wrong-arity")
class WrongArity(LocatedFinding):
    """A term, function, table or action with too many or too few arguments; `written` is the correct form."""

    name: str
    expected: int
    found: int
    written: str = ""

    def sentence(self) -> Sentence:
        message = f"`{self.name}` takes {counted_noun(self.expected, 'argument')} but is given {self.found}"
        advice = f"write `{self.written}`" if self.written else f"give it {counted_noun(self.expected, 'argument')}"
        return self.sentence_here(message, f"{counted_noun(self.found, 'argument')} here", advice)


@finding("R0408", "wrong-verb")
class WrongVerb(LocatedFinding):
    """A conclusion that is invalid for the form of its term: `adds` on a verdict, `is` on a sum."""

    term: str
    form: str
    verb: str
    valid_verbs: tuple[str, ...]

    def sentence(self) -> Sentence:
        message = f"a {self.form} such as `{self.term}` cannot be concluded with `{self.verb}`"
        advice = f"rules on a {self.form} say {list_words(self.valid_verbs)}" if self.valid_verbs else ""
        return self.sentence_here(message, f"`{self.term}` is a {self.form}", advice)


@finding("R0601", "bad-cell")
class BadCell(LocatedFinding):
    """A cell, printed factor or fact that is not of its declared type."""

    value_name: str
    expected: str
    found: str

    def sentence(self) -> Sentence:
        content = f"`{self.found}`" if self.found else "nothing"
        text = f"{backquoted(self.value_name)} needs {self.expected} but holds {content}"
        return self.sentence_here(text, f"not {self.expected}", f"write {_a(self.expected)} here")


@finding("R0409", "missing-field")
class MissingField(LocatedFinding):
    """A record, action or counter that lacks a required field; `in_chart`: other rows of its chart may lack it too."""

    construct: str
    missing: tuple[str, ...]
    in_chart: bool = False

    def sentence(self) -> Sentence:
        missing_fields = list_words(self.missing, "and")
        fields = ", ".join(f"{name}: ..." for name in self.missing)
        # A column that a chart forgot is missing from all its counters.
        root = (
            f"{self.span.file} {missing_fields}" if self.in_chart else f"{self.construct} {missing_fields} {self.span}"
        )
        message = f"{self.construct} lacks {missing_fields}"
        return self.sentence_here(message, "complete but for that", f"add `{fields}`", root=root)


@finding("R0413", "one-at-most")
class OneAtMost(LocatedFinding):
    """An end of a relation with at most one member, as declared at `declared`, used where several are expected.

    `other` is the opposite end.
    """

    declared: Span
    relation: str
    end: str
    other: str

    def sentence(self) -> Sentence:
        return Sentence(
            f"`{self.end}` is one at most, and stands here for several",
            (
                Label(self.span, "a set or a list is wanted"),
                Label(self.declared, f"`{self.relation}` has one `{self.end}`"),
            ),
            f"if there may be several, write `one {self.other}` there, or no `one`;"
            f" if not, ask `has {self.end}` first, and then of that one",
            root=f"{self.relation} {self.end}",
        )


def _a(expected: str) -> str:
    """Return a phrase for a member of a type; for a range, a number in it."""
    if expected.startswith(("set of ", "list of ")):
        return f"a {expected}"
    return f"a number in {expected}" if ".." in expected and not expected.startswith("a ") else expected


def _advice(expected: str, found: str) -> str:
    """Return the advice for a value of another type."""
    match expected:
        case _ if expected.removeprefix("a ").removeprefix("set of ").removeprefix("list of ") == found != expected:
            return "put it in braces, `{..}`: a set or a list of one"
        case _ if found in {f"set of {expected}", f"list of {expected}"}:
            pieces = "; pieces there are `{u in all unit where u.hex in SET}`" if expected == "hex" else ""
            return f"name one member, or ask about all, `some(x in SET where ..)`{pieces}"
        case "yes or no":
            return "a condition compares, tests with `is` or `has`, or asks a question that is answered yes or no"
        case "something with fields":
            return "only pieces, hexes, sides and records have fields"
        case _:
            return f"put {_a(expected)} here, or declare what stands here as one"
