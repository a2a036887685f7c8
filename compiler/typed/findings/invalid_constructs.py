"""Constructs that are meaningless at their place."""

from compiler.source.finding import Finding, LocatedFinding, finding
from compiler.source.sentence import Label, Sentence, backquoted, list_words
from compiler.source.span import Span


@finding("R0411", "invalid-construct")
class InvalidConstruct(LocatedFinding):
    """A construct that is meaningless at its place: a hex named or an action offered twice, a reversed range.

    `message` and `advice` are whole sentences; problems with one `root` are reported as one. `names` are those that
    other files could declare.
    """

    message: str
    advice: str
    root: str = ""
    names: tuple[str, ...] = ()

    def sentence(self) -> Sentence:
        return self.sentence_here(self.message, "here", self.advice, root=self.root, names=self.names)


@finding("R0410", "term-cycle")
class TermCycle(Finding):
    """Terms that query each other in a cycle."""

    spans: tuple[Span, ...]
    names: tuple[str, ...]

    def sentence(self) -> Sentence:
        return Sentence(
            (
                f"{list_words(self.names, 'and')} "
                f"{'depends on itself' if len(self.names) == 1 else 'depend on each other'}"
            ),
            tuple(
                Label(span, f"{backquoted(name)} uses {backquoted(next_name)}")
                for span, name, next_name in zip(self.spans, self.names, (*self.names[1:], self.names[0]), strict=False)
            ),
            "let one of them be answered without the other" if self.names[1:] else "let it be answered without itself",
            root=" ".join(sorted(self.names)),
        )


@finding("R0414", "missing-fact")
class MissingFact(LocatedFinding):
    """A card, or a position (`category`), lacks a fact that its game requires, or has it `empty`.

    `purpose` is the purpose of the fact, `declared` the declaration of the requirement, `values` its possible values.
    """

    category: str
    name: str
    fact: str
    declared: Span
    purpose: str
    values: str
    empty: bool = False

    def sentence(self) -> Sentence:
        key = "game" if self.category == "position" else "facts"
        omission = "has nothing in" if self.empty else "lacks"
        return self.sentence_here(
            f"the {self.category} `{self.name}` {omission} the required fact `{self.fact}`: {self.purpose}",
            "empty" if self.empty else "missing here",
            f"write `{self.fact}: ..` ({self.values}) under `{key}`",
            Label(self.declared, "required here"),
            root=f"{self.name} {self.fact}",
        )
