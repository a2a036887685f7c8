"""Wordings that a reader cannot distinguish, or that leave something out."""

from compiler.source.finding import WARNING, LocatedFinding, finding
from compiler.source.sentence import Label, Sentence, list_words
from compiler.source.span import Span


@finding("R0206", "reads-alike", WARNING)
class ReadsAlike(LocatedFinding):
    """Two names that a reader cannot distinguish: `category` is trait, status, measure, counter, marker."""

    first: Span
    category: str
    names: tuple[str, str]
    reads: str

    def sentence(self) -> Sentence:
        name, other = self.names
        verb = {"counter": "have the title", "chart": "have the title", "marker": "have the marker"}
        message = f"`{name}` and `{other}` both {verb.get(self.category, 'read')} `{self.reads}`"
        advice = "change one of them, so that readers can tell the two apart"
        return self.sentence_here(message, f"`{other}`", advice, Label(self.first, f"`{name}`"))


@finding("R0209", "said-of-another", WARNING)
class SaidOfAnother(LocatedFinding):
    """The sentence of a question mentions `repeated_parameter` twice, and `missing_parameters` never."""

    repeated_parameter: str
    missing_parameters: tuple[str, ...]

    def sentence(self) -> Sentence:
        missing = list_words(tuple(f"{{{name}}}" for name in self.missing_parameters), "and")
        repeated = f"`{{{self.repeated_parameter}}}`"
        message = f"this sentence names {repeated} twice, but not {missing}"
        return self.sentence_here(message, "here", f"name {missing} instead of the first or second {repeated}")


@finding("R0709", "number-not-stated", WARNING)
class NumberNotStated(LocatedFinding):
    """A side `name` that is called `reads`, with an article, so that nothing tells whether it is one or several."""

    name: str
    reads: str

    def sentence(self) -> Sentence:
        name, reads = self.name, self.reads
        message = f"`{name}` is called “{reads}”, and nothing states whether that is one or several"
        return self.sentence_here(message, "this side", f"write `{name} plural` or `{name} singular`")


@finding("R0213", "verb-of-several", WARNING)
class VerbOfSeveral(LocatedFinding):
    """The verb of a sentence is in the singular only, and its `subject` may be several."""

    subject: str
    verb: str
    plural_verb: str

    def sentence(self) -> Sentence:
        name, verb = self.subject, self.verb
        message = f"`{{{name}}}` may be several, but the verb “{verb}” is singular"
        return self.sentence_here(message, "here", f"write `{{{name}}} {{{name}: {verb}, {self.plural_verb}}}`")
