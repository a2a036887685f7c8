"""Questions without an answer, or with one that cannot be used."""

from compiler.source.finding import Finding, finding
from compiler.source.sentence import MOST_NAMES, Sentence, backquoted, list_words, origin_label
from runtime.graph import nodes as graph


@finding("R0551", "no-answer")
class NoAnswer(Finding):
    """No rule answered; `declared_at` is where the term or table is declared."""

    question: str
    declared_at: graph.Origin

    def sentence(self) -> Sentence:
        advice = "add a rule for this case, or write `otherwise ..` in the question"
        return Sentence(
            f"no rule answers `{self.question}` here", (origin_label(self.declared_at, "the question"),), advice
        )


@finding("R0552", "two-answers")
class TwoAnswers(Finding):
    """Live rules answered differently."""

    question: str
    declared_at: graph.Origin
    rules: tuple[tuple[str, graph.Origin], ...]

    def sentence(self) -> Sentence:
        return Sentence(
            f"{list_words(tuple(name for name, _ in self.rules), 'and')} give different answers to `{self.question}`",
            (
                *(origin_label(origin, backquoted(name)) for name, origin in self.rules),
                origin_label(self.declared_at, "the question"),
            ),
            "make one of them an exception to the other",
        )


@finding("R0567", "too-much-to-answer")
class TooMuchToAnswer(Finding):
    """A question that iterates over sets with more than the limit of members.

    `declared_at` is None if it is not a single term.
    """

    question: str
    members: int
    declared_at: graph.Origin | None

    def sentence(self) -> Sentence:
        message = f"`{self.question}` takes too long: it goes through more than {self.members:,} members of sets"
        advice = "go through fewer, such as those within reach, or allow more with `ask --steps`"
        return Sentence(message, (origin_label(self.declared_at, "the question"),) if self.declared_at else (), advice)


@finding("R0553", "answer-outside")
class AnswerOutside(Finding):
    """An answer outside the domain that the term declares.

    With `given` a number outside the domain of a parameter or field: the message about it, and `declared_at` is None
    where the language declares the domain.
    """

    question: str
    declared_at: graph.Origin | None
    rules: tuple[tuple[str, graph.Origin], ...]
    given: str = ""

    def sentence(self) -> Sentence:
        declared = (origin_label(self.declared_at, "declared here"),) if self.declared_at else ()
        advice = f"correct the {'number' if self.given else 'rule'}"
        return Sentence(
            self.given or f"the answer to `{self.question}` is outside its declared range",
            (*(origin_label(origin, backquoted(name)) for name, origin in self.rules), *declared),
            f"{advice}, or widen the declared range" if self.declared_at else advice,
        )


@finding("R0554", "read-absent")
class ReadAbsent(Finding):
    """A read of an absent value: a factor that `piece` does not have, unless that is ""."""

    name: str
    piece: str
    declared_at: graph.Origin | None

    def sentence(self) -> Sentence:
        text, piece, place = self.name, self.piece, self.declared_at
        spans = (origin_label(place, "used here"),) if place else ()
        if piece and text == "hex":
            message = f"`{piece}` has no hex, as it is off the map or out of the game"
            return Sentence(message, spans, "test `is off` and `is gone` first")
        if piece:
            advice = f"write its `{text}` where the piece is placed, as its counter has none"
            return Sentence(f"`{piece}` has no `{text}`", spans, advice)
        owner, _, fact = text.partition(".")
        if owner == "scenario":
            message = f"the answer depends on `{text}`, which is not given"
            return Sentence(message, spans, f"write `{fact}` under `game` of the position, or ask about a situation")
        return Sentence(f"`{text}` has no value", spans, "test it with `has` first")


@finding("R0584", "no-geometry")
class NoGeometry(Finding):
    """A call of a function for lines or directions where there are none.

    On `spaces` that are not hexes of one map or, given `card`, on a card whose map has no hex. `users` are rules,
    questions and procedures that call it.
    """

    function: str
    spaces: tuple[str, ...]
    card: str
    users: tuple[tuple[str, graph.Origin], ...]

    def sentence(self) -> Sentence:
        function, card = self.function, self.card
        fault = f"the map of `{card}` has none" if card else f"{list_words(self.spaces, 'and')} are not"
        users = tuple(origin_label(origin, backquoted(name)) for name, origin in self.users[:MOST_NAMES])
        advice = "use neighbors, distances or connections, which every map has"
        return Sentence(f"`{function}` needs hexes of one map, but {fault}", users, advice)
