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
        advice = "add a rule for this case, or say `otherwise ...` where the question is declared"
        return Sentence(
            f"no rule answers `{self.question}` here", (origin_label(self.declared_at, "asked here"),), advice
        )


@finding("R0552", "two-answers")
class TwoAnswers(Finding):
    """Live rules answered differently."""

    question: str
    declared_at: graph.Origin
    rules: tuple[tuple[str, graph.Origin], ...]

    def sentence(self) -> Sentence:
        return Sentence(
            f"rules give different answers to `{self.question}` here",
            (
                *(origin_label(origin, backquoted(name)) for name, origin in self.rules),
                origin_label(self.declared_at, "asked here"),
            ),
            "decide which of them wins, and write `exception to` in it",
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
        message = (
            f"too much to work out: `{self.question}` passes over sets with more than {self.members:,} members in all"
        )
        advice = "pass over fewer, as those within reach, or let it take more with `ask --steps`"
        return Sentence(message, (origin_label(self.declared_at, "asked here"),) if self.declared_at else (), advice)


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
            self.given or f"the answer to `{self.question}` lies outside what is declared for it",
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
        spans = (origin_label(place, "asked here"),) if place else ()
        if piece and text == "hex":
            message = f"`{piece}` has no `hex`: it is off the map or out of the game"
            return Sentence(message, spans, "test with `is off` and `is gone` first")
        if piece:
            advice = f"its counter has none printed on it: write its `{text}` where the piece is put"
            return Sentence(f"`{piece}` has no `{text}`", spans, advice)
        owner, _, fact = text.partition(".")
        if owner == "scenario":
            message = f"`{text}` is not given, and the answer depends on it"
            return Sentence(message, spans, f"write `{fact}` under `game` of the position, or ask about a card")
        return Sentence(f"`{text}` is not there", spans, "test it with `has` first")


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
        requirement = f"`{function}` asks for hexes of one map"
        askers = tuple(
            origin_label(origin, f"{backquoted(name)} asks for it") for name, origin in self.users[:MOST_NAMES]
        )
        advice = "ask for neighbors, distances or connections, which every map has"
        if card:
            return Sentence(f"{requirement}, and the map of `{card}` has no hexes", askers, advice)
        spaces = list_words(self.spaces, "and")
        return Sentence(
            f"{requirement}, not for {spaces}", askers, f"{advice}, or for `{function}` only of hexes of one map"
        )
