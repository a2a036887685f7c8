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
        marked = "have one title" if self.category in ("counter", "chart") else "read alike"
        verb = "be called" if self.category in ("counter", "chart") else "read"
        advice = f"let one of them {verb} otherwise: the book and all answers call both the same"
        if self.category == "marker":
            marked = "have one marker"
            advice = "give each a marker of its own, or nobody can tell them apart on the map"
        labels = (Label(self.span, f"`{other}`"), Label(self.first, f"`{name}`"))
        return Sentence(f"`{name}` and `{other}` {marked}, `{self.reads}`", labels, advice)


@finding("R0209", "said-of-another", WARNING)
class SaidOfAnother(LocatedFinding):
    """The sentence of a question mentions `repeated_parameter` twice, and `missing_parameters` never."""

    repeated_parameter: str
    missing_parameters: tuple[str, ...]

    def sentence(self) -> Sentence:
        return self.sentence_here(
            f"`{{{self.repeated_parameter}}}` is said twice here, and "
            f"{list_words(tuple(f'{{{name}}}' for name in self.missing_parameters), 'and')} never",
            "this sentence",
            "see whether one of the two stands for another; or say it once",
        )


@finding("R0213", "verb-of-several", WARNING)
class VerbOfSeveral(LocatedFinding):
    """The verb of a sentence is in the singular only, and its `subject` may be several."""

    subject: str
    verb: str
    plural_verb: str

    def sentence(self) -> Sentence:
        return self.sentence_here(
            f"`{{{self.subject}}}` may be several, for whom nobody says “{self.verb}”",
            "this sentence",
            f"give both numbers: `{{{self.subject}}} {{{self.subject}: {self.verb}, {self.plural_verb}}}`",
        )
